import type { Payments } from '../port.ts'
import type { Account } from './client.ts'
import { listBatch, listBatches } from './list-batches.ts'
import { eachRow } from './list-charges.ts'
import { orUnavailable } from './lookup.ts'

/** Of a refund that isn't settled: one that could not be voided settles, and of a charge that says the same. */
const UNSETTLED = ['refundPendingSettlement', 'refundSettledSuccessfully', 'couldNotVoid']

type Range = Parameters<Payments['listRefunds']>[0]

/** The refunds that aren't settled, and after them those of the batches, so that none is settled in between unseen. */
export function listRefunds(account: Account, range: Range): ReturnType<Payments['listRefunds']> {
  return orUnavailable(async () => {
    const refundIds: string[] = []
    for await (const row of eachRow(account, 'getUnsettledTransactionListRequest', { status: 'any' }))
      if (UNSETTLED.includes(row.transactionStatus ?? '')) refundIds.push(row.transId)
    const listed = await listBatches(account, range)
    if (listed.kind === 'unavailable') return listed
    for (const { batchId } of listed.batches) {
      const held = await listBatch(account, batchId)
      if (held.kind === 'unavailable') return held
      refundIds.push(...held.refundIds)
    }
    return { kind: 'listed' as const, refundIds }
  })
}
