// Formats that few pages use, apart from `format.ts`, so that the first load leaves them out.
import { formatDate, formatNumber, formatTime, LOCALE } from './format.ts'

/** `Saturday`, or `Sat`, of a day such as `2026-11-21`. */
export function formatWeekday(day: string, weekday: 'long' | 'short' = 'long'): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(LOCALE, { weekday })
}

/** `3 PM`, of an hour of the day. */
export function formatHour(hour: number): string {
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** `3:40 PM`, and of a time that comes twice, when the clock is set back, which one it is: `1:30 AM EDT`. */
export function formatExactTime(moment: string | Date): string {
  const date = new Date(moment)
  const offsetIn = (ms: number) => new Date(date.getTime() + ms).getTimezoneOffset()
  const setBack = offsetIn(DAY_MS) - offsetIn(-DAY_MS)
  const isTwice =
    setBack > 0 &&
    [setBack, -setBack].some((minutes) => offsetIn(minutes * MINUTE_MS) - offsetIn(0) === minutes)
  if (!isTwice) return formatTime(date)
  const format = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  return date.toLocaleTimeString(LOCALE, format).replace(/\s/g, ' ')
}

/** `Nov 21, 2026, 3:40 PM`, as exact. */
export function formatExactDateTime(moment: string | Date): string {
  return `${formatDate(moment)}, ${formatExactTime(moment)}`
}

/** A length of time to wait, roughly: `1 min`, `45 min`, `3 hr`. */
export function formatWait(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} hr`
}

/** A typed whole number, with or without thousands separators: `1,234`, `1 234`; NaN for anything else. */
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
