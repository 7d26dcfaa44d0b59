import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type { ReactNode } from 'react'
import { Fetched } from '../../../ui/Fetched.tsx'
import { MoreFooter } from '../../../ui/list/MoreFooter.tsx'
import { useAllPages, useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { type TimelineItem, timelineQuery } from './api.ts'
import { inOrder } from './days.ts'
import { timelineTexts as texts } from './texts.ts'
import { useMove } from './use-move.ts'

type CalendarProps = {
  from: string
  to: string
  /** Of a place to drop what it is called, and the time there of what lay at another. */
  nameOf: (place: string) => string
  timeIn: (place: string, postTime: string) => string
  children: (items: TimelineItem[]) => ReactNode
}

/** All that lies between two moments; what is scheduled is dragged from one place to another. */
export function Calendar({ from, to, nameOf, timeIn, children }: CalendarProps) {
  const list = useList(timelineQuery({ from, to }))
  // A day or a week is shown as a whole.
  useAllPages(list, true)
  const moveTo = useMove()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  )
  const items = inOrder(list.items)
  const itemOf = (id: unknown) => items.find(({ _id }) => _id === id)
  const end = ({ active, over }: DragEndEvent) => {
    const item = itemOf(active.id)
    if (item && over) moveTo(item, timeIn(String(over.id), item.postTime))
  }
  return (
    <Fetched
      query={{ ...list, data: list.first }}
      waiting={<SkeletonLines lines={8} />}
      failed={texts.failed}
    >
      {() => (
        <DndContext
          sensors={sensors}
          collisionDetection={pointerWithin}
          onDragEnd={end}
          accessibility={{ announcements: announcements((id) => itemOf(id)?.title ?? '', nameOf) }}
        >
          {children(items)}
          {list.isFetchNextPageError && <MoreFooter list={list} byButton />}
        </DndContext>
      )}
    </Fetched>
  )
}

/** Announcements while an item is dragged. */
function announcements(titleOf: (id: unknown) => string, nameOf: (place: string) => string): Announcements {
  const { pickedUp, over: isOver, outside, dropped, unmoved } = texts.dragging
  return {
    onDragStart: ({ active }) => pickedUp(titleOf(active.id)),
    onDragOver: ({ active, over }) =>
      over ? isOver(titleOf(active.id), nameOf(String(over.id))) : outside(titleOf(active.id)),
    onDragEnd: ({ active, over }) =>
      over ? dropped(titleOf(active.id), nameOf(String(over.id))) : unmoved(titleOf(active.id)),
    onDragCancel: ({ active }) => unmoved(titleOf(active.id)),
  }
}
