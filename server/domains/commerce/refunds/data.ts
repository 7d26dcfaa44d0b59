import { sql } from 'kysely'
import type { RefundStatus } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import { abandonedBefore, lateChargesAfter, lookedUpBefore } from '../payments/rules.ts'
import { type MadeAtGateway, NOT_REFUNDED } from './rules.ts'

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

/** Refunds of an order that are said not to be made, but may show up late. */
export function listLateRefunds(db: Db, orderId: string, now: Date) {
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.reference', 'refunds.amount_cents', 'refunds.submitted_at'])
    .select('payments.gateway_transaction_id as charge_id')
    .where('refunds.order_id', '=', orderId)
    .where('refunds.status', '=', 'refused')
    .where('refunds.failure', '=', NOT_REFUNDED)
    .where('refunds.submitted_at', '>', lateChargesAfter(now))
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
      'payments.amount_cents as charged_cents',
      'payments.gateway_transaction_id as charge_id',
      'payments.card_last_four',
    ])
    .where('refunds.id', '=', refundId)
    .executeTakeFirstOrThrow()
}

/** The refunds of a payment that were made at the gateway itself, as it told of them, and are none of ours; the oldest first. */
export async function listMadeAtGateway(db: Db, paymentId: string): Promise<MadeAtGateway[]> {
  return db
    .selectFrom('findings')
    .select(['gateway_transaction_id as transactionId', 'amount_cents as amountCents'])
    .where('kind', '=', 'unknown_refund')
    .where('payment_id', '=', paymentId)
    .where('amount_cents', 'is not', null)
    .$narrowType<{ amountCents: number }>()
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('refunds')
            .select('id')
            .whereRef('refunds.gateway_transaction_id', '=', 'findings.gateway_transaction_id'),
        ),
      ),
    )
    .orderBy('charged_at')
    .execute()
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
