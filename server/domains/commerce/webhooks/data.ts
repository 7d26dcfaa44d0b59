import type { Db } from '../../../db/client.ts'

/** The attempt to pay that the gateway knows by this reference, if it is one of ours. */
export function findAttempt(db: Db, reference: string) {
  return db
    .selectFrom('payments')
    .select(['id', 'status', 'reference', 'amount_cents', 'submitted_at', 'lookups'])
    .select('gateway_transaction_id as transactionId')
    .where('reference', '=', reference)
    .executeTakeFirst()
}

/** Our payment that the gateway charged under this number of its own, if there is one. */
export async function findChargedPayment(db: Db, chargeId: string): Promise<string | null> {
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where('gateway_transaction_id', '=', chargeId)
    .executeTakeFirst()
  return payment?.id ?? null
}

/** The refund of this reference, or of this whole payment, that was sent and isn't over, if there is one. */
export async function findUndecidedRefund(
  db: Db,
  of: { reference: string } | { paymentId: string },
): Promise<{ id: string } | null> {
  const refund = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select('refunds.id')
    .where('refunds.status', 'in', ['submitting', 'unknown', 'refused'])
    .where((eb) =>
      'reference' in of
        ? eb('refunds.reference', '=', of.reference)
        : // A void takes back all of it, which no part is.
          eb.and([
            eb('payment_id', '=', of.paymentId),
            eb('refunds.amount_cents', '=', eb.ref('payments.amount_cents')),
          ]),
    )
    .executeTakeFirst()
  return refund ?? null
}
