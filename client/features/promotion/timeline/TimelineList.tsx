import { IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { dayOf } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { timelineQuery } from './api.ts'
import { DaySection } from './DaySection.tsx'
import { byDay, clashesOf, startOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'

export const FILTERS = ['upcoming', 'waiting', 'posted', 'failed', 'unknown'] as const
export type Filter = (typeof FILTERS)[number]

type TimelineListProps = {
  filter: Filter
  /** Of one post only. */
  postId: string | null
  gapMinutes: number
}

/** The timeline as one list by day: from today on, or all of one state, the latest first. */
export function TimelineList({ filter, postId, gapMinutes }: TimelineListProps) {
  // It stays the same while the list is shown, although the day may change meanwhile.
  const [today] = useState(() => startOf(dayOf(new Date())))
  const list = useList(
    timelineQuery({
      ...(postId ? { postId } : {}),
      ...(filter === 'upcoming'
        ? { from: today }
        : { state: filter, sortOrder: filter === 'waiting' ? 'asc' : 'desc' }),
    }),
  )
  const clashes = clashesOf(list.items, gapMinutes)
  return (
    <GrowingList
      list={list}
      failed={texts.failed}
      waiting={<SkeletonLines lines={8} />}
      empty={
        filter === 'upcoming' && !postId ? (
          <EmptyState Icon={IconCalendarTime} title={texts.emptyTitle}>
            {texts.empty} <TextLink to={promotionPaths.schedule}>{texts.emptyLink}</TextLink>
          </EmptyState>
        ) : (
          <EmptyState Icon={IconCalendarTime} title={texts.emptyTitle}>
            {filter === 'upcoming' ? texts.noneOfPost : texts.none[filter]}
          </EmptyState>
        )
      }
    >
      {byDay(list.items).map(({ day, items }) => (
        <DaySection key={day} day={day} items={items} clashes={clashes} />
      ))}
    </GrowingList>
  )
}
