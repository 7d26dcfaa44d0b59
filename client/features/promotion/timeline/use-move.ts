import { errorMessage } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { formatExactDateTime } from '../../../ui/format-occasional.ts'
import { ownTimeZone } from '../../../ui/own-time-zone.ts'
import { toast } from '../../../ui/toast.ts'
import { type TimelineItem, useMoveBack, useMoveDay, useMoveItem } from './api.ts'
import { dayAfter, startOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'

const isPast = (moment: string) => Date.parse(moment) <= serverNow().getTime()

/** Moves one item to another time, and offers to put it back. */
export function useMove() {
  const move = useMoveItem()
  const moveTo = (item: TimelineItem, postTime: string) => {
    if (Date.parse(postTime) === Date.parse(item.postTime)) return
    if (isPast(postTime)) return toast.failure(texts.past)
    // Each move is told of, also where another one follows before its answer.
    move.mutateAsync({ item, postTime }).then(
      () => {
        const message = texts.movedTo(item.subreddit, formatExactDateTime(postTime))
        // What was overdue can't be put back.
        if (isPast(item.postTime)) return toast.success(message)
        toast.offer(message, {
          label: texts.undo,
          onAct: () => moveTo({ ...item, postTime }, item.postTime),
        })
      },
      (error) => toast.failure(texts.notMoved(item.subreddit, errorMessage(error))),
    )
  }
  return moveTo
}

export const DAY_MOVES = ['hour', 'day', 'week', 'back'] as const
export type DayMove = (typeof DAY_MOVES)[number]

/** How far each goes; days keep the time on the clock. */
const DISTANCES: Record<DayMove, { days?: number; minutes?: number }> = {
  hour: { minutes: 60 },
  day: { days: 1 },
  week: { days: 7 },
  back: { days: -1 },
}

/** It worked; why some stayed takes longer to read. */
const told = (message: string, stayed: readonly unknown[]) =>
  stayed.length > 0 ? toast.note(message) : toast.success(message)

/** Moves all that is scheduled on a day, and offers to put it back: only that, not what lay there already. */
export function useMoveWholeDay(day: string) {
  const move = useMoveDay()
  const putBack = useMoveBack()
  return (by: DayMove) => {
    const range = { from: startOf(day), to: startOf(dayAfter(day, 1)), timeZone: ownTimeZone() }
    const failed = (error: unknown) => toast.failure(errorMessage(error))
    move.mutateAsync({ ...range, ...DISTANCES[by] }).then(({ moved, items, stayed }) => {
      const message = texts.moved(moved, stayed)
      if (moved === 0) return toast.failure(message)
      // What was overdue can't be put back.
      if (items.every(({ postTime }) => isPast(postTime))) return told(message, stayed)
      toast.offer(message, {
        label: texts.undo,
        onAct: () => {
          putBack.mutateAsync(items).then((back) => {
            const message = texts.movedBack(back.moved, back.stayed)
            if (back.moved === 0) return toast.failure(message)
            return told(message, back.stayed)
          }, failed)
        },
      })
    }, failed)
  }
}
