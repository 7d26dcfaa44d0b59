import { type Expression, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import { others } from '../../identity/roles/data.ts'

export type DisputeRow = Awaited<ReturnType<typeof listDisputes>>[number]

/** Disputes with their orders, newest first, one row more than the page holds. */
export function listDisputes(db: Db, showing: 'open' | 'all', page: PageRequest) {
  let rows = disputesOf(db)
    .orderBy('opened_at', 'desc')
    .orderBy('disputes.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (showing === 'open') rows = rows.where('disputes.status', '=', 'open')
  const { cursor } = page
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('opened_at'), eb.ref('disputes.id')))
  return rows.execute()
}

/** When open disputes were opened and are to be answered; not those of a sale that this operator has a part in and another may decide. */
export function disputesFor(db: Db, operatorId: string) {
  const parties = sql`array_remove(
    array[orders.buyer_id, case when orders.kind <> 'donation' then orders.creator_id end], null)`
  return db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(['opened_at as since', 'respond_by as due'])
    .where('disputes.status', '=', 'open')
    .where(
      sql<boolean>`not (${operatorId} = any(${parties}) and exists (${others(db, 'refunds.issue', parties)}))`,
    )
}

/** One dispute, or undefined. */
export function findDispute(db: Db, disputeId: string) {
  return disputesOf(db).where('disputes.id', '=', disputeId).executeTakeFirst()
}

function disputesOf(db: Db) {
  return db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'order_id')
    .innerJoin('users as buyer', 'buyer.id', 'orders.buyer_id')
    .innerJoin('users as creator', 'creator.id', 'orders.creator_id')
    .select(['disputes.id', 'order_id', 'disputes.amount_cents', 'fee_cents', 'cause', 'case_number'])
    .select(['disputes.status', 'opened_at', 'decided_at', 'payment_id'])
    .select(['orders.kind', 'orders.title', 'orders.buyer_id', 'orders.creator_id'])
    .select(['buyer.username as buyerUsername', 'buyer.deletion_requested_at as buyerLeavingSince'])
    .select(['creator.username as creatorUsername', 'creator.deletion_requested_at as creatorLeavingSince'])
    .select(sql<string | null>`to_char(respond_by, 'YYYY-MM-DD')`.as('respondBy'))
    .select((eb) => sql<string>`${positionOf(eb.ref('opened_at'), eb.ref('disputes.id'))}`.as('position'))
}

/** How long decided disputes of a payment were open altogether, as an interval. */
export const disputedFor = (paymentId: Expression<string>) => sql`(
  coalesce((
    select sum(extract(epoch from decided_at - opened_at)) from disputes where payment_id = ${paymentId}
  ), 0) * interval '1 second')`

/** The disputes of a payment and their outcomes. */
export function listDisputesOf(db: Db, paymentId: string) {
  return db
    .selectFrom('disputes')
    .select(['status', 'amount_cents as amountCents'])
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Counts since then of sales that were settled, refunded or not, and of disputes opened. */
export async function countDisputes(db: Db, since: Date): Promise<{ payments: number; disputes: number }> {
  const { payments } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('payments'))
    .where('status', 'in', ['captured', 'disputed', 'refunded'])
    .where('decided_at', '>=', since)
    .executeTakeFirstOrThrow()
  const { disputes } = await db
    .selectFrom('disputes')
    .select((eb) => eb.fn.countAll<number>().as('disputes'))
    .where('opened_at', '>=', since)
    .executeTakeFirstOrThrow()
  return { payments, disputes }
}
