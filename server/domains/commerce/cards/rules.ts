const MINUTE_MS = 60_000
const LONGEST_WAIT_MINUTES = 24 * 60

/** When the gateway is asked again: after 1, 2, 4 … minutes, at last once a day, and never given up. */
export function nextDeletionAttempt(attempts: number, now: Date): Date {
  const minutes = Math.min(2 ** Math.max(0, attempts - 1), LONGEST_WAIT_MINUTES)
  return new Date(now.getTime() + minutes * MINUTE_MS)
}
