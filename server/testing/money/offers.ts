const DAY_MS = 24 * 3600 * 1000
/** After how long nobody pays anymore for what was tried and declined. */
const UNPAID_DAYS = 3

/** What a creator gives, or sells for less, to so many people, each of them once. */
export type Offer = {
  id: string
  cents: number
  allowed: number
  redeemed: Set<number>
  /** Who began to pay for it, and when they last tried to. */
  reserved: Map<number, Date>
}

export const after = (moment: Date, days: number) => new Date(moment.getTime() + days * DAY_MS)

/** Why somebody can't take an offer; null when they can. Who began to pay for it has theirs already. */
export function offerRefusal({ allowed, redeemed, reserved }: Offer, fan: number): string | null {
  if (redeemed.has(fan)) return 'offer_redeemed'
  return redeemed.size + reserved.size >= allowed && !reserved.has(fan) ? 'offer_used_up' : null
}

/** What was tried days ago and never paid is given up. */
export function releaseUnpaid({ reserved }: Offer, now: Date): void {
  for (const [fan, triedAt] of reserved) if (after(triedAt, UNPAID_DAYS) <= now) reserved.delete(fan)
}

/** What a creator sells, and what was paid out to them. */
export type Shop = {
  price: number
  itemPrices: number[]
  bundlePrice: number
  isAsking: boolean
  paidOut: number
  /** The bundle for less, and the plan for free for some days. */
  discount: Offer | null
  trial: Offer | null
}
