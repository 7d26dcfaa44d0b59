import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { allTurned, turned } from '../selection.ts'
import { useIsWide } from '../use-is-wide.ts'
import { arrange } from './arrange.ts'
import type { DataTableProps } from './column.ts'
import styles from './DataTable.module.css'
import { useDrawnRows } from './drawn-rows.tsx'
import { Row } from './Row.tsx'
import { TableHead } from './TableHead.tsx'
import { TableTools } from './TableTools.tsx'

/**
 * Rows to search, sort and choose from: a table on wide windows, a card for each row on a phone. All rows are of the
 * same height, so that of thousands only those near the window are drawn.
 */
export function DataTable<One>(props: DataTableProps<One>) {
  const { label, rows, columns, keyOf, nameOf, arrangement, onArrange, groups, selection, none } = props
  const wide = useIsWide(props.wideFrom ?? '48em')
  const shown = useMemo(
    () => arrange(rows, columns, arrangement, groups?.of),
    [rows, columns, arrangement, groups?.of],
  )
  const keys = useMemo(() => shown.map(keyOf), [shown, keyOf])
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const current = active !== null && keys.includes(active) ? active : keys[0]
  const place = current === undefined ? -1 : keys.indexOf(current)
  const drawRows = useDrawnRows(body, { count: shown.length, place })
  const draw = (index: number) => {
    const row = shown[index]
    const key = keys[index]
    if (row === undefined || key === undefined) return null
    return (
      <Row
        key={key}
        row={row}
        columns={columns}
        index={index}
        wide={wide}
        name={nameOf(row)}
        choice={
          selection && {
            chosen: selection.now.chosen.has(key),
            tabbable: key === current,
            onTurn: (range) => {
              setActive(key)
              selection.onChange(turned(selection.now, keys, key, range))
            },
            onGo: (step) => go(body.current, keys, index, step, setActive),
            onTurnAll: () => selection.onChange(allTurned(selection.now, keys)),
            onReach: (step) => {
              const target = keys[index + step]
              if (target === undefined) return
              const chosen = new Set(selection.now.chosen).add(key).add(target)
              selection.onChange({ chosen, anchor: target })
              go(body.current, keys, index, step, setActive)
            },
          }
        }
      />
    )
  }
  return (
    <div className={styles.whole}>
      <TableTools {...props} shown={shown.length} wide={wide} />
      {shown.length === 0 ? (
        none
      ) : (
        <table
          className={styles.table}
          data-cards={!wide || undefined}
          aria-label={label}
          aria-rowcount={shown.length + 1}
        >
          <TableHead
            columns={columns}
            arrangement={arrangement}
            onArrange={onArrange}
            hidden={!wide}
            choice={
              selection && {
                all: keys.every((key) => selection.now.chosen.has(key)),
                some: keys.some((key) => selection.now.chosen.has(key)),
                onTurn: () => selection.onChange(allTurned(selection.now, keys)),
              }
            }
          />
          <tbody ref={body}>{drawRows(draw)}</tbody>
        </table>
      )}
    </div>
  )
}

/** Takes the keyboard to a row so many further, which is drawn first where it isn’t. */
function go(
  body: HTMLElement | null,
  keys: readonly string[],
  index: number,
  step: number,
  setActive: (key: string) => void,
): void {
  const next = Math.min(keys.length - 1, Math.max(0, index + step))
  const key = keys[next]
  if (key === undefined) return
  flushSync(() => setActive(key))
  body?.querySelector<HTMLElement>(`tr[aria-rowindex="${next + 2}"] input`)?.focus()
}
