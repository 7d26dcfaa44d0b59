import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useAllPages, useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { NOTHING_SELECTED } from '../../../ui/selection.ts'
import { Tag } from '../../../ui/Tag.tsx'
import { arrange } from '../../../ui/table/arrange.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { useArrangement } from '../../../ui/table/use-arrangement.ts'
import { confirmationLabel, verificationLabel } from '../parts/label-texts.ts'
import link from '../parts/table.module.css'
import { AddSubreddit } from './AddSubreddit.tsx'
import { recordsQuery } from './api.ts'
import styles from './board.module.css'
import { ChosenBar } from './ChosenBar.tsx'
import { NoRecords } from './NoRecords.tsx'
import { STATUSES, type VerificationRecord } from './records.ts'
import { boardTexts, tableTexts as texts } from './texts.ts'
import { useMoves } from './use-moves.ts'

const keyOf = ({ name }: VerificationRecord) => name
const nameOf = ({ name }: VerificationRecord) => boardTexts.choose(name)
const statusOf = ({ status }: VerificationRecord) => status

/** All verifications as a table: searched, sorted, narrowed to a status, and moved together; `views` leads to the board. */
export function RecordTable({ views }: { views: ReactNode }) {
  const list = useList(recordsQuery('all'))
  const [asked, setArrangement] = useArrangement()
  const arrangement = { ...asked, only: STATUSES.find((one) => one === asked.only) ?? '' }
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const { moveMany } = useMoves()
  const { sort, search, only } = arrangement
  // The server knows one order alone.
  useAllPages(list, sort !== null || search !== '' || only !== '')
  // Rows that a search or a status hides aren't acted on.
  const chosen = arrange(list.items, COLUMNS, arrangement, statusOf).filter(({ name }) =>
    selection.chosen.has(name),
  )
  const counts = list.first?.counts
  return (
    <>
      {list.items.length > 0 && (
        <div className={styles.tools}>
          {views}
          <AddSubreddit />
        </div>
      )}
      <GrowingList
        list={list}
        failed={boardTexts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={<NoRecords />}
      >
        <DataTable
          label={texts.label}
          rows={list.items}
          columns={COLUMNS}
          keyOf={keyOf}
          nameOf={nameOf}
          arrangement={arrangement}
          onArrange={setArrangement}
          searchLabel={boardTexts.search}
          groups={{
            label: texts.status,
            all: texts.all,
            of: statusOf,
            options: STATUSES.map((value) => ({
              value,
              label: texts.countOf(boardTexts.columns[value], counts?.[value] ?? 0),
            })),
          }}
          selection={{ now: selection, onChange: setSelection, count: chosen.length }}
          wideFrom="60em"
          incomplete={list.hasNextPage}
          none={!list.hasNextPage && <EmptyState title={texts.none} />}
        />
        <ChosenBar chosen={chosen} onMove={moveMany} onClear={() => setSelection(NOTHING_SELECTED)} />
      </GrowingList>
    </>
  )
}

const COLUMNS: Column<VerificationRecord>[] = [
  {
    id: 'name',
    header: texts.name,
    value: keyOf,
    text: ({ name }) => `r/${name}`,
    cell: ({ name }) => (
      <Link to={promotionPaths.verification(name)} className={link.name}>
        r/{name}
      </Link>
    ),
    width: '22%',
    card: 'title',
  },
  {
    id: 'status',
    header: texts.status,
    value: ({ status }) => STATUSES.indexOf(status),
    order: 'steps',
    text: ({ status }) => boardTexts.columns[status],
    cell: ({ status }) => (
      <Tag tone={status === 'done' ? 'good' : status === 'pending' ? 'warning' : 'neutral'}>
        {boardTexts.columns[status]}
      </Tag>
    ),
    width: '12%',
    card: 'value',
  },
  {
    id: 'confirmed',
    header: texts.confirmed,
    value: ({ confirmed }) => confirmationLabel[confirmed],
    text: ({ confirmed }) => confirmationLabel[confirmed],
    cell: ({ confirmed }) => confirmationLabel[confirmed],
    width: '12%',
  },
  {
    id: 'verification',
    header: texts.verification,
    value: ({ verificationType }) => verificationLabel[verificationType],
    text: ({ verificationType }) => verificationLabel[verificationType],
    cell: ({ verificationType }) => verificationLabel[verificationType],
    width: '14%',
    card: 'note',
  },
  {
    id: 'reminder',
    header: texts.reminder,
    value: ({ remindOn }) => remindOn ?? '',
    order: 'due',
    text: ({ remindOn }) => (remindOn ? formatDate(remindOn) : ''),
    cell: ({ remindOn }) => <span className={link.state}>{remindOn ? formatDate(remindOn) : ''}</span>,
    width: '14%',
    card: 'state',
  },
  {
    id: 'notes',
    header: texts.notes,
    text: ({ notes }) => notes,
    cell: ({ notes }) => <span title={notes}>{notes}</span>,
  },
]
