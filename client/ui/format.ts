/** How everything that is counted or measured reads, as Americans write it. Places and languages of the browser change nothing. */
const LOCALE = 'en-US'

const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' })
const DAY_OF_MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' })
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric' })
const NUMBER = new Intl.NumberFormat(LOCALE)

type Moment = string | Date

/** `Nov 21, 2026`, in the browser's own time zone; a day without a time, such as `2026-11-21`, is that day everywhere. */
export function formatDate(moment: Moment): string {
  const isDay = typeof moment === 'string' && /^\d{4}-\d\d-\d\d$/.test(moment)
  return DATE.format(new Date(isDay ? `${moment}T12:00:00` : moment))
}

/** `Nov 21`, of a day such as `2026-11-21`. */
export function formatDayOfMonth(day: string): string {
  return DAY_OF_MONTH.format(new Date(`${day}T12:00:00`))
}

/** `Saturday`, or `Sat`, of a day such as `2026-11-21`. */
export function formatWeekday(day: string, weekday: 'long' | 'short' = 'long'): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(LOCALE, { weekday })
}

/** `Nov 2026`, of a month such as `2026-11`. */
export function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-15T12:00:00`))
}

/** The day of a moment in the browser's own time zone: `2026-11-21`. */
export function dayOf(moment: Moment): string {
  const date = new Date(moment)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The browser's own time zone, such as `America/New_York`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** `3:40 PM`. */
export function formatTime(moment: Moment): string {
  // Newer browsers put a narrow space before AM and PM, which nothing that compares texts expects.
  return TIME.format(new Date(moment)).replace(/\s/g, ' ')
}

/** `3 PM`, of an hour of the day. */
export function formatHour(hour: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
}

/** `Nov 21, 2026, 3:40 PM`. */
export function formatDateTime(moment: Moment): string {
  return `${formatDate(moment)}, ${formatTime(moment)}`
}

/** Seconds as a clock: `4:10`, `1:02:05`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  const two = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** A moment within a video, to a tenth of a second: `4.2 s`. */
export function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

/** A length of time to wait, roughly: `1 min`, `45 min`, `3 hr`. */
export function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} hr`
}

/** `1,234`. */
export function formatNumber(number: number): string {
  return NUMBER.format(number)
}

/** What somebody typed as a whole number, its thousands apart or not: `1,234`, `1 234`; NaN for anything else. */
export function readNumber(text: string): number {
  // A comma or a dot elsewhere may have been meant for decimals.
  const isWhole = /^(\d+|\d{1,3}([,\s]\d{3})+)$/.test(text.trim())
  return isWhole ? Number(text.replace(/[\s,]/g, '')) : Number.NaN
}

/** `0.42` of 100 as `0.42%`, with so many decimals. */
export function formatPercent(percent: number, decimals: number): string {
  return `${percent.toFixed(decimals)}%`
}

// Few pages write these, so they are built where the first is.
let ordinals: Intl.PluralRules | undefined
let countries: Intl.DisplayNames | undefined

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** `1st`, `22nd`, `113th`. */
export function formatOrdinal(place: number): string {
  ordinals ??= new Intl.PluralRules(LOCALE, { type: 'ordinal' })
  return `${formatNumber(place)}${ENDINGS[ordinals.select(place)] ?? 'th'}`
}

/** A country by its two letters: `United States`; the letters themselves where nobody knows them. */
export function formatCountry(code: string): string {
  countries ??= new Intl.DisplayNames(LOCALE, { type: 'region' })
  try {
    return countries.of(code) ?? code
  } catch {
    return code
  }
}

/** `1 photo`, `2 photos`, `1,200 people`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** What something holds: `12 photos, 3 videos (4:10)`; null when it is empty. */
export function formatContents({
  photoCount,
  videoCount,
  videoSeconds = 0,
}: {
  photoCount: number
  videoCount: number
  videoSeconds?: number
}): string | null {
  const length = videoSeconds > 0 ? ` (${formatDuration(videoSeconds)})` : ''
  const parts = [
    ...(photoCount > 0 ? [formatCount(photoCount, 'photo')] : []),
    ...(videoCount > 0 ? [formatCount(videoCount, 'video') + length] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : null
}

/** A size in units of 1,000, as file managers show it: `812 kB`, `1.2 MB`, `4.7 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  if (bytes === 1) return '1 byte'
  return `${unit < 2 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

const PERIODS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const

/** How long until a deadline, in its largest unit: `Due in 3 hours`, `Due now`, `2 days overdue`. Both in milliseconds. */
export function formatDeadline(due: number, now: number): string {
  const left = Math.abs(due - now)
  const [period, unit] = PERIODS.find(([length]) => left >= length) ?? [0, '']
  if (period === 0) return 'Due now'
  const length = formatCount(Math.floor(left / period), unit)
  return due > now ? `Due in ${length}` : `${length} overdue`
}
