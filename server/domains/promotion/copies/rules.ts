import type { WATERMARK_TYPES } from '../../../../contract/promotion.ts'
import type { StoredVariant } from '../../../db/tables/media.ts'

export type CopyKind = 'clean' | 'named'

/** What a subreddit asks for on pictures; null where nobody noted it. */
export function wantedBy(watermarkType: (typeof WATERMARK_TYPES)[number]): CopyKind | null {
  if (watermarkType === 'unknown') return null
  return watermarkType === 'reddit username' ? 'named' : 'clean'
}

/** Of an item's files the one that a copy is made of: the video, or the widest picture; undefined of neither. */
export function sourceOf(
  type: 'image' | 'video',
  variants: readonly StoredVariant[],
): StoredVariant | undefined {
  if (type === 'video') return variants.find(({ name }) => name === 'video.mp4')
  return variants
    .filter(({ mime }) => mime === 'image/webp')
    .toSorted((one, other) => other.width - one.width)[0]
}
