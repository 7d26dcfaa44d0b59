import { formatMoney } from '../../../../contract/money.ts'
import { Card } from '../../../ui/Card.tsx'
import { Chart } from '../../../ui/chart/Chart.tsx'
import { formatNumber, withCents } from '../../../ui/format.ts'
import type { Earned, EarningsGroup, EarningsRow } from './api.ts'
import { earnedCents, earnedText } from './columns.tsx'
import { NameBars } from './NameBars.tsx'
import { shortWeekday } from './names.ts'
import { earningsTexts as texts } from './texts.ts'

/** As many names as are compared at a glance. */
const MOST_NAMES = 8

const byKey = (a: EarningsRow, b: EarningsRow) => Number(a.key) - Number(b.key)

type EarningsChartProps = { rows: readonly EarningsRow[]; by: EarningsGroup; total: Earned }

/**
 * Bars of what rows earned, or of their visits where nothing was earned yet: times in their order, names by rank, without
 * those that brought nothing.
 */
export function EarningsChart({ rows, by, total }: EarningsChartProps) {
  const isEarning = earnedCents(total) > 0
  const amountOf = (row: EarningsRow) => (isEarning ? earnedCents(row) : row.visits)
  const label = isEarning ? texts.chart(by) : texts.visitsChart(by)
  // The lines of the axis may stand between two cents, or two visits.
  const format = (value: number) =>
    isEarning ? formatMoney(Math.round(value)) : formatNumber(Math.round(value))
  if (by !== 'hour' && by !== 'weekday') {
    const named = rows
      .slice(0, MOST_NAMES)
      .map((row) => ({ key: row.key, name: row.label, value: amountOf(row) }))
      .filter(({ value }) => value > 0)
    if (named.length === 0) return null
    return (
      <Card>
        <NameBars
          label={label}
          rows={named}
          format={(value) => (isEarning ? withCents(format(value)) : format(value))}
        />
      </Card>
    )
  }
  const shown = rows.toSorted(byKey)
  return (
    <Card>
      <Chart
        label={label}
        format={format}
        summary={
          isEarning
            ? texts.summary(earnedText(total), total.posts)
            : texts.visitsSummary(total.visits, total.posts)
        }
        unit={texts.groups[by]}
        points={shown.map((row) => ({
          key: row.key,
          tick: by === 'weekday' ? shortWeekday(row.label) : row.label,
          title: row.label,
          value: amountOf(row),
        }))}
        columns={[
          { header: texts.visits, cells: shown.map(({ visits }) => formatNumber(visits)) },
          { header: texts.earned, cells: shown.map(earnedText) },
        ]}
      />
    </Card>
  )
}
