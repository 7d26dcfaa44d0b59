import { formatDuration } from '../../../ui/Duration.tsx'
import type { Media } from '../api.ts'

/** What something that is sold holds; `videoSeconds` is how long its videos are together. */
export type Contents = { photoCount: number; videoCount: number; videoSeconds: number }

const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`

/** What is inside, in words: `12 photos, 3 videos (4m 10s)`. */
export function contentsOf({ photoCount, videoCount, videoSeconds }: Contents): string {
  if (photoCount + videoCount === 0) return 'Nothing inside yet'
  const length = videoSeconds ? ` (${formatDuration(videoSeconds)})` : ''
  return [
    ...(photoCount > 0 ? [count(photoCount, 'photo')] : []),
    ...(videoCount > 0 ? [count(videoCount, 'video') + length] : []),
  ].join(', ')
}

/** The contents with these items more, or with `sign` -1 without them. */
export function withItems(
  contents: Contents,
  items: readonly Pick<Media, 'type' | 'duration'>[],
  sign: 1 | -1,
): Contents {
  const sum = { ...contents }
  for (const { type, duration } of items) {
    if (type === 'image') sum.photoCount += sign
    else sum.videoCount += sign
    if (type === 'video') sum.videoSeconds += sign * (duration ?? 0)
  }
  return sum
}
