import type { Tx } from '../db/client.ts'
import { settleBatch } from '../domains/commerce/reconciliation/settlements/actions.ts'
import type { Charged } from './charges.ts'

const HOUR_MS = 3600 * 1000

/** The year's batches, each at the bank account since the morning after; what is of today is still with the gateway. */
export async function insertSettlements(db: Tx, batches: Charged['batches']): Promise<void> {
  for (const { batch, transactionIds } of batches) {
    const comparedAt = new Date(batch.settledAt.getTime() + HOUR_MS)
    const outcome = await settleBatch(db, batch, { transactionIds, settledIds: transactionIds }, comparedAt)
    if (outcome !== 'posted') throw new Error(`a batch of the sample ${outcome}`)
  }
}
