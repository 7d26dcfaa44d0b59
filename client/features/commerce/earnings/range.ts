import { centsOf, formatMoney } from '../../../../contract/money.ts'
import { addDays, addMonths, type Unit, unitsBetween } from '../../../ui/chart/points.ts'
import { formatDate, formatDayOfMonth, formatMonth } from '../../../ui/format.ts'
import type { DayOfSales } from './api.ts'
import { texts } from './texts.ts'

export type RangeName = '7' | '30' | '90' | '12' | 'all'

const words = texts.chart

export const RANGES: readonly { value: RangeName; label: string; unit: Unit }[] = [
  { value: '7', label: words.days(7), unit: 'day' },
  { value: '30', label: words.days(30), unit: 'day' },
  { value: '90', label: words.days(90), unit: 'day' },
  { value: '12', label: words.months(12), unit: 'month' },
  { value: 'all', label: words.all, unit: 'month' },
]

/** The first day of a range that ends today; none for all there is. */
export function firstDay(range: RangeName, today: string): string | undefined {
  if (range === 'all') return undefined
  return range === '12' ? addMonths(today, -11) : addDays(today, 1 - Number(range))
}

type Cents = { sales: number; gross: number; fee: number; share: number }

/** A day or a month of a chart, with what was sold in it; amounts are integer cents. */
export type Sold = Cents & { key: string; tick: string; title: string }

/** Every day or month of the range, those without a sale as well; days come in their order. */
export function soldBy(days: readonly DayOfSales[], range: RangeName, today: string): Sold[] {
  const unit = RANGES.find(({ value }) => value === range)?.unit ?? 'day'
  const sums = new Map<string, Cents>()
  for (const { day, sales, gross, fee, share } of days) {
    const key = unit === 'day' ? day : day.slice(0, 7)
    const before = sums.get(key) ?? { sales: 0, gross: 0, fee: 0, share: 0 }
    sums.set(key, {
      sales: before.sales + sales,
      gross: before.gross + centsOf(gross),
      fee: before.fee + centsOf(fee),
      share: before.share + centsOf(share),
    })
  }
  const first = firstDay(range, today) ?? days[0]?.day ?? today
  return unitsBetween(first, today, unit).map((key) => ({
    key,
    tick: unit === 'day' ? formatDayOfMonth(key) : formatMonth(key),
    title: unit === 'day' ? formatDate(key) : formatMonth(key),
    ...(sums.get(key) ?? { sales: 0, gross: 0, fee: 0, share: 0 }),
  }))
}

/** Their sums, the share as money text. */
export function totalOf(sold: readonly Sold[]): { sales: number; share: string } {
  return {
    sales: sold.reduce((sum, one) => sum + one.sales, 0),
    share: formatMoney(sold.reduce((sum, one) => sum + one.share, 0)),
  }
}
