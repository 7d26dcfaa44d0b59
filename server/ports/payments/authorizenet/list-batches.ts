import type { Payments, SettledBatch } from '../port.ts'
import { batchListAnswer } from './answers.ts'
import type { Account } from './client.ts'
import { eachRow } from './list-charges.ts'
import { BATCH_RANGE_MS, orUnavailable, read } from './lookup.ts'

/** Of a charge that was settled, whatever its bank did then. */
const SETTLED_CHARGE = ['settledSuccessfully', 'returnedItem', 'chargeback', 'chargebackReversal']

type Range = Parameters<Payments['listBatches']>[0]

/** The batches of a range with their statistics, asked for in as many calls as the longest range of one needs. */
export function listBatches(account: Account, { since, until }: Range): ReturnType<Payments['listBatches']> {
  return orUnavailable(async () => {
    const batches = new Map<string, SettledBatch>()
    for (let from = since.getTime(); from < until.getTime(); from += BATCH_RANGE_MS) {
      const { batchList } = await read(account, batchListAnswer, 'getSettledBatchListRequest', {
        includeStatistics: true,
        firstSettlementDate: new Date(from).toISOString(),
        lastSettlementDate: new Date(Math.min(from + BATCH_RANGE_MS, until.getTime())).toISOString(),
      })
      for (const { batchId, settlementTimeUTC, settlementState, statistics } of batchList) {
        const hasFailed = settlementState === 'settlementError'
        // Statistics of what failed are of what was sent.
        const settled = hasFailed ? [] : statistics
        if (hasFailed || settlementState === 'settledSuccessfully')
          batches.set(batchId, {
            batchId,
            // The time is optional on the wire; without it, a time from which the batch is listed again.
            settledAt: new Date(settlementTimeUTC ?? from),
            hasFailed,
            chargedCents: sumOf(settled, 'chargeAmount'),
            refundedCents: sumOf(settled, 'refundAmount'),
            chargedBackCents: sumOf(settled, 'chargebackAmount'),
          })
      }
    }
    const inOrder = [...batches.values()].toSorted((a, b) => a.settledAt.getTime() - b.settledAt.getTime())
    return { kind: 'listed' as const, batches: inOrder }
  })
}

/** The numbers of everything in a batch. */
export function listBatch(account: Account, batchId: string): ReturnType<Payments['listBatch']> {
  return orUnavailable(async () => {
    const transactionIds: string[] = []
    const chargeIds: string[] = []
    const refundIds: string[] = []
    for await (const row of eachRow(account, 'getTransactionListRequest', { batchId })) {
      transactionIds.push(row.transId)
      if (SETTLED_CHARGE.includes(row.transactionStatus ?? '')) chargeIds.push(row.transId)
      if (row.transactionStatus === 'refundSettledSuccessfully') refundIds.push(row.transId)
    }
    return { kind: 'listed' as const, transactionIds, chargeIds, refundIds }
  })
}

const sumOf = <Name extends string>(statistics: Record<Name, number>[], name: Name) =>
  statistics.reduce((sum, brand) => sum + brand[name], 0)
