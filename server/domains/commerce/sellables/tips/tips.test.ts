import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { DONATION_ID } from '../../../../../contract/orders.ts'
import { up as takeDonationsOff } from '../../../../db/migrations/0144-donations-are-nobodys-sales.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../../../testing/purchases.ts'
import { fansOf } from '../../../profiles/data.ts'
import { postRefund } from '../../ledger/actions.ts'

const HOUR_MS = 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const traces = () => purchaseTraces(harness, fan)

async function give(amount: string | undefined, body: object = {}, key = '') {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const card = await cardToken(harness)
  return api.send('POST', '/users/purchase', {
    body: { kind: 'tip', itemId: creator.id, ...(amount === undefined ? {} : { amount }), ...card, ...body },
    headers: key ? { 'idempotency-key': key } : {},
  })
}

test('a tip is charged as it was chosen, shared like a sale, and can be given again', async () => {
  const answer = await give('$12.50')
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'captured', amount: '$12.50', title: `Tip for @${creator.username}` },
  })
  expect(await traces()).toEqual(ONE_SALE)
  expect((await give('$1')).status).toBe(200)
  expect(await traces()).toMatchObject({ statuses: ['captured', 'captured'], charged: 2, sales: 2 })
  const api = harness.api.as({ token: await buildSession(harness, creator.id) })
  expect(await api.call(routes.balance, { query: {} })).toMatchObject({ pending: '$10.80' })
})

test('the same tip sent twice is charged once', async () => {
  const card = await cardToken(harness)
  const answers = [await give('$5', card, 'one-tip-sent-twice'), await give('$5', card, 'one-tip-sent-twice')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const another = await give('$50', card, 'one-tip-sent-twice')
  expect(another).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(await traces()).toEqual(ONE_SALE)
})

test('while a tip is under review another waits for it, and its amount is told', async () => {
  const held = await give('$5', await cardToken(harness, TEST_CARDS.held))
  expect(held).toMatchObject({ status: 202, body: { status: 'held', amount: '$5' } })
  expect((held.body as { message: string }).message).toBe(
    'Your payment is under review. Your tip is sent automatically once it’s approved, and you can send another one after that. You will not be charged twice.',
  )
  expect(await give('$10')).toMatchObject({ status: 409, body: { code: 'purchase_in_progress' } })
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const { purchase } = await api.call(routes.openPurchase, { query: { kind: 'tip', itemId: creator.id } })
  expect(purchase).toMatchObject({ status: 'held', amount: '$5' })
})

test.each([
  ['no amount', undefined, {}, 400, 'tip_amount'],
  ['too little', '$0.99', {}, 400, 'tip_amount'],
  ['too much', '$500.01', {}, 400, 'tip_amount'],
  ['an offer beside it', '$5', { offerId: crypto.randomUUID() }, 404, 'offer_not_found'],
  ['another price than was shown', '$5', { price: '$4' }, 409, 'price_changed'],
])('%s charges nothing', async (_name, amount, body, status, code) => {
  expect(await give(amount, body)).toMatchObject({ status, body: { code } })
  expect(await traces()).toEqual(NO_TRACES)
})

test('a fan, nobody, and a creator who blocked the fan can’t be tipped', async () => {
  const other = await buildFan(harness)
  expect(await give('$5', { itemId: other.id })).toMatchObject({ status: 404 })
  expect(await give('$5', { itemId: crypto.randomUUID() })).toMatchObject({ status: 404 })
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: creator.id, blocked_id: fan.id, created_at: harness.clock.now() })
    .execute()
  expect(await give('$5')).toMatchObject({ status: 404 })
  expect(await traces()).toEqual(NO_TRACES)
})

test('a declined card gives nothing, and the next one pays the tip', async () => {
  const declined = await give('$5', await cardToken(harness, TEST_CARDS.declined))
  expect(declined).toMatchObject({ status: 402, body: { code: 'card_declined' } })
  expect(await traces()).toMatchObject({ statuses: ['declined'], charged: 0, granted: 0, sales: 0 })
  expect((await give('$5')).status).toBe(200)
  expect(await traces()).toMatchObject({ statuses: ['captured', 'declined'], charged: 1, sales: 1 })
})

describe('a donation', () => {
  const donate = (body: object = {}) => give('$20', { kind: 'donation', itemId: DONATION_ID, ...body })

  test('is not taken while there is no superadmin, and nothing says who that is', async () => {
    const { db } = harness.context
    await db.updateTable('users').set({ role: null }).where('role', '=', 'superadmin').execute()
    expect(await harness.api.visitor().call(routes.donations, {})).toEqual({ taken: false, own: false })
    expect(await donate()).toMatchObject({ status: 404, body: { code: 'item_not_found' } })
    const operator = await buildUser(harness, { role: 'superadmin' })
    expect(await harness.api.visitor().call(routes.donations, {})).toEqual({ taken: true, own: false })
    expect(await harness.api.as(operator).call(routes.donations, {})).toEqual({ taken: true, own: true })
    const answer = await donate()
    expect(answer).toMatchObject({ status: 200, body: { amount: '$20', title: 'Tip to Fanfare' } })
    const api = harness.api.as({ token: await buildSession(harness, fan.id) })
    const receipts = await api.call(routes.receipts, { query: {} })
    expect(receipts.items).toMatchObject([{ creator: { _id: DONATION_ID, username: 'Fanfare' } }])
    expect(answer.body).toMatchObject({ creatorUsername: 'Fanfare' })
    const { items } = await api.call(routes.transactions, { query: {} })
    expect(items).toMatchObject([{ creatorId: { _id: DONATION_ID, username: 'Fanfare' } }])
    const told = JSON.stringify([answer.body, await api.call(routes.transactions, { query: {} }), receipts])
    for (const secret of [operator.id, operator.username]) expect(told).not.toContain(secret)
  })

  test('takes no notice of whom the account behind it blocked', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const blocks = [
      { blocker_id: operator.id, blocked_id: fan.id },
      { blocker_id: fan.id, blocked_id: operator.id },
    ]
    await harness.context.db
      .insertInto('blocks')
      .values(blocks.map((block) => ({ ...block, created_at: harness.clock.now() })))
      .execute()
    expect(await donate()).toMatchObject({ status: 200 })
  })

  test('is all the platform’s: no share, no commission, no conversation, and a refund ends at zero', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const referrer = await buildFan(harness)
    const { db } = harness.context
    await db.updateTable('users').set({ referred_by: referrer.id }).where('id', '=', fan.id).execute()
    const orderId = ((await donate()).body as { _id: string })._id
    expect(await traces()).toEqual(ONE_SALE)
    expect(await postedFor(orderId)).toEqual({ gateway: 2000, platform_fees: -2000 })
    const api = harness.api.as({ token: await buildSession(harness, fan.id) })
    expect((await api.call(routes.conversations, { query: {} })).conversations).toEqual([])
    const theirs = harness.api.as({ token: await buildSession(harness, operator.id) })
    expect(await theirs.call(routes.balance, { query: {} })).toMatchObject({ pending: '$0', available: '$0' })
    await db
      .transaction()
      .execute((tx) =>
        postRefund(tx, { refundId: crypto.randomUUID(), orderId, cents: 2000, now: harness.clock.now() }),
      )
    expect(await postedFor(orderId)).toEqual({ gateway: 0, platform_fees: 0 })
  })

  test('makes nobody a fan or a customer of the account that its order names', async () => {
    const { db } = harness.context
    await buildUser(harness, { role: 'superadmin' })
    expect(await give('$5')).toMatchObject({ status: 200 })
    const orderId = ((await donate()).body as { _id: string })._id
    const { creator_id } = await db
      .selectFrom('orders')
      .select('creator_id')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    const theirs = harness.api.as({ token: await buildSession(harness, creator_id) })
    const known = async () => {
      const { items } = await theirs.call(routes.transactions, { query: {} })
      const fans = await db.selectFrom('fans').select('spent_cents').where('fan_id', '=', fan.id).execute()
      // Whom the creator finds, gives to, and is popular with.
      const { rows } = await sql`select from ${fansOf(creator_id)} as fan where id = ${fan.id}`.execute(db)
      const sold = items.filter(({ _id }) => _id === orderId)
      return { sold, spent: fans.map((row) => row.spent_cents), found: rows.length }
    }
    expect(await known()).toEqual({ sold: [], spent: [500], found: 0 })
    const refund = { refundId: crypto.randomUUID(), orderId, cents: 2000, now: harness.clock.now() }
    await db.transaction().execute((tx) => postRefund(tx, refund))
    expect(await known()).toEqual({ sold: [], spent: [500], found: 0 })
  })

  test('is in its donor’s spending, and in nobody’s totals and days of sales', async () => {
    const { db } = harness.context
    // Whom the other tests’ donations don’t name.
    await db.updateTable('users').set({ role: null }).where('role', '=', 'superadmin').execute()
    const operator = await buildUser(harness, { role: 'superadmin', isCreator: true })
    const donate = async (amount: string) =>
      ((await give(amount, { kind: 'donation', itemId: DONATION_ID })).body as { _id: string })._id
    const refund = async (orderId: string) => {
      const half = { refundId: crypto.randomUUID(), orderId, cents: 500, now: harness.clock.now() }
      await db.transaction().execute((tx) => postRefund(tx, half))
    }
    const shown = async () => {
      const theirs = harness.api.as({ token: await buildSession(harness, operator.id) })
      const { totals } = await theirs.call(routes.transactions, { query: {} })
      const { days } = await theirs.call(routes.earnings, { query: {} })
      const { rows } = await sql`
        select from ledger_quarter_hours where creator_id = ${operator.id}`.execute(db)
      return { totals, days, quarters: rows.length }
    }
    // As they were counted before.
    await sql`
      do $$ begin
        execute replace(replace(pg_get_functiondef('add_to_ledger_totals'::regproc),
          'where orders.kind <> ''donation'' union all', 'union all'), ' and orders.kind <> ''donation''', '');
      end $$`.execute(db)
    await refund(await donate('$20'))
    expect(await give('$5', { itemId: operator.id })).toMatchObject({ status: 200 })
    harness.clock.advance(HOUR_MS)
    await donate('$8')
    expect(await shown()).toMatchObject({ totals: { gross: '$28', fee: '$24', share: '$4' }, quarters: 2 })

    await db.transaction().execute((tx) => takeDonationsOff(tx as unknown as Kysely<unknown>))
    const sold = await shown()
    expect(sold).toMatchObject({
      totals: { gross: '$5', fee: '$1', share: '$4' },
      days: [{ sales: 1, gross: '$5', fee: '$1', share: '$4' }],
      quarters: 1,
    })
    await refund(await donate('$7'))
    expect(await shown()).toEqual(sold)
    const donor = harness.api.as({ token: await buildSession(harness, fan.id) })
    expect(await donor.call(routes.transactions, { query: {} })).toMatchObject({ totals: { spent: '$30' } })
  })

  test('is for nobody else, and a superadmin who creates nothing takes no tip', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    for (const itemId of [operator.id, creator.id])
      expect(await donate({ itemId })).toMatchObject({ status: 404 })
    expect(await give('$20', { itemId: operator.id })).toMatchObject({ status: 404 })
    expect(await traces()).toEqual(NO_TRACES)
  })
})

async function postedFor(orderId: string): Promise<Record<string, number>> {
  const rows = await harness.context.db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .select(['ledger_accounts.kind', ({ fn }) => fn.sum<number>('amount_cents').as('cents')])
    .where('order_id', '=', orderId)
    .groupBy('ledger_accounts.kind')
    .execute()
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)]))
}
