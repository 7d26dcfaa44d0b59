import type { Media } from '../../media/api.ts'

/** What something that is sold holds; `videoSeconds` is how long its videos are together. */
export type Held = { photoCount: number; videoCount: number; videoSeconds: number }

/** What is held with these items more, or with `sign` -1 without them. */
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
