import type { ErrorCode } from '../../../../contract/errors.ts'
import type { PaymentStatus } from '../../../../contract/orders.ts'
import type { OrderBalance } from '../ledger/rules.ts'
import { refundableCents } from '../ledger/rules.ts'

const DAY_MS = 24 * 3600 * 1000
const RATIO_DAYS = 30

/** Why a bank can't have taken so much of a payment; null when it can (docs/product.md, Money). */
export function disputeRefusal(
  payment: { status: PaymentStatus } | undefined,
  order: OrderBalance,
  cents: number,
): ErrorCode | null {
  if (!payment) return 'not_found'
  if (payment.status !== 'captured' || cents === 0) return 'not_disputable'
  return cents > refundableCents(order) ? 'dispute_exceeds_payment' : null
}

/** Payments and disputes from this moment on make the ratio. */
export function ratioSince(now: Date): Date {
  return new Date(now.getTime() - RATIO_DAYS * DAY_MS)
}

/** Disputes in percent of payments, with two decimals; 0 without payments. */
export function ratioPercent(disputes: number, payments: number): number {
  return payments === 0 ? 0 : Math.round((disputes / payments) * 10_000) / 100
}
