import type { ErrorCode } from '../../../../../contract/errors.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What the limits on card testing are counted by. */
export type CountedBy = 'user' | 'network' | 'creator' | 'card'

/** So many uses of cards an hour, and so many of them declined a day, before no more are taken. */
const LIMITS: Record<CountedBy, { attempts: number; declines: number }> = {
  user: { attempts: 30, declines: 10 },
  // One address may be that of a whole town.
  network: { attempts: 120, declines: 30 },
  creator: { attempts: 1000, declines: 200 },
  card: { attempts: 20, declines: 6 },
}
export const [ATTEMPTS_WINDOW_MS, DECLINES_WINDOW_MS] = [HOUR_MS, DAY_MS]

const PAUSE_MS = 5 * MINUTE_MS

/** What was counted of one of these, and when the oldest that counts falls out of its window. */
export type Counted = {
  by: CountedBy
  attempts: number
  attemptsEnd: Date
  declines: number
  declinesEnd: Date
}

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
  for (const { by, attempts, attemptsEnd, declines, declinesEnd } of counted) {
    const limit = LIMITS[by]
    const code = 'too_many_card_attempts'
    if (declines >= limit.declines) return { code, retryAfterSeconds: secondsUntil(declinesEnd) }
    if (attempts >= limit.attempts) return { code, retryAfterSeconds: secondsUntil(attemptsEnd) }
  }
  return null
}
