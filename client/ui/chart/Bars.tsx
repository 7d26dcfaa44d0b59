import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import styles from './Chart.module.css'

export type BarsProps = {
  label: string
  /** `tick` stands at the axis where there is room for it, `title` where one points at the bar. */
  points: readonly { key: string; tick: string; title: string; value: number }[]
  /** What a bar’s value is called, and how it is written. */
  series: string
  format: (value: number) => string
}

/** The bars themselves; `Chart` loads them when they are first shown. */
export default function Bars({ label, points, series, format }: BarsProps) {
  const titles = new Map(points.map(({ key, title }) => [key, title]))
  const ticks = new Map(points.map(({ key, tick }) => [key, tick]))
  return (
    <BarChart
      className={styles.bars ?? ''}
      h="100%"
      data={points.map(({ key, value }) => ({ key, value }))}
      dataKey="key"
      series={[{ name: 'value', label: series, color: 'var(--gold)' }]}
      valueFormatter={format}
      gridAxis="y"
      tickLine="none"
      maxBarWidth={40}
      xAxisProps={{ tickFormatter: (key: string) => ticks.get(key) ?? key, minTickGap: 24 }}
      yAxisProps={{ width: 64, tickCount: 4 }}
      tooltipProps={{ labelFormatter: (key) => titles.get(String(key)) ?? key }}
      barChartProps={{ title: label, accessibilityLayer: true }}
      cursorFill="var(--raised)"
    />
  )
}
