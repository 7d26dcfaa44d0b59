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

/** The period of the daily quota of exports. */
export const QUOTA_WINDOW_MS = DAY_MS

/** Seconds until somebody who asked at these times, the latest first, may ask again; null: now. */
export function waitForQuota(requestedAt: readonly Date[], perDay: number, now: Date): number | null {
  const earliest = requestedAt[perDay - 1]
  if (!earliest) return null
  return Math.max(1, Math.ceil((earliest.getTime() + QUOTA_WINDOW_MS - now.getTime()) / SECOND_MS))
}

/**
 * The most bytes that one export counts for: a fifth of the room, so that a few large libraries don't take all of it.
 */
export function mostCounted(room: number): number {
  return room / 5
}

/** A share of the room, within which an export is small. */
const SMALL_SHARE = 1 / 100

/** Whether there is room, in bytes, for another export beside those that count for `kept`; a small one always fits. */
export function fits({ kept, wanted, room }: { kept: number; wanted: number; room: number }): boolean {
  return wanted <= room * SMALL_SHARE || kept + Math.min(wanted, mostCounted(room)) <= room
}
