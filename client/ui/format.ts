/** How everything that is counted or measured reads, as Americans write it. Places and languages of the browser change nothing. */
export const LOCALE = 'en-US'

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

/** `3:40 PM`. */
export function formatTime(moment: Moment): string {
  // Newer browsers put a narrow space before AM and PM, which nothing that compares texts expects.
  return TIME.format(new Date(moment)).replace(/\s/g, ' ')
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

/** `1,234`. */
export function formatNumber(number: number): string {
  return NUMBER.format(number)
}

/**
 * Money text with its cents: `$4.00` of `$4`. So stands what was paid or earned, and every amount among others: in tables and
 * lists, balances and sums. A price on a button, on a tile or in a sentence, and the axis of a chart, stand as short as they are.
 */
export function withCents(amount: string): string {
  return amount.includes('.') ? amount : `${amount}.00`
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
