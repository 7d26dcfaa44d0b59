import type { PaymentStatus } from '../../../../../contract/orders.ts'
import type { ChargeOutcome } from '../../../../ports/payments/port.ts'
import { REASONS } from '../../payments/rules.ts'
import { daysAfter } from '../../subscriptions/rules.ts'

const HOUR_MS = 3600 * 1000

/** Days after the end of the paid period on which a declined card is tried again (docs/product.md, Money). */
const RETRY_DAYS = [1, 3, 7, 13]
/** The day on which what stays unpaid ends. */
export const LAST_DAY = 14
const REMINDER_DAYS = 3

/** Refusals that say nothing of the card: the gateway was not there, or never got the charge. */
const TRANSIENT: readonly (string | null)[] = [REASONS.abandoned, REASONS.notCharged, REASONS.unreachable]

/** Whoever voided a charge while it was reviewed decided against it: its card isn't charged for that period again. */
const GIVEN_BACK: readonly PaymentStatus[] = ['voided', 'refunded']

/** The latest attempt to charge the period that is due. */
export type LastAttempt = {
  status: PaymentStatus
  reason: string | null
  declineClass: 'hard' | 'soft' | null
  /** Charged by us, not paid by the fan. */
  offSession: boolean
  at: Date
}

export type DueSubscription = {
  periodEnd: Date
  renewable: boolean
  /** The fan agreed to what it costs from now on. */
  agreed: boolean
  hasCard: boolean
  last: LastAttempt | null
}

export type RenewalStep =
  | { step: 'charge' }
  /** `declined`: the card was, so that the fan is told. */
  | { step: 'wait'; until: Date; declined: boolean }
  | { step: 'end'; why: 'unavailable' | 'unpaid' | 'price' }

/**
 * The decision about a subscription whose paid period is over. It depends on stored data alone, so that any process,
 * after any crash, comes to the same answer.
 */
export function nextStep(
  { periodEnd, renewable, agreed, hasCard, last }: DueSubscription,
  now: Date,
): RenewalStep {
  const end = daysAfter(periodEnd, LAST_DAY)
  // A review may take a month: of our charge, what is approved after the end is given back, as most of its period is over.
  const isTooLate = last?.status === 'held' && last.offSession && now >= end
  if (last && isUnderWay(last.status) && !isTooLate)
    return { step: 'wait', until: recheckAt(now), declined: false }
  if (!renewable) return { step: 'end', why: 'unavailable' }
  if (!agreed) return { step: 'end', why: 'price' }
  if (now >= end) return { step: 'end', why: 'unpaid' }
  if (!hasCard) return { step: 'wait', until: end, declined: true }
  if (!last || isTransient(last)) return { step: 'charge' }
  if (last.declineClass === 'hard' || GIVEN_BACK.includes(last.status))
    return { step: 'wait', until: end, declined: true }
  const retry = retryAfter(periodEnd, last.at)
  return retry <= now ? { step: 'charge' } : { step: 'wait', until: retry, declined: true }
}

/** The first day of a retry after this moment, else the day on which the subscription ends. */
export function retryAfter(periodEnd: Date, after: Date): Date {
  const days = RETRY_DAYS.find((day) => daysAfter(periodEnd, day) > after) ?? LAST_DAY
  return daysAfter(periodEnd, days)
}

/** When a started charge is looked up if nobody recorded its outcome. */
export function recheckAt(now: Date): Date {
  return new Date(now.getTime() + HOUR_MS)
}

/** Fans are told of renewals up to this moment. */
export function remindedUntil(now: Date): Date {
  return daysAfter(now, REMINDER_DAYS)
}

/** Whether the gateway said anything of a charge. */
export function isAnswer(outcome: ChargeOutcome): boolean {
  if (outcome.kind === 'refused') return outcome.reason !== REASONS.unreachable
  return outcome.kind !== 'unknown'
}

/** Whether a gateway left most of what it was sent unanswered, so that a further batch would wait for it in vain. */
export function isSilent({ sent, answered }: { sent: number; answered: number }): boolean {
  return answered * 2 < sent
}

function isTransient({ status, reason }: LastAttempt): boolean {
  return status === 'refused' && TRANSIENT.includes(reason)
}

/** Whether money may still move by an attempt. */
export function isUnderWay(status: PaymentStatus): boolean {
  return ['created', 'submitting', 'held', 'unknown'].includes(status)
}
