import { formatDate, formatTime, LOCALE } from './format.ts'

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
