const DAY_MS = 24 * 3600 * 1000
const SECOND_MS = 1000
const KEPT_DAYS = 7
const LINK_SECONDS = 300

/** When an export that is asked for, or becomes ready, now is removed. */
export function exportExpiry(now: Date): Date {
  return new Date(now.getTime() + KEPT_DAYS * DAY_MS)
}

/** When a download link that is made now ends, in seconds since 1970. */
export function exportLinkExpiry(now: Date): number {
  return Math.floor(now.getTime() / SECOND_MS) + LINK_SECONDS
}
