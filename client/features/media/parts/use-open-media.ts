import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import type { FeedMedia } from '../api.ts'

/** What a tap on an item leads to: buying it when it is locked, sold by itself and can be bought here, else its own page. */
export function useOpenMedia(onBuy?: (media: FeedMedia) => void): (media: FeedMedia) => void {
  const navigate = useNavigate()
  return (media) => {
    if (onBuy && media.locked && media.showInStore) onBuy(media)
    else void navigate(paths.media(media._id))
  }
}
