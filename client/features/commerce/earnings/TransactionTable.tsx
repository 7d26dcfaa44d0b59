import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { csvOf } from '../../../../contract/csv.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { download } from '../../../ui/download.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { type List, useAllPages } from '../../../ui/list/use-list.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { NOTHING_SELECTED } from '../../../ui/selection.ts'
import { AS_IT_COMES, arrange } from '../../../ui/table/arrange.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Transaction } from './api.ts'
import { purchaseColumns, saleColumns } from './columns.tsx'
import { DownloadTransactions } from './DownloadTransactions.tsx'
import { kindText, standingText, texts } from './texts.ts'

const words = texts.table
const keyOf = ({ _id }: Transaction) => _id
const nameOf = ({ title, transactionDate }: Transaction) =>
  `${title || words.untitled}, ${formatDate(transactionDate)}`

type TransactionTableProps = {
  list: List<{ items: Transaction[] }>
  /** The seller; null for somebody who only buys. */
  creatorId: string | null
  empty: ReactNode
}

/** Sales and purchases to search, sort and take away as a file. */
export function TransactionTable({ list, creatorId, empty }: TransactionTableProps) {
  const [arrangement, setArrangement] = useState(AS_IT_COMES)
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const [downloading, setDownloading] = useState(false)
  const [asking, setAsking] = useState(false)
  const { sort, search, only } = arrangement
  // The server knows one order alone.
  const complete = !list.hasNextPage
  const isNarrowed = sort !== null || search !== '' || only !== ''
  useAllPages(list, downloading || isNarrowed)
  const columns = useMemo(() => (creatorId === null ? purchaseColumns : saleColumns(creatorId)), [creatorId])
  const groups = useMemo(
    () => ({
      label: words.show,
      all: words.all,
      of: (row: Transaction) => (row.creatorId._id === creatorId ? 'sold' : 'bought'),
      options: [
        { value: 'sold', label: words.sales },
        { value: 'bought', label: words.purchases },
      ],
    }),
    [creatorId],
  )

  const failed = list.isFetchNextPageError && !list.isFetching
  useEffect(() => {
    if (failed) setDownloading(false)
  }, [failed])
  useEffect(() => {
    if (!downloading || !complete) return
    setDownloading(false)
    const { chosen } = selection
    // Selected rows are included whether the search shows them now or not.
    const rows =
      chosen.size > 0
        ? arrange(list.items, columns, { ...AS_IT_COMES, sort }).filter(({ _id }) => chosen.has(_id))
        : arrange(list.items, columns, arrangement, groups.of)
    download(words.file, fileOf(rows), 'text/csv')
  }, [downloading, complete, list.items, columns, arrangement, sort, groups, selection])

  const chosen = selection.chosen.size
  return (
    <Section
      title={words.title}
      action={
        list.items.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
            loading={downloading}
            onClick={() => {
              // Without a search or a selection the file has everything, which the server writes by itself.
              if (chosen === 0 && !isNarrowed) return setAsking(true)
              setDownloading(true)
              // A page that fails again at once shows no moment without a failure.
              if (failed)
                void list.fetchNextPage().then(({ isError }) => {
                  if (isError) setDownloading(false)
                })
            }}
          >
            {chosen > 0 ? words.downloadSome(chosen) : words.download}
          </Button>
        )
      }
    >
      <GrowingList list={list} failed={texts.failed} waiting={<SkeletonLines lines={8} />} empty={empty}>
        <DataTable
          label={words.label}
          rows={list.items}
          columns={columns}
          keyOf={keyOf}
          nameOf={nameOf}
          arrangement={arrangement}
          onArrange={setArrangement}
          searchLabel={words.search}
          selection={{ now: selection, onChange: setSelection, count: chosen }}
          {...(creatorId === null ? {} : { groups })}
          wideFrom="75em"
          incomplete={!complete && !failed}
          none={complete && <EmptyState title={words.none(arrangement.search)}>{words.noneWhy}</EmptyState>}
        />
      </GrowingList>
      <DownloadTransactions opened={asking} onClose={() => setAsking(false)} />
    </Section>
  )
}

function fileOf(rows: readonly Transaction[]): string {
  return csvOf([
    [
      words.date,
      words.item,
      words.kind,
      words.buyer,
      words.seller,
      words.status,
      words.amount,
      words.returned,
      texts.fee,
      texts.share,
    ],
    ...rows.map((row) => [
      row.transactionDate,
      row.title,
      kindText(row.kind),
      row.buyerId.username,
      row.creatorId.username,
      standingText(row),
      row.amount,
      row.returned ?? '',
      row.fee ?? '',
      row.share ?? '',
    ]),
  ])
}
