import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Tables } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import type { PurchaseStatus } from '../../../db/tables/commerce.ts'

/** What either side sees: money moved. Its buyer also sees what may still move or was given back. */
const SEEN_BY_CREATOR: PurchaseStatus[] = ['captured', 'refunded', 'disputed']
const SEEN_BY_BUYER: PurchaseStatus[] = [...SEEN_BY_CREATOR, 'submitting', 'held', 'unknown', 'voided']

export type TransactionRow = Awaited<ReturnType<typeof listTransactions>>[number]

/** A person's sales and purchases, newest first, one row more than the page holds. Amounts are integer cents. */
export async function listTransactions(db: Db, userId: string, page: PageRequest) {
  const skip = skipOf(page)
  // Each side by its own index, so that page 1,000 costs what page 1 costs.
  const side = (column: 'buyer_id' | 'creator_id', statuses: PurchaseStatus[]) => {
    let rows = db
      .selectFrom('purchases')
      .select(['id', 'created_at'])
      .where(column, '=', userId)
      .where('status', 'in', statuses)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(skip + page.limit + 1)
    const { cursor } = page
    if (cursor !== undefined) rows = rows.where((eb) => after(cursor, eb.ref('created_at'), eb.ref('id')))
    return rows
  }
  return db
    .with('bought', () => side('buyer_id', SEEN_BY_BUYER))
    .with('sold', () => side('creator_id', SEEN_BY_CREATOR))
    .with('shown', (cte) =>
      cte
        .selectFrom((eb) =>
          eb.selectFrom('bought').selectAll().unionAll(eb.selectFrom('sold').selectAll()).as('both'),
        )
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .offset(skip),
    )
    .selectFrom('shown')
    .innerJoin('purchases', 'purchases.id', 'shown.id')
    .innerJoin('users as buyer', 'buyer.id', 'purchases.buyer_id')
    .innerJoin('users as creator', 'creator.id', 'purchases.creator_id')
    .select((eb) => [
      'purchases.id',
      'purchases.kind',
      'purchases.status',
      'purchases.title',
      'purchases.amount_cents',
      'purchases.created_at',
      'purchases.buyer_id',
      'purchases.creator_id',
      'buyer.username as buyerUsername',
      'buyer.hidden_at as buyerHiddenAt',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      saleCredit(eb, 'platform_fees').as('feeCents'),
      saleCredit(eb, 'creator_balance').as('shareCents'),
      sql<string>`${positionOf(eb.ref('purchases.created_at'), eb.ref('purchases.id'))}`.as('position'),
    ])
    .orderBy('purchases.created_at', 'desc')
    .orderBy('purchases.id', 'desc')
    .execute()
}

/** What the sale of a purchase put into accounts of this kind, in cents. */
function saleCredit(eb: ExpressionBuilder<Tables, 'purchases'>, kind: 'platform_fees' | 'creator_balance') {
  return eb
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .whereRef('journals.purchase_id', '=', 'purchases.id')
    .where('journals.kind', '=', 'sale')
    .where('ledger_accounts.kind', '=', kind)
    .select(sql<number>`coalesce(-sum(postings.amount_cents), 0)::bigint`.as('credit'))
    .$asScalar()
}

/** What the ledger says of a person, in cents: what they sold, and what they spent. Kept by a trigger. */
export async function findTotals(
  db: Db,
  userId: string,
): Promise<{ gross: number; fee: number; share: number; spent: number }> {
  const totals = await db
    .selectFrom('ledger_totals')
    .select(['gross_cents as gross', 'fee_cents as fee', 'share_cents as share', 'spent_cents as spent'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return totals ?? { gross: 0, fee: 0, share: 0, spent: 0 }
}

type Range = { from?: string | undefined; to?: string | undefined; timeZone: string }

/** What a creator sold on each day of the range, in cents, the first day first. Of sums that a trigger keeps. */
export async function sumSalesByDay(db: Db, creatorId: string, { from, to, timeZone }: Range) {
  // The start of a day in that zone, daylight saving included.
  const startOf = (day: string, later = 0) =>
    sql<Date>`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`
  let sold = db.selectFrom('ledger_quarter_hours').where('creator_id', '=', creatorId)
  if (from !== undefined) sold = sold.where('starts_at', '>=', startOf(from))
  if (to !== undefined) sold = sold.where('starts_at', '<', startOf(to, 1))
  return sold
    .select([
      sql<string>`to_char(starts_at at time zone ${timeZone}, 'YYYY-MM-DD')`.as('day'),
      sql<number>`sum(sales)::int`.as('sales'),
      sql<number>`sum(gross_cents)::bigint`.as('gross'),
      sql<number>`sum(fee_cents)::bigint`.as('fee'),
      sql<number>`sum(share_cents)::bigint`.as('share'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute()
}
