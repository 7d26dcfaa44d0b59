/**
 * What a bundle costs somebody who has `owned` of its `items` for good, in cents: its price by the share that is left,
 * rounded up, at least the lowest price of anything on sale. Null where they pay all of it, or have all of it.
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
