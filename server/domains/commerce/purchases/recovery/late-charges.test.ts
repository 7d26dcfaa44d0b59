import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Checkpoint } from '../../../../context.ts'
import { buildCreator, buildFan, type Person } from '../../../../testing/builders.ts'
import { cardToken, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem, ONE_SALE, purchaseTraces } from '../../../../testing/purchases.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let fan: Person
let itemId: string
let breakAt: Checkpoint | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  fan = await buildFan(harness)
  itemId = await buildItem(harness, await buildCreator(harness), 'single')
})
afterEach(() => {
  breakAt = null
})

async function buy(card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) {
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  return harness.api.as(fan).send('POST', '/users/purchase', { body })
}

const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
const traces = () => purchaseTraces(harness, fan)
const purchases = () =>
  harness.context.db
    .selectFrom('purchases')
    .selectAll()
    .where('buyer_id', '=', fan.id)
    .orderBy('created_at')
    .execute()

/** An attempt of which the gateway shows nothing until it was called not charged. */
async function concludeNotCharged(card: { cardNumber: string; cardCode: string }): Promise<void> {
  const { payments } = harness.context
  harness.context.payments = { ...payments, lookup: async () => ({ kind: 'absent' }) }
  breakAt = 'purchase.gateway-answered'
  await buy(card)
  breakAt = null
  harness.clock.advance(16 * MINUTE_MS)
  for (let run = 0; run < 3; run++) await recover()
  harness.context.payments = payments
  expect(await purchases()).toMatchObject([{ status: 'refused', reason: 'not_charged' }])
}

test('a charge that shows up days after it was said not to be pays for what was ordered, once', async () => {
  await concludeNotCharged(TEST_CARDS.approved)
  harness.clock.advance(2 * DAY_MS)
  await recover()
  expect(await traces()).toEqual(ONE_SALE)
  await recover()
  expect(await traces()).toEqual(ONE_SALE)
})

test('it is given back when the item was bought again meanwhile', async () => {
  await concludeNotCharged(TEST_CARDS.approved)
  expect(await buy()).toMatchObject({ status: 200 })
  await recover()
  expect(await traces()).toEqual({ ...ONE_SALE, statuses: ['captured', 'voided'] })
  expect(await purchases()).toMatchObject([
    { status: 'voided', reason: 'already_owned' },
    { status: 'captured', reason: null },
  ])
})

test('one that is held for review then follows the merchant', async () => {
  await concludeNotCharged(TEST_CARDS.held)
  await recover()
  expect(await traces()).toEqual({ statuses: ['held'], charged: 0, granted: 0, sales: 0 })
  harness.clock.advance(10 * DAY_MS)
  const [held] = await purchases()
  await reviewHeld(harness, held?.gateway_transaction_id ?? '', 'approve')
  await recover()
  expect(await traces()).toEqual(ONE_SALE)
})

test('one that is held stays as it is while another attempt at the item is open', async () => {
  await concludeNotCharged(TEST_CARDS.held)
  expect(await buy(TEST_CARDS.held)).toMatchObject({ status: 202 })
  await recover()
  expect(await traces()).toEqual({ statuses: ['held', 'refused'], charged: 0, granted: 0, sales: 0 })
})

test('it is looked for until the settlement that would hold it is over, not for ever', async () => {
  await concludeNotCharged(TEST_CARDS.resetBefore)
  harness.clock.advance(2.9 * DAY_MS)
  await recover()
  const [{ lookups } = { lookups: 0 }] = await purchases()
  expect(lookups).toBeGreaterThan(3)
  harness.clock.advance(0.2 * DAY_MS)
  await recover()
  expect(await purchases()).toMatchObject([{ status: 'refused', reason: 'not_charged', lookups }])
})
