import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { momentOf } from '../../../../contract/wall-time.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { postRefund } from './actions.ts'

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness({ environment: { PLATFORM_FEE_PERCENT: '12.5' } })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

async function sell(
  priceCents: number,
  options: { by?: Person; card?: { cardNumber: string; cardCode: string } } = {},
) {
  const mediaIds = [await buildMedia(harness, creator)]
  const itemId = await buildBundle(harness, creator, { title: `For ${priceCents}`, priceCents, mediaIds })
  const body = { kind: 'bundle', itemId, ...(await cardToken(harness, options.card)) }
  await harness.api.as(options.by ?? fan).send('POST', '/users/purchase', { body })
}

const transactionsOf = (person: Person, query: { limit?: number; cursor?: string; skip?: number } = {}) =>
  harness.api.as(person).call(routes.transactions, { query })

const nothing = { gross: '$0', fee: '$0', share: '$0', commissions: '$0', spent: '$0' }

test('both sides see the sale; what was kept and what was earned is the creator’s business', async () => {
  await sell(1001)
  const people = {
    buyerId: { _id: fan.id, username: fan.username },
    creatorId: { _id: creator.id, username: creator.username },
  }
  const common = { status: 'captured', kind: 'bundle', title: 'For 1001', amount: '$10.01', ...people }
  expect(await transactionsOf(creator)).toMatchObject({
    items: [{ ...common, fee: '$1.25', share: '$8.76' }],
    totals: { gross: '$10.01', fee: '$1.25', share: '$8.76', spent: '$0' },
  })
  expect(await transactionsOf(fan)).toMatchObject({
    items: [{ ...common, fee: null, share: null }],
    totals: { ...nothing, spent: '$10.01' },
  })
})

test('commissions of referrals stand beside the share of own sales, less what was taken back', async () => {
  const { id: buyer_id } = fan
  const { orderId } = await insertPurchase(harness.context.db, {
    ...{ buyer_id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 1000, status: 'captured', created_at: harness.clock.now() },
    commissions: [{ referrerId: fan.id, cents: 70 }],
  })
  expect((await transactionsOf(fan)).totals).toEqual({ ...nothing, commissions: '$0.70', spent: '$10' })
  await harness.context.db
    .transaction()
    .execute((tx) =>
      postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 500, now: harness.clock.now() }),
    )
  expect((await transactionsOf(fan)).totals).toEqual({ ...nothing, commissions: '$0.35', spent: '$5' })
  expect((await transactionsOf(creator)).totals).toMatchObject({ commissions: '$0' })
})

/** An operator who just re-authenticated, and what they do with a sale of the creator's. */
async function operator() {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token })
}

/** A sale of $10 that the gateway has settled; the number of its transaction. */
async function settled(): Promise<string> {
  await sell(1000)
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const { items } = await transactionsOf(creator)
  return items[0]?._id ?? ''
}

async function refund(transactionId: string, amount: string): Promise<void> {
  await refundPayment(await operator(), { transactionId, amount })
}

test('what was refunded is shown to both, and to the creator the fee and the share that are left', async () => {
  const transactionId = await settled()
  await refund(transactionId, '$4')
  expect(await transactionsOf(creator)).toMatchObject({
    items: [
      { status: 'captured', amount: '$10', returned: '$4', byBank: false, fee: '$0.75', share: '$5.25' },
    ],
    totals: { gross: '$6', fee: '$0.75', share: '$5.25' },
  })
  expect(await transactionsOf(fan)).toMatchObject({
    items: [{ amount: '$10', returned: '$4', fee: null, share: null }],
    totals: { spent: '$6' },
  })
  const receipts = () => harness.api.as(fan).call(routes.receipts, { query: {} })
  expect(await receipts()).toMatchObject({
    items: [{ amount: '$10', returned: '$4', byBank: false }],
    totalSpent: '$6',
  })
  const { body } = await harness.api.as(creator).send('GET', '/users/transactions/csv', {})
  expect((body as Buffer).toString('utf8')).toContain('"captured","USD","10.00","4.00","0.75","5.25"')
  await refund(transactionId, '$6')
  expect(await transactionsOf(creator)).toMatchObject({
    items: [{ status: 'refunded', amount: '$10', returned: '$10', fee: '$0', share: '$0' }],
  })
  expect(await receipts()).toMatchObject({ items: [{ status: 'refunded', returned: '$10' }] })
})

test('a dispute that is open keeps the share, one that is lost has taken it back', async () => {
  const transactionId = await settled()
  const facts = { amount: '$10', fee: '$15', cause: 'fraud' as const, caseNumber: 'CB-1' }
  const bank = { transactionId, ...facts, reason: 'The bank’s letter' }
  const api = await operator()
  const { _id: disputeId } = await api.call(routes.openDispute, { body: bank })
  expect(await transactionsOf(creator)).toMatchObject({
    items: [{ status: 'disputed', dispute: 'open', returned: null, fee: '$1.25', share: '$8.75' }],
  })
  await api.call(routes.decideDispute, {
    body: { disputeId, outcome: 'lost', reason: 'The bank’s decision' },
  })
  expect(await transactionsOf(creator)).toMatchObject({
    items: [{ status: 'disputed', dispute: 'lost', returned: '$10', fee: '$0', share: '$0' }],
  })
})

test('what a bank took of a sale in part isn’t called a refund', async () => {
  const transactionId = await settled()
  const facts = { amount: '$4', fee: '$15', cause: 'fraud' as const, caseNumber: 'CB-2' }
  const api = await operator()
  const bank = { transactionId, ...facts, reason: 'The bank’s letter' }
  const { _id: disputeId } = await api.call(routes.openDispute, { body: bank })
  await api.call(routes.decideDispute, {
    body: { disputeId, outcome: 'lost', reason: 'The bank’s decision' },
  })
  const part = { items: [{ status: 'captured', returned: '$4', byBank: true }] }
  expect(await transactionsOf(creator)).toMatchObject(part)
  expect(await harness.api.as(fan).call(routes.receipts, { query: {} })).toMatchObject(part)
})

test('what was not paid counts nowhere; its buyer sees what is still being decided', async () => {
  await sell(1000, { card: TEST_CARDS.declined })
  await sell(2000, { card: TEST_CARDS.held })
  expect(await transactionsOf(creator)).toMatchObject({ items: [], totals: nothing })
  expect(await transactionsOf(fan)).toMatchObject({
    items: [{ amount: '$20', status: 'held' }],
    totals: nothing,
  })
})

test('a person who is gone is a deleted user, and the record stays', async () => {
  await sell(1000)
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: new Date() })
    .where('id', '=', fan.id)
    .execute()
  const { items } = await transactionsOf(creator)
  expect(items).toMatchObject([{ amount: '$10', buyerId: { _id: fan.id, username: 'Deleted User' } }])
})

test('pages forward by cursor and by skip through sales and purchases, newest first', async () => {
  // The creator is a buyer, too.
  const seller = await buildCreator(harness)
  const buyer = creator
  for (const cents of [100, 200, 300]) await sell(cents)
  creator = seller
  for (const cents of [400, 500]) await sell(cents, { by: buyer })
  const amounts: string[] = []
  let cursor: string | undefined
  do {
    const page = await transactionsOf(buyer, { limit: 2, ...(cursor ? { cursor } : {}) })
    amounts.push(...page.items.map(({ amount }) => amount))
    cursor = page.nextCursor ?? undefined
    expect(page.hasMore).toBe(cursor !== undefined)
    expect(page.totals).toEqual({ gross: '$6', fee: '$0.74', share: '$5.26', commissions: '$0', spent: '$9' })
  } while (cursor)
  expect(amounts).toEqual(['$5', '$4', '$3', '$2', '$1'])
  // Searching and sorting read the rest in few calls.
  expect((await transactionsOf(buyer, { limit: 300 })).items).toHaveLength(amounts.length)
  const tooMany = await harness.api.as(buyer).send('GET', '/users/transactions?limit=301')
  expect(tooMany.status).toBe(400)
  const skipped = await transactionsOf(buyer, { limit: 2, skip: 2 })
  expect(skipped.items.map(({ amount }) => amount)).toEqual(['$3', '$2'])
})

test('nobody sees the money of others', async () => {
  await sell(1000)
  const stranger = await buildCreator(harness)
  expect(await transactionsOf(stranger)).toMatchObject({ items: [], totals: nothing })
  const asked = harness.api.as(stranger).call(routes.transactions, { query: { userId: creator.id } })
  await expect(asked).rejects.toMatchObject({ status: 403, code: 'not_yourself' })
})

const earningsOf = async (
  person: Person,
  query: { from?: string; to?: string; timeZone?: string; userId?: string } = {},
) => (await harness.api.as(person).call(routes.earnings, { query })).days

/** A sale of the creator's at this moment. */
async function soldAt(amountCents: number, moment: string) {
  return insertPurchase(harness.context.db, {
    buyer_id: fan.id,
    creator_id: creator.id,
    kind: 'single',
    item_id: crypto.randomUUID(),
    amount_cents: amountCents,
    status: 'captured',
    created_at: new Date(moment),
    fee_basis_points: 1250,
  })
}

test('earnings stand on the day that the seller’s own calendar had, on both sides of a change of the clock', async () => {
  // New York goes from -4 to -5 on 1 November 2026, at 06:00 UTC.
  await soldAt(1000, '2026-11-01T03:59:59Z')
  await soldAt(2000, '2026-11-01T04:00:00Z')
  await soldAt(3000, '2026-11-02T04:59:59Z')
  await soldAt(4000, '2026-11-02T05:00:00Z')
  const first = { day: '2026-11-01', sales: 2, gross: '$50', fee: '$6.25', share: '$43.75' }
  const timeZone = 'America/New_York'
  expect(await earningsOf(creator, { timeZone })).toEqual([
    { day: '2026-10-31', sales: 1, gross: '$10', fee: '$1.25', share: '$8.75' },
    first,
    { day: '2026-11-02', sales: 1, gross: '$40', fee: '$5', share: '$35' },
  ])
  // The range is of the same calendar, its last day included.
  expect(await earningsOf(creator, { timeZone, from: '2026-11-01', to: '2026-11-01' })).toEqual([first])
  expect(await earningsOf(creator, { from: '2026-11-02' })).toMatchObject([
    { day: '2026-11-02', gross: '$70' },
  ])
  expect(await earningsOf(creator, { from: '2026-11-03' })).toEqual([])
  expect(await earningsOf(creator, { from: '2026-11-02', to: '2026-11-01' })).toEqual([])
})

test('earnings of one quarter of an hour add up, and a day may begin at a quarter past', async () => {
  // Kathmandu is at +5:45.
  for (const cents of [1000, 2000]) await soldAt(cents, '2026-11-01T18:14:59Z')
  await soldAt(4000, '2026-11-01T18:15:00Z')
  const timeZone = 'Asia/Kathmandu'
  expect(await earningsOf(creator, { timeZone })).toEqual([
    { day: '2026-11-01', sales: 2, gross: '$30', fee: '$3.75', share: '$26.25' },
    { day: '2026-11-02', sales: 1, gross: '$40', fee: '$5', share: '$35' },
  ])
  expect(await earningsOf(creator, { timeZone, from: '2026-11-02' })).toMatchObject([{ gross: '$40' }])
})

test('what was not paid, was bought, or is somebody else’s is no earning', async () => {
  await sell(1000, { card: TEST_CARDS.declined })
  await sell(2000, { card: TEST_CARDS.held })
  const stranger = await buildCreator(harness)
  expect(await earningsOf(creator)).toEqual([])
  await sell(3000)
  expect(await earningsOf(fan)).toEqual([])
  expect(await earningsOf(stranger)).toEqual([])
  await expect(earningsOf(stranger, { userId: creator.id })).rejects.toMatchObject({
    status: 403,
    code: 'not_yourself',
  })
})

const INVALID_ZONE = { timeZone: 'Enter a valid time zone.' }
test.each([
  [{ timeZone: 'Atlantis/Capital' }, INVALID_ZONE],
  [{ timeZone: '+05:00' }, INVALID_ZONE],
  [{ timeZone: "UTC'; select 1" }, INVALID_ZONE],
  // India, Ireland, and Israel.
  [{ timeZone: 'IST' }, INVALID_ZONE],
  // An hour east of Greenwich in summer, too, to PostgreSQL, and Brussels to Node.
  [{ timeZone: 'CET' }, INVALID_ZONE],
  // Known to Node but not to PostgreSQL.
  [{ timeZone: 'US/Pacific-New', from: '2026-11-01' }, undefined],
  [{ from: '2026-02-30' }, { from: expect.any(String) }],
  [{ to: 'today' }, { to: expect.any(String) }],
])('earnings refuse %j', async (query, details) => {
  const refused = { status: 400, code: 'invalid_input' }
  await expect(earningsOf(creator, query)).rejects.toMatchObject(
    details ? { ...refused, body: { details } } : refused,
  )
})

test.each([
  ...['UTC', 'Asia/Calcutta', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
  ...['GMT', 'EST', 'MST', 'HST', 'EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT'],
])('earnings know the time zone %s, and days begin in it as they do on a device', async (timeZone) => {
  expect(await earningsOf(creator, { timeZone, from: '2026-11-01' })).toEqual([])
  for (const day of ['2026-01-15T00:00', '2026-07-15T00:00']) {
    const { rows } = await sql<{ moment: Date }>`
      select ${day}::timestamp at time zone ${timeZone}::text as moment`.execute(harness.context.db)
    expect(rows[0]?.moment).toEqual(momentOf(day, timeZone))
  }
})
