import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { refundPayment } from '../../../testing/refunds.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person
let referrer: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  referrer = await buildFan(harness)
})

/** Logged in again, as time may have passed since. */
const as = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
const change = ({ id }: Person, values: { referred_by?: string; deletion_requested_at?: Date }) =>
  harness.context.db.updateTable('users').set(values).where('id', '=', id).execute()
const refer = (person: Person, by: Person) => change(person, { referred_by: by.id })

async function buy(
  priceCents = 10_000,
  {
    by = fan,
    card = TEST_CARDS.approved,
  }: { by?: Person; card?: { cardNumber: string; cardCode: string } } = {},
): Promise<{ id: string; status: number }> {
  const mediaIds = [await buildMedia(harness, creator)]
  const itemId = await buildBundle(harness, creator, { priceCents, mediaIds })
  const body = { kind: 'bundle', itemId, ...(await cardToken(harness, card)) }
  const answer = await (await as(by)).send('POST', '/users/purchase', { body })
  return { id: (answer.body as { _id: string })._id, status: answer.status }
}

async function refund(transactionId: string, amount: string): Promise<void> {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await refundPayment(harness.api.as({ token }), { transactionId, amount })
}

const commissionsOf = async (person: Person, query: { limit?: number; cursor?: string } = {}) =>
  (await as(person)).call(routes.commissions, { query })
const amountsOf = async (person: Person) => (await commissionsOf(person)).items.map(({ amount }) => amount)
const figuresOf = async (person: Person) => (await as(person)).call(routes.referralFigures, { query: {} })

/** All that was posted for an order, by account. */
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

test('a sale pays the buyer’s referrer out of the platform’s fee, and tells them not who bought what', async () => {
  await refer(fan, referrer)
  const { id } = await buy()
  expect(await postedFor(id)).toEqual({
    gateway: 10_000,
    platform_fees: -1300,
    creator_pending: -8000,
    referrer_pending: -700,
  })
  const page = await commissionsOf(referrer)
  expect(page.items).toMatchObject([
    { amount: '$7', returned: null, side: 'buyer', sharedCode: null, status: 'pending' },
  ])
  const told = JSON.stringify(page)
  for (const { id, username } of [fan, creator]) {
    expect(told).not.toContain(id)
    expect(told).not.toContain(username)
  }
  // The creator's share and what the buyer paid are what they are without a referrer.
  const { items } = await (await as(creator)).call(routes.transactions, { query: {} })
  expect(items).toMatchObject([{ amount: '$100', fee: '$20', share: '$80' }])
})

test('figures count who signed up, the months, and what becomes available after 7 days', async () => {
  await refer(fan, referrer)
  await refer(creator, referrer)
  expect(await figuresOf(referrer)).toMatchObject({
    signUps: { fans: 1, creators: 1 },
    pending: '$0',
    available: '$0',
  })
  await buy()
  const month = harness.clock.now().toISOString().slice(0, 7)
  const figures = await figuresOf(referrer)
  expect(figures).toMatchObject({ pending: '$7', available: '$0' })
  expect(figures.months).toHaveLength(12)
  expect(figures.months.at(-1)).toEqual({ month, earned: '$7' })
  harness.clock.advance(7 * DAY_MS + 1000)
  expect(await figuresOf(referrer)).toMatchObject({ pending: '$0', available: '$7' })
  expect((await commissionsOf(referrer)).items).toMatchObject([{ side: 'both', status: 'available' }])
  expect(await figuresOf(creator)).toMatchObject({ signUps: { fans: 0, creators: 0 }, available: '$0' })
  // It can be paid out with everything else.
  expect(await (await as(referrer)).call(routes.balance, { query: {} })).toMatchObject({ available: '$7' })
})

test('what is refunded is taken back in proportion, and a whole refund leaves nothing', async () => {
  await refer(fan, referrer)
  const { id } = await buy()
  await refund(id, '$50')
  expect((await commissionsOf(referrer)).items).toMatchObject([
    { amount: '$7', returned: '$3.50', status: 'pending' },
  ])
  expect(await figuresOf(referrer)).toMatchObject({ pending: '$3.50' })
  await refund(id, '$50')
  expect((await commissionsOf(referrer)).items).toMatchObject([{ returned: '$7', status: 'returned' }])
  const figures = await figuresOf(referrer)
  expect(figures).toMatchObject({ pending: '$0', available: '$0' })
  expect(figures.months.at(-1)).toMatchObject({ earned: '$0' })
  expect(Object.values(await postedFor(id)).every((cents) => cents === 0)).toBe(true)
})

test('renewals pay at the rate of their own day', async () => {
  await refer(fan, referrer)
  const itemId = await buildPlan(harness, creator, { priceCents: 10_000 })
  const body = { kind: 'subscription' as const, itemId, ...(await cardToken(harness)) }
  await (await as(fan)).call(routes.purchase, { body })
  for (let month = 1; month <= 13; month++) {
    harness.clock.advance(31 * DAY_MS)
    await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  }
  expect(await amountsOf(referrer)).toEqual(['$6.80', '$6.90', ...Array(12).fill('$7')])
})

test('what was not paid earns nothing, and a referrer who is gone earns nothing', async () => {
  await refer(fan, referrer)
  await buy(10_000, { card: TEST_CARDS.declined })
  await buy(10_000, { card: TEST_CARDS.held })
  expect(await amountsOf(referrer)).toEqual([])
  await change(referrer, { deletion_requested_at: harness.clock.now() })
  const { id } = await buy(5000)
  expect(await postedFor(id)).toMatchObject({ platform_fees: -1000 })
  expect(await postedFor(id)).not.toHaveProperty('referrer_pending')
})

test('a commission of a disputed sale is on hold, and goes back to the fee if it is canceled meanwhile', async () => {
  await refer(fan, referrer)
  const { id } = await buy()
  const { id: actorId } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, actorId, { reauthenticatedAt: harness.clock.now() })
  const operator = harness.api.as({ token })
  const reason = 'The bank’s letter'
  const { _id: disputeId } = await operator.call(
    routes.openDispute,
    {
      body: {
        ...{ transactionId: id, amount: '$50', fee: '$15', cause: 'fraud', caseNumber: 'CB-8', reason },
      },
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  expect((await commissionsOf(referrer)).items).toMatchObject([
    { amount: '$7', returned: null, status: 'onHold' },
  ])
  expect(await figuresOf(referrer)).toMatchObject({ pending: '$3.50', available: '$0', reserved: '$3.50' })
  // Nothing was given back yet, so the sale is shown as it was made.
  const sale = (await (await as(creator)).call(routes.transactions, { query: {} })).items[0]
  expect(sale).toMatchObject({ amount: '$100', returned: null, fee: '$20', share: '$80' })
  const balance = async () => (await as(referrer)).call(routes.balance, { query: {} })
  expect(await balance()).toMatchObject({ pending: '$3.50', reserved: '$3.50' })
  const cancel = { body: { username: referrer.username, reason: 'Fake accounts' } }
  expect(await operator.call(routes.cancelCommissions, cancel)).toEqual({ count: 1, amount: '$7' })
  expect(await balance()).toMatchObject({ pending: '$0', available: '$0', reserved: '$0' })
  expect(await figuresOf(referrer)).toMatchObject({ pending: '$0', reserved: '$0' })
  expect((await commissionsOf(referrer)).items).toMatchObject([{ status: 'canceled' }])
  await operator.call(routes.decideDispute, { body: { disputeId, outcome: 'won', reason } })
  expect(await balance()).toMatchObject({ pending: '$0', available: '$0', reserved: '$0' })
  expect(await postedFor(id)).toMatchObject({
    ...{ platform_fees: -2000, referrer_pending: 0, referrer_reserve: 0, dispute_clearing: 0 },
  })
})

test('many sales at once pay one referrer each of them, to the cent', async () => {
  const fans = await Promise.all(Array.from({ length: 8 }, () => buildFan(harness)))
  for (const each of fans) await refer(each, referrer)
  await refer(creator, referrer)
  const bought = await Promise.all(fans.map((by) => buy(1000, { by })))
  expect(bought.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(await amountsOf(referrer)).toEqual(Array(8).fill('$0.70'))
  const figures = await figuresOf(referrer)
  expect(figures).toMatchObject({ pending: '$5.60' })
  expect(figures.months.at(-1)).toMatchObject({ earned: '$5.60' })
})

test('an operator cancels pending commissions with a reason, once, and a refund afterwards takes nothing twice', async () => {
  await refer(fan, referrer)
  const { id: old } = await buy()
  harness.clock.advance(8 * DAY_MS)
  const { id } = await buy()
  const { id: actorId } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, actorId, { reauthenticatedAt: harness.clock.now() })
  const cancel = (username = referrer.username) =>
    harness.api.as({ token }).call(routes.cancelCommissions, { body: { username, reason: 'Fake accounts' } })
  await expect(cancel(creator.username)).rejects.toMatchObject({ code: 'no_commissions' })
  await expect(cancel('nobody-of-this-name')).rejects.toMatchObject({ code: 'user_not_found' })
  const attempts = await Promise.allSettled([cancel(), cancel()])
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toMatchObject([
    { value: { count: 1, amount: '$7' } },
  ])
  expect((await commissionsOf(referrer)).items).toMatchObject([
    { amount: '$7', returned: '$7', status: 'canceled' },
    { amount: '$7', returned: null, status: 'available' },
  ])
  expect(await figuresOf(referrer)).toMatchObject({ pending: '$0', available: '$7' })
  expect(await postedFor(id)).toEqual({
    ...{ gateway: 10_000, platform_fees: -2000, creator_pending: -8000, referrer_pending: 0 },
  })
  await refund(id, '$50')
  expect(await postedFor(id)).toMatchObject({
    platform_fees: -1000,
    creator_pending: -4000,
    referrer_pending: 0,
  })
  await refund(id, '$50')
  expect(Object.values(await postedFor(id)).every((cents) => cents === 0)).toBe(true)
  expect(await postedFor(old)).toMatchObject({ referrer_pending: -700 })
  const [entry] = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'reason', 'detail'])
    .where('action', '=', 'commissions.canceled')
    .where('target_id', '=', referrer.id)
    .execute()
  expect(entry).toMatchObject({
    actor_id: actorId,
    reason: 'Fake accounts',
    detail: { count: 1, cents: 700 },
  })
  await expect(
    (await as(fan)).call(routes.cancelCommissions, { body: { username: referrer.username, reason: 'Mine' } }),
  ).rejects.toMatchObject({ code: 'permission_required' })
})

test('pages go on where the last one ended, and hold what is one’s own alone', async () => {
  await refer(fan, referrer)
  for (const cents of [1000, 2000, 3000]) await buy(cents)
  const first = await commissionsOf(referrer, { limit: 2 })
  expect(first).toMatchObject({ items: [{ amount: '$2.10' }, { amount: '$1.40' }], hasMore: true })
  const rest = await commissionsOf(referrer, { limit: 2, cursor: first.nextCursor ?? '' })
  expect(rest).toMatchObject({ items: [{ amount: '$0.70' }], hasMore: false, nextCursor: null })
  expect((await commissionsOf(fan)).items).toEqual([])
  await expect(
    (await as(fan)).call(routes.commissions, { query: { userId: referrer.id } }),
  ).rejects.toMatchObject({ status: 403 })
})

test('a shared code splits what its people earn now, whoever they were at sign-up', async () => {
  const partner = await buildFan(harness)
  const shared = await (await as(referrer)).call(routes.createSharedCode, {
    body: { title: 'Team', participantIds: [] },
  })
  await harness.context.db
    .updateTable('users')
    .set({ referred_by_shared: shared._id })
    .where('id', '=', fan.id)
    .execute()
  await buy(1050)
  await harness.context.db
    .insertInto('shared_code_participants')
    .values({ code_id: shared._id, user_id: partner.id, place: 1 })
    .execute()
  // A person who is only invited has no part.
  await buy(1050)
  expect(await amountsOf(partner)).toEqual([])
  await (await as(partner)).call(routes.acceptSharedCode, { body: { sharedRefId: shared._id } })
  await buy(1050)
  expect((await commissionsOf(referrer)).items).toMatchObject([
    { amount: '$0.37', sharedCode: 'Team' },
    { amount: '$0.73', sharedCode: 'Team' },
    { amount: '$0.73', sharedCode: 'Team' },
  ])
  expect(await amountsOf(partner)).toEqual(['$0.36'])
  expect(await figuresOf(partner)).toMatchObject({ signUps: { fans: 1, creators: 0 } })
})

test('the database takes no change to what was agreed', async () => {
  await refer(fan, referrer)
  const { id } = await buy()
  const { db } = harness.context
  await expect(
    db.updateTable('order_commissions').set({ cents: 1 }).where('order_id', '=', id).execute(),
  ).rejects.toThrow(/append-only/)
  await expect(db.deleteFrom('order_commissions').where('order_id', '=', id).execute()).rejects.toThrow(
    /append-only/,
  )
  // Nor is anything added to it.
  const more = { order_id: id, referrer_id: creator.id, side: 'seller', cents: 1 } as const
  await expect(db.insertInto('order_commissions').values(more).execute()).rejects.toThrow(/record_links/)
  expect(await amountsOf(referrer)).toEqual(['$7'])
})
