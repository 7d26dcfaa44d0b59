import { formatDuration } from '../../../ui/format.ts'
import type { FeedMedia } from '../../media/api.ts'

/** What can be bought with one card payment, as far as the dialog must know it. `price` is money text of the wire. */
export type Buyable = {
  kind: 'subscription' | 'bundle' | 'single'
  itemId: string
  title: string
  price: string
  creatorUsername: string
  /** What one gets, in words: `12 photos, 3 videos`. */
  mediaCount?: string
  /** How many items that is, which is what one agrees to buy; of a subscription nobody says. */
  itemCount?: number
}

/** What one sets out to do, in words: `Subscribe to Mara · $9.99/mo`. */
export function wishLabel({ kind, title, price, creatorUsername }: Buyable): string {
  return kind === 'subscription' ? `Subscribe to ${creatorUsername} · ${price}/mo` : `Buy ${title} · ${price}`
}

/** What a page kept as a wish, if it is something that can be bought. */
export function asBuyable(thing: unknown): Buyable | null {
  const { kind, itemId, title, price, creatorUsername } = (thing ?? {}) as Partial<Buyable>
  const texts = [kind, itemId, title, price, creatorUsername]
  return texts.every((text) => typeof text === 'string') ? (thing as Buyable) : null
}

/** A single item as what the purchase dialog sells. */
export function singleOf(media: FeedMedia): Buyable {
  return {
    kind: 'single',
    itemId: media._id,
    title: media.title || (media.type === 'video' ? 'Video' : 'Picture'),
    price: media.price ?? '',
    creatorUsername: media.username,
    itemCount: 1,
    mediaCount:
      media.type === 'video'
        ? `1 video${media.duration == null ? '' : `, ${formatDuration(media.duration)}`}`
        : '1 photo',
  }
}
