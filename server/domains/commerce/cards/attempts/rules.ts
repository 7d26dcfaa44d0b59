import type { ErrorCode } from '../../../../../contract/errors.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The keys of the limits on card testing. */
export type CountedBy = 'user' | 'network' | 'creator' | 'card'

type Limit = {
  /** The counted events: uses of cards that aren't stored, of any card, or declines. */
  of: 'newCards' | 'attempts' | 'declines'
  most: number
  withinMs: number
}

/** How many uses of cards are taken. Card testing tries many cards, so that new ones are limited most. */
export const LIMITS: Record<CountedBy, Limit[]> = {
  user: [
    { of: 'newCards', most: 5, withinMs: 10 * MINUTE_MS },
    { of: 'attempts', most: 60, withinMs: HOUR_MS },
    { of: 'declines', most: 10, withinMs: DAY_MS },
  ],
  network: [
    { of: 'newCards', most: 20, withinMs: HOUR_MS },
    { of: 'declines', most: 30, withinMs: DAY_MS },
  ],
  creator: [
    { of: 'attempts', most: 1000, withinMs: HOUR_MS },
    { of: 'declines', most: 200, withinMs: DAY_MS },
  ],
  card: [
    { of: 'attempts', most: 30, withinMs: HOUR_MS },
    { of: 'declines', most: 6, withinMs: DAY_MS },
  ],
}
/** Nothing older than this is counted. */
export const LONGEST_WINDOW_MS = DAY_MS

const PAUSE_MS = 5 * MINUTE_MS

/** How often one of these limits was met, and since when: the oldest of them that counts. */
export type Counted = { limit: Limit; count: number; since: Date | null }

/** A person's latest uses of a card, the newest first; null where it wasn't declined. */
export type LatestDeclines = (Date | null)[]

/** Why no card may be used now and in how many seconds again; null when one may. */
export function attemptRefusal(
  counted: Counted[],
  latest: LatestDeclines,
  now: Date,
): { code: ErrorCode; retryAfterSeconds: number } | null {
  const secondsUntil = (moment: Date) => Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
  const [last, before] = latest
  if (last && before) {
    const end = new Date(last.getTime() + PAUSE_MS)
    if (end > now) return { code: 'cards_paused', retryAfterSeconds: secondsUntil(end) }
  }
  const waits = counted
    .filter(({ limit, count }) => count >= limit.most)
    .map(({ limit, since }) => secondsUntil(new Date((since ?? now).getTime() + limit.withinMs)))
  if (waits.length === 0) return null
  return { code: 'too_many_card_attempts', retryAfterSeconds: Math.max(...waits) }
}
