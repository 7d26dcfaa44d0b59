import { serverNow } from '../../../lib/server-clock.ts'
import { formatContents, formatDate } from '../../../ui/format.ts'
import { type Buyable, pricesOf } from '../parts/buyable.ts'
import type { Offer, OwnOffer } from './api.ts'
import { offerTexts as texts } from './texts.ts'

type Described = Offer | OwnOffer

/** The kind of product: the second half of the offer's type. */
export type Kind = 'Trial' | 'Bundle' | 'Singles'

export function kindOf({ offerType }: { offerType: Offer['offerType'] }): Kind {
  return offerType.endsWith('Trial') ? 'Trial' : offerType.endsWith('Bundle') ? 'Bundle' : 'Singles'
}

const countOf = ({ photoCount, videoCount }: Described) => photoCount + videoCount

/** The product's own name: `Members club`, `3 singles`. */
export function nameOf(offer: Described): string {
  return (offer.subscription ?? offer.bundle)?.title ?? texts.headline.singles(countOf(offer))
}

/** The offer in a few large words: `7 days free`, `Summer set for $9`. */
export function headlineOf(offer: Described): string {
  const { headline } = texts
  const { price, subscriptionDays } = offer
  if (subscriptionDays !== null)
    return price === null
      ? headline.freeTrial(subscriptionDays)
      : headline.discountTrial(subscriptionDays, price)
  return price === null ? headline.free(nameOf(offer)) : headline.discount(nameOf(offer), price)
}

/** When a trial that begins today ends. */
export function trialEnd(subscriptionDays: number): string {
  const end = serverNow()
  end.setDate(end.getDate() + subscriptionDays)
  return formatDate(end)
}

/** A discount as what the purchase dialog sells. */
export function discountOf(offer: Offer): Buyable | null {
  const { _id, price, subscription, subscriptionDays, bundle, creatorId, contentsVersion } = offer
  if (price === null) return null
  const mediaCount = formatContents(offer)
  const item = {
    title: nameOf(offer),
    ...pricesOf({ price, reduced: offer.reduced }),
    creatorUsername: creatorId.username,
    offerId: _id,
    itemCount: countOf(offer),
    ...(mediaCount ? { mediaCount } : {}),
  }
  if (subscription && subscriptionDays !== null) {
    const trial = { days: subscriptionDays, renewalPrice: subscription.price }
    return { ...item, kind: 'subscription', itemId: subscription._id, trial }
  }
  const sold = { ...item, ...(contentsVersion ? { contentsVersion } : {}) }
  return bundle ? { ...sold, kind: 'bundle', itemId: bundle._id } : { ...sold, kind: 'singles', itemId: _id }
}
