import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import type { PayoutStatus } from '../../../db/tables/commerce/payouts.ts'
import { findBalances, findDuePending } from '../ledger/data.ts'

const OPEN: PayoutStatus[] = ['requested', 'approved', 'in_transit']

export type PayoutRow = Awaited<ReturnType<typeof listPayouts>>[number]

/** Payouts with whose they are, newest first, one row more than the page holds: of one person, of those that wait, or all. */
export function listPayouts(db: Db, of: { userId: string } | { showing: 'open' | 'all' }, page: PageRequest) {
  let rows = payoutsOf(db)
    .orderBy('requested_at', 'desc')
    .orderBy('payouts.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if ('userId' in of) rows = rows.where('payouts.user_id', '=', of.userId)
  else if (of.showing === 'open') rows = rows.where('payouts.status', 'in', OPEN)
  const { cursor } = page
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('requested_at'), eb.ref('payouts.id')))
  return rows.execute()
}

/** One payout as it now stands; throws where there is none. */
export function payoutRow(db: Db, payoutId: string) {
  return payoutsOf(db).where('payouts.id', '=', payoutId).executeTakeFirstOrThrow()
}

function payoutsOf(db: Db) {
  return db
    .selectFrom('payouts')
    .innerJoin('users', 'users.id', 'user_id')
    .leftJoin('bank_details', 'bank_details.user_id', 'payouts.user_id')
    .innerJoin('payout_events', (join) =>
      join.onRef('payout_id', '=', 'payouts.id').onRef('payout_events.status', '=', 'payouts.status'),
    )
    .select(['payouts.id', 'amount_cents', 'payouts.status', 'requested_at', 'payouts.changed_at', 'reason'])
    .select(['payouts.user_id', 'username', 'hidden_at'])
    .select(['bank_details.last_four as bankLastFour', 'bank_details.changed_at as bankChangedAt'])
    .select((eb) => sql<string>`${positionOf(eb.ref('requested_at'), eb.ref('payouts.id'))}`.as('position'))
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
}

/** What a person has earned and where it is, in cents; what is due counts as available. */
export async function findBalance(db: Db, userId: string, now: Date) {
  const kept = await findBalances(db, userId)
  const due = (await findDuePending(db, userId, now)).reduce((sum, { cents }) => sum + cents, 0)
  const { onTheWay, paidOut } = await db
    .selectFrom('payouts')
    .where('user_id', '=', userId)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .select((eb) => [
      eb.fn.coalesce(sumOf(OPEN), eb.lit(0)).as('onTheWay'),
      eb.fn.coalesce(sumOf(['paid']), eb.lit(0)).as('paidOut'),
    ])
    .executeTakeFirstOrThrow()
  return {
    pending: (kept.creator_pending ?? 0) + (kept.referrer_pending ?? 0) - due,
    available: (kept.creator_available ?? 0) + (kept.referrer_available ?? 0) + due,
    reserved: (kept.creator_reserve ?? 0) + (kept.referrer_reserve ?? 0),
    onTheWay,
    paidOut,
  }
}

const sumOf = (statuses: PayoutStatus[]) =>
  sql<number>`(sum(amount_cents) filter (where status in (${sql.join(statuses)})))::bigint`

export type ExportedPayout = Awaited<ReturnType<typeof findForBank>>[number]

/** The approved payouts with what a bank needs to know of whom it pays, if that was there by then; locked, the oldest first. */
export function findForBank(db: Tx, changedBy: Date) {
  return db
    .selectFrom('payouts')
    .innerJoin('users', 'users.id', 'user_id')
    .innerJoin('bank_details', 'bank_details.user_id', 'payouts.user_id')
    .select(['payouts.id', 'payouts.user_id', 'amount_cents', 'currency', 'requested_at'])
    .select(['username', 'first_name', 'last_name', 'email', 'sealed_details'])
    .where('bank_details.changed_at', '<=', changedBy)
    .where('payouts.status', '=', 'approved')
    .where('payouts.livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('requested_at')
    .orderBy('payouts.id')
    .forUpdate(['payouts', 'bank_details'])
    .execute()
}

/** How many approved payouts wait for an export. */
export async function countApproved(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('payouts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'approved')
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}
