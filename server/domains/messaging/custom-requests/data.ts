import { type RawBuilder, sql } from 'kysely'
import { type PaymentStatus, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf } from '../../../db/cursor.ts'
import type { Audience } from '../../../viewer.ts'
import { disputedFor } from '../../commerce/disputes/data.ts'
import { isBeingSentOutside, sentOutsideFor } from '../../commerce/refunds/data.ts'
import { reachable } from '../../profiles/data.ts'

/** A request's terms as read from the database: from its own row, or as JSON with its message. */
export type TermsRow = {
  id: string
  fan_id: string
  creator_id: string
  max_minutes: number
  minute_price_cents: number
  status: 'requested' | 'accepted' | 'declined'
  price_cents: number | null
  delivery_days: number | null
  reason: string | null
  delivered: boolean
  overdue: boolean
  leaving: boolean
  /** When the delivery period starts: at the payment, plus the time it was disputed or its refund sent another way. */
  counts_from: string | null
  /** A refund of it is being sent another way, so that it isn't delivered, and the delivery period stands still. */
  refunding: boolean | null
  refunded: boolean | null
  payment_status: PaymentStatus | null
}

const terms = sql`
  request.id, request.fan_id, request.creator_id, request.max_minutes, request.minute_price_cents, request.status,
  request.price_cents, request.delivery_days, request.reason, request.delivered_at is not null as delivered,
  request.overdue_at is not null as overdue, request.leaving, to_json(paid.counts_from) #>> '{}' as counts_from,
  paid.refunded_at is not null as refunded, paid.payment_status, paid.refunding`

const PAYMENT = sql.ref<string>('payments.id')

/** The request with the order that paid it: at most one, because a refunded request can't be bought again. */
const requests = sql`
  custom_requests as request left join lateral (
    select orders.id as order_id, orders.refunded_at, payments.status as payment_status,
      orders.paid_at + ${disputedFor(PAYMENT)} + ${sentOutsideFor(PAYMENT)} as counts_from,
      ${isBeingSentOutside(PAYMENT)} as refunding
    from orders join payments on payments.id = orders.paid_by
    where orders.kind = 'custom' and orders.item_id = request.id and orders.status = 'paid'
    limit 1
  ) as paid on true`

/** A request's terms as JSON, for the message that shows it. */
export function requestJson(id: RawBuilder<string>): RawBuilder<TermsRow | null> {
  return sql<TermsRow | null>`(
    select to_jsonb(shown) from (select ${terms} from ${requests} where request.id = ${id}) as shown
  )`
}

/** Whether the creator of a request sells to its fan, whom they don’t block, nor the place from which it is looked at. */
const isPayable = (audience: Audience) => sql`(not exists (
  select from blocks where blocker_id = request.creator_id and blocked_id = request.fan_id
  ) and ${reachable(audience)})`

export type RequestRow = TermsRow & {
  message: string
  username: string
  creator_username: string
  created_at: Date
  message_id: string | null
  /** Whether the person who looks could pay it; null for none. */
  payable: boolean | null
  /** One of the two is suspended or leaves: nobody is shown it, as little as their conversation. */
  hidden: boolean
}

const columns = (audience: Audience | null) => sql`
  ${terms}, request.message, fan.username, creator.username as creator_username, request.created_at,
  (fan.hidden_at is not null or creator.hidden_at is not null) as hidden, ${audience && isPayable(audience)} as payable,
  (select id from messages where custom_request_id = request.id and sender_id = request.fan_id) as message_id`

const joined = sql`
  ${requests} join users as fan on fan.id = request.fan_id join users as creator on creator.id = request.creator_id`

/** A request for its two people, of whom one looks at it, or with a null audience neither; null for everybody else. */
export async function findRequest(
  db: Db,
  requestId: string,
  personId: string,
  audience: Audience | null,
): Promise<RequestRow | null> {
  const { rows } = await sql<RequestRow>`
    select ${columns(audience)} from ${joined}
    where request.id = ${requestId} and ${personId} in (request.fan_id, request.creator_id)`.execute(db)
  return rows[0] ?? null
}

/** One row more than the page of a person's requests: sent, received as a creator, or both. */
export async function listRequests(
  db: Db,
  personId: string,
  audience: Audience,
  { page, side }: { page: PageRequest; side: 'sent' | 'received' | 'both' },
): Promise<(RequestRow & { position: string })[]> {
  const [at, id] = [sql.ref<Date>('request.created_at'), sql.ref<string>('request.id')]
  const behind = page.cursor === undefined ? sql`true` : after(page.cursor, at, id)
  const limit = sql.lit(page.limit + 1)
  // Exclude hidden people before the limit, otherwise a page full of them would end the list.
  const of = (own: 'fan_id' | 'creator_id', other: 'fan_id' | 'creator_id') => sql`(
    select request.id from custom_requests as request join users as other on other.id = ${sql.ref(`request.${other}`)}
    where ${sql.ref(`request.${own}`)} = ${personId} and other.hidden_at is null and ${behind}
    order by request.created_at desc, request.id desc limit ${limit})`
  const [sent, received] = [of('fan_id', 'creator_id'), of('creator_id', 'fan_id')]
  const ids = { sent, received, both: sql`(${sent} union all ${received})` }[side]
  const { rows } = await sql<RequestRow & { position: string }>`
    select ${columns(audience)}, ${positionOf(at, id)} as position from ${joined}
    where request.id in ${ids}
    order by request.created_at desc, request.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** How many of this fan's requests to the creator are neither declined nor paid. */
export async function countOpen(db: Db, fanId: string, creatorId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from ${requests}
    where request.fan_id = ${fanId} and request.creator_id = ${creatorId} and request.status <> 'declined'
      and paid.order_id is null`.execute(db)
  return rows[0]?.open ?? 0
}

/**
 * A person's open custom requests: as a creator to answer and to deliver, with the oldest request and the first deadline; as
 * a fan to pay, with the price and the creator of one of them, unless a payment is pending.
 */
export async function findWaitingRequests(db: Db, personId: string, audience: Audience) {
  // Requests of hidden people are not listed.
  const own = (mine: 'fan_id' | 'creator_id', other: 'fan_id' | 'creator_id') => sql`(
    select asked.id from custom_requests as asked join users as other on other.id = ${sql.ref(`asked.${other}`)}
    where ${sql.ref(`asked.${mine}`)} = ${personId} and asked.status <> 'declined' and asked.delivered_at is null
      and asked.overdue_at is null and other.hidden_at is null)`
  const mine = sql`request.creator_id = ${personId}`
  const toAnswer = sql`filter (where ${mine} and request.status = 'requested')`
  const toDeliver = sql`filter (
    where ${mine} and paid.payment_status = 'captured' and paid.refunded_at is null and not paid.refunding)`
  const toPay = sql`filter (
    where request.fan_id = ${personId} and request.status = 'accepted' and paid.order_id is null
      and not ${isBeingPaid(sql.ref('request.id'))} and ${isPayable(audience)})`
  const { rows } = await sql<{
    toAnswer: number
    askedSince: Date | null
    toDeliver: number
    deliverBy: Date | null
    toPay: number
    priceCents: number | null
    creator: string | null
  }>`
    select count(*) ${toAnswer}::int as "toAnswer", min(request.created_at) ${toAnswer} as "askedSince",
      count(*) ${toDeliver}::int as "toDeliver",
      min(paid.counts_from + request.delivery_days * interval '24 hours') ${toDeliver} as "deliverBy",
      count(*) ${toPay}::int as "toPay", min(request.price_cents) ${toPay} as "priceCents",
      min(creator.username) ${toPay} as creator
    from ${joined}
    where request.id in (${own('fan_id', 'creator_id')} union all ${own('creator_id', 'fan_id')})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate without a row')
  return row
}

/** Whether a payment of a request is still pending. */
const isBeingPaid = (id: RawBuilder<unknown>) => sql`exists (
  select from orders join payments on payments.order_id = orders.id
  where orders.kind = 'custom' and orders.item_id = ${id} and orders.status = 'open'
    and payments.status = any(${UNDECIDED_STATUSES}))`

/**
 * The transactions that may still change a request's money: a pending payment, or a pending refund of the one that
 * paid it; and the order that paid it.
 */
export async function findUnderWay(db: Db, requestId: string) {
  const { rows } = await sql<{ order_id: string | null; payment: boolean; refund: boolean }>`
    select
      (select id from orders where kind = 'custom' and item_id = ${requestId} and status = 'paid' limit 1) as order_id,
      ${isBeingPaid(sql`${requestId}`)} as payment,
      exists (
        select from orders join refunds on refunds.payment_id = orders.paid_by
        where orders.kind = 'custom' and orders.item_id = ${requestId} and orders.status = 'paid'
          and refunds.status in ('created', 'submitting', 'unknown')
      ) as refund`.execute(db)
  return rows[0] ?? { order_id: null, payment: false, refund: false }
}

/** How long before an account's erasure its requests are refunded, so that a failed refund can be retried. */
const BEFORE_ERASURE = sql.lit('48 hours')

/** Paid requests that are late, or whose fan or creator leaves before they are due, and that aren't marked yet. */
export async function findLate(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select request.id from ${requests}
    where request.status = 'accepted' and request.delivered_at is null and request.overdue_at is null
      and paid.refunded_at is null and paid.payment_status = 'captured' and not paid.refunding
      and least(paid.counts_from + request.delivery_days * interval '24 hours', (
        select min(due_at) - interval ${BEFORE_ERASURE} from account_deletions
        where user_id in (request.fan_id, request.creator_id)
          and due_at < paid.counts_from + request.delivery_days * interval '24 hours'
      )) <= ${now}
    order by paid.counts_from limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How long to wait after a refund that the gateway refused. */
const RETRY_AFTER_MS = 6 * 3600 * 1000

/** Orders of requests that can only be refunded and are due for it now, and whether that is because somebody is leaving. */
export async function findRefundable(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ orderId: string; leaving: boolean }[]> {
  const { rows } = await sql<{ orderId: string; leaving: boolean }>`
    select orders.id as "orderId", request.leaving
    from custom_requests as request
      join orders on orders.kind = 'custom' and orders.item_id = request.id and orders.status = 'paid'
      join payments on payments.id = orders.paid_by
    where request.status = 'accepted' and request.delivered_at is null and request.overdue_at is not null
      and orders.refunded_at is null and payments.status = 'captured'
      and not exists (
        select from refunds where payment_id = payments.id and (status in ('created', 'submitting', 'unknown')
          or (status = 'refused'
            -- Nor while an operator sends it another way.
            and (created_at > ${new Date(now.getTime() - RETRY_AFTER_MS)} or outside_since is not null)))
      )
    order by request.overdue_at limit ${limit}`.execute(db)
  return rows
}
