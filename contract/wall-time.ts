/** A local time without its zone: `2026-11-21T15:40`, as `<input type="datetime-local">` has it. */
export type WallTime = string

/** The years that people may mean: a browser passes by 0002 and 0202 while 2026 is typed. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2100
/** The first and the last day that a field for a date takes. */
export const FIRST_DAY = `${FIRST_YEAR}-01-01`
export const LAST_DAY = `${LAST_YEAR}-12-31`
/** What is said of another year. */
export const WRONG_YEAR = `Enter a date from ${FIRST_YEAR} to ${LAST_YEAR}.`

/** Whether a day, or a time that begins with its day, is of a year that people may mean. */
export const isOfOurYears = (day: string): boolean =>
  /^\d{4}-/.test(day) && day >= FIRST_DAY && day.slice(0, 10) <= LAST_DAY

/** Whether this is a day on the calendar, `2026-11-21`, of a year that people may mean. */
export function isDay(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !isOfOurYears(day)) return false
  const noon = Date.parse(`${day}T12:00:00Z`)
  // JavaScript takes February 30 for March 2.
  return !Number.isNaN(noon) && new Date(noon).toISOString().startsWith(day)
}

const DAY_MS = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  // Swedish writes dates as ISO 8601 does.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, made)
  return made
}

/** The time of a moment on a wall clock in an IANA time zone. Throws a `RangeError` for a zone that doesn't exist. */
export function wallTime(moment: Date, timeZone: string): WallTime {
  return toSeconds(moment, timeZone).slice(0, 16)
}

const toSeconds = (moment: Date, timeZone: string) => clockOf(timeZone).format(moment).replace(' ', 'T')

/** By how many milliseconds the zone is ahead of UTC at that moment. */
function offsetAt(moment: number, timeZone: string): number {
  const whole = Math.floor(moment / 1000) * 1000
  return Date.parse(`${toSeconds(new Date(whole), timeZone)}Z`) - whole
}

/**
 * The moment at which a clock on the wall shows this time. Of a time that comes twice, when the clock is set back, it is the
 * first; a time that is skipped, when the clock is set forward, is as much later: 2:30 becomes 3:30. Null when it is no time,
 * or of a year that nobody means.
 */
export const momentOf = (wall: WallTime, timeZone: string): Date | null =>
  momentsOf(wall, timeZone)[0] ?? null

/** The same, and of a time that comes twice both, the first first; none when it is no time. */
export function momentsOf(wall: WallTime, timeZone: string): Date[] {
  const asUtc = Date.parse(`${wall}:00Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) || Number.isNaN(asUtc) || !isOfOurYears(wall)) return []
  // JavaScript takes February 30 for March 2.
  if (new Date(asUtc).toISOString().slice(0, 16) !== wall) return []
  const before = asUtc - offsetAt(asUtc - DAY_MS, timeZone)
  const after = asUtc - offsetAt(asUtc + DAY_MS, timeZone)
  // Where the clock is set back, the offset before it is the larger one.
  const shown = [...new Set([before, after])].filter(
    (moment) => wallTime(new Date(moment), timeZone) === wall,
  )
  return (shown.length > 0 ? shown : [before]).map((moment) => new Date(moment))
}
