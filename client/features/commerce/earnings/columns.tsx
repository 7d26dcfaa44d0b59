import { parseMoney } from '../../../../contract/money.ts'
import { formatDate } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import type { Column } from '../../../ui/table/column.ts'
import type { Transaction } from '../api.ts'
import { kindText, statusText, texts } from './texts.ts'

const words = texts.table

const cents = (money: string | null) => parseMoney(money ?? '') ?? 0

const date: Column<Transaction> = {
  id: 'date',
  header: words.date,
  value: ({ transactionDate }) => transactionDate,
  cell: ({ transactionDate }) => formatDate(transactionDate),
  width: '8rem',
  card: 'note',
}
const item: Column<Transaction> = {
  id: 'item',
  header: words.item,
  value: ({ title }) => title,
  cell: ({ title }) => title || words.untitled,
  card: 'title',
}
const kind: Column<Transaction> = {
  id: 'kind',
  header: words.kind,
  value: (row) => kindText(row.kind),
  cell: (row) => kindText(row.kind),
  width: '7.25rem',
}
const status: Column<Transaction> = {
  id: 'status',
  header: words.status,
  value: (row) => statusText(row.status),
  cell: (row) => <Tag tone={row.status === 'captured' ? 'good' : 'neutral'}>{statusText(row.status)}</Tag>,
  width: '7.25rem',
  card: 'state',
}
const seller: Column<Transaction> = {
  id: 'person',
  header: words.seller,
  value: ({ creatorId }) => creatorId.username,
  cell: ({ creatorId }) => creatorId.username,
  card: 'note',
}
const amount: Column<Transaction> = {
  id: 'amount',
  header: words.amount,
  value: (row) => cents(row.amount),
  cell: (row) => <Money value={row.amount} />,
  figures: true,
  width: '6.5rem',
  card: 'value',
}

/** What somebody sees of what they paid. */
export const purchaseColumns: readonly Column<Transaction>[] = [date, item, kind, seller, status, amount]

/** What a creator sees of what they sold, and of what they bought themselves. */
export function saleColumns(creatorId: string): readonly Column<Transaction>[] {
  const sold = (row: Transaction) => row.creatorId._id === creatorId
  const personOf = (row: Transaction) =>
    sold(row) ? words.soldTo(row.buyerId.username) : words.boughtFrom(row.creatorId.username)
  const { card: _, ...gross } = amount
  return [
    date,
    item,
    { ...seller, header: words.person, value: personOf, cell: personOf },
    status,
    gross,
    {
      id: 'fee',
      header: texts.fee,
      value: (row) => cents(row.fee),
      cell: (row) => (sold(row) ? <Money value={row.fee ?? ''} /> : null),
      figures: true,
      width: '7.5rem',
    },
    {
      id: 'share',
      header: texts.share,
      value: (row) => cents(row.share),
      cell: (row) => <Money value={row.share ?? row.amount} look={sold(row) ? 'earned' : 'plain'} />,
      figures: true,
      width: '7.5rem',
      card: 'value',
    },
  ]
}
