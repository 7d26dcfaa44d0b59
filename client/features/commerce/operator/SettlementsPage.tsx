import { IconBuildingBank } from '@tabler/icons-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDate, withCents } from '../../../ui/format.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { AS_IT_COMES } from '../../../ui/table/arrange.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { type Settlement, settlementsQuery } from './api.ts'
import styles from './operator.module.css'
import { settlementTexts as texts } from './texts.ts'

/** The gateway's settled batches, and whether our payments add up to each. */
export function Component() {
  const list = useList(settlementsQuery)
  return (
    <Page title={texts.title} lead={texts.lead}>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          <EmptyState Icon={IconBuildingBank} title={texts.none}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <div className={styles.settled}>
          <DataTable
            label={texts.title}
            rows={list.items}
            columns={COLUMNS}
            keyOf={({ _id }) => _id}
            nameOf={({ batchId }) => texts.batch(batchId)}
            arrangement={AS_IT_COMES}
            onArrange={() => undefined}
            wideFrom="80em"
            none={null}
          />
        </div>
      </GrowingList>
    </Page>
  )
}

const TONES = { posted: 'good', differs: 'bad', waiting: 'neutral' } as const

const sum = (amount: string) => amount !== '$0' && <Money cents value={amount} />

const COLUMNS: readonly Column<Settlement>[] = [
  {
    id: 'date',
    header: texts.date,
    cell: ({ settledAt }) => formatDate(settledAt),
    onCard: noteOf,
    width: '7.5rem',
    card: 'note',
  },
  {
    id: 'batch',
    header: texts.number,
    cell: ({ batchId }) => batchId,
    onCard: ({ batchId }) => texts.batch(batchId),
    card: 'title',
  },
  {
    id: 'status',
    header: texts.status,
    cell: ({ state }) => <Tag tone={TONES[state]}>{texts.states[state]}</Tag>,
    width: '10.5rem',
    card: 'state',
  },
  {
    id: 'difference',
    header: texts.differenceOf,
    cell: ({ difference }) => difference !== null && <Money cents value={difference} />,
    figures: true,
    width: '9.5rem',
  },
  {
    id: 'charged',
    header: texts.chargedOf,
    cell: ({ charged }) => sum(charged),
    figures: true,
    width: '7rem',
  },
  {
    id: 'refunded',
    header: texts.refundedOf,
    cell: ({ refunded }) => sum(refunded),
    figures: true,
    width: '6.5rem',
  },
  {
    id: 'chargedBack',
    header: texts.chargedBackOf,
    cell: ({ chargedBack }) => sum(chargedBack),
    figures: true,
    width: '7rem',
  },
  {
    id: 'net',
    header: texts.net,
    cell: ({ net }) => <Money cents value={net} />,
    figures: true,
    width: '7rem',
    card: 'value',
  },
]

/** Its difference and when it was settled, and on a phone what makes its total another than what was charged. */
function noteOf({ settledAt, charged, refunded, chargedBack, net, difference }: Settlement): string {
  return [
    difference !== null && texts.difference(withCents(difference)),
    formatDate(settledAt),
    charged !== net && texts.charged(withCents(charged)),
    refunded !== '$0' && texts.refunded(withCents(refunded)),
    chargedBack !== '$0' && texts.chargedBack(withCents(chargedBack)),
  ]
    .filter(Boolean)
    .join('\u00a0· ')
}
