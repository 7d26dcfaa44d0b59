import { sql } from 'kysely'
import { Id } from '../../../../../contract/schemas.ts'
import type { Db } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../../db/cursor.ts'
import { shownUndecidedBefore } from '../rules.ts'

export type OperatorPaymentRow = Awaited<ReturnType<typeof listOperatorPayments>>[number]

const NEWEST_FIRST = sql`created_at desc, id desc`

/** Orders with their payments, newest first, one row more than the page holds: all of them, or what a search names. */
export async function listOperatorPayments(db: Db, search: string | undefined, page: PageRequest) {
  const skip = skipOf(page)
  const { cursor } = page
  const behind = cursor === undefined ? sql`true` : after(cursor, sql`created_at`, sql`id`)
  // Each side by its own index, so that page 1,000 costs what page 1 costs.
  const found = (await findWanted(db, search)).map(
    (wanted) => sql`(
      select id, created_at from orders where ${wanted} and ${behind}
      order by ${NEWEST_FIRST} limit ${skip + page.limit + 1})`,
  )
  return purchasesOf(db)
    .where(
      'purchases.id',
      'in',
      sql<string>`(
      select id from (${sql.join(found, sql` union `)}) as found
      order by ${NEWEST_FIRST} limit ${page.limit + 1} offset ${skip})`,
    )
    .orderBy('purchases.created_at', 'desc')
    .orderBy('purchases.id', 'desc')
    .execute()
}

/** The conditions of which an order meets one: none without a search, and those of whom or what it names. */
async function findWanted(db: Db, search: string | undefined) {
  if (!search) return [sql`true`]
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(username) = ${search.toLowerCase()}`.execute(db)
  const people = rows.flatMap(({ id }) => [sql`buyer_id = ${id}`, sql`creator_id = ${id}`])
  if (Id.safeParse(search).success) return [...people, sql`id = ${search}`]
  const charged = sql`id = any(array(
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
    .select(['buyer.username as buyerUsername', 'buyer.hidden_at as buyerHiddenAt'])
    .select(['creator.username as creatorUsername', 'creator.hidden_at as creatorHiddenAt'])
    .select((eb) => [
      eb
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .whereRef('payments.order_id', '=', 'purchases.id')
        .where('refunds.status', 'in', ['refunded', 'voided'])
        .select(sql<number>`coalesce(sum(refunds.amount_cents), 0)::bigint`.as('cents'))
        .as('refundedCents'),
      sql<string>`${positionOf(eb.ref('purchases.created_at'), eb.ref('purchases.id'))}`.as('position'),
    ])
}

/** Each attempt to pay an order with its events, the first attempt first. */
export async function listAttempts(db: Db, orderId: string) {
  const attempts = await db
    .selectFrom('payments')
    .select(['id', 'status', 'reference', 'gateway_transaction_id', 'card_brand', 'card_last_four'])
    .select(['avs', 'cvv'])
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

/** What was given back of an order, and what its buyer's bank took back; the first first. */
export async function listGivenBack(db: Db, orderId: string) {
  const refunds = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.amount_cents', 'refunds.status', 'refunds.reason', 'refunds.created_at'])
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

/** How many those are, by how they stand. */
export async function countUndecided(db: Db, now: Date): Promise<{ held: number; unknown: number }> {
  const count = (is: 'held' | 'unknown') =>
    sql<number>`(count(*) filter (where (status = 'held') = ${is === 'held'}))::integer`.as(is)
  return undecided(db, now)
    .select([count('held'), count('unknown')])
    .executeTakeFirstOrThrow()
}

/** The statuses stand in the text, as the planner takes the index of those undecided by it. */
function undecided(db: Db, now: Date) {
  return db
    .selectFrom('payments')
    .where(sql<boolean>`status in ('submitting', 'held', 'unknown')`)
    .where(sql<boolean>`(status = 'held' or submitted_at <= ${shownUndecidedBefore(now)})`)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
}
