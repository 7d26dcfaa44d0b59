import { IconChartBar } from '@tabler/icons-react'
import { useMemo } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import type { List } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { AS_IT_COMES } from '../../../ui/table/arrange.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import type { EarningsGroup, EarningsPage, EarningsRow } from './api.ts'
import { columnsOf } from './columns.tsx'
import { EarningsChart } from './EarningsChart.tsx'
import styles from './earnings.module.css'
import { earningsTexts as texts } from './texts.ts'

const WIDE = '75em'
const keyOf = ({ key }: EarningsRow) => key
const nameOf = ({ label }: EarningsRow) => label

/** Earnings of posts by a shared property: bars, and every figure as a table. */
export function EarningsBy({ by, list }: { by: EarningsGroup; list: List<EarningsPage> }) {
  const isWide = useIsWide(WIDE)
  const columns = useMemo(() => columnsOf(by, isWide), [by, isWide])
  const total = list.first?.total
  if (list.isPlaceholderData) return <SkeletonLines lines={12} />
  return (
    <GrowingList
      list={list}
      byButton
      failed={texts.failed}
      waiting={<SkeletonLines lines={12} />}
      empty={
        <EmptyState
          Icon={IconChartBar}
          title={texts.emptyTitle}
          action={<LinkButton to={promotionPaths.createPost}>{texts.create}</LinkButton>}
        >
          {texts.empty}
        </EmptyState>
      }
    >
      <div className={styles.rows}>
        {(by === 'hour' || by === 'weekday') && <p className={styles.quiet}>{texts.zone}</p>}
        {total && <EarningsChart rows={list.items} by={by} total={total} />}
        <DataTable
          label={texts.chart(by)}
          rows={list.items}
          columns={columns}
          keyOf={keyOf}
          nameOf={nameOf}
          arrangement={AS_IT_COMES}
          onArrange={() => undefined}
          wideFrom={WIDE}
          none={texts.none}
        />
      </div>
    </GrowingList>
  )
}
