const DAY_MS = 24 * 3600 * 1000

/** How long a deletion can be undone; with the daily job it happens within 30 days (core §4, decisions §5). */
const UNDO_DAYS = 28

/** When an account that is deleted now is erased. */
export function erasureDue(now: Date): Date {
  return new Date(now.getTime() + UNDO_DAYS * DAY_MS)
}
