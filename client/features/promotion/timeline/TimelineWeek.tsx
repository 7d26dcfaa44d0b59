import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { dayOf, formatDate } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ToolButton } from '../parts/ToolButton.tsx'
import { timelineQuery } from './api.ts'
import { DaySection } from './DaySection.tsx'
import { byDay, clashesOf, dayAfter, startOf, weekOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

type TimelineWeekProps = { day: string; gapMinutes: number; onDay: (day: string) => void }

/** One week of the timeline: seven columns where there is room, else the days below each other. */
export function TimelineWeek({ day, gapMinutes, onDay }: TimelineWeekProps) {
  const days = weekOf(day)
  const [first = day, last = day] = [days[0], days[6]]
  const asked = { from: startOf(first), to: startOf(dayAfter(last, 1)) }
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(timelineQuery(asked))
  // A week is shown as a whole.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const items = (data?.pages ?? []).flatMap((page) => page.items)
  const found = new Map(byDay(items).map((one) => [one.day, one.items]))
  const clashes = clashesOf(items, gapMinutes)
  return (
    <section aria-labelledby="week">
      <div className={styles.weekHead}>
        <ToolButton
          label={texts.previousWeek}
          Icon={IconChevronLeft}
          onClick={() => onDay(dayAfter(first, -7))}
        />
        <h2 id="week" className={styles.weekTitle} aria-live="polite">
          {texts.week(formatDate(first), formatDate(last))}
        </h2>
        <ToolButton
          label={texts.nextWeek}
          Icon={IconChevronRight}
          onClick={() => onDay(dayAfter(first, 7))}
        />
        <Button variant="subtle" size="sm" onClick={() => onDay(dayOf(new Date()))}>
          {texts.today}
        </Button>
      </div>
      {isPending && <SkeletonLines lines={8} />}
      {!data && error && <ErrorState title={texts.failed} error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className={styles.week}>
          {days.map((one) => (
            <DaySection key={one} day={one} items={found.get(one) ?? []} clashes={clashes} narrow />
          ))}
        </div>
      )}
    </section>
  )
}
