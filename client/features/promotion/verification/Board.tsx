import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  rectIntersection,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useState } from 'react'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { NOTHING_SELECTED, type Selection, turned } from '../../../ui/selection.ts'
import { TabBar } from '../../../ui/TabBar.tsx'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import { BoardColumn } from './BoardColumn.tsx'
import styles from './board.module.css'
import { ChosenBar } from './ChosenBar.tsx'
import { type RecordList, STATUSES, type Status } from './records.ts'
import { boardTexts as texts } from './texts.ts'
import { useMoves } from './use-moves.ts'

type BoardProps = {
  columns: Readonly<Record<Status, RecordList>>
  /** How many records there are of each status, whatever is searched for. */
  counts: Readonly<Record<Status, number>> | null
  search: string
}

/** Records in a column for each status, on a phone a tab, at first of the first that has any; a card is dragged to another, or moved by its menu; chosen ones together. */
export function Board({ columns, counts, search }: BoardProps) {
  const [address, change] = useAddress()
  const isWide = useIsWide('60em')
  const { moveTo, moveMany } = useMoves()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  )
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  // It stays while records move on from it.
  const [first] = useState(() => STATUSES.find((status) => counts?.[status]) ?? 'todo')
  const shown = STATUSES.flatMap((status) => columns[status].items)
  // Cards that aren’t shown anymore can’t be meant.
  const chosen = shown.filter(({ name }) => selection.chosen.has(name))
  const column = (status: Status) => (
    <BoardColumn
      status={status}
      list={columns[status]}
      search={search}
      onMove={moveTo}
      chosen={selection.chosen}
      onChoose={(name, range) => {
        const keys = columns[status].items.map((record) => record.name)
        setSelection((before) => turned(before, keys, name, range))
      }}
    />
  )
  const bar = <ChosenBar chosen={chosen} onMove={moveMany} onClear={() => setSelection(NOTHING_SELECTED)} />
  if (!isWide) {
    const chosen = STATUSES.find((status) => status === address.get('status')) ?? first
    return (
      <>
        <TabBar
          label={texts.board}
          value={chosen}
          tabs={STATUSES.map((name) => ({
            name,
            label: texts.columns[name],
            count: counts?.[name] ?? null,
            panel: column(name),
          }))}
          onChange={(status) => change({ status })}
        />
        {bar}
      </>
    )
  }
  const end = ({ active, over }: DragEndEvent) => {
    const to = STATUSES.find((status) => status === over?.id)
    const record = STATUSES.flatMap((status) => columns[status].items).find(({ name }) => name === active.id)
    if (to && record) moveTo(record, to)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={rectIntersection}
      onDragEnd={end}
      accessibility={{ announcements: ANNOUNCEMENTS }}
    >
      <div className={styles.board}>
        {STATUSES.map((status) => (
          <section key={status} className={styles.column} aria-label={texts.columns[status]}>
            <h2 className={styles.heading}>
              {texts.columns[status]} {counts && <span className={styles.count}>{counts[status]}</span>}
            </h2>
            {column(status)}
          </section>
        ))}
      </div>
      {bar}
    </DndContext>
  )
}

const titleOf = (id: unknown) => {
  const status = STATUSES.find((one) => one === id)
  return status ? texts.columns[status] : ''
}

/** Announcements while a card is dragged. */
const ANNOUNCEMENTS: Announcements = {
  onDragStart: ({ active }) => texts.dragging.pickedUp(String(active.id)),
  onDragOver: ({ active, over }) =>
    over
      ? texts.dragging.over(String(active.id), titleOf(over.id))
      : texts.dragging.outside(String(active.id)),
  onDragEnd: ({ active, over }) =>
    over
      ? texts.dragging.dropped(String(active.id), titleOf(over.id))
      : texts.dragging.unmoved(String(active.id)),
  onDragCancel: ({ active }) => texts.dragging.unmoved(String(active.id)),
}
