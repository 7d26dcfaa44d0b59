import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
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
import { memo, type ReactNode, useMemo, useState } from 'react'
import { useNearCells } from '../../../ui/list/use-near-cells.ts'
import type { LibraryMedia } from './api.ts'
import { LibraryGrid } from './LibraryGrid.tsx'
import styles from './SortableGrid.module.css'
import { texts } from './texts.ts'
import type { LibraryView } from './view.ts'
import { nameOf } from './words.ts'

/** Pixels that a pointer must go before it drags, so that a mere press does nothing. */
const DRAG_DISTANCE = 6

/** Fewer all stand in the document, where the browser's own search finds them. */
const DRAWN_WHOLE = 100

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
  const ids = useMemo(() => items.map(({ _id }) => _id), [items])
  const cells = useNearCells()
  const [moving, setMoving] = useState<UniqueIdentifier | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const place = (id: unknown) => items.findIndex((media) => media._id === id)
  // The keyboard moves from where it is to the item before or after.
  const at = focused === null ? Number.NaN : place(focused)
  const isDrawn = (id: string, index: number) =>
    items.length <= DRAWN_WHOLE || cells.near.has(id) || id === moving || Math.abs(index - at) <= 1
  const end = ({ active, over }: DragEndEvent) => {
    setMoving(null)
    if (over && over.id !== active.id) onMove(place(active.id), place(over.id))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={({ active }) => setMoving(active.id)}
      onDragEnd={end}
      onDragCancel={() => setMoving(null)}
      accessibility={{
        announcements: announcementsOf(items),
        screenReaderInstructions: {
          draggable: texts.moving.instructions,
        },
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy} disabled={!enabled}>
        <LibraryGrid label={label} view={view}>
          {items.map((media, index) => {
            const drawn = isDrawn(media._id, index)
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the focus of its children.
              <div
                key={media._id}
                ref={cells.ref}
                className={styles.cell}
                data-cell={media._id}
                data-away={!drawn || undefined}
                onFocus={() => setFocused(media._id)}
                // On its way to another card, which must still be there when it arrives.
                onBlur={({ relatedTarget }) => {
                  if (!relatedTarget?.closest('[data-cell]')) setFocused(null)
                }}
              >
                {drawn && <SortableItem media={media} index={index} enabled={enabled} draw={children} />}
              </div>
            )
          })}
        </LibraryGrid>
      </SortableContext>
    </DndContext>
  )
}

type SortableItemProps = {
  media: LibraryMedia
  index: number
  enabled: boolean
  draw: SortableGridProps['children']
}

const SortableItem = memo(function SortableItem({ media, index, enabled, draw }: SortableItemProps) {
  const sortable = useSortable({ id: media._id, attributes: { roleDescription: texts.moving.item } })
  const { transform, transition, isDragging } = sortable
  return (
    <div
      ref={sortable.setNodeRef}
      className={styles.item}
      data-moving={isDragging || undefined}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      {draw(
        media,
        index,
        enabled ? (
          <button
            type="button"
            ref={sortable.setActivatorNodeRef}
            className={styles.handle}
            {...sortable.attributes}
            {...sortable.listeners}
            aria-label={texts.moving.handle(nameOf(media))}
          >
            <IconGripVertical size={20} stroke={1.75} aria-hidden />
          </button>
        ) : null,
      )}
    </div>
  )
})

/** Announcements while an item is moved. */
function announcementsOf(items: readonly LibraryMedia[]): Announcements {
  const place = (id: unknown) => items.findIndex((media) => media._id === id)
  const name = (id: unknown) => {
    const media = items[place(id)]
    return media ? nameOf(media) : texts.moving.unknown
  }
  const position = (id: unknown) => texts.moving.position(place(id) + 1, items.length)
  const pickedUp = (id: unknown) => texts.moving.pickedUp(name(id), position(id))
  return {
    onDragStart: ({ active }) => pickedUp(active.id),
    onDragOver: ({ active, over }) => {
      // It is over its own place from the start.
      if (over?.id === active.id) return pickedUp(active.id)
      return over
        ? texts.moving.over(name(active.id), position(over.id))
        : texts.moving.outside(name(active.id))
    },
    onDragEnd: ({ active, over }) =>
      over ? texts.moving.dropped(name(active.id), position(over.id)) : texts.moving.unmoved(name(active.id)),
    onDragCancel: ({ active }) => texts.moving.canceled(name(active.id), position(active.id)),
  }
}
