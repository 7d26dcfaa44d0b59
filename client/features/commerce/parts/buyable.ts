import { isTip, type Kind } from '../../../../contract/orders.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import { formatContents } from '../../../ui/format.ts'
import type { FeedMedia, MediaView } from '../../media/api.ts'
import type { Bundle, Subscription } from '../api.ts'
import { offerTexts, singleTexts, wishTexts } from './texts.ts'

/** A product for one card payment, as far as the dialog needs to know it. `price` is money text of the wire. */
export type Buyable = {
  kind: Kind
  itemId: string
  title: string
  price: string
  creatorUsername: string
  /** Of a subscription for how many months it is paid at a time; one unless said. */
  months?: TermMonths
  /** Its content in words: `12 photos, 3 videos`. */
  mediaCount?: string
  /** Its description and cover. */
  description?: string
  cover?: FeedMedia
  /** How many items that is, which is what one agrees to buy; of a subscription at least so many. */
  itemCount?: number
  /** Fingerprint of its contents as shown; the server refuses a purchase of others. */
  contentsVersion?: string
  /** Of a bundle whose items one has in part: what all of it costs, and how many one has. `price` is that of the rest. */
  reduction?: { fullPrice: string; owned: number }
  /** Of a message: how many of its items one has, bought or lent by a subscription, which make it no cheaper. */
  owned?: number
  /** Of a custom request: in how many days after the payment it is delivered. */
  deliveryDays?: number
  /** The offer that it is bought by, whose price `price` is. */
  offerId?: string
  /** Of a trial: its days, and what each month after them costs. */
  trial?: { days: number; renewalPrice: string }
}

/** The recipient of a tip: a creator, or the operator. */
export type TipReceiver = { _id: string; username: string; firstName?: string; kind?: 'tip' | 'donation' }

/** The intended purchase in words: `Subscribe to Mara · $9.99/mo`. */
export function wishLabel({ kind, title, price, creatorUsername, trial }: Buyable): string {
  if (trial) return wishTexts.trial(creatorUsername, trial.days, price)
  if (isTip(kind)) return wishTexts.tip(price)
  return kind === 'subscription' ? wishTexts.subscribe(creatorUsername, price) : wishTexts.buy(title, price)
}

/** The product that a page kept as a wish, if it can be bought. */
export function asBuyable(thing: unknown): Buyable | null {
  const { kind, itemId, title, price, creatorUsername } = (thing ?? {}) as Partial<Buyable>
  const texts = [kind, itemId, title, price, creatorUsername]
  return texts.every((text) => typeof text === 'string') ? (thing as Buyable) : null
}

/** How a subscription or a bundle is shown, as the purchase dialog shows it. */
export function shownOf({ description, cover }: Pick<Subscription | Bundle, 'description' | 'cover'>) {
  return { ...(description ? { description } : {}), ...(cover ? { cover } : {}) }
}

/** The price of a product for a buyer who may own some of its items. */
export function pricesOf({ price, reduced }: { price: string; reduced?: Bundle['reduced'] }) {
  return reduced ? { price: reduced.price, reduction: { fullPrice: price, owned: reduced.owned } } : { price }
}

/** A subscription as what the purchase dialog sells. */
export function subscriptionOf(subscription: Subscription, creatorUsername: string): Buyable {
  const { _id: itemId, title, price } = subscription
  const mediaCount = formatContents(subscription) ?? offerTexts.empty
  const itemCount = subscription.photoCount + subscription.videoCount
  const shown = shownOf(subscription)
  return { kind: 'subscription', itemId, title, price, creatorUsername, mediaCount, itemCount, ...shown }
}

/** The term whose months cost least; undefined where it is sold by the month alone. */
export function cheapestTerm({ terms }: Pick<Subscription, 'terms'>) {
  return terms.toSorted((one, other) => other.discountPercent - one.discountPercent)[0]
}

/** A single item as what the purchase dialog sells. */
export function singleOf(media: FeedMedia): Buyable {
  return {
    kind: 'single',
    itemId: media._id,
    title: media.title || (media.type === 'video' ? singleTexts.video : singleTexts.photo),
    price: media.price ?? '',
    creatorUsername: media.username,
    itemCount: 1,
    ...(media.contentsVersion ? { contentsVersion: media.contentsVersion } : {}),
    mediaCount:
      formatContents({
        photoCount: media.type === 'video' ? 0 : 1,
        videoCount: media.type === 'video' ? 1 : 0,
        videoSeconds: media.duration ?? 0,
      }) ?? '',
  }
}

/** The product that contains a locked item, for the purchase dialog. */
export function offerOf(unlock: MediaView['unlocks'][number], creatorUsername: string): Buyable {
  const { kind, _id: itemId, title, contentsVersion } = unlock
  const mediaCount = formatContents(unlock)
  return {
    kind,
    itemId,
    title,
    ...pricesOf(unlock),
    creatorUsername,
    ...(mediaCount ? { mediaCount } : {}),
    itemCount: unlock.photoCount + unlock.videoCount,
    ...(contentsVersion ? { contentsVersion } : {}),
  }
}
