import { errorMessage } from '../../../lib/api.ts'
import { formatDateTime } from '../../../ui/format.ts'
import { toast } from '../../../ui/toast.ts'
import { type TimelineItem, useMoveDay, useMoveItem } from './api.ts'
import { dayAfter, minutesTo, startOf } from './days.ts'
import { timelineTexts as texts } from './texts.ts'

/** Moves one item to another time, and offers to put it back. */
export function useMove() {
  const move = useMoveItem()
  const moveTo = (item: TimelineItem, postTime: string) => {
    if (Date.parse(postTime) === Date.parse(item.postTime)) return
    if (Date.parse(postTime) <= Date.now()) return toast.failure(texts.past)
    // Each move is told of, also where another one follows before its answer.
    move.mutateAsync({ item, postTime }).then(
      () =>
        toast.offer(texts.movedTo(item.subreddit, formatDateTime(postTime)), {
          label: texts.undo,
          onAct: () => moveTo({ ...item, postTime }, item.postTime),
        }),
      (error) => toast.failure(texts.notMoved(item.subreddit, errorMessage(error))),
    )
  }
  return moveTo
}

export const DAY_MOVES = ['hour', 'day', 'week', 'back'] as const
export type DayMove = (typeof DAY_MOVES)[number]

/** Moves all that is scheduled on a day, and offers to move it back: only that, not what lay there already. */
export function useMoveWholeDay(day: string) {
  const move = useMoveDay()
  return (by: DayMove) => {
    const minutes = { hour: 60, day: minutesTo(day, 1), week: minutesTo(day, 7), back: minutesTo(day, -1) }[
      by
    ]
    const [from, to] = [startOf(day), startOf(dayAfter(day, 1))]
    const failed = (error: unknown) => toast.failure(errorMessage(error))
    const later = (moment: string) => new Date(Date.parse(moment) + minutes * 60_000).toISOString()
    move.mutateAsync({ from, to, minutes }).then(({ moved, itemIds }) => {
      if (itemIds.length === 0) return toast.success(texts.moved(moved))
      const back = { from: later(from), to: later(to), minutes: -minutes, itemIds }
      toast.offer(texts.moved(moved), {
        label: texts.undo,
        onAct: () => {
          move
            .mutateAsync(back)
            .then(({ moved: returned }) => toast.success(texts.movedBack(returned)), failed)
        },
      })
    }, failed)
  }
}
