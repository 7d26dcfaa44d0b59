import { type PaymentStatus, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { ListedCharge } from '../../../ports/payments/port.ts'

/** One of our payments, as far as it is compared. */
export type ComparedPayment = {
  id: string
  reference: string
  status: PaymentStatus
  amountCents: number
  transactionId: string | null
  submittedAt: Date | null
  /** An operator recorded a dispute of it, however that ended. */
  isDisputed: boolean
  /** It was voided before the gateway's list can have been made. */
  isVoided: boolean
}

export type FindingKind =
  | 'unknown_charge'
  | 'charge_not_recorded'
  | 'amount_differs'
  | 'payment_without_charge'
  /** The gateway says that a bank took it back, and nobody recorded a dispute. */
  | 'chargeback_not_recorded'
  /** Made at the gateway itself, which is never compared: only a person can say why. */
  | 'unknown_refund'
  /** It is recorded, and the gateway voided it or couldn't settle it. */
  | 'refund_not_made'
  /** It is recorded, and the gateway made it, or voided its charge, beside what somebody here took care of. */
  | 'refund_made_after_all'
  /** Of a settled batch, by the batch's number: it is explained by comparing that again. */
  | 'settlement_differs'
  /** Of a batch that its processor rejected, in the same way. */
  | 'settlement_failed'
  /** Of a batch that settled what an operator had given up of an earlier one, by the later one's number. */
  | 'settled_after_all'
export type Difference = {
  kind: FindingKind
  paymentId: string | null
  transactionId: string
  amountCents: number | null
  chargedAt: Date
}

const CAPTURED: PaymentStatus[] = ['captured', 'disputed']
/** A charge may be refunded by now, voided since the list was made, or is still being looked up. */
const EXPLAINED: PaymentStatus[] = [...CAPTURED, ...UNDECIDED_STATUSES, 'refunded', 'voided']

/**
 * How the gateway's charges differ from our payments, in both directions: money that it took and we know nothing of, and
 * payments that we hold for captured and it doesn't list. Both lists are of the same days.
 */
export function differences(
  charges: readonly ListedCharge[],
  payments: readonly ComparedPayment[],
): Difference[] {
  const byReference = new Map(payments.map((payment) => [payment.reference, payment]))
  const listed = new Set(charges.map(({ transactionId }) => transactionId))
  const of = (kind: FindingKind, payment: ComparedPayment | null, charge: ListedCharge): Difference => ({
    kind,
    paymentId: payment?.id ?? null,
    transactionId: charge.transactionId,
    amountCents: charge.amountCents,
    chargedAt: charge.submittedAt,
  })
  const atGateway = charges.flatMap((charge) => {
    const payment = byReference.get(charge.reference)
    if (!payment) return [of('unknown_charge', null, charge)]
    if (!EXPLAINED.includes(payment.status)) return [of('charge_not_recorded', payment, charge)]
    if (isAnother(payment, charge) || payment.isVoided) return [of('unknown_charge', payment, charge)]
    return [
      ...(charge.amountCents === payment.amountCents ? [] : [of('amount_differs', payment, charge)]),
      ...(charge.isChargedBack && !payment.isDisputed
        ? [of('chargeback_not_recorded', payment, charge)]
        : []),
    ]
  })
  const here = payments.flatMap(({ id: paymentId, status, transactionId, submittedAt: chargedAt }) =>
    CAPTURED.includes(status) && transactionId !== null && chargedAt && !listed.has(transactionId)
      ? [{ kind: 'payment_without_charge' as const, paymentId, transactionId, amountCents: null, chargedAt }]
      : [],
  )
  return [...atGateway, ...here]
}

/** Whether a charge is one more under the reference of a payment that was charged by another number. */
export function isAnother(
  payment: { transactionId: string | null },
  charge: { transactionId: string },
): boolean {
  return payment.transactionId !== null && payment.transactionId !== charge.transactionId
}

/** Found of a whole batch. */
export const BATCH_KINDS: FindingKind[] = ['settlement_differs', 'settlement_failed']
/** Found of a posted batch, so that no comparison explains it: an adjustment does. */
export const AFTER_ALL: FindingKind = 'settled_after_all'

/** Refunds and batches are no part of the comparison of charges. */
const NEVER_COMPARED: FindingKind[] = [
  'unknown_refund',
  'refund_not_made',
  'refund_made_after_all',
  ...BATCH_KINDS,
  AFTER_ALL,
]

/**
 * Whether a comparison of that time, which no longer saw a finding, explains it: what it is about was compared again, or
 * our payment has become what the gateway said. Older ones aren't compared anymore, which explains nothing.
 */
export function isExplained(
  finding: {
    kind: FindingKind
    chargedAt: Date
    status: PaymentStatus | null
    isDisputed: boolean
    /** Some of the payment was given back another way than at the gateway. */
    isSentElsewhere: boolean
  },
  { since, until }: { since: Date; until: Date },
): boolean {
  const { kind, chargedAt, status, isDisputed, isSentElsewhere } = finding
  if (NEVER_COMPARED.includes(kind)) return false
  // What was sent another way of a charge that was voided was given back twice.
  if (kind === 'payment_without_charge' && status === 'refunded' && isSentElsewhere) return false
  // A payment of the last hour isn't compared yet.
  const isCompared = chargedAt >= since && (kind !== 'payment_without_charge' || chargedAt < until)
  if (isCompared) return true
  if (kind === 'chargeback_not_recorded') return isDisputed
  if (kind === 'payment_without_charge') return status !== null && !CAPTURED.includes(status)
  return kind === 'charge_not_recorded' && status !== null && EXPLAINED.includes(status)
}

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

/** From when on both are compared: each day is looked at again until its settlement is surely over. */
export function comparedSince(now: Date): Date {
  return new Date(now.getTime() - 5 * DAY_MS)
}

/** From when on the gateway is asked for its charges: its clock may be behind ours, and tell whole seconds alone. */
export function listedSince(now: Date): Date {
  return new Date(comparedSince(now).getTime() - HOUR_MS)
}

/** Until when: the gateway may list a charge a while after it was made. */
export function comparedUntil(now: Date): Date {
  return new Date(now.getTime() - HOUR_MS)
}
