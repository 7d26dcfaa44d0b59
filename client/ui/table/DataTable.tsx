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
  const { label, rows, columns, keyOf, nameOf, arrangement, onArrange, groups, none } = props
  const wide = useIsWide(props.wideFrom ?? '48em')
  const shown = useMemo(
    () => arrange(rows, columns, arrangement, groups?.of),
    [rows, columns, arrangement, groups?.of],
  )
  const keys = useMemo(() => shown.map(keyOf), [shown, keyOf])
  const mayChoose = props.selection?.mayChoose
  const choosable = useMemo(
    () => (mayChoose ? shown.filter(mayChoose).map(keyOf) : keys),
    [shown, keys, keyOf, mayChoose],
  )
  const selection = choosable.length > 0 ? props.selection : undefined
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const current = active !== null && choosable.includes(active) ? active : choosable[0]
  const place = current === undefined ? -1 : keys.indexOf(current)
  /** The row so many further that can be chosen, at most the last and the first of them. */
  const from = (key: string, step: number) =>
    choosable[Math.min(choosable.length - 1, Math.max(0, choosable.indexOf(key) + step))] ?? key
  /** Takes the keyboard to a row, which is drawn first where it isn’t. */
  const go = (key: string) => {
    flushSync(() => setActive(key))
    const row = `tr[aria-rowindex="${keys.indexOf(key) + 2}"]`
    body.current?.querySelector<HTMLElement>(`${row} input`)?.focus()
  }
  const choiceOf = (row: One, key: string) => {
    if (!selection) return undefined
    if (mayChoose && !mayChoose(row)) return null
    return {
      chosen: selection.now.chosen.has(key),
      tabbable: key === current,
      onTurn: (range: boolean) => {
        setActive(key)
        selection.onChange(turned(selection.now, choosable, key, range))
      },
      onGo: (step: number) => go(from(key, step)),
      onTurnAll: () => selection.onChange(allTurned(selection.now, choosable)),
      onReach: (step: number) => {
        const target = from(key, step)
        if (target === key) return
        const chosen = new Set(selection.now.chosen).add(key).add(target)
        selection.onChange({ chosen, anchor: target })
        go(target)
      },
    }
  }
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
        choice={choiceOf(row, key)}
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
                all: choosable.every((key) => selection.now.chosen.has(key)),
                some: choosable.some((key) => selection.now.chosen.has(key)),
                onTurn: () => selection.onChange(allTurned(selection.now, choosable)),
              }
            }
          />
          <tbody ref={body}>{drawRows(draw)}</tbody>
        </table>
      )}
    </div>
  )
}
