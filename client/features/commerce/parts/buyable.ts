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
