import type { ErrorCode } from '../../../../contract/errors.ts'
import type { PaymentStatus, RefundStatus } from '../../../../contract/orders.ts'

/** A refund that the gateway may have made, or may yet make. */
const UNDER_WAY: RefundStatus[] = ['created', 'submitting', 'unknown']
const DONE: RefundStatus[] = ['refunded', 'voided']

/** Said to be refunded, but the gateway knows nothing of it. */
export const NOT_REFUNDED = 'not_refunded'
/** With it more would be given back than was charged, as the gateway counts. */
export const EXCEEDED = 'exceeded'

/**
 * Why so much of a payment can't be refunded now; null when it can (docs/product.md, Money). `leftCents`: what was neither
 * given back nor lost in a dispute.
 */
export function refundRefusal(
  payment: { status: PaymentStatus; leftCents: number } | null,
  refunds: readonly { status: RefundStatus }[],
  cents: number,
): ErrorCode | null {
  if (!payment) return 'not_found'
  if (refunds.some(({ status }) => UNDER_WAY.includes(status))) return 'refund_in_progress'
  if (payment.status !== 'captured' || cents === 0) return 'not_refundable'
  return cents > payment.leftCents ? 'refund_exceeds_payment' : null
}

/** A refund of an order, and how the payment stands that it is of. */
type Asked = { status: RefundStatus; paymentStatus: PaymentStatus; cents: number }

/**
 * Why the newest of these refunds can't be recorded as given back another way; null when it can. `isOneLate`: one that was said
 * not to be made may still show up, and would be given twice. `leftCents`: as for `refundRefusal`.
 */
export function outsideRefusal(
  refunds: readonly Asked[],
  { isOneLate, leftCents }: { isOneLate: boolean; leftCents: number },
): ErrorCode | null {
  const [last] = refunds
  if (isOneLate || refunds.some(({ status }) => UNDER_WAY.includes(status))) return 'refund_in_progress'
  if (last?.status !== 'refused') return 'nothing_refused'
  if (last.paymentStatus === 'disputed') return 'not_refundable'
  // A charge that paid for no order is nowhere in the ledger.
  return last.paymentStatus === 'captured' && last.cents > leftCents ? 'refund_exceeds_payment' : null
}

/** A refund that somebody made at the gateway itself, by its number there. */
export type MadeAtGateway = { transactionId: string; amountCents: number }

/**
 * The gateway's number that a refund of so many cents counts under, as it was made there: of the first of those that come to
 * it together; null where they come to another sum.
 */
export function numberOfMade(made: readonly MadeAtGateway[], cents: number): string | null {
  const sum = made.reduce((total, { amountCents }) => total + amountCents, 0)
  return sum === cents ? (made[0]?.transactionId ?? null) : null
}

/** What the call that refunds answers: an error for what was refused, else a status. */
export function refundAnswer(status: RefundStatus, failure: string | null): ErrorCode | 200 | 202 {
  if (status === 'refused') return failure === EXCEEDED ? 'refund_exceeds_payment' : 'refund_refused'
  return DONE.includes(status) ? 200 : 202
}
