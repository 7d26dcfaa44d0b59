import { NativeSelect } from '@mantine/core'
import { SearchBox } from '../fields/SearchBox.tsx'
import { formatCount } from '../format.ts'
import type { DataTableProps } from './column.ts'
import styles from './DataTable.module.css'
import { orderTexts, tableTexts } from './texts.ts'

type TableToolsProps<One> = Pick<
  DataTableProps<One>,
  'columns' | 'arrangement' | 'onArrange' | 'searchLabel' | 'groups' | 'selection' | 'incomplete'
> & {
  /** How many rows are left. */
  shown: number
  wide: boolean
}

const LONGEST = 100

/** Search, groups and, on a phone, the order; how many rows are left is read out as it changes. */
export function TableTools<One>(props: TableToolsProps<One>) {
  const { columns, arrangement, onArrange, searchLabel, groups, selection, incomplete, shown, wide } = props
  const { sort, search, only } = arrangement
  const narrowed = search !== '' || only !== ''
  const selected = selection?.count ?? 0
  const sortable = columns.filter(({ value }) => value)
  return (
    <div className={styles.tools}>
      {searchLabel !== undefined && (
        <SearchBox
          label={searchLabel}
          placeholder={tableTexts.search}
          maxLength={LONGEST}
          value={search}
          onChange={(wanted) => onArrange({ ...arrangement, search: wanted })}
        />
      )}
      {groups && (
        <NativeSelect
          label={groups.label}
          size="md"
          value={only}
          onChange={(event) => onArrange({ ...arrangement, only: event.currentTarget.value })}
          data={[{ value: '', label: groups.all }, ...groups.options]}
        />
      )}
      {!wide && sortable.length > 0 && (
        <NativeSelect
          label={tableTexts.sortBy}
          size="md"
          value={sort ? `${sort.column} ${sort.descending ? 'down' : 'up'}` : ''}
          onChange={(event) => {
            const [column, direction] = event.currentTarget.value.split(' ')
            const descending = direction === 'down'
            onArrange({ ...arrangement, sort: column ? { column, descending } : null })
          }}
          data={[
            { value: '', label: tableTexts.unsorted },
            ...sortable.flatMap(({ id, header, figures, order = figures ? 'figures' : 'words' }) => {
              const [up, down] = orderTexts[order]
              return [
                { value: `${id} up`, label: tableTexts.sorted(header, up) },
                { value: `${id} down`, label: tableTexts.sorted(header, down) },
              ]
            }),
          ]}
        />
      )}
      <p className={styles.count} role="status">
        {[
          ...(narrowed ? [incomplete ? tableTexts.searching : formatCount(shown, 'result')] : []),
          ...(selected > 0 ? [tableTexts.selected(selected)] : []),
        ].join('\u00a0· ')}
      </p>
    </div>
  )
}
