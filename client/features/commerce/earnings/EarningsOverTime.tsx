import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { formatMoney } from '../../../../contract/money.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Card } from '../../../ui/Card.tsx'
import { Chart } from '../../../ui/chart/Chart.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { dayOf, formatNumber, withCents } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { earningsQuery } from './api.ts'
import { Breakdown, type Kept } from './Breakdown.tsx'
import styles from './Earnings.module.css'
import { firstDay, RANGES, type RangeName, soldBy, totalOf } from './range.ts'
import { texts } from './texts.ts'

const words = texts.chart

/** The creator's share by day or by month, in a range of their choice, and where it came from. */
export function EarningsOverTime({ kept }: { kept: Kept }) {
  const [range, setRange] = useState<RangeName>('30')
  const today = dayOf(serverNow())
  const { data, error, refetch } = useQuery(earningsQuery(firstDay(range, today)))
  const sales = useMemo(() => data && soldBy(data, range, today), [data, range, today])
  const unit = RANGES.find(({ value }) => value === range)?.unit ?? 'day'
  return (
    <Section
      title={words.title}
      action={
        <NativeSelect
          aria-label={words.range}
          size="md"
          value={range}
          onChange={({ currentTarget }) =>
            setRange(RANGES.find(({ value }) => value === currentTarget.value)?.value ?? '30')
          }
          data={RANGES.map(({ value, label }) => ({ value, label }))}
        />
      }
    >
      <Card>
        <div className={styles.chart}>
          <Fetched
            query={{ data: sales && { sold: sales, total: totalOf(sales) }, error, refetch }}
            waiting={<SkeletonLines lines={9} />}
            failed={words.failed}
          >
            {({ sold, total }) => (
              <Chart
                label={words.label}
                // The lines of the axis may stand between two cents.
                format={(cents) => formatMoney(Math.round(cents))}
                summary={words.summary(withCents(total.share), total.sales)}
                unit={unit === 'day' ? words.day : words.month}
                points={sold.map(({ key, tick, title, share }) => ({ key, tick, title, value: share }))}
                columns={[
                  { header: words.sales, cells: sold.map(({ sales }) => formatNumber(sales)) },
                  { header: texts.gross, cells: sold.map(({ gross }) => withCents(formatMoney(gross))) },
                  { header: texts.fee, cells: sold.map(({ fee }) => withCents(formatMoney(fee))) },
                  { header: texts.share, cells: sold.map(({ share }) => withCents(formatMoney(share))) },
                ]}
              />
            )}
          </Fetched>
        </div>
      </Card>
      <Breakdown from={firstDay(range, today)} kept={kept} />
    </Section>
  )
}
