import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, type Db, type Tables, type Tx } from '../../db/client.ts'
import {
  buildBankDetails,
  buildCreator,
  buildFan,
  buildPlan,
  buildUser,
  type Person,
} from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { insertPurchase } from '../../testing/purchases.ts'
import { audienceOf } from '../../viewer.ts'
import { listCards, listRenewedByCard } from './cards/data.ts'
import { countDisputes, disputesFor, listDisputes } from './disputes/data.ts'
import { sumOfSubreddits } from './earnings/data.ts'
import { postCommissionsCanceled } from './ledger/actions.ts'
import { findBooks } from './ledger/books/data.ts'
import { findFirstPosting, findMovements, findOwed } from './ledger/books/months/data.ts'
import { monthOf } from './ledger/books/months/rules.ts'
import { listTransactions } from './ledger/data.ts'
import { listGivenBackSince } from './ledger/payouts/data.ts'
import { listOwnOffers } from './offers/data.ts'
import { isDisputed } from './orders/data.ts'
import {
  countUndecided,
  listOperatorPayments,
  listRefusedRefunds,
  listTransfersMissing,
  listUndecided,
  listWaitingRefunds,
} from './payments/operator/data.ts'
import { exportPayouts } from './payouts/actions.ts'
import { findBalance, listAllPayouts, listPayouts, payoutsToApprove } from './payouts/data.ts'
import { listExports } from './payouts/exports/data.ts'
import { listSettlements } from './reconciliation/settlements/data.ts'
import { countReferred, listCommissions } from './referrals/data.ts'
import { listOwnSubscriptions, listReceipts } from './renewals/data.ts'
import { remindOfRenewals } from './renewals/reminders/actions.ts'
import { listAffiliates } from './subreddit-affiliates/data.ts'
import { listSubscribers } from './subscribers/data.ts'
import { expireSubscriptions } from './subscriptions/actions.ts'

/** Tables that hold a row for each creator's thing or each operator's, at most. */
const SMALL = new Set(['installation'])
const PAGE = { limit: 15 }

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterAll(() => harness?.stop())

type Statement = { sql: string; parameters: readonly unknown[] }

/** A connection of its own, and what it was asked so far. */
function logging() {
  const statements: Statement[] = []
  const pool = createPool(harness.databaseUrl, { max: 1, onError: () => {} })
  const logged = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql: text, parameters } }) => {
      statements.push({ sql: text, parameters })
    },
  })
  return { statements, pool, logged }
}

/** The tables that this reads from end to end, once the planner may do so only where it must. */
async function wholeTables(read: (db: Db, now: Date) => Promise<unknown>): Promise<string[]> {
  const { statements, pool, logged } = logging()
  try {
    await read(logged, harness.clock.now())
    expect(statements.length).toBeGreaterThan(0)
    await pool.query('set enable_seqscan = off')
    const tables: string[] = []
    for (const { sql: text, parameters } of statements) {
      const { rows } = await pool.query(`explain ${text}`, [...parameters])
      for (const { 'QUERY PLAN': line } of rows as { 'QUERY PLAN': string }[]) {
        const [, table] = /Seq Scan on (\w+)/.exec(line) ?? []
        if (table !== undefined && !SMALL.has(table)) tables.push(table)
      }
    }
    return tables
  } finally {
    await logged.destroy()
  }
}

const creators = () => ({
  ...audienceOf({ id: creator.id, role: null, isCreator: true }, { country: null, region: null }),
  id: creator.id,
})

test.each<[string, (db: Db, now: Date) => Promise<unknown>]>([
  ['a creator’s offers', (db) => listOwnOffers(db, creators(), PAGE)],
  [
    'a creator’s subscribers',
    (db) => listSubscribers(db, creator.id, { ...PAGE, showing: 'current', search: '' }),
  ],
  ['a creator’s balance', (db, now) => findBalance(db, creator.id, now)],
  ['a person’s payouts', (db) => listPayouts(db, creator.id, PAGE)],
  ['a person’s commissions', (db) => listCommissions(db, creator.id, PAGE)],
  [
    'what was given back since a payout',
    (db) => listGivenBackSince(db, { payoutId: crypto.randomUUID(), referrerId: creator.id }),
  ],
  [
    'a person’s shares of the subreddit program',
    (db) => sumOfSubreddits(db, creator.id, { from: undefined, to: undefined, timeZone: 'UTC' }),
  ],
  ['whom a person referred', (db) => countReferred(db, creator.id)],
  ['a person’s subreddits', (db) => listAffiliates(db, { userId: creator.id }, PAGE)],
  ['a fan’s subscriptions', (db) => listOwnSubscriptions(db, fan.id, { ...PAGE, showing: 'current' })],
  ['a person’s transactions', (db) => listTransactions(db, creator.id, PAGE)],
  ['a fan’s receipts', (db) => listReceipts(db, fan.id, PAGE)],
  ['a fan’s cards', (db) => listCards(db, fan.id)],
  ['what renews by a fan’s cards', (db) => listRenewedByCard(db, fan.id)],
  ['all payments', (db) => listOperatorPayments(db, {}, PAGE)],
  ['payments that a search names', (db) => listOperatorPayments(db, { search: fan.username }, PAGE)],
  ['payments that stand in one way', (db) => listOperatorPayments(db, { status: 'disputed' }, PAGE)],
  ['paid ones', (db) => listOperatorPayments(db, { status: 'captured' }, PAGE)],
  [
    'a creator’s payments that stand in one way',
    (db) => listOperatorPayments(db, { search: creator.username, status: 'disputed' }, PAGE),
  ],
  ['undecided payments', (db, now) => listUndecided(db, now)],
  ['refunds that the gateway refused', (db) => listRefusedRefunds(db)],
  ['refunds that wait for the gateway', (db, now) => listWaitingRefunds(db, now)],
  ['transfers that the books lack', (db) => listTransfersMissing(db)],
  ['how many are undecided', (db, now) => countUndecided(db, now)],
  ['open payouts', (db) => listAllPayouts(db, { actorId: fan.id, showing: 'open', page: PAGE })],
  ['all payouts', (db) => listAllPayouts(db, { actorId: fan.id, showing: 'all', page: PAGE })],
  ['exports for the bank', (db) => listExports(db, PAGE)],
  ['payouts that wait for an operator', (db) => payoutsToApprove(db, fan.id).execute()],
  ['disputes that wait for an operator', (db) => disputesFor(db, fan.id).execute()],
  [
    'whether a bank decides on it',
    (db) => {
      const [itemId, other] = [crypto.randomUUID(), crypto.randomUUID()]
      return isDisputed(db, fan.id, { kind: 'bundle', itemId, apart: [other] })
    },
  ],
  ['open disputes', (db) => listDisputes(db, 'open', PAGE)],
  ['the dispute rate', (db, now) => countDisputes(db, now)],
  ['what a month came to', (db, now) => findMovements(db, monthOf(now))],
  ['what was owed at the end of a month', (db, now) => findOwed(db, monthOf(now))],
  ['the first month of the books', (db) => findFirstPosting(db)],
  ['settled batches', (db) => listSettlements(db, PAGE)],
  ['subreddits to be decided', (db) => listAffiliates(db, { showing: 'open', operatorId: fan.id }, PAGE)],
  [
    'subreddits whose share is held',
    (db) => listAffiliates(db, { showing: 'held', operatorId: fan.id }, PAGE),
  ],
  [
    'refunds of an order',
    (db) => sql`select from refunds where order_id = ${crypto.randomUUID()}`.execute(db),
  ],
])('%s: by an index', async (_name, read) => {
  expect(await wholeTables(read)).toEqual([])
})

test('a person’s payments are listed in their order by an index, and no more of them read than are shown', async () => {
  const { statements, pool, logged } = logging()
  try {
    await listOperatorPayments(logged, { search: fan.username }, PAGE)
    for (const setting of ['seqscan', 'sort', 'incremental_sort'])
      await pool.query(`set enable_${setting} = off`)
    const { sql: text, parameters } = statements.at(-1) ?? { sql: '', parameters: [] }
    const { rows } = await pool.query(`explain ${text}`, [...parameters])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('using orders_buyer on orders')
    expect(plan).toContain('using orders_creator on orders')
  } finally {
    await logged.destroy()
  }
})

/** How many statements this takes. */
async function statementsOf(work: (db: Tx, now: Date) => Promise<unknown>): Promise<number> {
  const { statements, logged } = logging()
  try {
    await logged.transaction().execute((tx) => work(tx, harness.clock.now()))
    return statements.length
  } finally {
    await logged.destroy()
  }
}

test('an export of many payouts takes as many statements as one of a single payout', async () => {
  const { db, clock } = harness.context
  const actorId = (await buildUser(harness, { role: 'finance' })).id
  await buildBankDetails(harness, creator.id)
  const approved = (count: number) =>
    sql`insert into payouts (user_id, amount_cents, status, requested_at, changed_at)
      select ${creator.id}, 2000, 'approved', ${clock.now()}, ${clock.now()} from generate_series(1, ${count}::int)`.execute(
      db,
    )
  const exported = () =>
    statementsOf((tx, now) =>
      exportPayouts(tx, harness.context.vault, { actorId, reason: 'Weekly run', now }),
    )
  await approved(1)
  const one = await exported()
  await approved(40)
  expect(await exported()).toBe(one)
  const { rows } = await sql<{ kept: number }>`
    select count(*)::int as kept from payout_events join audit_log on target_id = payout_id::text
    where payout_events.status = 'in_transit' and action = 'payout.in_transit' and payout_events.actor_id = ${actorId}`.execute(
    db,
  )
  expect(rows[0]?.kept).toBe(41)
})

test('many fans are told of their renewals by as many statements as one', async () => {
  const { db, clock } = harness.context
  const planId = await buildPlan(harness, creator, { mediaIds: [], priceCents: 700 })
  const due = (count: number) =>
    sql`with fans as (
        insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
        select code || '@example.test', left(code, 20), 'P', 'p', 'x', false, left(code, 20), ${clock.now()}
        from (select replace(gen_random_uuid()::text, '-', '') as code from generate_series(1, ${count}::int)) as made
        returning id
      )
      insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      select ${planId}, id, ${creator.id}, 700, 'active', ${clock.now()}, ${clock.now()}::timestamptz + interval '1 day',
        ${clock.now()} from fans`.execute(db)
  await due(1)
  const one = await statementsOf(remindOfRenewals)
  await due(60)
  expect(await statementsOf(remindOfRenewals)).toBe(one)
  const { rows } = await sql<{ told: number }>`
    select count(*)::int as told from notifications join subscriptions on fan_id = user_id
    where plan_id = ${planId} and kind = 'subscription.renewing' and reminded_at is not null`.execute(db)
  expect(rows[0]?.told).toBe(61)
})

test('many free trials are announced, and end, by as many statements as one, and each fan is told', async () => {
  const { db, clock } = harness.context
  const planId = await buildPlan(harness, creator, { mediaIds: [], priceCents: 700 })
  const trials = (count: number) =>
    sql`with fans as (
        insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
        select code || '@example.test', left(code, 20), 'P', 'p', 'x', false, left(code, 20), ${clock.now()}
        from (select replace(gen_random_uuid()::text, '-', '') as code from generate_series(1, ${count}::int)) as made
        returning id
      )
      insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      select ${planId}, id, ${creator.id}, 700, 'trialing', ${clock.now()}, ${clock.now()}::timestamptz + interval '1 day',
        ${clock.now()} from fans`.execute(db)
  const later = (now: Date) => new Date(now.getTime() + 2 * 24 * 3600 * 1000)
  const ended = () => statementsOf((tx, now) => expireSubscriptions(tx, later(now)))
  // The first that the creator is told of has their digest scheduled.
  await trials(1)
  await ended()
  await trials(1)
  const one = { reminded: await statementsOf(remindOfRenewals), ended: await ended() }
  await trials(60)
  expect({ reminded: await statementsOf(remindOfRenewals), ended: await ended() }).toEqual(one)
  const { rows } = await sql<{ kind: string; told: number }>`
    select kind, count(*)::int as told from notifications join subscriptions on fan_id = user_id
    where plan_id = ${planId} and status = 'expired' group by kind order by kind`.execute(db)
  expect(rows).toEqual([
    { kind: 'subscription.ended', told: 62 },
    { kind: 'subscription.ending', told: 61 },
  ])
})

test('many commissions are canceled by as many statements as one, each once', async () => {
  const { db, clock } = harness.context
  const referrer = await buildFan(harness)
  const sell = async (count: number) => {
    for (let sale = 0; sale < count; sale++)
      await insertPurchase(db, {
        ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'tip', item_id: creator.id, amount_cents: 1000 },
        ...{ status: 'captured', created_at: clock.now() },
        commissions: [{ referrerId: referrer.id, cents: 70 }],
      })
  }
  const canceled: unknown[] = []
  const cancel = () =>
    statementsOf(async (tx, now) => {
      canceled.push(await postCommissionsCanceled(tx, { referrerId: referrer.id, now }))
    })
  await sell(1)
  const one = await cancel()
  await sell(25)
  expect(await cancel()).toBe(one)
  await cancel()
  expect(canceled).toEqual([
    { count: 1, cents: 70 },
    { count: 25, cents: 1750 },
    { count: 0, cents: 0 },
  ])
  const { discrepancies } = await findBooks(db)
  // The payouts of the test before set nothing aside.
  expect(discrepancies.filter(({ what }) => !what.startsWith('Payout'))).toEqual([])
})
