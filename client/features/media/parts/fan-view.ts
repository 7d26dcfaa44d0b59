import type { FeedMedia } from '../api.ts'

/** An own item as a fan sees it who has not bought it: locked when it has to be unlocked, without its picture. */
export function fanSees(media: FeedMedia): FeedMedia {
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
