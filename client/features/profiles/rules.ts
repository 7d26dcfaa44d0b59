import { formatDuration } from '../../ui/Duration.tsx'
import type { Bundle } from './api.ts'

type Counts = { photoCount: number; videoCount: number; videoSeconds?: number }

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** What is inside, in words: `8 photos, 1 video (5m 12s)`; empty things say so. */
export function contentsOf({ photoCount, videoCount, videoSeconds = 0 }: Counts): string {
  const parts = [
    ...(photoCount > 0 ? [counted(photoCount, 'photo')] : []),
    ...(videoCount > 0
      ? [`${counted(videoCount, 'video')}${videoSeconds > 0 ? ` (${formatDuration(videoSeconds)})` : ''}`]
      : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'Nothing in it yet'
}

/** How many of a bundle's items the fan already has: `already have 2/9`; null when there are none or it has none. */
export function alreadyHave({
  ownedCount,
  mediaIds,
}: Pick<Bundle, 'ownedCount' | 'mediaIds'>): string | null {
  return ownedCount > 0 && mediaIds.length > 0 ? `already have ${ownedCount}/${mediaIds.length}` : null
}
