const MINUTES_MS = 60 * 1000
/** How long a proof may be waited for, and how long it then opens sensitive changes. */
const CHALLENGE_MS = 10 * MINUTES_MS
const FRESH_MS = 10 * MINUTES_MS
/** Wrong proofs of one account: at most `MAX_ATTEMPTS` in any `ATTEMPT_WINDOW_MS` (security row 24). */
export const MAX_ATTEMPTS = 5
export const ATTEMPT_WINDOW_MS = 10 * MINUTES_MS

/** When a challenge that is made now ends. */
export function challengeExpiry(now: Date): Date {
  return new Date(now.getTime() + CHALLENGE_MS)
}

/** Whether a proof given then still opens sensitive changes now. */
export function isFresh(provenAt: Date | null, now: Date): boolean {
  return provenAt !== null && now.getTime() - provenAt.getTime() < FRESH_MS
}
