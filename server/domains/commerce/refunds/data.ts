import { type Expression, sql } from 'kysely'
import type { RefundStatus } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { abandonedBefore, lateChargesAfter, lookedUpBefore } from '../payments/rules.ts'
import { DONE, documentOf, isSentOutside, NOT_REFUNDED, notRecorded, type ToldRefund } from './rules.ts'

/** How each refund of a payment stands. */
export function listRefundsOf(
  db: Db,
  paymentId: string,
): Promise<{ status: RefundStatus; outside_since: Date | null }[]> {
  return db
    .selectFrom('refunds')
    .select(['status', 'outside_since'])
    .where('payment_id', '=', paymentId)
    .execute()
}

/**
 * The part of a refund that the gateway is asked for, or that the buyer is sent, in cents: all except what was
 * refunded at the gateway itself.
 */
export const askedCents = sql<number>`refunds.amount_cents - refunds.made_cents`

/** A payment of an order: the one that a refund is of, else the one that paid. */
export type Refunded = { orderId: string; refundId?: string }

/** Refunds of a payment that count as not made, as the gateway knew nothing of them. */
export function listNotMade(db: Db, { orderId, refundId }: Refunded) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.reference', 'refunds.submitted_at', askedCents.as('asked_cents')])
    .select('payments.gateway_transaction_id as charge_id')
    .where('refunds.order_id', '=', orderId)
    .where('refunds.payment_id', '=', (eb) =>
      refundId === undefined
        ? eb.selectFrom('orders').select('paid_by').where('orders.id', '=', orderId)
        : eb.selectFrom('refunds as one').select('payment_id').where('one.id', '=', refundId),
    )
    .where('refunds.status', '=', 'refused')
    .where('refunds.failure', '=', NOT_REFUNDED)
    .execute()
}

/** One refund with what the gateway must be told of its charge. */
export function findRefund(db: Db, refundId: string) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select([
      'refunds.id',
      'refunds.payment_id',
      'refunds.order_id',
      'refunds.amount_cents',
      'refunds.status',
      'refunds.failure',
      'refunds.method',
      'refunds.reference',
      'refunds.requested_by',
      'refunds.submitted_at',
      'refunds.outside_since',
      'refunds.exceeded_at',
      'payments.status as payment_status',
      'payments.amount_cents as charged_cents',
      'payments.gateway_transaction_id as charge_id',
      'payments.card_last_four',
    ])
    .select(askedCents.as('asked_cents'))
    .where('refunds.id', '=', refundId)
    .executeTakeFirstOrThrow()
}

/**
 * The refunds of a payment that were made at the gateway itself, as it told of them; the oldest first. One that was voided since
 * is among them only if one of ours is recorded under its number, as that may count others with it.
 */
export async function listTold(db: Db, paymentId: string): Promise<ToldRefund[]> {
  const recorded = sql<number | null>`(select sum(refunds.amount_cents)::bigint from refunds
    where refunds.gateway_transaction_id = findings.gateway_transaction_id)`
  const { rows } = await sql<ToldRefund>`
    select "transactionId", "amountCents", "isExplained", "recordedCents" from (
      select distinct on (gateway_transaction_id) gateway_transaction_id as "transactionId", amount_cents as "amountCents",
        resolved_by is not null as "isExplained", ${recorded} as "recordedCents", charged_at
      from findings
      where kind = 'unknown_refund' and payment_id = ${paymentId} and amount_cents is not null
        and (unmade_at is null or ${recorded} is not null)
      order by gateway_transaction_id, unmade_at nulls first, found_at desc
    ) as told order by charged_at`.execute(db)
  return rows
}

/** Those of them, or what of them, that no refund of ours counts yet. */
export async function listMadeAtGateway(db: Db, paymentId: string) {
  return notRecorded(await listTold(db, paymentId))
}

/** Whether some of this payment was given back another way than at the gateway. */
export async function wasSentElsewhere(db: Db, paymentId: string): Promise<boolean> {
  const refunds = await db
    .selectFrom('refunds')
    .select('gateway_transaction_id as number')
    .where('payment_id', '=', paymentId)
    .execute()
  return refunds.some(({ number }) => documentOf(number) !== null)
}

/** The same in a query. */
export const isGivenElsewhere = (paymentId: Expression<string>) => sql<boolean>`exists (
  select from refunds where payment_id = ${paymentId} and refunds.gateway_transaction_id like 'outside %')`

/** Whether the gateway had too little left for this one of an order's refunds, or another of its payment: some may be made there. */
export async function hasExceeded(
  db: Db,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<boolean> {
  const exceeded = await db
    .selectFrom('refunds')
    .innerJoin('refunds as other', 'other.payment_id', 'refunds.payment_id')
    .select('other.id')
    .where('refunds.id', '=', refundId)
    .where('refunds.order_id', '=', orderId)
    .where('other.exceeded_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return exceeded !== undefined
}

/**
 * Whether this refund of the gateway's was asked for here, by its reference. One that shows up once ours ended by another number,
 * as that of a transfer, was made besides.
 */
export async function isOurRefund(
  db: Db,
  { reference, transactionId }: { reference: string; transactionId: string },
): Promise<boolean> {
  const refund = await db
    .selectFrom('refunds')
    .select('id')
    .where('reference', '=', reference)
    .where((eb) => eb.or([eb('status', 'not in', DONE), eb('gateway_transaction_id', '=', transactionId)]))
    .executeTakeFirst()
  return refund !== undefined
}

/**
 * Whether a refund that was made at the gateway itself is part of one of ours, which asked it for the rest alone: it had told of
 * it by then.
 */
export async function isPartOfRecorded(db: Db, transactionId: string): Promise<boolean> {
  const refund = await db
    .selectFrom('findings')
    .innerJoin('refunds', 'refunds.payment_id', 'findings.payment_id')
    .select('refunds.id')
    .where('kind', '=', 'unknown_refund')
    .where('findings.gateway_transaction_id', '=', transactionId)
    .where('status', '=', 'refunded')
    .where('made_cents', '>', 0)
    .whereRef('found_at', '<=', 'submitted_at')
    .where((eb) => eb.or([eb('unmade_at', 'is', null), eb('unmade_at', '>', eb.ref('submitted_at'))]))
    .limit(1)
    .executeTakeFirst()
  return refund !== undefined
}

/** Whether a refund is recorded as made under this number of the gateway's. */
export async function isRecorded(db: Db, transactionId: string): Promise<boolean> {
  const refund = await db
    .selectFrom('refunds')
    .select('id')
    .where('gateway_transaction_id', '=', transactionId)
    .where('status', '=', 'refunded')
    .limit(1)
    .executeTakeFirst()
  return refund !== undefined
}

/** The refund that this operator asked for with this idempotency key, if any. */
export function findRefundByKey(db: Db, operatorId: string, key: string) {
  return db
    .selectFrom('refunds')
    .select(['id', 'request_hash'])
    .where('requested_by', '=', operatorId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

/**
 * Refunds that a crash or a broken connection left under way, and those said not to be made that may show up late, as
 * often as payments are looked up.
 */
export function findDueRefunds(db: Db, now: Date, limit: number) {
  const elapsed = sql<number>`extract(epoch from ${now}::timestamptz - coalesce(submitted_at, created_at))`
  return db
    .selectFrom('refunds')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('status', '=', 'unknown'),
        eb.and([eb('status', '=', 'created'), eb('created_at', '<=', abandonedBefore(now))]),
        eb.and([eb('status', '=', 'submitting'), eb('submitted_at', '<=', lookedUpBefore(now))]),
        eb.and([
          eb('status', '=', 'refused'),
          eb('failure', '=', NOT_REFUNDED),
          eb('submitted_at', '>', lateChargesAfter(now)),
        ]),
      ]),
    )
    .where(sql<boolean>`lookups < least(${elapsed} / 60, 60 + ${elapsed} / 3600)`)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** For how long the refunds of a payment were sent another way, less what a dispute was open of that. */
export const sentOutsideFor = (paymentId: Expression<string>) => sql`(
  select coalesce(sum(outside_for), '0') from refunds where payment_id = ${paymentId})`

/** Whether an operator sends a refund of a payment another way now. */
export const isBeingSentOutside = (paymentId: Expression<string>) => sql<boolean>`exists (
  select from refunds where payment_id = ${paymentId} and refunds.status = 'refused' and outside_since is not null)`

/** Whether an operator sends a refund of this payment another way now. */
export async function isSentElsewhere(db: Db, paymentId: string): Promise<boolean> {
  const refunds = await listRefundsOf(db, paymentId)
  return refunds.some(isSentOutside)
}

/**
 * What was given back another way by each document, and what left the bank account by it as posted adjustments say, in cents:
 * those of its number, and of its further lines (`WIRE-7/2`) that are no document of another refund. They differ unless those
 * come to it, or do without what went to suspense by the document's own line or by further ones: the same transfer may have
 * paid something else, too.
 */
export const transfersOutside = sql`
  select document, key, given.livemode, given.cents, entered.cents as entered,
    given.cents not in (rest, rest + own, rest + further, rest + own + further) as differs
  from (
    select min(document) as document, lower(document) as key, livemode, sum(cents) as cents
    from (
      select substr(gateway_transaction_id, length('outside ') + 1) as document, livemode, amount_cents - made_cents as cents
      from refunds
      -- What was recorded without a first step, as it once could be, was never compared.
      where gateway_transaction_id like 'outside %' and outside_since is not null
    ) as recorded group by lower(document), livemode
  ) as given cross join lateral (
    select gateway + own + further as cents, gateway + least(own, 0) + least(further, 0) as rest,
      greatest(own, 0) as own, greatest(further, 0) as further
    from (
      select coalesce(sum(cents) filter (where not in_suspense), 0) as gateway,
        coalesce(sum(cents) filter (where in_suspense and is_own), 0) as own,
        coalesce(sum(cents) filter (where in_suspense and not is_own), 0) as further
      from (
        select case from_account when 'bank' then amount_cents else -amount_cents end as cents,
          'suspense' in (from_account, to_account) as in_suspense, lower(reference) = key as is_own
        from adjustments
        where adjustments.livemode = given.livemode and adjustments.status = 'posted'
          and (from_account, to_account) in (('bank', 'gateway'), ('bank', 'suspense'), ('gateway', 'bank'), ('suspense', 'bank'))
          and (lower(reference) = key or regexp_replace(lower(reference), '/[0-9]+$', '') = key and not exists (
            select from refunds where gateway_transaction_id like 'outside %'
              and lower(gateway_transaction_id) = lower('outside ' || adjustments.reference)))
      ) as lines
    ) as sums
  ) as entered`
