import { formatWeekday } from '../../../ui/format-occasional.ts'

/** Days of the week, as they are numbered everywhere: 0 is Sunday. */
export const WEEK = [0, 1, 2, 3, 4, 5, 6]

/** `Sunday`, or `Sun`, of a day of the week by its number. */
export function dayName(number: number, length: 'long' | 'short' = 'long'): string {
  // February 2026 begins with a Sunday.
  return formatWeekday(`2026-02-0${number + 1}`, length)
}
