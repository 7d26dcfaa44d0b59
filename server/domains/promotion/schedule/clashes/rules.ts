import type { Clash } from '../../../../../contract/submissions.ts'
import { keepsLimit, limitOf } from '../rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * A post that is still to come, and how often its subreddit may be posted in. How far the nearest other posts are from it,
 * in milliseconds: of its picture in its subreddit, and of its account; null without any. `there`: when the nearest others
 * in its subreddit are.
 */
type Beside = {
  post_at: Date
  samePictureMs: number | null
  accountMs: number | null
  gapMinutes: number
  there: Date[]
  max: number | null
  interval: number | null
  unit: 'hours' | 'days' | null
}

/**
 * Warnings about a post that is still to come: more posts than its subreddit allows, the same picture there within a day,
 * or less than the gap to another post.
 */
export function clashOf({
  post_at,
  samePictureMs,
  accountMs,
  gapMinutes,
  there,
  ...often
}: Beside): Clash | null {
  const limit = limitOf('frequency', often, there)
  if (limit && !keepsLimit(post_at, limit)) return 'frequency'
  if (samePictureMs !== null && samePictureMs < DAY_MS) return 'duplicate'
  return accountMs !== null && accountMs < gapMinutes * MINUTE_MS ? 'close' : null
}
