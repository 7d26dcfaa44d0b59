/** How one sale divides: both parts are whole cents, never negative, and sum to gross. */
export type Split = { feeCents: number; shareCents: number }

const BASIS_POINTS = 10_000

/**
 * Divides a sale between platform and creator (docs/product.md, Money). `grossCents` and both results are integer cents,
 * `feePercent` is 0 to 100 with at most two decimals. What does not divide evenly goes to the creator.
 */
export function split(grossCents: number, feePercent: number): Split {
  const parts = grossCents * Math.round(feePercent * 100)
  const feeCents = (parts - (parts % BASIS_POINTS)) / BASIS_POINTS
  return { feeCents, shareCents: grossCents - feeCents }
}
