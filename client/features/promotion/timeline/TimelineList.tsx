import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { dayOf } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { timelineQuery } from './api.ts'
import { DaySection, OverdueSection } from './DaySection.tsx'
import { byDay, overdueOf, startOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'

export const FILTERS = ['upcoming', 'waiting', 'posted', 'failed', 'unknown'] as const
export type Filter = (typeof FILTERS)[number]

type TimelineListProps = {
  filter: Filter
  /** Of one post only. */
  postId: string | null
}

/**
 * The timeline as one list by day: what is overdue and from today on, or all of one state, the latest first; of one post
 * its earlier days too.
 */
export function TimelineList({ filter, postId }: TimelineListProps) {
  // It stays the same while the list is shown, although the day may change meanwhile.
  const [today] = useState(() => startOf(dayOf(serverNow())))
  const isUpcoming = filter === 'upcoming'
  const list = useList(
    timelineQuery({
      ...(postId ? { postId } : {}),
      ...(isUpcoming
        ? postId
          ? {}
          : { from: today, overdue: 'true' as const }
        : { state: filter, sortOrder: filter === 'waiting' ? 'asc' : 'desc' }),
    }),
  )
  const { overdue, others } = isUpcoming ? overdueOf(list.items, today) : { overdue: [], others: list.items }
  return (
    <GrowingList
      list={list}
      failed={texts.failed}
      waiting={<SkeletonLines lines={8} />}
      empty={
        isUpcoming && !postId ? (
          <EmptyState Icon={IconCalendarTime} title={texts.emptyTitle}>
            {texts.empty} <TextLink to={promotionPaths.schedule}>{texts.emptyLink}</TextLink>
          </EmptyState>
        ) : (
          <EmptyState Icon={IconCalendarTime} title={texts.emptyTitle}>
            {isUpcoming ? texts.noneOfPost : texts.none[filter]}
          </EmptyState>
        )
      }
    >
      {overdue.length > 0 && <OverdueSection items={overdue} />}
      {byDay(others).map(({ day, items }) => (
        <DaySection key={day} day={day} items={items} />
      ))}
    </GrowingList>
  )
}
