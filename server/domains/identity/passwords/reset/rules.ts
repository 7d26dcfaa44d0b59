const HOUR_MS = 3600 * 1000
/** Reset mails that one account gets in an hour, so that nobody can fill another's mailbox. */
export const MAX_RESETS_AN_HOUR = 5

/** When the link of a reset mail that is sent now ends: one hour later (decisions §3). */
export function resetExpiry(now: Date): Date {
  return new Date(now.getTime() + HOUR_MS)
}
