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
    atomically(gateway, () => closeBatch(gateway, { before: cutOff - LAST_HOUR_MS, settledAt: cutOff }))
  }
}

/** Settles everything captured and charged back so far, now. Answers the batch's number, or null when there was nothing to settle. */
export function settleNow(gateway: Gateway): string | null {
  const now = gateway.now().getTime()
  return atomically(gateway, () => closeBatch(gateway, { before: now + 1, settledAt: now }))
}

function closeBatch(gateway: Gateway, batch: { before: number; settledAt: number }): string | null {
  const some = gateway.db
    .prepare(
      `select 1 from transactions where ${SETTLEABLE} and submittedAt < :before
         or ${CHARGED_BACK} and chargedBackAt < :before limit 1`,
    )
    .get({ before: batch.before })
  if (some === undefined) return null
  const { lastInsertRowid } = gateway.db
    .prepare('insert into batches (settledAt) values (?)')
    .run(batch.settledAt)
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
