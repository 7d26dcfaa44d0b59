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
import { useSearchParams } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { NOTHING_SELECTED, type Selection, turned } from '../../../ui/selection.ts'
import { TabBar } from '../../../ui/TabBar.tsx'
import { toast } from '../../../ui/toast.ts'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import { useMoveRecord } from './api.ts'
import { BoardColumn } from './BoardColumn.tsx'
import styles from './board.module.css'
import { type RecordList, STATUSES, type Status, type VerificationRecord } from './records.ts'
import { boardTexts as texts } from './texts.ts'

type BoardProps = {
  columns: Readonly<Record<Status, RecordList>>
  /** How many records there are of each status, whatever is searched for. */
  counts: Readonly<Record<Status, number>> | null
  search: string
}

/** Records in a column for each status, on a phone a tab; a card is dragged to another, or moved by its menu; chosen ones together. */
export function Board({ columns, counts, search }: BoardProps) {
  const [address, setAddress] = useSearchParams()
  const isWide = useIsWide('60em')
  const move = useMoveRecord()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  )
  const moveTo = (record: VerificationRecord, to: Status) => {
    const { name, status: from } = record
    if (from === to) return
    // Each move is told of, also where another one follows before its answer.
    move.mutateAsync({ record, to }).then(
      () =>
        toast.offer(texts.moved(name, texts.columns[to]), {
          label: texts.undo,
          onAct: () => moveTo({ ...record, status: to }, from),
        }),
      (error) => toast.failure(texts.moveFailed(name, errorMessage(error))),
    )
  }
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  const shown = STATUSES.flatMap((status) => columns[status].items)
  // What isn’t shown any more can’t be meant.
  const chosen = shown.filter(({ name }) => selection.chosen.has(name))
  const moveMany = async (records: readonly VerificationRecord[], to: Status) => {
    setSelection(NOTHING_SELECTED)
    const others = records.filter(({ status }) => status !== to)
    const moves = await Promise.allSettled(others.map((record) => move.mutateAsync({ record, to })))
    const moved = others.filter((_, index) => moves[index]?.status === 'fulfilled')
    const failure = moves.find((one) => one.status === 'rejected')
    if (failure)
      toast.failure(texts.moveManyFailed(others.length - moved.length, errorMessage(failure.reason)))
    if (moved.length === 0) return
    toast.offer(texts.movedMany(moved.length, texts.columns[to]), {
      label: texts.undo,
      onAct: () => {
        for (const record of moved) moveTo({ ...record, status: to }, record.status)
      },
    })
  }
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
  const bar = chosen.length > 0 && (
    <section className={styles.bar} aria-label={texts.chosenBar}>
      <p role="status">{texts.chosen(chosen.length)}</p>
      {STATUSES.filter((to) => chosen.some(({ status }) => status !== to)).map((to) => (
        <Button
          key={to}
          size="sm"
          variant="default"
          onClick={({ currentTarget }) => {
            leaveBar(currentTarget)
            void moveMany(chosen, to)
          }}
        >
          {texts.moveTo(texts.columns[to])}
        </Button>
      ))}
      <Button
        size="sm"
        variant="subtle"
        onClick={({ currentTarget }) => {
          leaveBar(currentTarget)
          setSelection(NOTHING_SELECTED)
        }}
      >
        {texts.clear}
      </Button>
    </section>
  )
  if (!isWide) {
    const chosen = STATUSES.find((status) => status === address.get('status')) ?? 'todo'
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
          onChange={(status) =>
            setAddress(
              (before) => {
                const after = new URLSearchParams(before)
                after.set('status', status)
                return after
              },
              { replace: true, preventScrollReset: true },
            )
          }
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

/** The bar goes with its buttons: the keyboard continues in the cards that stay. */
function leaveBar(button: HTMLElement): void {
  const board = button.closest('section')?.parentElement
  board?.querySelector<HTMLElement>('li input:not(:checked)')?.focus({ preventScroll: true })
}

const titleOf = (id: unknown) => {
  const status = STATUSES.find((one) => one === id)
  return status ? texts.columns[status] : ''
}

/** What is read out while a card is dragged. */
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
