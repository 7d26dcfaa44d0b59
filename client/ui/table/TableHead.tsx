import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type Arrangement, sortedNext } from './arrange.ts'
import type { Column } from './column.ts'
import styles from './DataTable.module.css'
import { tableTexts } from './texts.ts'

type TableHeadProps<One> = {
  columns: readonly Column<One>[]
  arrangement: Arrangement
  onArrange: (arrangement: Arrangement) => void
  /** On a phone it is only read out. */
  hidden: boolean
  choice: { all: boolean; some: boolean; onTurn: () => void } | undefined
}

/** The names of the columns; those that can be sorted by are buttons. */
export function TableHead<One>({ columns, arrangement, onArrange, hidden, choice }: TableHeadProps<One>) {
  const { sort } = arrangement
  return (
    <>
      <colgroup>
        {choice && <col className={styles.choiceColumn} />}
        {hidden ? <col /> : columns.map(({ id, width }) => <col key={id} style={width ? { width } : {}} />)}
      </colgroup>
      <thead className={styles.head} data-empty={(hidden && !choice) || undefined}>
        <tr aria-rowindex={1}>
          {choice && (
            <th scope="col" className={styles.choice} colSpan={hidden ? 2 : 1}>
              <label className={styles.hit}>
                <input
                  type="checkbox"
                  className={styles.box}
                  checked={choice.all}
                  ref={(box) => {
                    if (box) box.indeterminate = choice.some && !choice.all
                  }}
                  onChange={choice.onTurn}
                  aria-label={tableTexts.selectAll}
                />
                {hidden && <span aria-hidden>{tableTexts.selectAll}</span>}
              </label>
            </th>
          )}
          {!hidden &&
            columns.map(({ id, header, value, figures }) => {
              const direction = sort?.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending'
              return (
                <th
                  key={id}
                  scope="col"
                  data-figures={figures || undefined}
                  {...(value ? { 'aria-sort': direction } : {})}
                >
                  {value ? (
                    <button
                      type="button"
                      className={styles.sort}
                      onClick={() => onArrange({ ...arrangement, sort: sortedNext(sort, id) })}
                    >
                      {header}
                      {direction === 'ascending' && <IconArrowUp size={15} stroke={2} aria-hidden />}
                      {direction === 'descending' && <IconArrowDown size={15} stroke={2} aria-hidden />}
                    </button>
                  ) : (
                    header
                  )}
                </th>
              )
            })}
        </tr>
      </thead>
    </>
  )
}
