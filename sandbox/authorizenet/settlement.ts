import { atomically, type Gateway } from './gateway.ts'

const DAY_MS = 24 * 3600 * 1000
const LAST_HOUR_MS = 3600 * 1000

const SETTLEABLE = `batchId is null and status in
  ('capturedPendingSettlement', 'couldNotVoid', 'settlementError', 'refundPendingSettlement', 'voided', 'declined', 'generalError')`

const CHARGED_BACK = 'chargedBackAt is not null and chargebackBatchId is null'

/**
 * Closes the batches whose cut-off (midnight UTC) has passed on the given clock. What came in the hour
 * before a cut-off goes into the next batch, so that nothing changes under a test that runs at midnight.
 */
export function settleDue(gateway: Gateway): void {
  const now = gateway.now().getTime()
  for (;;) {
    const { oldest } = gateway.db
      .prepare(
        `select min(at) as oldest from (select submittedAt as at from transactions where ${SETTLEABLE}
           union all select chargedBackAt from transactions where ${CHARGED_BACK})`,
      )
      .get() as {
      oldest: number | null
    }
    if (oldest === null) return
    const cutOff = (Math.floor((oldest + LAST_HOUR_MS) / DAY_MS) + 1) * DAY_MS
    if (cutOff > now) return
    const batch = { before: cutOff - LAST_HOUR_MS, settledAt: cutOff, state: 'settledSuccessfully' } as const
    atomically(gateway, () => closeBatch(gateway, batch))
  }
}

/**
 * Settles everything captured and charged back so far, now, or fails to: then the processor rejects the whole batch. Answers the
 * batch's number, or null when there was nothing to settle.
 */
export function settleNow(gateway: Gateway, state: Batch['state'] = 'settledSuccessfully'): string | null {
  const now = gateway.now().getTime()
  return atomically(gateway, () => closeBatch(gateway, { before: now + 1, settledAt: now, state }))
}

/** Puts what a failed batch holds back into what isn't settled, as the vendor's support does; false where it didn't fail. */
export function resetBatch(gateway: Gateway, batchId: string): boolean {
  const { changes } = gateway.db
    .prepare(
      `update transactions set batchId = null, status =
         case type when 'refundTransaction' then 'refundPendingSettlement' else 'capturedPendingSettlement' end
       where status = 'settlementError'
         and batchId = (select id from batches where id = ? and state = 'settlementError')`,
    )
    .run(Number(batchId))
  return changes > 0
}

type Batch = { before: number; settledAt: number; state: 'settledSuccessfully' | 'settlementError' }

function closeBatch(gateway: Gateway, batch: Batch): string | null {
  const some = gateway.db
    .prepare(
      `select 1 from transactions where ${SETTLEABLE} and submittedAt < :before
         or ${CHARGED_BACK} and chargedBackAt < :before limit 1`,
    )
    .get({ before: batch.before })
  if (some === undefined) return null
  const { lastInsertRowid } = gateway.db
    .prepare('insert into batches (settledAt, state) values (?, ?)')
    .run(batch.settledAt, batch.state)
  if (batch.state === 'settlementError') {
    failAll(gateway, batch, lastInsertRowid)
    return String(lastInsertRowid)
  }
  gateway.db
    .prepare(
      `update transactions set batchId = ?, status = case status
         when 'capturedPendingSettlement' then 'settledSuccessfully'
         when 'couldNotVoid' then
           case type when 'refundTransaction' then 'refundSettledSuccessfully' else 'settledSuccessfully' end
         when 'refundPendingSettlement' then 'refundSettledSuccessfully' else status end
       where ${SETTLEABLE} and submittedAt < ?`,
    )
    .run(lastInsertRowid, batch.before)
  gateway.db
    .prepare(`update transactions set chargebackBatchId = ? where ${CHARGED_BACK} and chargedBackAt < ?`)
    .run(lastInsertRowid, batch.before)
  return String(lastInsertRowid)
}

function failAll(gateway: Gateway, { before }: Batch, batchId: number | bigint): void {
  gateway.db
    .prepare(
      `update transactions set batchId = ?, status = case
         when status in ('capturedPendingSettlement', 'couldNotVoid', 'refundPendingSettlement') then 'settlementError'
         else status end
       where ${SETTLEABLE} and submittedAt < ?`,
    )
    .run(batchId, before)
}
