import { type ErrorCode, errors } from '../../../../contract/errors.ts'
import { isTip, type Kind, type PaymentStatus } from '../../../../contract/orders.ts'

/** Why a payment stands as it does, beside the gateway's own reason codes. */
export const REASONS = {
  /** Given up before it was sent to the gateway. */
  abandoned: 'abandoned',
  /** Sent, but the gateway knows nothing of it. */
  notCharged: 'not_charged',
  tokenExpired: 'token_expired',
  /** The stored card was removed before it was charged. */
  cardRemoved: 'card_removed',
  unreachable: 'gateway_unreachable',
  /** Paid, but there was nothing left to grant, so that the charge is taken back. */
  alreadyOwned: 'already_owned',
  alreadySubscribed: 'already_subscribed',
  unavailable: 'no_longer_available',
} as const

/** The stored reason of a refusal by the gateway: our own code if people are told something specific. */
export function refusalReason(refused: { reason: string; tokenExpired: boolean }): string {
  return refused.tokenExpired ? REASONS.tokenExpired : refused.reason
}

const REFUSED: Record<string, ErrorCode> = {
  [REASONS.abandoned]: 'payment_interrupted',
  [REASONS.notCharged]: 'payment_interrupted',
  [REASONS.tokenExpired]: 'card_token_expired',
  [REASONS.unreachable]: 'gateway_unreachable',
  [REASONS.cardRemoved]: 'card_gone',
  // The gateway knows no such card.
  E00040: 'card_gone',
}

/** The gateway's reasons for a card whose billing address its issuer doesn't confirm, alone or with the security code. */
const ADDRESS_MISMATCH = ['27', '45', '127']

/** The advice after a decline: to check the address if it was typed and is the reason, else to try another card. */
export function declineError(
  reason: string | null,
  isTyped: boolean,
): 'card_declined' | 'card_address_mismatch' {
  return isTyped && ADDRESS_MISMATCH.includes(reason ?? '') ? 'card_address_mismatch' : 'card_declined'
}

/** How a payment stands, and the stored card that it was to be paid by; null for one that was typed. */
type Outcome = { status: PaymentStatus; reason: string | null; stored_card_id: string | null }

/**
 * The answer of the call that buys (docs/product.md, Money): an error for a refusal, else a status. `first` is false
 * for a repeated call, which must not be told anything while the first one is still running.
 */
export function answerTo(payment: Outcome, first: boolean): ErrorCode | 200 | 202 {
  switch (payment.status) {
    case 'created':
    case 'submitting':
      return first ? 202 : 'request_in_flight'
    case 'held':
    case 'unknown':
      return 202
    case 'declined':
      return declineError(payment.reason, payment.stored_card_id === null)
    case 'refused':
      return REFUSED[payment.reason ?? ''] ?? 'payment_refused'
    case 'voided':
      return voidReason(payment.reason) ?? 'payment_interrupted'
    case 'refunded':
      return voidReason(payment.reason) ?? 200
    case 'captured':
    case 'disputed':
      return 200
  }
}

/** The reason when a charge is to be taken back because nothing could be granted for it, else null. */
export function voidReason(reason: string | null): VoidReason | null {
  return VOID_REASONS.find((known) => known === reason) ?? null
}

/** Why a charge is given back: what it paid for can't be granted. */
export const VOID_REASONS = [REASONS.alreadyOwned, REASONS.alreadySubscribed, REASONS.unavailable] as const
export type VoidReason = (typeof VOID_REASONS)[number]

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Recovery comes every minute, so that within two of them it is at whatever has no answer. */
const UNANSWERED_MS = 55 * SECOND_MS

const CONCLUDE_AFTER_MS = 15 * MINUTE_MS
const CONCLUDE_AFTER_LOOKUPS = 3

/**
 * Attempts recorded up to this moment that still were not sent are given up. Between the two no outside call is made, and
 * only what is still recorded can be sent: one that comes later yet finds it given up, and charges nothing.
 */
export function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - UNANSWERED_MS)
}

/** Attempts sent up to this moment are beyond the time limit of the gateway call (30 s, a renewal’s 20 s later), and are looked up. */
export function lookedUpBefore(now: Date): Date {
  return new Date(now.getTime() - UNANSWERED_MS)
}

const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * A charge that the gateway has refused to give back since before this moment is left to the operator; it may settle
 * meanwhile.
 */
export function leftToOperatorBefore(now: Date): Date {
  return new Date(now.getTime() - 3 * DAY_MS)
}

/** One of those that was asked for before this moment is asked for again: the operator may have refunded it by hand. */
export function askedAgainBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** Charges sent before this moment and still undecided are shown to operators; those held for review at once. */
export function shownUndecidedBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** Of attempts sent after this moment a charge may still turn up: the settlement that would hold it may not be over. */
export function lateChargesAfter(now: Date): Date {
  return new Date(now.getTime() - 3 * DAY_MS)
}

/**
 * When the gateway is asked again to keep the card of a captured charge, unless it answers: in as long as the charge is
 * old, a minute at least and a day at most.
 */
export function keptAgainAt(capturedAt: Date, now: Date): Date {
  const age = now.getTime() - capturedAt.getTime()
  return new Date(now.getTime() + Math.min(Math.max(age, MINUTE_MS), DAY_MS))
}

/** Of charges captured up to this moment the gateway isn't asked to keep the card anymore. */
export function unkeptBefore(now: Date): Date {
  return new Date(now.getTime() - 30 * DAY_MS)
}

/** Whether a charge that the gateway does not know may be called not made: what it accepted can show up late. */
export function concludesNotCharged(attempt: { lookups: number; submittedAt: Date }, now: Date): boolean {
  return (
    attempt.lookups >= CONCLUDE_AFTER_LOOKUPS &&
    now.getTime() - attempt.submittedAt.getTime() >= CONCLUDE_AFTER_MS
  )
}

type Bought = {
  kind: Kind
  /** Charged while the buyer isn't there, as a renewal is. */
  off_session?: boolean
}

/** What happens to a purchase of this kind once its payment was approved. */
function onApproval({ kind, off_session: isRenewal }: Bought): string {
  if (isRenewal) return 'Your subscription renews automatically once it’s approved.'
  if (isTip(kind))
    return 'Your tip is sent automatically once it’s approved, and you can send another one after that.'
  if (kind === 'custom') return 'Your request counts as paid once it’s approved.'
  return 'Your purchase unlocks automatically once it’s approved.'
}

/** A few sentences for the buyer on what a status means. */
export function statusMessage(payment: Outcome & Bought): string {
  switch (payment.status) {
    case 'created':
    case 'submitting':
      return 'Your payment is being processed. You will not be charged twice.'
    case 'captured':
      return 'Processed Transaction'
    case 'held':
      return `Your payment is under review. ${onApproval(payment)} You will not be charged twice.`
    case 'unknown':
      return 'The payment service hasn’t answered yet. We’ll keep checking. You will not be charged twice.'
    case 'declined':
      return declineError(payment.reason, payment.stored_card_id === null) === 'card_declined'
        ? 'Your card was declined. You have not been charged.'
        : errors.card_address_mismatch.text
    case 'refused':
      return 'The payment didn’t go through. You have not been charged.'
    case 'voided':
      return givenBackMessage(payment.reason) ?? 'The payment was canceled. You have not been charged.'
    case 'refunded':
      return givenBackMessage(payment.reason) ?? 'This purchase was refunded.'
    case 'disputed':
      return 'This payment is disputed with the card’s bank.'
  }
}

function givenBackMessage(reason: string | null): string | null {
  const given = voidReason(reason)
  if (given === REASONS.unavailable) return 'This is no longer available, so we reversed the charge.'
  return given && 'You already had this, so we reversed the charge.'
}
