import { formatMoney, parseMoney } from '../../../../contract/money.ts'
import type { Transaction } from '../api.ts'

/** What this creator sold, in the order given; what they bought themselves is no sale. */
export function newestSales<One extends { creatorId: Pick<Transaction['creatorId'], '_id'> }>(
  transactions: readonly One[],
  creatorId: string,
): One[] {
  return transactions.filter((transaction) => transaction.creatorId._id === creatorId)
}

type Sale = Pick<Transaction, 'transactionDate' | 'amount'> & { share?: string | null | undefined }

/** Whether it happened on the day of `now`, as the browser's clock counts days. */
export function isToday(moment: string | Date, now: Date): boolean {
  return new Date(moment).toDateString() === now.toDateString()
}

/** How many of the sales are of today, and what of them is the creator's. */
export function soldToday(sales: readonly Sale[], now: Date): { count: number; share: string } {
  const today = sales.filter(({ transactionDate }) => isToday(transactionDate, now))
  const cents = today.map(({ share, amount }) => parseMoney(share ?? amount) ?? 0)
  return { count: today.length, share: formatMoney(cents.reduce((sum, one) => sum + one, 0)) }
}
