import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { prepare } from '../../../db/prepare.ts'
import { type Range, startOfDay } from '../ledger/data.ts'
import { type Days, spansOf } from './rules.ts'

/** How many items and fans are named. */
const BEST = 10

/** A person's earnings by source in the range, in cents, largest first. Read from sums that a trigger keeps. */
export async function sumBySource(db: Db, userId: string, { from, to, timeZone }: Range) {
  let earned = db.selectFrom('ledger_source_quarter_hours').where('user_id', '=', userId)
  if (from !== undefined) earned = earned.where('starts_at', '>=', startOfDay(from, timeZone))
  if (to !== undefined) earned = earned.where('starts_at', '<', startOfDay(to, timeZone, 1))
  return earned
    .select([
      'source',
      sql<number>`sum(sales)::int`.as('sales'),
      sql<number>`sum(gross_cents)::bigint`.as('gross'),
      sql<number>`sum(fee_cents)::bigint`.as('fee'),
      sql<number>`sum(share_cents)::bigint`.as('share'),
    ])
    .groupBy('source')
    .orderBy('share', 'desc')
    .orderBy('source')
    .execute()
}

/** A person's shares of the subreddit program in the range, in cents; they are of no order, so no trigger counts their days. */
export function sumOfSubreddits(db: Db, userId: string, { from, to, timeZone }: Range) {
  const mine = sql<string>`(
    select id from subreddit_affiliates where user_id = ${userId}
    union all select share_id from subreddit_affiliates where moderator_id = ${userId})`
  let paid = db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .where('journals.source_type', '=', 'commission')
    .where('journals.kind', '=', 'commission')
    .where('journals.source_id', 'in', mine)
    .where('ledger_accounts.user_id', '=', userId)
  if (from !== undefined) paid = paid.where('occurred_at', '>=', startOfDay(from, timeZone))
  if (to !== undefined) paid = paid.where('occurred_at', '<', startOfDay(to, timeZone, 1))
  return paid
    .select([
      sql<number>`count(*)::int`.as('sales'),
      sql<number>`coalesce(-sum(postings.amount_cents), 0)::bigint`.as('share'),
    ])
    .executeTakeFirstOrThrow()
}

/** The items that brought a creator the most in the range, with what the last sale of each called it. */
export async function bestItems(db: Db, creatorId: string, range: Range) {
  const best = await ranked(db, creatorId, 'item', range)
  if (best.length === 0) return []
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'kind', 'title'])
    .where(
      'id',
      'in',
      best.map(({ orderId }) => orderId),
    )
    .execute()
  return withOthers(best, orders, ({ orderId }) => orderId)
}

/** The fans who brought a creator the most in the range. */
export async function bestFans(db: Db, creatorId: string, range: Range) {
  const best = await ranked(db, creatorId, 'fan', range)
  if (best.length === 0) return []
  const fans = await db
    .selectFrom('users')
    .select(['id', 'username', 'hidden_at as hiddenAt', 'deletion_requested_at as leavingSince'])
    .where(
      'id',
      'in',
      best.map(({ key }) => key),
    )
    .execute()
  return withOthers(best, fans, ({ key }) => key)
}

function withOthers<Row, Other extends { id: string }>(
  rows: Row[],
  others: Other[],
  idOf: (row: Row) => string,
): (Row & Other)[] {
  const byId = new Map(others.map((other) => [other.id, other]))
  return rows.flatMap((row) => {
    const other = byId.get(idOf(row))
    return other ? [{ ...row, ...other }] : []
  })
}

type Side = 'item' | 'fan'

function ranked(db: Db, creatorId: string, side: Side, range: Range) {
  const spans = spansOf(range)
  if (!spans) return rankedOfAll(db, { creatorId, side })
  const { before, months, after } = spans
  return rankedInRange(db, {
    ...{ creatorId, side, from: before.from, before: before.until, first: months.from },
    ...{ last: months.until, after: after.from, until: after.until },
  })
}

const rankedOfAll = prepare((db, { creatorId, side }: { creatorId: string; side: string }) =>
  db
    .selectFrom('ledger_rankings')
    .where('creator_id', '=', creatorId)
    .where('side', '=', side as Side)
    .where('span', '=', sql.lit('all'))
    .select(['key', 'sales', 'gross_cents as gross', 'share_cents as share', 'order_id as orderId'])
    .orderBy('share_cents', 'desc')
    .orderBy('key')
    .limit(BEST),
)

type Bounds = {
  creatorId: string
  side: string
  from: string
  before: string
  first: string
  last: string
  after: string
  until: string
}

const rankedInRange = prepare((db, bounds: Bounds) => {
  const { creatorId, side, from, before, first, last, after, until } = bounds
  const part = (span: 'day' | 'month', days: Days) =>
    db
      .selectFrom('ledger_rankings')
      .where('creator_id', '=', creatorId)
      .where('side', '=', side as Side)
      .where('span', '=', sql.lit(span))
      .where('starts_on', '>=', sql<Date>`${days.from}::date`)
      .where('starts_on', '<', sql<Date>`${days.until}::date`)
      .select(['key', 'sales', 'gross_cents', 'share_cents', 'order_id', 'starts_on'])
  const parts = part('day', { from, until: before })
    .unionAll(part('month', { from: first, until: last }))
    .unionAll(part('day', { from: after, until }))
  return db
    .selectFrom(parts.as('parts'))
    .select([
      'key',
      sql<number>`sum(sales)::int`.as('sales'),
      sql<number>`sum(gross_cents)::bigint`.as('gross'),
      sql<number>`sum(share_cents)::bigint`.as('share'),
      sql<string>`(array_agg(order_id order by starts_on desc))[1]`.as('orderId'),
    ])
    .groupBy('key')
    .orderBy('share', 'desc')
    .orderBy('key')
    .limit(BEST)
})
