import { sql } from 'kysely'
import type { PaymentStatus } from '../../../../contract/orders.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { behind, type PageRequest, positionOf, skipOf, timeAndId } from '../../../db/cursor.ts'
import { prepare } from '../../../db/prepare.ts'
import type { AccountKind, LedgerTables } from '../../../db/tables/commerce/ledger.ts'
import { type Entry, type OrderBalance, orderBalance, refundableCents } from './rules.ts'

/** A creator sees what was sold, whatever became of it; its buyer also what may still be paid, or never granted anything. */
const SEEN_BY_BUYER: PaymentStatus[] = [
  ...(['captured', 'refunded', 'disputed', 'voided'] as const),
  ...(['submitting', 'held', 'unknown'] as const),
]

export type TransactionRow = Awaited<ReturnType<ReturnType<typeof transactionsOf>['execute']>>[number]

/** A person's sales and purchases, newest first, one row more than the page holds. Amounts are integer cents. */
export function listTransactions(db: Db, userId: string, page: PageRequest) {
  const { limit, cursor } = page
  const { time, id } = cursor === undefined ? { time: null, id: null } : timeAndId(cursor)
  const range = { from: null, to: null, timeZone: 'UTC' }
  return transactionRows(db, { userId, limit, skip: skipOf(page), time, id, ...range })
}

/** All sales and purchases of a range, newest first, in batches of which each is read when the one before was taken. */
export async function* eachTransaction(
  db: Db,
  userId: string,
  { from, to, timeZone }: Range,
): AsyncGenerator<TransactionRow[]> {
  let last: Pick<Listed, 'time' | 'id'> = { time: null, id: null }
  for (;;) {
    const listed: Listed = {
      userId,
      limit: BATCH,
      skip: 0,
      ...last,
      from: from ?? null,
      to: to ?? null,
      timeZone,
    }
    const rows: TransactionRow[] = (await transactionsOf(db, listed).execute()).slice(0, BATCH)
    if (rows.length > 0) yield rows
    const [time, id] = rows.at(-1)?.position.split('|') ?? []
    if (rows.length < BATCH || time === undefined || id === undefined) return
    last = { time, id }
  }
}

const BATCH = 1000

type Listed = {
  userId: string
  limit: number
  skip: number
  time: string | null
  id: string | null
  from: string | null
  to: string | null
  timeZone: string
}

function transactionsOf(db: Db, { userId, limit, skip, time, id, from, to, timeZone }: Listed) {
  const datedAt = sql.ref<Date>('dated_at')
  const inRange = [
    ...(from === null ? [] : [sql<boolean>`${datedAt} >= ${startOfDay(from, timeZone)}`]),
    ...(to === null ? [] : [sql<boolean>`${datedAt} < ${startOfDay(to, timeZone, 1)}`]),
    ...(time === null || id === null ? [] : [behind({ time, id }, datedAt, sql.ref('id'))]),
  ]
  const onPage = inRange.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(inRange, sql` and `)}`
  // Each side by its own index, so that page 1,000 costs what page 1 costs; what was sold without its payments.
  const bought = db
    .selectFrom('purchases')
    .select(['id', 'dated_at'])
    .where('buyer_id', '=', userId)
    .where('status', 'in', SEEN_BY_BUYER)
    .where(onPage)
    .orderBy('dated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(skip + limit + 1)
  const sold = db
    .selectFrom('orders')
    .select(['id', 'dated_at'])
    .where('creator_id', '=', userId)
    .where('status', '=', 'paid')
    // What the site was given is nobody's sale.
    .where('kind', '<>', 'donation')
    .where(onPage)
    .orderBy('dated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(skip + limit + 1)
  return db
    .with('bought', () => bought)
    .with('sold', () => sold)
    .with('shown', (cte) =>
      cte
        .selectFrom((eb) =>
          eb.selectFrom('bought').selectAll().unionAll(eb.selectFrom('sold').selectAll()).as('both'),
        )
        .selectAll()
        .orderBy('dated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .offset(skip),
    )
    .selectFrom('shown')
    .innerJoin('purchases', 'purchases.id', 'shown.id')
    .innerJoin('users as buyer', 'buyer.id', 'purchases.buyer_id')
    .innerJoin('users as creator', 'creator.id', 'purchases.creator_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('journals')
          .innerJoin('postings', 'postings.journal_id', 'journals.id')
          .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
          .whereRef('journals.order_id', '=', 'purchases.id')
          .select([
            credited(PLATFORMS).as('feeCents'),
            credited(CREATORS).as('shareCents'),
            returned.as('returnedCents'),
            sql<boolean | null>`bool_or(journals.kind = 'dispute_lost')`.as('isLost'),
            sql<number>`coalesce(sum(postings.amount_cents) filter (
              where ledger_accounts.kind = 'dispute_clearing'), 0)::bigint`.as('disputedCents'),
          ])
          .as('posted'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      'purchases.id',
      'purchases.kind',
      'purchases.status',
      'purchases.title',
      'purchases.amount_cents',
      'purchases.dated_at',
      'purchases.buyer_id',
      'purchases.creator_id',
      'buyer.username as buyerUsername',
      'buyer.hidden_at as buyerHiddenAt',
      'buyer.deletion_requested_at as buyerLeavingSince',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'creator.deletion_requested_at as creatorLeavingSince',
      eb.fn.coalesce('posted.feeCents', eb.lit(0)).as('feeCents'),
      eb.fn.coalesce('posted.shareCents', eb.lit(0)).as('shareCents'),
      eb.fn.coalesce('posted.returnedCents', eb.lit(0)).as('returnedCents'),
      eb.fn.coalesce('posted.disputedCents', eb.lit(0)).as('disputedCents'),
      'posted.isLost',
      sql<string>`${positionOf(eb.ref('purchases.dated_at'), eb.ref('purchases.id'))}`.as('position'),
    ])
    .orderBy('purchases.dated_at', 'desc')
    .orderBy('purchases.id', 'desc')
}

const transactionRows = prepare(transactionsOf)

/** Where the parts of a sale are, what is in reserve for a dispute included. */
const PLATFORMS: AccountKind[] = [
  'platform_fees',
  'referrer_pending',
  'referrer_available',
  'referrer_reserve',
]
const CREATORS: AccountKind[] = ['creator_pending', 'creator_available', 'creator_reserve']

const oneOf = (kinds: AccountKind[]) => sql.join(kinds.map((kind) => sql.lit(kind)))

/** The part of a sale that is in these accounts, in cents, less refunds. */
function credited(kinds: AccountKind[]) {
  return sql<number>`coalesce(-sum(postings.amount_cents) filter (
    where ledger_accounts.kind in (${oneOf(kinds)})), 0)::bigint`
}

/** The amounts given back of a sale by refunds and lost disputes, in cents; counted like `orderBalance`. */
const returned = sql<number>`coalesce(sum(postings.amount_cents) filter (
  where journals.kind <> 'sale' and ledger_accounts.kind in (${oneOf([...PLATFORMS, ...CREATORS])})), 0)::bigint`

type Totals = { gross: number; fee: number; share: number; commissions: number; spent: number }

/** A person's totals in cents, less refunds: sales, commissions, and spending. Kept by triggers. */
export async function findTotals(db: Db, userId: string): Promise<Totals> {
  const [totals] = await totalsRow(db, { userId })
  if (!totals) throw new Error('an aggregate answers one row')
  return totals
}

const totalsRow = prepare((db, { userId }: { userId: string }) => ({
  compile: () =>
    sql<Totals>`
      select coalesce(gross_cents, 0)::bigint as gross, coalesce(fee_cents, 0)::bigint as fee,
        coalesce(share_cents, 0)::bigint as share, coalesce(spent_cents, 0)::bigint as spent, commissions
      from (
        select coalesce(sum(net_cents), 0)::bigint as commissions from ledger_months
        where user_id = ${userId} and source = 'commission'
      ) as referred left join ledger_totals on user_id = ${userId}`.compile(db),
}))

export type Range = { from?: string | undefined; to?: string | undefined; timeZone: string }

/**
 * The start of a day in that zone, daylight saving included; of a later one by so many days. Of a midnight that comes twice,
 * which the database takes for the second, it is the first: a second after the one before it.
 */
export function startOfDay(day: string, timeZone: string, later: 0 | 1 = 0) {
  const midnight = sql`(${day}::date + ${sql.lit(later)}::int)::timestamp`
  return sql<Date>`least(${midnight} at time zone ${timeZone},
    (${midnight} - interval '1 second') at time zone ${timeZone} + interval '1 second')`
}

/** A creator's sales on each day of the range, in cents, oldest first. Read from sums that a trigger keeps. */
export async function sumSalesByDay(db: Db, creatorId: string, { from, to, timeZone }: Range) {
  let sold = db.selectFrom('ledger_quarter_hours').where('creator_id', '=', creatorId)
  if (from !== undefined) sold = sold.where('starts_at', '>=', startOfDay(from, timeZone))
  if (to !== undefined) sold = sold.where('starts_at', '<', startOfDay(to, timeZone, 1))
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

/** The sum of all postings of an order. */
export async function findOrderBalance(db: Db, orderId: string): Promise<OrderBalance> {
  return orderBalance(await entriesOf(db).where('journals.order_id', '=', orderId).execute())
}

/** The same of several orders, by their ids. */
export async function findOrderBalances(db: Db, orderIds: string[]): Promise<Map<string, OrderBalance>> {
  const rows = await entriesOf(db)
    .select('journals.order_id')
    .where('journals.order_id', '=', sql<string>`any(${orderIds}::uuid[])`)
    .execute()
  const ofOrders = Map.groupBy(rows, ({ order_id }) => order_id ?? '')
  return new Map([...ofOrders].map(([orderId, postings]) => [orderId, orderBalance(postings)]))
}

/** The part of an order that can still be refunded or disputed, in cents. */
export async function findRefundableCents(db: Db, orderId: string): Promise<number> {
  return refundableCents(await findOrderBalance(db, orderId))
}

type Source = Pick<LedgerTables['journals'], 'source_type' | 'source_id' | 'kind'>

/** The lines of one journal. */
export function findEntries(db: Db, source: Source): Promise<Entry[]> {
  return entriesOf(db)
    .where('source_type', '=', source.source_type)
    .where('source_id', '=', source.source_id)
    .where('journals.kind', '=', source.kind)
    .execute()
}

function entriesOf(db: Db) {
  return db
    .selectFrom('journals')
    .innerJoin('postings', 'postings.journal_id', 'journals.id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'postings.account_id')
    .select(['ledger_accounts.kind', 'user_id as userId', 'amount_cents as amountCents'])
    .select(['available_at as availableAt', 'journals.kind as journalKind'])
}

/**
 * The amounts that a person could be paid now, by how they were earned. A creator's part is negative when they owe
 * us.
 */
export async function findAvailable(
  db: Db,
  userId: string,
): Promise<{ creatorCents: number; referrerCents: number }> {
  const kept = await findBalances(db, userId)
  return { creatorCents: kept.creator_available ?? 0, referrerCents: kept.referrer_available ?? 0 }
}

/** Whether money is real here: balances of the other kind are not there. */
const ownMode = sql<boolean>`installation_livemode()`

/** The kept balances of a person's accounts, in cents. */
export async function findBalances(db: Db, userId: string): Promise<Partial<Record<AccountKind, number>>> {
  const rows = await db
    .selectFrom('ledger_balances')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .select(['kind', 'balance_cents'])
    .where('user_id', '=', userId)
    .where('livemode', '=', ownMode)
    .execute()
  return Object.fromEntries(rows.map(({ kind, balance_cents }) => [kind, balance_cents]))
}

/** Pending accounts that hold more than what is not yet due. */
function duePending(db: Db, now: Date) {
  return db
    .selectFrom('ledger_balances')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'account_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('postings')
          .whereRef('postings.account_id', '=', 'ledger_balances.account_id')
          .where('available_at', '>', now)
          .select(sql<number>`coalesce(-sum(amount_cents), 0)::bigint`.as('cents'))
          .as('later'),
      (join) => join.onTrue(),
    )
    .where('kind', 'in', ['creator_pending', 'referrer_pending'])
    .where('livemode', '=', ownMode)
    .where('balance_cents', '>', 0)
    .whereRef('balance_cents', '>', 'later.cents')
}

/** The due part of one person's pending shares, by account. */
export async function findDuePending(db: Db, userId: string, now: Date) {
  const rows = await duePending(db, now)
    .where('user_id', '=', userId)
    .select(['account_id as accountId', 'kind', sql<number>`balance_cents - later.cents`.as('cents')])
    .orderBy('account_id')
    .execute()
  return rows.map(({ accountId, kind, cents }) => ({
    accountId,
    cents,
    role: kind === 'creator_pending' ? ('creator' as const) : ('referrer' as const),
  }))
}

/** When shares of these people were released last. */
export async function findLastRelease(db: Db, userIds: string[]): Promise<Date | null> {
  const { at } = await db
    .selectFrom('ledger_accounts')
    .innerJoin('ledger_releases', 'account_id', 'ledger_accounts.id')
    .select((eb) => eb.fn.max<Date | null>('released_at').as('at'))
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return at
}

/** Some of those who have pending shares that are due. */
export async function findWithDuePending(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await duePending(db, now).select('user_id').distinct().limit(limit).execute()
  return rows.flatMap(({ user_id }) => user_id ?? [])
}

/** The amount of an order that open or lost disputes took, in cents. */
export async function findDisputedCents(db: Tx, orderId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('disputes.amount_cents'), sql.lit(0)).as('cents'))
    .where('payments.order_id', '=', orderId)
    .where('disputes.status', 'in', ['open', 'lost'])
    .executeTakeFirstOrThrow()
  return Number(cents)
}

/**
 * The part of an order that was refunded besides a dispute of the same money, and is the platform's loss, in cents.
 */
export async function findRefundedTwice(db: Tx, orderId: string): Promise<number> {
  const { cents } = await entriesOf(db)
    .clearSelect()
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount_cents'), sql.lit(0)).as('cents'))
    .where('journals.order_id', '=', orderId)
    .where('journals.kind', '=', 'refund')
    .where('ledger_accounts.kind', '=', 'dispute_losses')
    .executeTakeFirstOrThrow()
  return Number(cents)
}

/** The owner and kind of an account; null is the platform. */
export type Owned = Pick<Entry, 'kind' | 'userId'>

/** One text for each account. */
export const accountKey = ({ kind, userId }: Owned): string => `${kind} ${userId}`

/** The ids of those of these accounts that were opened, by `accountKey`. */
export async function findAccounts(db: Db, lines: Owned[]): Promise<Map<string, string>> {
  const kinds = [...new Set(lines.map(({ kind }) => kind))]
  const people = [...new Set(lines.flatMap(({ userId }) => userId ?? []))]
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['id', 'kind', 'user_id as userId'])
    .where('kind', 'in', kinds)
    .where((eb) =>
      eb.or([eb('user_id', 'is', null), eb('user_id', '=', sql<string>`any(${people}::uuid[])`)]),
    )
    .where('currency', '=', 'usd')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .execute()
  return new Map(rows.map((row) => [accountKey(row), row.id]))
}
