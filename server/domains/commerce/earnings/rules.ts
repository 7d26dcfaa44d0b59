/** From the first day on, up to but not including the second; empty where both are the same. */
export type Days = { from: string; until: string }

const FIRST = '0001-01-01'
const NEVER = '9999-01-01'

/**
 * The whole months of a range, whose sums are kept, and the days before and after them; null for all there ever was. Both
 * days belong to the range.
 */
export function spansOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  before: Days
  months: Days
  after: Days
} | null {
  if (from === undefined && to === undefined) return null
  const first = from ?? FIRST
  const end = to === undefined ? NEVER : dayAfter(to)
  const months = { from: first.endsWith('-01') ? first : monthAfter(first), until: monthOf(end) }
  const none = { from: first, until: first }
  if (months.from >= months.until) return { before: { from: first, until: end }, months: none, after: none }
  return {
    before: { from: first, until: months.from },
    months,
    after: { from: months.until, until: end },
  }
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`
const dayAfter = (day: string) => added(day, 0, 1)
const monthAfter = (day: string) => added(monthOf(day), 1, 0)

function added(day: string, months: number, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
