import { SLOT_DAYS_AHEAD } from '../../../../contract/promotion.ts'
import type { PostRule } from '../../../../contract/submissions.ts'
import { momentOf, wallTime } from '../../../../contract/wall-time.ts'

const DAY_MS = 86_400_000

/** One time of a slot: the day on the calendar (YYYY-MM-DD) and the moment. */
export type Occurrence = { on: string; at: Date }

/** A minute of the day as a clock shows it: 75 is `01:15`. */
export const clockOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The minute of the day that a clock shows: `01:15` is 75. */
export function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

/**
 * The times of a slot from `now` until so many days later, the earliest first. A time that the clock skips is as much
 * later, one that comes twice counts once.
 */
export function occurrencesOf(
  { days, minute }: { days: readonly number[]; minute: number },
  { timeZone, now, ahead = SLOT_DAYS_AHEAD }: { timeZone: string; now: Date; ahead?: number },
): Occurrence[] {
  const today = Date.parse(`${wallTime(now, timeZone).slice(0, 10)}T00:00Z`)
  const found: Occurrence[] = []
  for (let day = 0; day <= ahead; day += 1) {
    const date = new Date(today + day * DAY_MS)
    if (!days.includes(date.getUTCDay())) continue
    const on = date.toISOString().slice(0, 10)
    const at = momentOf(`${on}T${clockOf(minute)}`, timeZone)
    if (at && at > now) found.push({ on, at })
  }
  return found
}

/** The candidates that break the same rule: all of its subreddit, all of its post, or only itself. */
export type Reach = { of: 'subreddits' | 'posts' | 'pairs'; always: boolean }

/** How far a refusal reaches, for candidates without a flair of their own, and whether it is the same at any time. */
export function reachOf(rule: PostRule | null): Reach {
  switch (rule) {
    case 'subreddit':
    case 'kinds':
    case 'closed':
    case 'verification':
    case 'flair':
      return { of: 'subreddits', always: true }
    case 'frequency':
      return { of: 'subreddits', always: false }
    case 'media':
      return { of: 'posts', always: true }
    case 'same-media':
      return { of: 'posts', always: false }
    case 'repost':
      return { of: 'pairs', always: false }
    default:
      return { of: 'pairs', always: true }
  }
}
