import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { ROLES, type Role } from '../../../../contract/permissions.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { buildPoster, buildPostOf, create, SUBREDDITS } from '../../../testing/schedule.ts'

const DAY_MS = 24 * 3600 * 1000
const WISH = { requestMessage: 'A birthday song for Sam', maxMinutes: 5, pricePerMinute: '$3' }

let harness: Harness
let start: Date
beforeAll(async () => {
  harness = await startHarness()
  // In the middle of a month, so that none ends between two calls.
  const now = harness.clock.now()
  harness.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12) - now.getTime())
  start = harness.clock.now()
  await buildSubreddits(harness, SUBREDDITS)
})
afterAll(() => harness?.stop())

const api = async (person: Person) => harness.api.as({ token: await buildSession(harness, person.id) })
const waiting = async (person: Person) => (await (await api(person)).call(routes.waiting, {})).items
const kinds = async (person: Person) => (await waiting(person)).map(({ kind, count }) => `${count} ${kind}`)
const daysAgo = (days: number) => new Date(start.getTime() - days * DAY_MS)

/** Of everything that operators decide what waits, and what no longer does. */
async function leaveDecisions(proposer: Person): Promise<void> {
  const { db } = harness.context
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const [suspended, moved] = [await buildCreator(harness), await buildCreator(harness)]
  const suspension = { suspended_at: daysAgo(1), suspension_reason: 'A test' }
  await db.updateTable('users').set(suspension).where('id', '=', suspended.id).execute()
  for (const { id } of [creator, suspended]) await buildBankDetails(harness, id)
  await buildBankDetails(harness, moved.id, 1)
  const sold = async (buyer = fan) =>
    (
      await insertPurchase(db, {
        ...{ buyer_id: buyer.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
        ...{ amount_cents: 1000, status: 'captured', created_at: daysAgo(20) },
      })
    ).paymentId
  for (const [day, buyer] of [
    ['2031-01-09', fan],
    ['2031-01-02', fan],
    ['2031-01-01', proposer],
  ] as const) {
    const paymentId = await sold(buyer)
    await sql`insert into disputes (payment_id, order_id, amount_cents, fee_cents, cause, case_number, opened_at, respond_by, recorded_by)
      select id, order_id, 1000, 1500, 'fraud', ${day}, ${daysAgo(3)}, ${day}::date, ${proposer.id} from payments
      where id = ${paymentId}`.execute(db)
  }
  await sql`update payments set stuck_at = ${daysAgo(1)} where id = ${await sold()}`.execute(db)
  for (const [days, status, { id }] of [
    [6, 'requested', creator],
    [9, 'requested', creator],
    [10, 'requested', suspended],
    [2, 'approved', creator],
    [3, 'approved', suspended],
    [4, 'approved', moved],
    [30, 'paid', creator],
  ] as const)
    await db
      .insertInto('payouts')
      .values({
        ...{ user_id: id, amount_cents: 2000, status },
        ...{ requested_at: daysAgo(days), changed_at: daysAgo(days) },
      })
      .execute()
  for (const [id, resolved] of [
    ['1', null],
    ['2', daysAgo(1)],
  ] as const)
    await db
      .insertInto('findings')
      .values({
        ...{ kind: 'unknown_charge', gateway_transaction_id: id, charged_at: daysAgo(2) },
        ...{ found_at: daysAgo(2), seen_at: daysAgo(2), resolved_at: resolved },
      })
      .execute()
  for (const closed of [null, daysAgo(1)])
    await db
      .insertInto('message_reports')
      .values({
        ...{ reporter_id: fan.id, sender_id: creator.id, content: 'Hello', reason: 'Rude' },
        ...{ created_at: daysAgo(4), closed_at: closed, decision: closed && 'none' },
      })
      .execute()
  for (const userId of [proposer.id, creator.id])
    await sql`insert into adjustments (from_account, to_account, amount_cents, currency, reference, reason, dated, proposed_by, proposed_at)
      values ('suspense', 'bank', 100, 'usd', ${userId}, 'The bank’s letter', ${daysAgo(1)}::date, ${userId}, ${daysAgo(1)})`.execute(
      db,
    )
  const body = { subreddit: 'CozyKnits', subscribers: 1000 }
  await (await api(creator)).call(routes.applyForSubreddit, { body })
  await (await api(proposer)).call(routes.applyForSubreddit, { body })
  await sql`insert into subreddit_affiliates (user_id, subreddit, stated_subscribers, applied_at, livemode)
    values (${creator.id}, 'liveknits', 1000, ${daysAgo(1)}, true)`.execute(db)
}

test('operators are told of what they may decide, how much it is, and since or until when', async () => {
  const people = new Map<Role, Person>()
  for (const role of ROLES) people.set(role, await buildUser(harness, { role }))
  const finance = people.get('finance') as Person
  await leaveDecisions(finance)
  await harness.context.db
    .insertInto('payouts')
    .values({
      ...{ user_id: finance.id, amount_cents: 2000, status: 'requested' },
      ...{ requested_at: daysAgo(12), changed_at: daysAgo(12) },
    })
    .execute()

  const found = new Map<Role, string[]>()
  for (const [role, person] of people) found.set(role, await kinds(person))
  expect(Object.fromEntries(found)).toEqual({
    superadmin: [
      ...['3 dispute', '1 report', '1 finding', '1 stuck_payment', '3 payout', '1 payout_to_export'],
      ...['2 adjustment', '2 subreddit'],
    ],
    reviewer: ['1 report'],
    support: [],
    // Their own purchases, payouts, adjustments and applications wait for somebody else.
    finance: [
      ...['2 dispute', '1 finding', '1 stuck_payment', '2 payout', '1 payout_to_export'],
      ...['1 adjustment', '1 subreddit'],
    ],
  })
  const things = await waiting(finance)
  expect(things[0]).toMatchObject({ kind: 'dispute', due: '2031-01-02' })
  expect(things.find(({ kind }) => kind === 'payout')).toMatchObject({ since: daysAgo(9).toISOString() })
  expect(await kinds(await buildFan(harness))).toEqual([])
})

test('a custom request waits for its creator, then for its fan, then for its creator again until it is delivered', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const asked = { ...WISH, creatorId: creator.id }
  const { _id: requestId, createdAt } = await (await api(fan)).call(routes.createCustomRequest, {
    body: asked,
  })
  expect(await waiting(creator)).toMatchObject([
    { kind: 'request_to_answer', count: 1, since: createdAt, due: null },
  ])
  expect(await waiting(fan)).toEqual([])

  const accept = { requestId, price: '$12', deliveryDays: 5 }
  await (await api(creator)).call(routes.acceptCustomRequest, { body: accept })
  expect(await waiting(creator)).toEqual([])
  expect(await waiting(fan)).toMatchObject([
    { kind: 'request_to_pay', count: 1, amount: '$12', name: creator.username },
  ])

  const body = {
    ...{ kind: 'custom' as const, itemId: requestId, price: '$12', deliveryDays: 5 },
    ...(await cardToken(harness)),
  }
  await (await api(fan)).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  expect(await waiting(fan)).toEqual([])
  const [delivery] = await waiting(creator)
  const { items } = await (await api(creator)).call(routes.customRequests, { query: { filterType: 'all' } })
  expect(delivery).toMatchObject({ kind: 'request_to_deliver', count: 1, due: items[0]?.deliverBy })
})

test('a custom request isn’t to be paid while its creator blocks the fan, whose list says so', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { _id: requestId } = await (await api(fan)).call(routes.createCustomRequest, {
    body: { ...WISH, creatorId: creator.id },
  })
  const accept = { requestId, price: '$12', deliveryDays: 5 }
  await (await api(creator)).call(routes.acceptCustomRequest, { body: accept })
  const listed = async () => {
    const { items } = await (await api(fan)).call(routes.customRequests, { query: {} })
    return items.map(({ payable }) => payable)
  }
  const block = { body: { blockedId: fan.id } }
  await (await api(creator)).call(routes.block, block)
  expect([await kinds(fan), await listed()]).toEqual([[], [false]])
  await (await api(creator)).call(routes.unblock, block)
  expect([await kinds(fan), await listed()]).toEqual([['1 request_to_pay'], [true]])
})

test('a custom request whose payment the bank still decides isn’t to be paid again', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { _id: requestId } = await (await api(fan)).call(routes.createCustomRequest, {
    body: { ...WISH, creatorId: creator.id },
  })
  const accept = { requestId, price: '$12', deliveryDays: 5 }
  await (await api(creator)).call(routes.acceptCustomRequest, { body: accept })
  expect(await kinds(fan)).toEqual(['1 request_to_pay'])
  const body = {
    ...{ kind: 'custom' as const, itemId: requestId, price: '$12', deliveryDays: 5 },
    ...(await cardToken(harness, TEST_CARDS.held)),
  }
  await (await api(fan)).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  expect(await waiting(fan)).toEqual([])
  expect(await waiting(creator)).toEqual([])
})

test('of a fan’s money: cards that expire while something renews by them, what has no card, and what is past due', async () => {
  const { db } = harness.context
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const planId = await buildPlan(harness, creator, { mediaIds: [] })
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await (await api(fan)).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  const expires = (month: string) =>
    db.updateTable('stored_cards').set({ expires: month }).where('user_id', '=', fan.id).execute()
  const month = start.toISOString().slice(0, 7)
  await expires('2099-12')
  expect(await waiting(fan)).toEqual([])
  await expires(month)
  const [card] = await waiting(fan)
  expect(card).toMatchObject({ kind: 'card_expiring', count: 1, name: 'Visa 1111' })
  expect(card?.due).toMatch(new RegExp(`^${month}-(28|29|30|31)$`))
  await expires('2020-02')
  expect(await waiting(fan)).toMatchObject([{ kind: 'card_expired', count: 1, due: '2020-02-29' }])
  await db.updateTable('subscriptions').set({ status: 'past_due' }).where('fan_id', '=', fan.id).execute()
  expect(await kinds(fan)).toEqual(['1 card_expired', '1 past_due'])
  const removed = { stored_card_id: null, network_transaction_id: null }
  for (const [status, told] of [
    ['active', ['1 no_card']],
    ['past_due', ['1 past_due']],
    ['canceled', []],
    ['expired', []],
  ] as const) {
    const row = db.updateTable('subscriptions').where('fan_id', '=', fan.id)
    await row.set({ ...removed, status }).execute()
    expect(await kinds(fan)).toEqual(told)
  }
})

test('a payout is offered from the least amount on, while none is on its way', async () => {
  const creator = await buildCreator(harness)
  const sell = async (cents: number) =>
    insertPurchase(harness.context.db, {
      ...{ buyer_id: (await buildFan(harness)).id, creator_id: creator.id, kind: 'single' },
      ...{ item_id: crypto.randomUUID(), amount_cents: cents, status: 'captured', created_at: daysAgo(8) },
    })
  await sell(2400)
  expect(await waiting(creator)).toEqual([])
  await sell(100)
  expect(await waiting(creator)).toMatchObject([{ kind: 'payout_possible', amount: '$20' }])
  await harness.context.db
    .insertInto('payouts')
    .values({ user_id: creator.id, amount_cents: 2000, requested_at: daysAgo(0), changed_at: daysAgo(0) })
    .execute()
  expect(await waiting(creator)).toEqual([])
})

test('a creator is told of an account that can’t post, of posts that are late or failed, and of those to post by hand', async () => {
  const { db } = harness.context
  const poster = await buildPoster(harness)
  const { _id: itemId } = await create(poster, await buildPostOf(harness, poster))
  const set = (to: object) => db.updateTable('scheduled_posts').set(to).where('id', '=', itemId).execute()
  expect(await waiting(poster.person)).toEqual([])
  await set({ post_at: daysAgo(1) })
  expect(await kinds(poster.person)).toEqual(['1 post_overdue'])
  await set({ state: 'waiting', by_hand: true })
  expect(await kinds(poster.person)).toEqual(['1 post_by_hand'])
  await set({ state: 'failed' })
  expect(await kinds(poster.person)).toEqual(['1 post_failed'])
  await set({ post_at: daysAgo(8) })
  expect(await waiting(poster.person)).toEqual([])
  await db
    .updateTable('forum_accounts')
    .set({ stopped_by: 'forum' })
    .where('user_id', '=', poster.person.id)
    .execute()
  expect(await kinds(poster.person)).toEqual(['1 forum_account'])
})
