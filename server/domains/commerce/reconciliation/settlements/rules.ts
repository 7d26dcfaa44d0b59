import type { SettledBatch } from '../../../../ports/payments/port.ts'

/** The sum of our own payments and refunds of a batch's transactions, in cents. */
export type Own = { chargedCents: number; refundedCents: number }
/** The same with what banks took back: as a batch says, or as disputes were recorded. */
type Settled = Own & Pick<SettledBatch, 'chargedBackCents'>

/**
 * The amount that a batch brings to the bank account, before the acquirer's fees, in cents; negative if refunds
 * exceed charges.
 */
export function netCents({ chargedCents, refundedCents, chargedBackCents }: Settled): number {
  return chargedCents - refundedCents - chargedBackCents
}

/**
 * By how much the gateway says that a batch brings more than ours does, in cents; null where charges, refunds and what
 * banks took back are all the same.
 */
export function differenceCents(batch: Settled, own: Settled): number | null {
  const isSame =
    batch.chargedCents === own.chargedCents &&
    batch.refundedCents === own.refundedCents &&
    batch.chargedBackCents === own.chargedBackCents
  return isSame ? null : netCents(batch) - netCents(own)
}

/**
 * How much of what banks took back by a batch is recorded as disputes, in cents: whatever is recorded beyond what other
 * batches took back, as the gateway doesn't say of which charge it was.
 */
export function recordedCents(
  batch: Pick<SettledBatch, 'chargedBackCents'>,
  { disputedCents, otherCents }: { disputedCents: number; otherCents: number },
): number {
  return Math.min(batch.chargedBackCents, Math.max(0, disputedCents - otherCents))
}

/** Whether what operators called resolved of a batch's transactions makes up what ours lack. */
export function isMadeUpBy(explained: Own, { batch, own }: { batch: Settled; own: Settled }): boolean {
  const chargedCents = own.chargedCents + explained.chargedCents
  const refundedCents = own.refundedCents + explained.refundedCents
  return differenceCents(batch, { ...own, chargedCents, refundedCents }) === null
}

const DAY_MS = 24 * 3600 * 1000

const DECIDED_MS = 3 * DAY_MS

/** Since when what a batch holds was sent, at the earliest; the gateway settles every day. */
export function sentSince(settledAt: Date): Date {
  return new Date(settledAt.getTime() - DECIDED_MS)
}

/** Until when a batch that differs waits for what is undecided: what isn't decided by then may never be. */
export function waitsUntil(settledAt: Date): Date {
  return new Date(settledAt.getTime() + DECIDED_MS)
}

/** From when on batches are listed: again those that still differ, and those that may have been listed late. */
export function settledSince(known: { differing: Date | null; last: Date | null; firstCharge: Date | null }) {
  const { differing, last, firstCharge } = known
  const again = [differing, last && new Date(last.getTime() - 5 * DAY_MS)].flatMap((from) => from ?? [])
  if (again.length === 0) return firstCharge
  return new Date(Math.min(...again.map((from) => from.getTime())))
}
