import { type PaymentStatus, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'

const DAY_MS = 24 * 3600 * 1000

/** Whether what the gateway says of a payment may still change it; what was called not charged can show up late. */
export function isLookedUp(status: PaymentStatus): boolean {
  return UNDECIDED_STATUSES.includes(status) || status === 'refused'
}

/** Notices that came before this moment are forgotten; the gateway repeats one for days. */
export function noticesKeptSince(now: Date): Date {
  return new Date(now.getTime() - 90 * DAY_MS)
}
