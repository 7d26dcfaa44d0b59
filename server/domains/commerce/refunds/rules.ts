import type { ErrorCode } from '../../../../contract/errors.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { PaymentStatus, RefundStatus } from '../../../../contract/orders.ts'

/** A refund that the gateway may have made, or may yet make. */
const UNDER_WAY: RefundStatus[] = ['created', 'submitting', 'unknown']
/** One that is over. */
export const DONE: RefundStatus[] = ['refunded', 'voided']

/** Said to be refunded, but the gateway knows nothing of it. */
export const NOT_REFUNDED = 'not_refunded'
/** With it more would be given back than was charged, as the gateway counts. */
export const EXCEEDED = 'exceeded'
/** The status of a charge that never granted anything, before it was refunded. */
export const NOT_CAPTURED: PaymentStatus[] = ['submitting', 'held', 'unknown', 'refused']

/**
 * Why so much of a payment can't be refunded now; null when it can (docs/product.md, Money). `leftCents`: what was neither
 * given back nor lost in a dispute. `shownCents`: what an operator was shown of that; null where the product itself refunds.
 */
export function refundRefusal(
  payment: { status: PaymentStatus; leftCents: number } | null,
  refunds: readonly { status: RefundStatus; outside_since: Date | null }[],
  cents: number,
  shownCents: number | null,
): ErrorCode | null {
  if (!payment) return 'not_found'
  if (refunds.some(isSentOutside)) return 'refund_outside'
  if (refunds.some(({ status }) => UNDER_WAY.includes(status))) return 'refund_in_progress'
  if (payment.status !== 'captured' || cents === 0) return 'not_refundable'
  if (shownCents !== null && shownCents !== payment.leftCents) return 'payment_changed'
  return cents > payment.leftCents ? 'refund_exceeds_payment' : null
}

/** How much of a refund went back to the card that paid, and how much another way. */
export type Parts = { cardCents: number; otherCents: number }

/** How a refund went back, as its buyer is told: by which way, and where by both, how much by each. */
export function presentParts({ cardCents, otherCents }: Parts) {
  const isSplit = cardCents > 0 && otherCents > 0
  const parts = isSplit ? { card: formatMoney(cardCents), other: formatMoney(otherCents) } : null
  return { outside: otherCents > 0, parts }
}

/** Whether an operator sends a refused refund another way: until that is recorded or taken back, the gateway isn't asked for it. */
export function isSentOutside(refund: { status: RefundStatus; outside_since: Date | null }): boolean {
  return refund.status === 'refused' && refund.outside_since !== null
}

/** A refund of an order, and how the payment stands that it is of. */
export type Asked = {
  id: string
  status: RefundStatus
  outside_since: Date | null
  paymentId: string
  paymentStatus: PaymentStatus
  cents: number
}

/** The same with what was charged with its payment, and what the gateway said of it. */
export type Attempted = Asked & {
  chargedCents: number
  /** The part that had been refunded at the gateway itself when the gateway was last asked for the rest. */
  madeCents: number
  /** Since when the gateway says that it has less left than this. */
  exceededAt: Date | null
  /** Whether its payment is the one that paid for the order. */
  isOfPaying: boolean
}

/**
 * Of an order's refunds, the newest first, the one that the gateway refused last, of a payment that nobody else took back; one
 * that is on its way another way before all others, and then one of a charge that granted nothing, as that has no other end.
 */
export function findForOutside<T extends Asked>(refunds: readonly T[]): T | null {
  const open = refunds.filter((refund) => isRefusedLast(refund, refunds) && isOpen(refund))
  const isOfNothing = ({ paymentStatus }: T) => NOT_CAPTURED.includes(paymentStatus)
  return open.find(isSentOutside) ?? open.find(isOfNothing) ?? open[0] ?? null
}

function isRefusedLast(refund: Asked, refunds: readonly Asked[]): boolean {
  const newest = refunds.find(({ paymentId }) => paymentId === refund.paymentId)
  return newest?.id === refund.id && refund.status === 'refused'
}

/**
 * Money that a bank or the gateway already returned isn't refunded again, but a transfer that is already on its way
 * is still recorded.
 */
function isOpen(refund: Asked): boolean {
  const { paymentStatus: payment } = refund
  return payment === 'captured' || NOT_CAPTURED.includes(payment) || isSentOutside(refund)
}

/**
 * The part of a refund that was made at the gateway itself, in cents. The refund of a charge that granted nothing is
 * always of all of it; the refund of an order has an amount.
 */
export function madeOf(
  refund: { cents: number; paymentStatus: PaymentStatus },
  made: readonly MadeAtGateway[],
): number {
  const cents = sumOf(made)
  return NOT_CAPTURED.includes(refund.paymentStatus) && cents < refund.cents ? cents : 0
}

/**
 * Why this one of an order's refunds, the newest first, can't be given back another way; null when it can. `isOneLate`: one
 * that was said not to be made may still show up, and would be given twice. `leftCents`: as for `refundRefusal`, and of one
 * that is sent already also what a dispute took meanwhile. `made`: what was given back of its payment at the gateway itself,
 * and isn't recorded. `toldBy`: what was given back there before this moment, it has told of.
 */
export function outsideRefusal(
  refund: Attempted,
  refunds: readonly Attempted[],
  {
    isOneLate,
    leftCents,
    made,
    toldBy,
  }: { isOneLate: boolean; leftCents: number; made: readonly MadeAtGateway[]; toldBy: Date },
): ErrorCode | null {
  if (!isRefusedLast(refund, refunds)) return 'refund_changed'
  if (!isOpen(refund)) return 'not_refundable'
  if (isOneLate) return 'refund_in_progress'
  // A charge that paid for no order is nowhere in the ledger.
  const mostCents = refund.isOfPaying ? leftCents : refund.chargedCents
  if (refund.cents > mostCents) return 'refund_exceeds_payment'
  // A transfer on its way can't be taken back, and is recorded whatever the gateway reports afterward.
  if (isSentOutside(refund)) return null
  // What an operator has explained is known to be another one.
  const unexplained = made.filter(({ isExplained }) => !isExplained)
  const isIt = unexplained.some(({ amountCents }) => amountCents === refund.cents)
  const isAll = numberOfMade(unexplained, refund.cents) !== null
  // Of a charge that granted nothing, only what the gateway was asked for last and refused for another reason.
  const isTooMuch =
    refund.cents - refund.madeCents > mostCents - sumOf(made) || mayTellOfMore(refund, refunds, toldBy)
  if (!isIt && !isAll && !isTooMuch) return null
  return NOT_CAPTURED.includes(refund.paymentStatus) ? 'rest_not_refused' : 'refunded_at_gateway'
}

/** Whether the gateway says only since then that it has less left than this, so that it may yet tell what was given back there. */
function mayTellOfMore(
  { paymentId, cents }: Attempted,
  refunds: readonly Attempted[],
  toldBy: Date,
): boolean {
  const exceeded = refunds.flatMap((one) =>
    one.paymentId === paymentId && one.cents <= cents && one.exceededAt !== null ? [one.exceededAt] : [],
  )
  return exceeded.length > 0 && exceeded.every((at) => at > toldBy)
}

/**
 * Why that document can't be the one by which such a refund was given back. `told`: what was made of its payment at the
 * gateway itself; `recorded`: the documents that others of its order were by.
 */
export function documentRefusal(
  document: string,
  { told, recorded }: { told: readonly MadeAtGateway[]; recorded: readonly (string | null)[] },
): ErrorCode | null {
  if (told.some(({ transactionId }) => transactionId === document)) return 'refunded_at_gateway'
  const number = outsideNumber(document).toLowerCase()
  return recorded.some((one) => one?.toLowerCase() === number) ? 'document_recorded' : null
}

/** Marks the number of a document of outside, which is none of the gateway's. */
const OUTSIDE = 'outside '

/** The reference of a refund that was sent another way. */
export const outsideNumber = (document: string): string => `${OUTSIDE}${document}`
export const isOutsideNumber = (number: string): boolean => number.startsWith(OUTSIDE)
/** The document's number in the reference; null if the gateway made the refund, or nothing did. */
export const documentOf = (number: string | null): string | null =>
  number !== null && isOutsideNumber(number) ? number.slice(OUTSIDE.length) : null

/** Whether a refund of money counts as not made, as the gateway knew nothing of it. */
export function isNotMade({ status, failure }: { status: RefundStatus; failure: string | null }): boolean {
  return status === 'refused' && failure === NOT_REFUNDED
}

/** Whether such a refund was sent since then, so that the gateway may still show it. */
export function mayShowUpLate(
  refund: { status: RefundStatus; failure: string | null; submitted_at: Date | null },
  since: Date,
): boolean {
  return isNotMade(refund) && refund.submitted_at !== null && refund.submitted_at > since
}

/** A refund that somebody made at the gateway itself, by its number there; whether an operator said what it was. */
export type MadeAtGateway = { transactionId: string; amountCents: number; isExplained: boolean }

/** The same with how much of ours is recorded under its number, which may count others with it; null where nothing is. */
export type ToldRefund = MadeAtGateway & { recordedCents: number | null }

/** What no refund of ours counts: one that is recorded under the number of the first counts those that follow it, too. */
export function notRecorded(told: readonly ToldRefund[]): MadeAtGateway[] {
  const counted = told.filter(({ recordedCents }) => recordedCents !== null)
  let overCents = counted.reduce(
    (total, { recordedCents, amountCents }) => total + (recordedCents ?? 0) - amountCents,
    0,
  )
  return told.flatMap(({ transactionId, amountCents, isExplained, recordedCents }) => {
    if (recordedCents !== null) return []
    const takenCents = Math.min(Math.max(overCents, 0), amountCents)
    overCents -= takenCents
    return takenCents === amountCents
      ? []
      : [{ transactionId, amountCents: amountCents - takenCents, isExplained }]
  })
}

/**
 * The gateway's number that a refund of so many cents counts under, as it was made there: of the first of those that come to
 * it together; null where they come to another sum.
 */
export function numberOfMade(made: readonly MadeAtGateway[], cents: number): string | null {
  return sumOf(made) === cents ? (made[0]?.transactionId ?? null) : null
}

export const sumOf = (made: readonly MadeAtGateway[]): number =>
  made.reduce((total, { amountCents }) => total + amountCents, 0)

/** Marks the number of a batch whose processor rejected it. */
const FAILED_BATCH = 'failed batch '

/** Why the gateway refuses to refund a charge of such a batch. */
export const failedBatch = (number: string): string => `${FAILED_BATCH}${number}`
/** The batch's number in the reason; null for any other reason. */
export const failedBatchOf = (failure: string | null): string | null =>
  failure?.startsWith(FAILED_BATCH) ? failure.slice(FAILED_BATCH.length) : null

/** The answer of the refund call: an error for a refusal, else a status. */
export function refundAnswer(status: RefundStatus, failure: string | null): ErrorCode | 200 | 202 {
  if (status === 'refused' && failedBatchOf(failure) !== null) return 'refund_batch_failed'
  if (status === 'refused') return failure === EXCEEDED ? 'refund_exceeds_payment' : 'refund_refused'
  return DONE.includes(status) ? 200 : 202
}
