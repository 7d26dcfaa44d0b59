import type { Buyable } from '../../lib/buyable.ts'
import { formatDuration } from '../../ui/Duration.tsx'
import type { FeedMedia } from './api.ts'

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
