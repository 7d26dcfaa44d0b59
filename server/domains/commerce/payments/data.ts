import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isBeingSentOutside } from '../refunds/data.ts'
import {
  askedAgainBefore,
  lateChargesAfter,
  leftToOperatorBefore,
  lookedUpBefore,
  REASONS,
  VOID_REASONS,
} from './rules.ts'

/** How a payment of this buyer's stands. */
export function findPayment(db: Db, paymentId: string) {
  return db
    .selectFrom('payments')
    .select(['status', 'reason', 'stored_card_id'])
    .where('id', '=', paymentId)
    .executeTakeFirst()
}

/** The attempt that this buyer made with this idempotency key, if any. */
export async function findByKey(db: Db, buyerId: string, key: string) {
  return db
    .selectFrom('payments')
    .select(['id', 'order_id', 'request_hash'])
    .where('buyer_id', '=', buyerId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

export type DuePayment = Awaited<ReturnType<typeof findDue>>[number]

/**
 * Attempts to look up at the gateway: sent and never answered, unknown, held, charged and to be given back, or said not
 * to be charged until the settlement that would hold it is over. Each at most once a minute in its first hour and once an hour after it, those that
 * were never asked for, or longest ago, first. One that the gateway would not take back for days is left to the
 * operator, and asked for once a day.
 */
export async function findDue(db: Db, now: Date, limit: number) {
  const elapsed = sql<number>`extract(epoch from ${now}::timestamptz - submitted_at)`
  return db
    .selectFrom('payments')
    .select(['id', 'status', 'reference', 'amount_cents', 'submitted_at', 'lookups'])
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['unknown', 'held']),
        eb.and([eb('status', '=', 'submitting'), eb('submitted_at', '<=', lookedUpBefore(now))]),
        eb.and([eb('status', '=', 'refused'), eb('reason', 'in', VOID_REASONS)]),
        eb.and([
          eb('status', '=', 'refused'),
          eb('reason', '=', REASONS.notCharged),
          // Of one that showed up while another attempt was under way the gateway's number is known.
          eb.or([
            eb('submitted_at', '>', lateChargesAfter(now)),
            eb('gateway_transaction_id', 'is not', null),
          ]),
        ]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('stuck_at', 'is', null),
        eb('stuck_at', '>', leftToOperatorBefore(now)),
        eb('lookup_tried_at', '<=', askedAgainBefore(now)),
      ]),
    )
    .where(sql<boolean>`lookups < least(${elapsed} / 60, 60 + ${elapsed} / 3600)`)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('lookups')
    .orderBy('submitted_at')
    .limit(limit)
    .execute()
}

/** Charges that grant nothing and that the gateway neither voids nor refunds, the oldest first. */
export function listStuck(db: Db) {
  return db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .innerJoin('users as buyer', 'buyer.id', 'payments.buyer_id')
    .select([
      'payments.order_id',
      'payments.reference',
      'payments.gateway_transaction_id',
      'payments.amount_cents',
    ])
    .select(['orders.title', 'payments.reason', 'payments.stuck_at', 'buyer.username'])
    .where('payments.stuck_at', 'is not', null)
    .where(isNotSentOutside)
    .orderBy('payments.stuck_at')
    .execute()
}

/**
 * Refunds that operators send another way are listed only as that. The status is in the text, for the index of
 * refused ones.
 */
export const isNotSentOutside = sql<boolean>`not ${isBeingSentOutside(sql.ref('payments.id'))}`
