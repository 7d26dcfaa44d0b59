import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import type { FeedMedia } from '../api.ts'

/**
 * The action of a tap on an item: buying it when it is locked, sold as a single and can be bought here, else opening
 * its own page.
 */
export function useOpenMedia(onBuy?: (media: FeedMedia) => void): (media: FeedMedia) => void {
  const navigate = useNavigate()
  return (media) => {
    if (onBuy && media.locked && media.showInStore) onBuy(media)
    else void navigate(paths.media(media._id))
  }
}
