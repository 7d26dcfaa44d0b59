import { centsOf } from '../../../../contract/money.ts'
import { formatDate, withCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import type { Column } from '../../../ui/table/column.ts'
import type { Transaction } from './api.ts'
import styles from './Earnings.module.css'
import { kindText, soldTitle, standingText, texts } from './texts.ts'

const words = texts.table

const dateText = ({ transactionDate }: Transaction) => formatDate(transactionDate)
const titleText = ({ title }: Transaction) => title || words.untitled
/** In two lines at most: most titles are longer than what the other columns leave. */
const titled = (title: string) => <span className={styles.item}>{title}</span>
const kindOf = (row: Transaction) => kindText(row.kind)
const sellerOf = ({ creatorId }: Transaction) => creatorId.username

const date: Column<Transaction> = {
  id: 'date',
  header: words.date,
  value: ({ transactionDate }) => transactionDate,
  order: 'past',
  text: dateText,
  cell: dateText,
  width: '7.5rem',
  card: 'note',
}
const item: Column<Transaction> = {
  id: 'item',
  header: words.item,
  value: ({ title }) => title,
  text: titleText,
  cell: (row) => titled(titleText(row)),
  onCard: titleText,
  card: 'title',
}
const kind: Column<Transaction> = {
  id: 'kind',
  header: words.kind,
  value: kindOf,
  text: kindOf,
  cell: kindOf,
  width: '9rem',
}
const status: Column<Transaction> = {
  id: 'status',
  header: words.status,
  value: standingText,
  text: standingText,
  cell: (row) => (
    <Tag tone={row.status === 'captured' && row.returned === null ? 'good' : 'neutral'}>
      {standingText(row)}
    </Tag>
  ),
  width: '8.75rem',
  card: 'state',
}
const seller: Column<Transaction> = {
  id: 'person',
  header: words.seller,
  value: sellerOf,
  text: sellerOf,
  cell: sellerOf,
  card: 'note',
}
const amount: Column<Transaction> = {
  id: 'amount',
  header: words.amount,
  value: (row) => centsOf(row.amount),
  text: (row) => withCents(row.amount),
  cell: (row) => (
    <>
      <Money cents value={row.amount} />
      {row.returned !== null && (
        <p className={styles.returned}>
          {(row.byBank ? words.returnedOf : words.refundedOf)(withCents(row.returned))}
        </p>
      )}
    </>
  ),
  figures: true,
  width: '8.75rem',
  card: 'value',
}

/** A buyer's columns of their payments. */
export const purchaseColumns: readonly Column<Transaction>[] = [date, item, kind, seller, status, amount]

/** A creator's columns of their sales, and of their own purchases. */
export function saleColumns(creatorId: string): readonly Column<Transaction>[] {
  const sold = (row: Transaction) => row.creatorId._id === creatorId
  const personOf = (row: Transaction) =>
    sold(row) ? words.soldTo(row.buyerId.username) : words.boughtFrom(row.creatorId.username)
  const feeOf = (row: Transaction) => (sold(row) && row.fee ? withCents(row.fee) : '')
  const shareOf = (row: Transaction) => (row.share ? withCents(row.share) : '')
  // Purchases have no share; of a refunded sale nothing is left.
  const earned = (row: Transaction) =>
    row.share && <Money cents value={row.share} look={centsOf(row.share) > 0 ? 'earned' : 'plain'} />
  const { card: _, ...gross } = amount
  const soldText = (row: Transaction) => (sold(row) ? soldTitle(row) : titleText(row))
  return [
    date,
    { ...item, value: soldText, text: soldText, cell: (row) => titled(soldText(row)), onCard: soldText },
    { ...seller, header: words.person, value: personOf, text: personOf, cell: personOf, width: '17%' },
    status,
    gross,
    {
      id: 'fee',
      header: texts.fee,
      value: (row) => centsOf(row.fee ?? ''),
      text: feeOf,
      cell: (row) => (sold(row) ? <Money value={feeOf(row)} /> : null),
      figures: true,
      width: '7rem',
    },
    {
      id: 'share',
      header: texts.share,
      value: (row) => centsOf(row.share ?? ''),
      text: shareOf,
      cell: earned,
      onCard: (row) => earned(row) ?? <Money cents value={row.amount} />,
      figures: true,
      width: '7rem',
      card: 'value',
    },
  ]
}
