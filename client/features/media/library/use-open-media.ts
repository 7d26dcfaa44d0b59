import { useNavigate } from 'react-router'
import type { Buyable } from '../../../lib/buyable.ts'
import { paths } from '../../../lib/paths.ts'
import type { FeedMedia } from '../api.ts'
import { singleOf } from '../buyable.ts'

/** What a tap on an item leads to: buying it when it is locked and sold by itself, else its own page. */
export function useOpenMedia(onBuy: (item: Buyable) => void): (media: FeedMedia) => void {
  const navigate = useNavigate()
  return (media) => {
    if (media.locked && media.showInStore) onBuy(singleOf(media))
    else void navigate(paths.media(media._id))
  }
}
