import { Readable } from 'node:stream'
import { csvOf } from '../../../../contract/csv.ts'
import { decimalOf, formatMoney } from '../../../../contract/money.ts'
import type { TransactionRow } from '../ledger/data.ts'
import { presentTransaction } from '../ledger/present.ts'

type Sums = { sales: number; gross: number; share: number }

/** Sums with their amounts as text. */
export function presentSums({ sales, gross, share }: Sums) {
  return { sales, gross: formatMoney(gross), share: formatMoney(share) }
}

const HEADER = [
  ...['Date (UTC)', 'Transaction', 'Direction', 'Type', 'Item', 'Fan', 'Creator', 'Status', 'Currency'],
  ...['Gross', 'Returned', 'Platform fee', 'Your share'],
]

/** Who reads the file, and the name of the site. */
type Seen = { viewerId: string; brand: string }

/** Sales and purchases as a CSV file, written as its batches are read; a fan's payments have no share. */
export function presentFile(batches: AsyncIterable<TransactionRow[]>, seen: Seen): Readable {
  return Readable.from(lines(batches, seen), { objectMode: false })
}

async function* lines(batches: AsyncIterable<TransactionRow[]>, seen: Seen): AsyncGenerator<string> {
  // The mark makes spreadsheets read it as UTF-8.
  yield `\uFEFF${csvOf([HEADER])}`
  for await (const rows of batches) yield csvOf(rows.map((row) => lineOf(row, seen)))
}

function lineOf(row: TransactionRow, { viewerId, brand }: Seen): string[] {
  const sold = row.creator_id === viewerId
  const { buyerId, creatorId, transactionDate } = presentTransaction(row, viewerId, brand)
  return [
    ...[transactionDate, row.id, sold ? 'sale' : 'purchase', row.kind, row.title],
    ...[buyerId.username, creatorId.username, row.status, 'USD'],
    ...[decimalOf(row.amount_cents), decimalOf(row.returnedCents ?? 0)],
    ...(sold ? [decimalOf(row.feeCents ?? 0), decimalOf(row.shareCents ?? 0)] : ['', '']),
  ]
}
