import type { Transaction } from '../api.ts'

/** What this creator sold, in the order given; what they bought themselves is no sale. */
export function newestSales<One extends { creatorId: Pick<Transaction['creatorId'], '_id'> }>(
  transactions: readonly One[],
  creatorId: string,
): One[] {
  return transactions.filter((transaction) => transaction.creatorId._id === creatorId)
}
