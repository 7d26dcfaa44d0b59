import { type CommissionReading, FIRST_PERCENT, rateAfter } from '../../../../contract/commissions.ts'
import { monthsPassed } from '../subscriptions/rules.ts'

const BASIS_POINTS = 10_000

/** The referrer of a buyer or a seller: one person, or the members of a shared code in their order. */
export type Referral = {
  /** Id of the person or of the code: two with the same one are the same referrer. */
  by: string
  people: string[]
  sharedCodeId: string | null
  /** When the referred person signed up. */
  since: Date
}

export type Commission = {
  referrerId: string
  side: 'buyer' | 'seller' | 'both'
  sharedCodeId: string | null
  cents: number
}

/** A sale as its referrers are paid for it: gross in cents, the platform's fee in hundredths of a percent. */
type ReferredSale = {
  buyerId: string
  sellerId: string
  buyer: Referral | null
  seller: Referral | null
  grossCents: number
  feeBasisPoints: number
}

/**
 * The commissions of a sale, one entry for each person, never more than the platform's fee in total (docs/product.md,
 * Referrals). The buyer earns nothing, nor does the seller for the code by which they themselves came; cents left over of a
 * code go to its first member.
 */
export function commissionsOf(sale: ReferredSale, reading: CommissionReading, now: Date): Commission[] {
  const isSame = sale.buyer !== null && sale.buyer.by === sale.seller?.by
  const both = [sale.buyerId, sale.sellerId]
  const buyer = without(sale.buyer, isSame ? both : [sale.buyerId])
  const seller = without(sale.seller, both)
  const parts = partsOf({ buyer, seller, sellerId: sale.sellerId }, reading, now)
  const total = parts.reduce((sum, { points }) => sum + points, 0)
  const shares = parts.flatMap(({ referral, side, points }) => {
    const paid = total > sale.feeBasisPoints ? Math.floor((points * sale.feeBasisPoints) / total) : points
    return shared(referral, Math.floor((sale.grossCents * paid) / BASIS_POINTS)).map((share) => ({
      ...share,
      side,
      sharedCodeId: referral.sharedCodeId,
    }))
  })
  return merged(shares.filter(({ cents }) => cents > 0))
}

/** Why a commission isn't paid that was agreed with this person; null where it is. */
export function withheldReason(referrer: {
  suspendedAt: Date | null
  hiddenAt: Date | null
}): 'suspended' | 'leaving' | null {
  if (referrer.suspendedAt) return 'suspended'
  return referrer.hiddenAt ? 'leaving' : null
}

function without(referral: Referral | null, excluded: string[]): Referral | null {
  const people = referral?.people.filter((each) => !excluded.includes(each)) ?? []
  return referral && people.length > 0 ? { ...referral, people } : null
}

type Part = { referral: Referral; side: Commission['side']; points: number }

/** Hundredths of a percent for each referrer of a sale. */
function partsOf(
  { buyer, seller, sellerId }: { buyer: Referral | null; seller: Referral | null; sellerId: string },
  reading: CommissionReading,
  now: Date,
): Part[] {
  const rate = ({ since }: Referral) =>
    Math.round((reading === 'lifetime' ? FIRST_PERCENT : rateAfter(monthsPassed(since, now))) * 100)
  if (!buyer || !seller) {
    if (buyer) return [{ referral: buyer, side: 'buyer', points: rate(buyer) }]
    return seller ? [{ referral: seller, side: 'seller', points: rate(seller) }] : []
  }
  if (buyer.by === seller.by) {
    const points = Math.max(rate(buyer), rate(seller))
    return [{ referral: buyer, side: 'both', points }]
  }
  const isSellers = reading === 'affiliate' && buyer.by === sellerId
  return [
    { referral: buyer, side: 'buyer', points: isSellers ? rate(buyer) : rate(buyer) / 2 },
    { referral: seller, side: 'seller', points: rate(seller) / 2 },
  ]
}

function shared({ people }: Referral, cents: number): { referrerId: string; cents: number }[] {
  const each = Math.floor(cents / people.length)
  const left = cents - each * people.length
  return people.map((referrerId, place) => ({ referrerId, cents: place === 0 ? each + left : each }))
}

/** Somebody who referred one side by themselves, and the other with a shared code, has one commission of both. */
function merged(commissions: Commission[]): Commission[] {
  const people = new Map<string, Commission>()
  for (const each of commissions) {
    const known = people.get(each.referrerId)
    people.set(
      each.referrerId,
      known ? { ...known, side: 'both', sharedCodeId: null, cents: known.cents + each.cents } : each,
    )
  }
  return [...people.values()]
}
