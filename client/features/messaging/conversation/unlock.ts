import { formatContents } from '../../../ui/format.ts'
import type { Buyable } from '../../commerce/parts/buyable.ts'
import type { FeedMedia } from '../../media/api.ts'
import { messageTexts } from '../texts.ts'

/** The attachments of a message as a product for the purchase dialog. */
export function messageOf(
  message: {
    _id: string
    price: string | null
    attachments: { media: Pick<FeedMedia, 'type' | 'duration' | 'owned'> }[]
  },
  creatorUsername: string,
): Buyable {
  const videos = message.attachments.filter(({ media }) => media.type === 'video')
  const owned = message.attachments.filter(({ media }) => media.owned).length
  const contents = {
    photoCount: message.attachments.length - videos.length,
    videoCount: videos.length,
    videoSeconds: videos.reduce((seconds, { media }) => seconds + (media.duration ?? 0), 0),
  }
  return {
    kind: 'message',
    itemId: message._id,
    title: messageTexts.private,
    price: message.price ?? '',
    creatorUsername,
    itemCount: message.attachments.length,
    mediaCount: formatContents(contents) ?? '',
    ...(owned > 0 ? { owned } : {}),
  }
}
