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
const payments = () =>
  harness.context.db
    .selectFrom('payments')
    .selectAll()
    .where('buyer_id', '=', fan.id)
    .orderBy('created_at')
    .execute()

/** An attempt whose charge the gateway shows only after it was recorded as not charged. */
async function concludeNotCharged(card: { cardNumber: string; cardCode: string }): Promise<void> {
  const gateway = harness.context.payments
  harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
  breakAt = 'purchase.gateway-answered'
  await buy(card)
  breakAt = null
  harness.clock.advance(16 * MINUTE_MS)
  for (let run = 0; run < 3; run++) await recover()
  harness.context.payments = gateway
  expect(await payments()).toMatchObject([{ status: 'refused', reason: 'not_charged' }])
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
  expect(await payments()).toMatchObject([
    { status: 'voided', reason: 'already_owned' },
    { status: 'captured', reason: null },
  ])
})

test('one that is held for review then follows the merchant', async () => {
  await concludeNotCharged(TEST_CARDS.held)
  await recover()
  expect(await traces()).toEqual({ statuses: ['held'], charged: 0, granted: 0, sales: 0 })
  harness.clock.advance(10 * DAY_MS)
  const [held] = await payments()
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

test('it is looked for until the settlement that would hold it is over, not forever', async () => {
  await concludeNotCharged(TEST_CARDS.resetBefore)
  harness.clock.advance(2.9 * DAY_MS)
  await recover()
  const [{ lookups } = { lookups: 0 }] = await payments()
  expect(lookups).toBeGreaterThan(3)
  harness.clock.advance(0.2 * DAY_MS)
  await recover()
  expect(await payments()).toMatchObject([{ status: 'refused', reason: 'not_charged', lookups }])
})

const orders = () =>
  harness.context.db
    .selectFrom('orders')
    .select(['id', 'status', 'amount_cents', 'paid_by'])
    .where('buyer_id', '=', fan.id)
    .orderBy('created_at')
    .execute()

/** A charge that shows up while a second attempt at the same order is held for review; the number of that one. */
async function showsUpMeanwhile(): Promise<string> {
  await concludeNotCharged(TEST_CARDS.approved)
  expect(await buy(TEST_CARDS.held)).toMatchObject({ status: 202 })
  await recover()
  expect(await payments()).toMatchObject([
    { status: 'refused', reason: 'not_charged', gateway_transaction_id: expect.any(String) },
    { status: 'held' },
  ])
  expect(await traces()).toMatchObject({ granted: 0, sales: 0 })
  return (await payments())[1]?.gateway_transaction_id ?? ''
}

test('one that shows up while another attempt is under way waits, and pays for the order when that one fails', async () => {
  const second = await showsUpMeanwhile()
  harness.clock.advance(4 * DAY_MS)
  await reviewHeld(harness, second, 'decline')
  for (let run = 0; run < 2; run++) {
    harness.clock.advance(60 * MINUTE_MS)
    await recover()
  }
  expect(await traces()).toEqual({ ...ONE_SALE, statuses: ['captured', 'declined'] })
  const [first] = await payments()
  expect(await orders()).toMatchObject([{ status: 'paid', paid_by: first?.id }])
})

test('it is given back when that one is captured: no second grant, no second sale', async () => {
  const second = await showsUpMeanwhile()
  await reviewHeld(harness, second, 'approve')
  for (let run = 0; run < 2; run++) {
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
  }
  expect(await traces()).toEqual({ ...ONE_SALE, statuses: ['captured', 'voided'] })
  expect(await payments()).toMatchObject([
    { status: 'voided', reason: 'already_owned' },
    { status: 'captured' },
  ])
})

test('another attempt pays the same order, as long as price and contents are the same', async () => {
  await concludeNotCharged(TEST_CARDS.resetBefore)
  expect(await buy(TEST_CARDS.declined)).toMatchObject({ status: 402 })
  expect(await buy()).toMatchObject({ status: 200 })
  const attempts = await payments()
  expect(attempts.map(({ status }) => status)).toEqual(['refused', 'declined', 'captured'])
  expect(await orders()).toMatchObject([{ status: 'paid', paid_by: attempts[2]?.id }])
})

test('another price makes another order, and a charge for the first is given back', async () => {
  await concludeNotCharged(TEST_CARDS.approved)
  await harness.context.db.updateTable('media').set({ price_cents: 1234 }).where('id', '=', itemId).execute()
  expect(await buy()).toMatchObject({ status: 200, body: { amount: '$12.34' } })
  expect(await orders()).toMatchObject([
    { status: 'void', amount_cents: 999, paid_by: null },
    { status: 'paid', amount_cents: 1234 },
  ])
  await recover()
  expect(await traces()).toEqual({ ...ONE_SALE, statuses: ['captured', 'voided'] })
})

test('an order that nobody pays is void once no charge can show up anymore, not earlier', async () => {
  await buy(TEST_CARDS.declined)
  harness.clock.advance(2.9 * DAY_MS)
  await recover()
  expect(await orders()).toMatchObject([{ status: 'open' }])
  harness.clock.advance(0.2 * DAY_MS)
  await recover()
  expect(await orders()).toMatchObject([{ status: 'void' }])
  expect(await traces()).toEqual({ statuses: ['declined'], charged: 0, granted: 0, sales: 0 })
})

test('an order that is being paid stays open, however long the gateway reviews it', async () => {
  await buy(TEST_CARDS.held)
  harness.clock.advance(20 * DAY_MS)
  await recover()
  expect(await orders()).toMatchObject([{ status: 'open' }])
})
