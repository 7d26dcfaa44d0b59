import type { ErrorCode } from '../../../../contract/errors.ts'
import type { DisputeStatus, PaymentStatus } from '../../../../contract/orders.ts'

const DAY_MS = 24 * 3600 * 1000
const RATIO_DAYS = 30

/** The charge was settled, whatever was given back of it since. */
const SETTLED: PaymentStatus[] = ['captured', 'disputed', 'refunded']

type Charged = { status: PaymentStatus; amountCents: number }
type Earlier = { status: DisputeStatus; amountCents: number }

/**
 * The part of a payment that a bank can still charge back, in cents: everything that it hasn't yet, refunded or not,
 * by one dispute at a time.
 */
export function disputableCents({ status, amountCents }: Charged, disputes: readonly Earlier[]): number {
  if (!SETTLED.includes(status) || disputes.some((dispute) => dispute.status === 'open')) return 0
  const lost = disputes.filter((dispute) => dispute.status === 'lost')
  return lost.reduce((left, dispute) => left - dispute.amountCents, amountCents)
}

/** Why a bank can't have taken so much of a payment; null when it can (docs/product.md, Money). */
export function disputeRefusal(
  payment: Charged | undefined,
  disputes: readonly Earlier[],
  cents: number,
): ErrorCode | null {
  if (!payment) return 'not_found'
  const left = disputableCents(payment, disputes)
  if (left === 0 || cents === 0) return 'not_disputable'
  return cents > left ? 'dispute_exceeds_payment' : null
}

/** From when on what was viewed was by this order: it was paid then, or is a renewal, whose period begins before it is paid. */
export function paidForSince(order: { period: number | null; created_at: Date; paid_at: Date | null }): Date {
  const isRenewal = order.period !== null && order.period > 1
  return isRenewal ? order.created_at : (order.paid_at ?? order.created_at)
}

/** Where the day is the furthest behind UTC. */
const FURTHEST_BEHIND_MS = 12 * 3600 * 1000

/** Whether a bank can still wait for an answer until that day: today anywhere, or later. */
export function isAhead(day: string, now: Date): boolean {
  return day >= new Date(now.getTime() - FURTHEST_BEHIND_MS).toISOString().slice(0, 10)
}

/** Payments and disputes from this moment on make the ratio. */
export function ratioSince(now: Date): Date {
  return new Date(now.getTime() - RATIO_DAYS * DAY_MS)
}

/** Disputes in percent of payments, with two decimals; 0 without payments. */
export function ratioPercent(disputes: number, payments: number): number {
  return payments === 0 ? 0 : Math.round((disputes / payments) * 10_000) / 100
}
