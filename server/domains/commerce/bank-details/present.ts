import type { BankDetailsRow } from './data.ts'
import { heldUntil } from './rules.ts'

/** Bank details as their owner sees them again. */
export function presentBankDetails({ country, last_four, changed_at }: BankDetailsRow, now: Date) {
  const until = heldUntil(changed_at)
  return {
    country,
    lastFour: last_four,
    changedAt: changed_at.toISOString(),
    heldUntil: until > now ? until.toISOString() : null,
  }
}
