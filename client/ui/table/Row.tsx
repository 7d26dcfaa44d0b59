import type { KeyboardEvent, ReactNode } from 'react'
import type { Column } from './column.ts'
import styles from './DataTable.module.css'

/** Rows that one press of a page key goes. */
const PAGE = 10

type Choice = {
  chosen: boolean
  /** The one row that the tab key stops at; arrows lead to the others. */
  tabbable: boolean
  onTurn: (range: boolean) => void
  onTurnAll: () => void
  /** Goes so many rows on. */
  onGo: (step: number) => void
  /** Goes there and chooses on the way. */
  onReach: (step: number) => void
}

type RowProps<One> = {
  row: One
  columns: readonly Column<One>[]
  index: number
  wide: boolean
  name: string
  /** Null for a row that can’t be chosen, undefined where none can. */
  choice: Choice | null | undefined
}

/** One row: cells on a wide window, a card on a phone. */
export function Row<One>({ row, columns, index, wide, name, choice }: RowProps<One>) {
  const box = choice && (
    <label className={styles.hit}>
      <input
        type="checkbox"
        className={styles.box}
        checked={choice.chosen}
        tabIndex={choice.tabbable ? 0 : -1}
        // A click by the keyboard has the shift key as well.
        onClick={(event) => choice.onTurn(event.shiftKey)}
        onKeyDown={(event) => onKey(event, choice)}
        readOnly
        aria-label={name}
      />
    </label>
  )
  return (
    <tr className={styles.row} data-chosen={choice?.chosen || undefined} aria-rowindex={index + 2}>
      {choice !== undefined && <td className={styles.choice}>{box}</td>}
      {wide ? (
        columns.map(({ id, cell, figures }) => (
          <td key={id} className={styles.cell} data-figures={figures || undefined}>
            {cell(row)}
          </td>
        ))
      ) : (
        <Card row={row} columns={columns} />
      )}
    </tr>
  )
}

function Card<One>({ row, columns }: Pick<RowProps<One>, 'row' | 'columns'>) {
  const at = (place: Column<One>['card']): ReactNode =>
    columns
      .filter(({ card }) => card === place)
      .map(({ id, cell, onCard = cell }) => (
        <span key={id} className={styles.part}>
          {onCard(row)}
        </span>
      ))
  return (
    <td className={styles.card}>
      <span className={styles.title}>{at('title')}</span>
      <span className={styles.value}>{at('value')}</span>
      <span className={styles.note}>{at('note')}</span>
      <span className={styles.state}>{at('state')}</span>
    </td>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  End: Number.POSITIVE_INFINITY,
  Home: Number.NEGATIVE_INFINITY,
}

function onKey(event: KeyboardEvent, { onGo, onReach, onTurnAll }: Choice): void {
  const step = STEPS[event.key]
  if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onTurnAll()
  else if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  else if (event.shiftKey && Math.abs(step) === 1) onReach(step)
  else onGo(step)
  event.preventDefault()
}
