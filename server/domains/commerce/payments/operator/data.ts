import { sql } from 'kysely'
import type { PaymentStatus } from '../../../../../contract/orders.ts'
import { Id } from '../../../../../contract/schemas.ts'
import type { Db } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../../db/cursor.ts'
import type { OrderBalance } from '../../ledger/rules.ts'
import { askedCents, transfersOutside } from '../../refunds/data.ts'
import { isNotSentOutside } from '../data.ts'
import { shownUndecidedBefore } from '../rules.ts'

export type OperatorPaymentRow = NonNullable<Awaited<ReturnType<typeof findOperatorPayment>>>

/** Which orders an operator looks for: by whom or what a search names, and by how their payment stands. */
type Sought = { search?: string | undefined; status?: PaymentStatus | undefined }

const NEWEST_FIRST = sql`listed_at desc, id desc`

/**
 * Orders with their payments, one row more than the page holds: all, or those that match the search. Newest first; in
 * the list of one status, the latest payment first.
 */
export async function listOperatorPayments(db: Db, { search, status }: Sought, page: PageRequest) {
  const skip = skipOf(page)
  const { cursor } = page
  const from = status === undefined ? ALL : withStatus(status)
  const behind = cursor === undefined ? sql`true` : after(cursor, from.listedAt, sql`purchases.id`)
  // Each side by its own index, so that page 1,000 costs what page 1 costs.
  const sides = (await findWanted(db, search)).map(
    (wanted) => sql`(
      select purchases.id, ${from.listedAt} as listed_at from ${from.rows} where ${from.are} and ${wanted} and ${behind}
      order by ${from.listedAt} desc, purchases.id desc limit ${skip + page.limit + 1})`,
  )
  const found = sql<{ id: string; listed_at: Date }>`(
    select id, listed_at from (${sql.join(sides, sql` union `)}) as sides
    order by ${NEWEST_FIRST} limit ${page.limit + 1} offset ${skip})`
  return purchasesOf(db)
    .innerJoin(found.as('found'), 'found.id', 'purchases.id')
    .select((eb) => sql<string>`${positionOf(eb.ref('listed_at'), eb.ref('purchases.id'))}`.as('position'))
    .orderBy('listed_at', 'desc')
    .orderBy('purchases.id', 'desc')
    .execute()
}

const ALL = { rows: sql`orders as purchases`, are: sql`true`, listedAt: sql<Date>`purchases.created_at` }

/** Orders whose payment, of several attempts the one that counts, stands so. */
function withStatus(status: PaymentStatus) {
  return {
    rows: sql`payments join purchases on purchases.id = payments.order_id`,
    are: sql`payments.status = ${status} and purchases.status = ${status} and not exists (
      select from payments as later where later.order_id = payments.order_id and later.status = ${status}
        and (later.created_at, later.id) > (payments.created_at, payments.id))`,
    listedAt: sql<Date>`payments.created_at`,
  }
}

/** The conditions of which an order meets one: none without a search, and those of whom or what it names. */
async function findWanted(db: Db, search: string | undefined) {
  if (!search) return [sql`true`]
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(username) = ${search.toLowerCase()} or email = ${search.toLowerCase()}`.execute(
    db,
  )
  const people = rows.flatMap(({ id }) => [
    sql`purchases.buyer_id = ${id}`,
    sql`purchases.creator_id = ${id}`,
  ])
  if (Id.safeParse(search).success) return [...people, sql`purchases.id = ${search}`]
  const charged = sql`purchases.id = any(array(
    select order_id from payments where reference = ${search}
    union select order_id from payments where gateway_transaction_id = ${search}))`
  return [...people, charged]
}

/** One order with its payment, or undefined. */
export function findOperatorPayment(db: Db, orderId: string) {
  return purchasesOf(db).where('purchases.id', '=', orderId).executeTakeFirst()
}

function purchasesOf(db: Db) {
  return db
    .selectFrom('purchases')
    .innerJoin('users as buyer', 'buyer.id', 'purchases.buyer_id')
    .innerJoin('users as creator', 'creator.id', 'purchases.creator_id')
    .select(['purchases.id', 'purchases.kind', 'purchases.status', 'purchases.title'])
    .select(['purchases.amount_cents', 'purchases.created_at', 'purchases.buyer_id', 'purchases.creator_id'])
    .select(['buyer.username as buyerUsername', 'buyer.deletion_requested_at as buyerLeavingSince'])
    .select(['creator.username as creatorUsername', 'creator.deletion_requested_at as creatorLeavingSince'])
    .select((eb) => [
      eb
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .whereRef('payments.order_id', '=', 'purchases.id')
        .where('refunds.status', 'in', ['refunded', 'voided'])
        .select(sql<number>`coalesce(sum(refunds.amount_cents), 0)::bigint`.as('cents'))
        .as('refundedCents'),
      eb
        .selectFrom('disputes')
        .innerJoin('payments', 'payments.id', 'disputes.payment_id')
        .whereRef('payments.order_id', '=', 'purchases.id')
        .where('disputes.status', '=', 'lost')
        .select(sql<number>`coalesce(sum(disputes.amount_cents), 0)::bigint`.as('cents'))
        .as('lostCents'),
    ])
}

/** Each attempt to pay an order with its events, the first attempt first. */
export async function listAttempts(db: Db, orderId: string) {
  const attempts = await db
    .selectFrom('payments')
    .select(['id', 'status', 'reference', 'gateway_transaction_id', 'card_brand', 'card_last_four'])
    .select(['avs', 'cvv', 'off_session'])
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const events = await db
    .selectFrom('payment_events')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['payment_id', 'to_status', 'payment_events.source', 'payment_events.reason', 'at'])
    .where('order_id', '=', orderId)
    .orderBy('payment_events.id')
    .execute()
  return attempts.map((attempt) => ({
    ...attempt,
    events: events.filter(({ payment_id }) => payment_id === attempt.id),
  }))
}

/** The refunds of an order, each less what of it was made at the gateway itself, and its disputes; the oldest first. */
export async function listGivenBack(db: Db, orderId: string) {
  const refunds = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('users as sender', 'sender.id', 'outside_by')
    .leftJoin('users as asker', 'asker.id', 'requested_by')
    .select(['asker.id as askerId', 'asker.username as askerName'])
    .select('asker.deletion_requested_at as askerLeavingSince')
    .select(['refunds.id', 'refunds.status', 'refunds.reason', 'refunds.created_at'])
    .select(['outside_since', 'payments.id as paymentId', 'payments.status as paymentStatus'])
    .select(['refunds.gateway_transaction_id as number'])
    .select(askedCents.as('cents'))
    .select(['sender.id as senderId', 'sender.username as senderName'])
    .select('sender.deletion_requested_at as senderLeavingSince')
    .where('payments.order_id', '=', orderId)
    .orderBy('refunds.id')
    .execute()
  const disputes = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .select(['disputes.id', 'disputes.amount_cents', 'disputes.status', 'opened_at'])
    .where('payments.order_id', '=', orderId)
    .orderBy('disputes.id')
    .execute()
  return { refunds, disputes }
}

export type UndecidedRow = Awaited<ReturnType<typeof listUndecided>>[number]

/** Payments that somebody has to decide at the gateway: held for review, or without an end for a day; the oldest 500. */
export function listUndecided(db: Db, now: Date) {
  return undecided(db, now)
    .select(['order_id', 'reference', 'gateway_transaction_id', 'amount_cents', 'status'])
    .select((eb) => eb.fn.coalesce('submitted_at', 'created_at').as('since'))
    .orderBy('submitted_at')
    .orderBy('id')
    .limit(500)
    .execute()
}

/** How many those are, by how they stand, and how many refunds of the product's own the gateway refused. */
export async function countUndecided(
  db: Db,
  now: Date,
): Promise<{ held: number; unknown: number; refund_refused: number }> {
  const count = (is: 'held' | 'unknown') =>
    sql<number>`(count(*) filter (where (status = 'held') = ${is === 'held'}))::integer`.as(is)
  const counts = await undecided(db, now)
    .select([count('held'), count('unknown')])
    .executeTakeFirstOrThrow()
  const { refused } = await refusedRefunds(db)
    .select(sql<number>`count(distinct payments.id)::integer`.as('refused'))
    .executeTakeFirstOrThrow()
  return { ...counts, refund_refused: refused }
}

export type RefusedRefundRow = Awaited<ReturnType<typeof listRefusedRefunds>>[number]

/** Captured payments that the product itself gives back, or any that operators do another way, as the gateway refuses that; the oldest 500. */
export function listRefusedRefunds(db: Db) {
  return refusedRefunds(db)
    .groupBy('payments.id')
    .select(['payments.order_id', 'payments.reference', 'payments.gateway_transaction_id', 'payments.status'])
    .select([
      sql<number>`(array_agg(${askedCents} order by refunds.id desc))[1]`.as('amount_cents'),
      sql<Date>`min(refunds.created_at)`.as('since'),
      sql<boolean>`bool_or(outside_since is not null)`.as('isOutside'),
    ])
    .orderBy('since')
    .orderBy('payments.id')
    .limit(500)
    .execute()
}

export type WaitingRefundRow = Awaited<ReturnType<typeof listWaitingRefunds>>[number]

/** Refunds that couldn't be sent for a day, as the gateway doesn't say what was given back there; the oldest 500. */
export function listWaitingRefunds(db: Db, now: Date) {
  return (
    db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .select(['payments.order_id', 'payments.reference', 'payments.gateway_transaction_id'])
      .select([askedCents.as('amount_cents'), 'refunds.created_at as since'])
      .select(sql<true>`true`.as('isWaiting'))
      // In the text, as the planner takes the index of those under way by it.
      .where(sql<boolean>`refunds.status = 'created'`)
      .where('refunds.created_at', '<=', shownUndecidedBefore(now))
      .where('refunds.livemode', '=', sql<boolean>`installation_livemode()`)
      .orderBy('refunds.created_at')
      .orderBy('refunds.id')
      .limit(500)
      .execute()
  )
}

/** The status stands in the text, as the planner takes the index of those refused by it. */
function refusedRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .where(
      sql<boolean>`refunds.status = 'refused' and (refunds.requested_by is null or refunds.outside_since is not null)`,
    )
    .where(
      sql<boolean>`(refunds.outside_since is not null or (payments.status = 'captured' and orders.refunded_at is null))`,
    )
    .where('refunds.livemode', '=', sql<boolean>`installation_livemode()`)
}

export type TransferRow = Awaited<ReturnType<typeof listTransfersMissing>>[number]

/** Documents of refunds sent another way for which the books have another sum, or nothing; the oldest 500. */
export function listTransfersMissing(db: Db) {
  const document = sql<string>`substr(refunds.gateway_transaction_id, length('outside ') + 1)`
  return db
    .selectFrom('refunds')
    .select(['order_id', document.as('document'), askedCents.as('amount_cents')])
    .select((eb) => eb.fn.coalesce('decided_at', 'created_at').as('since'))
    .where(sql<boolean>`gateway_transaction_id like 'outside %' and outside_since is not null`)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .where(
      sql<boolean>`(lower(${document}), refunds.livemode) in (
        select key, livemode from (${transfersOutside}) as transfers where differs)`,
    )
    .orderBy('since')
    .orderBy('id')
    .limit(500)
    .execute()
}

/** The statuses stand in the text, as the planner takes the index of those undecided by it. */
function undecided(db: Db, now: Date) {
  return db
    .selectFrom('payments')
    .where(sql<boolean>`status in ('submitting', 'held', 'unknown')`)
    .where(sql<boolean>`(status = 'held' or submitted_at <= ${shownUndecidedBefore(now)})`)
    .where(isNotSentOutside)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
}

/** The people who got a commission of an order, by its balance. */
export function listReferrers(db: Db, { parties }: OrderBalance) {
  const ids = parties.flatMap(({ role, userId }) => (role === 'referrer' ? [userId] : []))
  return db
    .selectFrom('users')
    .select(['id', 'username', 'deletion_requested_at as leavingSince'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
}
