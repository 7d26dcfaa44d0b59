import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem } from '../../../testing/purchases.ts'
import { refundPayment } from '../../../testing/refunds.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const compare = () => harness.server.jobs['payments.compare']({}, { attempt: 1, lastAttempt: false })

async function buy(): Promise<string> {
  const creator = await buildCreator(harness)
  const fan = await buildFan(harness)
  const itemId = await buildItem(harness, creator, 'single')
  const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (purchase as { _id: string })._id
}

async function operator() {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token })
}

const found = async () => (await (await operator()).call(routes.findings, {})).items

test('a charge that the gateway dated before us is no difference where the compared days begin in between', async () => {
  const orderId = await buy()
  const later = sql<Date>`submitted_at + interval '10 seconds'`
  await harness.context.db
    .updateTable('payments')
    .set({ submitted_at: later, decided_at: later })
    .where('order_id', '=', orderId)
    .execute()
  harness.clock.advance(DAY_MS)
  // Its batch is settled by now: from here on it is compared by itself alone.
  await compare()
  harness.clock.advance(4 * DAY_MS + 5000)
  await compare()
  expect(await found()).toEqual([])
})

test('a charge that counts as voided, and that the gateway charges all the same, is found with its payment', async () => {
  const orderId = await buy()
  const gateway = harness.context.payments
  harness.context.payments = { ...gateway, voidCharge: async () => ({ kind: 'voided' }) }
  await refundPayment(await operator(), { transactionId: orderId, amount: '$9.99' })
  harness.context.payments = gateway
  // What was voided just now may have been listed before.
  await compare()
  expect(await found()).toEqual([])
  harness.clock.advance(2 * HOUR_MS)
  await compare()
  const expected = { kind: 'unknown_charge', transactionId: orderId, amount: '$9.99' }
  expect(await found()).toContainEqual(expect.objectContaining(expected))
  // Nobody explained it by the time that its day isn't compared anymore.
  harness.clock.advance(6 * DAY_MS)
  await compare()
  expect(await found()).toContainEqual(expect.objectContaining(expected))
})
