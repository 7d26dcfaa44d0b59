import type { Media } from '../../media/api.ts'

/** The content of a product; `videoSeconds` is the total length of its videos. */
export type Held = { photoCount: number; videoCount: number; videoSeconds: number }

/** The content with these items added, or with `sign` -1 removed. */
export function withItems(
  held: Held,
  items: readonly Pick<Media, 'type' | 'duration'>[],
  sign: 1 | -1,
): Held {
  const sum = { ...held }
  for (const { type, duration } of items) {
    if (type === 'image') sum.photoCount += sign
    else sum.videoCount += sign
    if (type === 'video') sum.videoSeconds += sign * (duration ?? 0)
  }
  return sum
}
