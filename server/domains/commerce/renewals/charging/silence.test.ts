import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCreator, buildFan, buildPlan } from '../../../../testing/builders.ts'
import {
  gatewayCaptures,
  gatewayThatIsDown,
  impatientGateway,
  planFault,
} from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

/** More than are charged together, so that a run that went on would begin a second batch. */
const DUE = 120
const BATCH = 100
const MONTH_MS = 30 * 24 * 3600 * 1000

let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
  await owe()
})
afterAll(() => harness.stop())

const renew = () => harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })

/** Subscriptions whose paid month is over, each of a fan with a card. */
async function owe(): Promise<void> {
  const { db, clock } = harness.context
  const creator = await buildCreator(harness)
  const planId = await buildPlan(harness, creator, { mediaIds: [], priceCents: 700 })
  const now = clock.now()
  const began = new Date(now.getTime() - MONTH_MS)
  for (let count = 0; count < DUE; count++) {
    const fan = await buildFan(harness)
    const card = await db
      .insertInto('stored_cards')
      .values({
        user_id: fan.id,
        customer_profile_id: `1${count}`,
        payment_profile_id: `2${count}`,
        brand: 'Visa',
        last_four: '1111',
        created_at: began,
        used_at: began,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('subscriptions')
      .values({
        plan_id: planId,
        fan_id: fan.id,
        creator_id: creator.id,
        price_cents: 700,
        status: 'active',
        anchor_at: began,
        current_period_end: now,
        renewal_due_at: now,
        stored_card_id: card.id,
        created_at: began,
      })
      .execute()
  }
}

async function attempts(): Promise<(string | null)[]> {
  const rows = await harness.context.db.selectFrom('payments').select(['status', 'reason']).execute()
  return rows.map(({ status, reason }) => (status === 'refused' ? reason : status))
}

test('a run ends after a batch that the gateway left unanswered, and the next one goes on with the others', async () => {
  const { payments } = harness.context
  try {
    harness.context.payments = impatientGateway(harness, 50)
    await planFault(harness, { call: 'createTransactionRequest', effect: 'timeoutBefore', times: DUE })
    await renew()
    expect(await attempts()).toEqual(Array.from({ length: BATCH }, () => 'unknown'))
    harness.context.payments = gatewayThatIsDown(harness)
    await renew()
    expect((await attempts()).filter((status) => status === 'gateway_unreachable')).toHaveLength(DUE - BATCH)
    // None is sent twice while its outcome is unknown.
    expect(await attempts()).toHaveLength(DUE)
  } finally {
    harness.context.payments = payments
  }
  expect(await gatewayCaptures(harness)).toEqual([])
})
