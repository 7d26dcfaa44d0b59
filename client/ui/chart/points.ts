/** Days as `2026-11-21`, months as `2026-11`: what a chart over time counts in. */
export type Unit = 'day' | 'month'

const DAY_MS = 86_400_000

const asTime = (day: string) => Date.parse(`${day}T00:00:00Z`)
const asDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return asDay(asTime(day) + days * DAY_MS)
}

/** The first day of the month that is so many months later, or earlier. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return asDay(Date.UTC(year, month - 1 + months, 1))
}

/** Every day or month from one day to another, both included. */
export function unitsBetween(from: string, to: string, unit: Unit): string[] {
  const units: string[] = []
  const [first, last] = unit === 'day' ? [from, to] : [addMonths(from, 0), addMonths(to, 0)]
  const next = unit === 'day' ? (day: string) => addDays(day, 1) : (day: string) => addMonths(day, 1)
  for (let day = first; day <= last; day = next(day)) units.push(unit === 'day' ? day : day.slice(0, 7))
  return units
}

/** From where to where an axis goes, and where its lines stand. */
export type Scale = { min: number; max: number; lines: number[] }

const STEPS = [1, 2, 2.5, 5, 10]
const LINES = 4

/** An axis of round numbers that holds zero and all of the values. */
export function scaleOf(values: readonly number[]): Scale {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const rough = (highest - lowest) / LINES || 1
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * (STEPS.find((one) => one * magnitude >= rough) ?? 10)
  const [min, max] = [Math.floor(lowest / step) * step, Math.ceil(highest / step) * step || step]
  const lines = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => min + index * step)
  return { min, max, lines }
}
