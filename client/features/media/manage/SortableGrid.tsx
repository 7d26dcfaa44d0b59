import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LibraryMedia } from './api.ts'
import { LibraryGrid } from './LibraryGrid.tsx'
import styles from './SortableGrid.module.css'
import type { LibraryView } from './view.ts'
import { nameOf } from './words.ts'

/** Pixels that a pointer must go before it drags, so that a mere press does nothing. */
const DRAG_DISTANCE = 6

type SortableGridProps = {
  label: string
  view: LibraryView
  items: readonly LibraryMedia[]
  /** The items can be moved now. */
  enabled: boolean
  onMove: (from: number, to: number) => void
  /** One card; `handle` belongs somewhere on it, and is null while nothing can be moved. */
  children: (media: LibraryMedia, index: number, handle: ReactNode) => ReactNode
}

/** A grid of cards whose order is changed by dragging a handle: with a mouse, a finger or the keyboard. */
export function SortableGrid({ label, view, items, enabled, onMove, children }: SortableGridProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const place = (id: unknown) => items.findIndex((media) => media._id === id)
  const end = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onMove(place(active.id), place(over.id))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        announcements: announcementsOf(items),
        screenReaderInstructions: {
          draggable:
            'To move this item, press Space, then the arrow keys, and Space again to put it down. Escape leaves it where it was.',
        },
      }}
    >
      <SortableContext items={items.map(({ _id }) => _id)} strategy={rectSortingStrategy} disabled={!enabled}>
        <LibraryGrid label={label} view={view}>
          {items.map((media, index) => (
            <SortableCell key={media._id} media={media} enabled={enabled}>
              {(handle) => children(media, index, handle)}
            </SortableCell>
          ))}
        </LibraryGrid>
      </SortableContext>
    </DndContext>
  )
}

type SortableCellProps = { media: LibraryMedia; enabled: boolean; children: (handle: ReactNode) => ReactNode }

function SortableCell({ media, enabled, children }: SortableCellProps) {
  const sortable = useSortable({ id: media._id, attributes: { roleDescription: 'movable item' } })
  const { transform, transition, isDragging } = sortable
  return (
    <div
      ref={sortable.setNodeRef}
      className={styles.cell}
      data-moving={isDragging || undefined}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      {children(
        enabled ? (
          <button
            type="button"
            ref={sortable.setActivatorNodeRef}
            className={styles.handle}
            {...sortable.attributes}
            {...sortable.listeners}
            aria-label={`Move ${nameOf(media)}`}
          >
            <IconGripVertical size={20} stroke={1.75} aria-hidden />
          </button>
        ) : null,
      )}
    </div>
  )
}

/** What is read out while an item is moved. */
function announcementsOf(items: readonly LibraryMedia[]): Announcements {
  const place = (id: unknown) => items.findIndex((media) => media._id === id)
  const name = (id: unknown) => {
    const media = items[place(id)]
    return media ? nameOf(media) : 'The item'
  }
  const position = (id: unknown) => `position ${place(id) + 1} of ${items.length}`
  const pickedUp = (id: unknown) => `Picked up ${name(id)}, at ${position(id)}.`
  return {
    onDragStart: ({ active }) => pickedUp(active.id),
    onDragOver: ({ active, over }) => {
      // It is over its own place from the start.
      if (over?.id === active.id) return pickedUp(active.id)
      return over ? `${name(active.id)} is over ${position(over.id)}.` : `${name(active.id)} is nowhere.`
    },
    onDragEnd: ({ active, over }) =>
      over
        ? `${name(active.id)} was put down at ${position(over.id)}.`
        : `${name(active.id)} stays where it was.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays where it was, at ${position(active.id)}.`,
  }
}
