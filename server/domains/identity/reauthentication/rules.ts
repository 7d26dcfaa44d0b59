const MINUTES_MS = 60 * 1000
/** How long a factor may be waited for, and how long it then opens sensitive changes. */
const CHALLENGE_MS = 10 * MINUTES_MS
const FRESH_MS = 10 * MINUTES_MS
/** Wrong factors of one account: at most `MAX_ATTEMPTS` in any `ATTEMPT_WINDOW_MS`. */
export const MAX_ATTEMPTS = 5
export const ATTEMPT_WINDOW_MS = 10 * MINUTES_MS

/**
 * The origin of an attempt: an unknown device at a login, a device that the owner used before, or a logged-in person.
 */
export type AttemptSource = 'unknown' | 'session' | `device ${string}`

/** When a challenge that is made now ends. */
export function challengeExpiry(now: Date): Date {
  return new Date(now.getTime() + CHALLENGE_MS)
}

/** Whether a factor given then still opens sensitive changes now. */
export function isFresh(reauthenticatedAt: Date | null, now: Date): boolean {
  return reauthenticatedAt !== null && now.getTime() - reauthenticatedAt.getTime() < FRESH_MS
}
