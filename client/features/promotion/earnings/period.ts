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

/** When posts of this period went up, as the server is asked: by the days of this browser; null for one that ends before it begins. */
export function askedOf({ name, first, last }: Period): { from: string; to?: string } | null {
  const from = startOf(first)
  if (name !== 'custom') return from === null ? null : { from }
  const to = last === '' ? null : startOf(addDays(last, 1))
  return from && to && from < to ? { from, to } : null
}

/** When a day begins here; null of what is no day. */
function startOf(day: string): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  const moment = new Date(year, month - 1, date)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
