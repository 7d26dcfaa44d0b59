import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { allTurned, type Selection, turned } from '../../../ui/selection.ts'
import type { Column } from '../../../ui/table/column.ts'
import table from '../../../ui/table/DataTable.module.css'
import { useDrawnRows } from '../../../ui/table/drawn-rows.tsx'
import { Row } from '../../../ui/table/Row.tsx'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import styles from './table.module.css'
import { tableTexts as texts } from './texts.ts'

/** The orders that the server knows. */
const SORTS = ['subscribers', 'name'] as const
export type SubredditSort = (typeof SORTS)[number]

type SubredditTableProps<One> = {
  rows: readonly One[]
  /** Those called `name` and `subscribers` can be sorted by. */
  columns: readonly Column<One>[]
  sortBy: SubredditSort
  onSort: (sortBy: SubredditSort) => void
  /** Rows chosen by their names. */
  selection: Selection
  onSelect: (selection: Selection) => void
}

/** Rows in the order of the server: lines on a wide window, cards on a phone; chosen by clicks, ranges, and keys. */
export function SubredditTable<One extends { _id: string; name: string }>({
  rows,
  columns,
  sortBy,
  onSort,
  selection,
  onSelect,
}: SubredditTableProps<One>) {
  const isWide = useIsWide('48em')
  const body = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const keys = rows.map(({ name }) => name)
  const current = active !== null && keys.includes(active) ? active : keys[0]
  const isAll = keys.every((key) => selection.chosen.has(key))
  const isSome = keys.some((key) => selection.chosen.has(key))
  const go = (index: number, step: number) => {
    const next = Math.min(keys.length - 1, Math.max(0, index + step))
    // Drawn first where it isn’t.
    flushSync(() => setActive(keys[next] ?? null))
    body.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${next + 2}"] input`)?.focus()
  }
  const drawRows = useDrawnRows(body, {
    count: rows.length,
    place: current === undefined ? -1 : keys.indexOf(current),
  })
  const draw = (index: number) => {
    const row = rows[index]
    if (!row) return null
    return (
      <Row
        key={row._id}
        row={row}
        columns={columns}
        index={index}
        wide={isWide}
        name={`r/${row.name}`}
        choice={{
          chosen: selection.chosen.has(row.name),
          tabbable: row.name === current,
          onTurn: (range) => {
            setActive(row.name)
            onSelect(turned(selection, keys, row.name, range))
          },
          onTurnAll: () => onSelect(allTurned(selection, keys)),
          onGo: (step) => go(index, step),
          onReach: (step) => {
            const target = keys[index + step]
            if (target === undefined) return
            onSelect({ chosen: new Set(selection.chosen).add(row.name).add(target), anchor: target })
            go(index, step)
          },
        }}
      />
    )
  }
  return (
    <div className={table.whole}>
      {!isWide && (
        <SelectField
          label={texts.sortBy}
          value={sortBy}
          choices={SORTS.map((value) => ({ value, label: texts.columns[value] }))}
          onChange={(value) => onSort(value === 'name' ? 'name' : 'subscribers')}
        />
      )}
      <p className={styles.hint}>{texts.selectHint}</p>
      <table
        className={`${table.table} ${styles.table}`}
        data-cards={!isWide || undefined}
        aria-label={texts.table}
        aria-rowcount={rows.length + 1}
      >
        <colgroup>
          <col className={table.choiceColumn} />
          {isWide ? columns.map(({ id, width }) => <col key={id} style={width ? { width } : {}} />) : <col />}
        </colgroup>
        <thead className={table.head}>
          <tr aria-rowindex={1}>
            <th scope="col" className={table.choice} colSpan={isWide ? 1 : 2}>
              <label className={table.hit}>
                <input
                  type="checkbox"
                  className={table.box}
                  checked={isAll}
                  ref={(box) => {
                    if (box) box.indeterminate = isSome && !isAll
                  }}
                  onChange={() => onSelect(allTurned(selection, keys))}
                  aria-label={texts.selectAll}
                />
                {!isWide && <span aria-hidden>{texts.selectAll}</span>}
              </label>
            </th>
            {isWide &&
              columns.map(({ id, header, figures }) => (
                <Head key={id} id={id} sortBy={sortBy} onSort={onSort} figures={figures}>
                  {header}
                </Head>
              ))}
          </tr>
        </thead>
        <tbody ref={body}>{drawRows(draw)}</tbody>
      </table>
    </div>
  )
}

type HeadProps = {
  id: string
  sortBy: SubredditSort
  onSort: (sortBy: SubredditSort) => void
  figures: boolean | undefined
  children: string
}

function Head({ id, sortBy, onSort, figures, children }: HeadProps) {
  const sort = SORTS.find((one) => one === id)
  // Names come from A on, subscribers from the largest on.
  const direction = sort === 'name' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      data-figures={figures || undefined}
      {...(sort ? { 'aria-sort': sort === sortBy ? direction : 'none' } : {})}
    >
      {sort ? (
        <button type="button" className={table.sort} onClick={() => onSort(sort)}>
          {children}
          {sort === sortBy && <span aria-hidden>{sort === 'name' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        children
      )}
    </th>
  )
}
