import { accessUntil, GRACE_DAYS } from '../../../../../contract/subscriptions.ts'
import { daysAfter } from '../../subscriptions/rules.ts'
import { LAST_DAY, type LastAttempt } from '../charging/rules.ts'

/** Days after the end of the paid period on which its fan is told again that the next one isn't paid. */
export const TOLD_AGAIN_DAYS = [GRACE_DAYS, LAST_DAY - 1]

/**
 * How far it has come with a period that isn't paid, of each of which its fan is told once: there is access, there is none,
 * or the subscription ends the next day.
 */
export function dunningStage(periodEnd: Date, now: Date): 'access' | 'noAccess' | 'lastDay' {
  if (now >= daysAfter(periodEnd, LAST_DAY - 1)) return 'lastDay'
  return now < accessUntil(periodEnd) ? 'access' : 'noAccess'
}

/**
 * Whether a fan lacks access while a payment is under review that they may not know of: our charge, or one that they made
 * themselves while there was access.
 */
export function isReviewedWithoutAccess(
  periodEnd: Date,
  { status, offSession, at }: Pick<LastAttempt, 'status' | 'offSession' | 'at'>,
  now: Date,
): boolean {
  const end = accessUntil(periodEnd)
  return status === 'held' && end <= now && (offSession || at < end)
}

/** The day of UTC on which the subscription ends if it isn't paid by then, such as `2030-01-15`. */
export function endsUnpaidOn(periodEnd: Date): string {
  return daysAfter(periodEnd, LAST_DAY).toISOString().slice(0, 10)
}
