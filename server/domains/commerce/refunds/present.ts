import { formatMoney } from '../../../../contract/money.ts'
import type { Parts } from './rules.ts'

/** How a refund went back, as its buyer is told: by which way, and where by both, how much by each. */
export function presentParts({ cardCents, otherCents }: Parts) {
  const isSplit = cardCents > 0 && otherCents > 0
  const parts = isSplit ? { card: formatMoney(cardCents), other: formatMoney(otherCents) } : null
  return { outside: otherCents > 0, parts }
}
