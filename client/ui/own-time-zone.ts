import { todaysZone } from '../../contract/time-zones.ts'

/** The browser's own time zone by its name of today, such as `America/New_York`. */
export function ownTimeZone(): string {
  return todaysZone(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}
