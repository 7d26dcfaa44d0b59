import type { FeedMedia } from '../api.ts'

/**
 * An own item as a fan sees it who has not bought it: locked when it has to be unlocked, without its picture; null when
 * nobody else knows of it.
 */
export function fanSees(media: FeedMedia): FeedMedia | null {
  if (media.unpublished) return null
  if (!media.mustUnlock) return media
  return {
    ...media,
    locked: true,
    owned: false,
    url: null,
    poster: null,
    stream: null,
    widths: [],
    redGif: '',
  }
}
