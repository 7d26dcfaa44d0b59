import type { ListedCharge, Payments } from '../port.ts'
import { batchListAnswer, listAnswer } from './answers.ts'
import type { Account } from './client.ts'
import { CAPTURED, CLOCK_MARGIN_MS, details, isCharge, orUnavailable, PAGE_SIZE, read } from './lookup.ts'

/**
 * The charges that the gateway has captured since then: what is unsettled, and after it what every batch since has settled, so that
 * none is settled in between unseen.
 */
export async function listCharges(account: Account, since: Date): ReturnType<Payments['listCharges']> {
  return orUnavailable(async () => {
    const charges = await inList(account, since, 'getUnsettledTransactionListRequest', { status: 'any' })
    const { batchList } = await read(account, batchListAnswer, 'getSettledBatchListRequest', {
      includeStatistics: false,
      firstSettlementDate: new Date(since.getTime() - CLOCK_MARGIN_MS).toISOString(),
      lastSettlementDate: new Date(since.getTime() + 30 * 24 * CLOCK_MARGIN_MS).toISOString(),
    })
    for (const { batchId } of batchList)
      charges.push(...(await inList(account, since, 'getTransactionListRequest', { batchId })))
    return { kind: 'listed' as const, charges }
  })
}

async function inList(
  account: Account,
  since: Date,
  name: string,
  filter: Record<string, string>,
): Promise<ListedCharge[]> {
  const charges: ListedCharge[] = []
  for await (const row of eachRow(account, name, filter)) {
    const { transId, invoiceNumber, transactionStatus, settleAmount, submitTimeUTC } = row
    const isWanted =
      CAPTURED.includes(transactionStatus ?? '') && Date.parse(submitTimeUTC) >= since.getTime()
    // The status says no more of a refund, or a declined charge, that could not be voided.
    const isOther =
      isWanted &&
      transactionStatus === 'couldNotVoid' &&
      !isCharge((await details(account, transId)).transaction)
    if (isWanted && !isOther)
      charges.push({
        transactionId: transId,
        reference: invoiceNumber ?? '',
        amountCents: Math.round((settleAmount ?? 0) * 100),
        submittedAt: new Date(submitTimeUTC),
        isChargedBack: transactionStatus === 'chargeback',
      })
  }
  return charges
}

/** Every transaction of a list, page by page, the latest first. */
export async function* eachRow(account: Account, name: string, filter: Record<string, string>) {
  for (let page = 1; ; page += 1) {
    const { transactions } = await read(account, listAnswer, name, {
      ...filter,
      sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
      paging: { limit: PAGE_SIZE, offset: page },
    })
    yield* transactions
    if (transactions.length < PAGE_SIZE) return
  }
}
