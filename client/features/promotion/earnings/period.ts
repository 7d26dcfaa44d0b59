import { isDay } from '../../../../contract/wall-time.ts'
import { addDays } from '../../../ui/chart/points.ts'

export const PERIODS = ['30', '90', '365', 'custom'] as const
export type PeriodName = (typeof PERIODS)[number]

/** Which posts are looked at: those of so many days, or between two days, both included. */
export type Period = { name: PeriodName; first: string; last: string }

/** The period that begins so: the days are what a person would change when they choose their own. */
export const periodOf = (name: PeriodName, today: string): Period => ({
  name,
  first: addDays(today, 1 - (name === 'custom' ? 30 : Number(name))),
  last: today,
})

/**
 * When posts of this period went up, as the server is asked: by the days of this browser; null for one that ends before it
 * begins, or of a year that passes by while another is typed.
 */
export function askedOf({ name, first, last }: Period): { from: string; to?: string } | null {
  if (!isDay(first)) return null
  if (name !== 'custom') return { from: startOf(first) }
  return isDay(last) && first <= last ? { from: startOf(first), to: startOf(addDays(last, 1)) } : null
}

/** When a day begins here. */
function startOf(day: string): string {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date).toISOString()
}
