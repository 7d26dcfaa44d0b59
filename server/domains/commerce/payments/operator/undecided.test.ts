import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { cardToken, gatewayTransactions, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem, ONE_SALE, purchaseTraces } from '../../../../testing/purchases.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let lookup: Harness['context']['payments']['lookup']
beforeAll(async () => {
  harness = await startHarness()
  lookup = harness.context.payments.lookup
})
afterAll(() => harness?.stop())
afterEach(() => answersLookUps(lookup))

const answersLookUps = (answer: typeof lookup) => {
  harness.context.payments = { ...harness.context.payments, lookup: answer }
}
const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })

async function buys(fan: Person, card: { cardNumber: string; cardCode: string }): Promise<void> {
  const itemId = await buildItem(harness, await buildCreator(harness), 'single')
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  expect(await harness.api.as(fan).send('POST', '/users/purchase', { body })).toMatchObject({ status: 202 })
}

const paymentOf = (fan: Person) =>
  harness.context.db
    .selectFrom('payments')
    .select(['order_id', 'reference', 'status', 'reason', 'gateway_transaction_id'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()

/** An operator's view of a fan's payment; nothing if it isn't listed. */
async function shown(fan: Person) {
  const { id } = await buildUser(harness, { role: 'finance' })
  const operator = harness.api.as({ token: await buildSession(harness, id) })
  const { order_id: orderId } = await paymentOf(fan)
  const { items } = await operator.call(routes.undecidedPayments, {})
  return items.filter(({ transactionId }) => transactionId === orderId)
}

const counted = async (status: 'held' | 'unknown') => {
  const figures = await (await fetch(`${harness.origin}/metrics`)).text()
  return Number(new RegExp(`^payments_undecided\\{status="${status}"\\} (\\d+)$`, 'm').exec(figures)?.[1])
}

test('a payment that is held for review is shown and counted until it is decided', async () => {
  const fan = await buildFan(harness)
  const before = await counted('held')
  await buys(fan, TEST_CARDS.held)
  const { reference, gateway_transaction_id: number } = await paymentOf(fan)
  expect(await shown(fan)).toMatchObject([
    { status: 'held', amount: '$9.99', reference, gatewayTransactionId: number },
  ])
  expect(await counted('held')).toBe(before + 1)
  await reviewHeld(harness, number ?? '', 'approve')
  harness.clock.advance(2 * MINUTE_MS)
  await recover()
  expect(await shown(fan)).toEqual([])
  expect(await counted('held')).toBe(before)
})

test('one that no look-up decides is shown and counted after a day', async () => {
  const fan = await buildFan(harness)
  const before = await counted('unknown')
  answersLookUps(async () => ({ kind: 'unavailable', detail: 'status_authorizedPendingCapture' }))
  await buys(fan, TEST_CARDS.resetAfter)
  harness.clock.advance(DAY_MS - MINUTE_MS)
  await recover()
  expect(await shown(fan)).toEqual([])
  expect(await counted('unknown')).toBe(before)
  harness.clock.advance(2 * MINUTE_MS)
  await recover()
  expect(await shown(fan)).toMatchObject([{ status: 'unknown', gatewayTransactionId: null }])
  expect(await counted('unknown')).toBe(before + 1)
})

/** The gateway's record of a fan's payment. */
async function charged(fan: Person) {
  const { reference } = await paymentOf(fan)
  const charge = (await gatewayTransactions(harness)).find(({ invoiceNumber }) => invoiceNumber === reference)
  if (!charge) throw new Error('nothing was charged')
  return charge
}

const happens = async (fan: Person, action: string) => {
  const { transId } = await charged(fan)
  const admin = `${harness.sandboxOrigin}/sandbox/authorizenet/admin`
  const made = await fetch(`${admin}/transactions/${transId}/${action}`, { method: 'POST' })
  expect(made.status).toBe(200)
}

test('one of which the settlement failed is not charged, and can be bought again', async () => {
  const fan = await buildFan(harness)
  await buys(fan, TEST_CARDS.resetAfter)
  await happens(fan, 'settlementError')
  harness.clock.advance(2 * MINUTE_MS)
  await recover()
  expect(await paymentOf(fan)).toMatchObject({ status: 'refused', reason: 'not_charged' })
})

test('one that the gateway could not void is charged', async () => {
  const fan = await buildFan(harness)
  await buys(fan, TEST_CARDS.resetAfter)
  await happens(fan, 'couldNotVoid')
  harness.clock.advance(2 * MINUTE_MS)
  await recover()
  expect(await purchaseTraces(harness, fan)).toMatchObject({ ...ONE_SALE, charged: expect.any(Number) })
})
