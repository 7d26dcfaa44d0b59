/**
 * The price of a bundle in cents for a buyer who owns `owned` of its `items` for good: its price by the share that is
 * left, rounded up, at least the lowest price of anything on sale. Null when they pay the full price, or own all of
 * it.
 */
export function reducedCents({
  priceCents,
  items,
  owned,
  leastCents,
}: {
  priceCents: number
  items: number
  owned: number
  leastCents: number
}): number | null {
  if (owned <= 0 || owned >= items) return null
  const cents = Math.max(leastCents, Math.ceil((priceCents * (items - owned)) / items))
  return cents < priceCents ? cents : null
}
