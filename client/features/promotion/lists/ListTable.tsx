import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { NOTHING_SELECTED } from '../../../ui/selection.ts'
import { Tag } from '../../../ui/Tag.tsx'
import { arrange } from '../../../ui/table/arrange.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { useArrangement } from '../../../ui/table/use-arrangement.ts'
import { useIsWide } from '../../../ui/use-is-wide.ts'
import { type ListInShort, mayEdit } from './api.ts'
import styles from './lists.module.css'
import { listTexts as texts } from './texts.ts'

const keyOf = ({ _id }: ListInShort) => _id
const nameOf = ({ title }: ListInShort) => title

type ListTableProps = {
  lists: readonly ListInShort[]
  onDelete: (lists: readonly ListInShort[]) => void
}

/** Lists to search, sort, open and delete, alone or several together; of site-wide ones their operators alone. */
export function ListTable({ lists, onDelete }: ListTableProps) {
  const me = useCurrentUser()
  const [asked, setArrangement] = useArrangement()
  // Lists have no groups.
  const arrangement = { ...asked, only: '' }
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const isWide = useIsWide('48em')
  const mayChange = useCallback((list: ListInShort) => mayEdit(me, list), [me])
  const columns = useMemo(
    () => columnsFor({ isWide, mayChange, onDelete: (list) => onDelete([list]) }),
    [isWide, mayChange, onDelete],
  )
  // Rows that a search hides aren't acted on.
  const chosen = arrange(lists, columns, arrangement).filter(({ _id }) => selection.chosen.has(_id))
  return (
    <>
      <DataTable
        label={texts.lists}
        rows={lists}
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        arrangement={arrangement}
        onArrange={setArrangement}
        selection={{ now: selection, onChange: setSelection, count: chosen.length, mayChoose: mayChange }}
        {...(lists.length > 1 || arrangement.search !== '' ? { searchLabel: texts.search } : {})}
        none={<EmptyState title={texts.noResults(arrangement.search)} />}
      />
      {chosen.length > 0 && (
        <div className={styles.bar}>
          <Button variant="default" color="red" onClick={() => onDelete(chosen)}>
            {texts.deleteChosen(chosen.length)}
          </Button>
        </div>
      )}
    </>
  )
}

type RowActions = {
  isWide: boolean
  mayChange: (list: ListInShort) => boolean
  onDelete: (list: ListInShort) => void
}

function columnsFor({ isWide, mayChange, onDelete }: RowActions): Column<ListInShort>[] {
  return [
    {
      id: 'title',
      header: texts.name,
      value: nameOf,
      text: nameOf,
      cell: ({ title }) => (
        <span className={styles.name} title={title}>
          {title}
        </span>
      ),
      width: '20%',
      card: 'title',
    },
    {
      id: 'count',
      header: texts.subreddits,
      value: ({ count }) => count,
      cell: (list) => (isWide ? formatNumber(list.count) : texts.ofCard(list)),
      figures: true,
      width: '7rem',
      card: 'note',
    },
    {
      id: 'inShort',
      header: texts.holds,
      text: ({ subreddits }) => subreddits.map((name) => `r/${name}`).join(' '),
      cell: ({ subreddits, count }) => (
        <span className={styles.includes}>{texts.inShort(subreddits, count)}</span>
      ),
    },
    {
      id: 'kind',
      header: texts.kind,
      value: ({ siteWide, removeFromSearch }) => Number(siteWide) * 2 + Number(removeFromSearch),
      order: 'steps',
      text: ({ siteWide, removeFromSearch }) =>
        `${siteWide ? texts.isSiteWide : texts.isOwn} ${removeFromSearch ? texts.isRemoved : ''}`,
      cell: ({ siteWide, removeFromSearch }) => (
        <span className={styles.tags}>
          {siteWide ? <Tag>{texts.isSiteWide}</Tag> : <span className={styles.few}>{texts.isOwn}</span>}
          {removeFromSearch && <Tag>{texts.isRemoved}</Tag>}
        </span>
      ),
      width: '20%',
    },
    {
      id: 'actions',
      header: texts.actions,
      cell: (list) => (
        <span className={styles.rowActions}>
          <LinkButton
            variant="subtle"
            color="gray"
            size="compact-md"
            to={promotionPaths.editList(list._id)}
            aria-label={mayChange(list) ? texts.editOf(list.title) : texts.viewOf(list.title)}
          >
            {mayChange(list) ? <IconPencil size={20} stroke={1.5} aria-hidden /> : texts.view}
          </LinkButton>
          {mayChange(list) && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              aria-label={texts.deleteOf(list.title)}
              onClick={() => onDelete(list)}
            >
              <IconTrash size={20} stroke={1.5} aria-hidden />
            </Button>
          )}
        </span>
      ),
      width: '7.5rem',
      card: 'value',
    },
  ]
}
