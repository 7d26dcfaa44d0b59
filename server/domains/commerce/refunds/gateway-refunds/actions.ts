import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { FoundTransaction } from '../../../../ports/payments/port.ts'
import { noteUnmade, recordFindings } from '../../reconciliation/actions.ts'
import { findSettled, listUntold } from '../../reconciliation/settlements/data.ts'
import { settledSince } from '../../reconciliation/settlements/rules.ts'
import { findRefund, isOurRefund, listMadeAtGateway, wasSentElsewhere } from '../data.ts'

/**
 * Records refunds of a payment that were made at the gateway itself, and which of them were voided, before the gateway is asked
 * for more: once a part was sent another way, the gateway has more left than the buyer is owed. Each becomes a finding, as one
 * that a webhook reports. False when the gateway gave no answer.
 */
export async function recordGatewayRefunds(
  { db, clock, log, payments }: Context,
  refundId: string,
): Promise<boolean> {
  const { payment_id: paymentId, charge_id: chargeId } = await findRefund(db, refundId)
  if (!(await wasSentElsewhere(db, paymentId))) return true
  const now = clock.now()
  // A batch that differs was looked through when it was compared.
  const since = settledSince({ ...(await findSettled(db)), differing: null }) ?? now
  const listed = await payments.listRefunds({ since, until: now })
  const unavailable = (detail: string) => {
    log.error(
      { refundId, detail },
      'the gateway’s refunds could not be listed, so it isn’t asked for one more',
    )
    return false
  }
  if (listed.kind === 'unavailable') return unavailable(listed.detail)
  const told = await listMadeAtGateway(db, paymentId)
  const untold = await listUntold(db, listed.refundIds)
  for (const transactionId of [...told.map((made) => made.transactionId), ...untold]) {
    const found = await payments.findTransaction(transactionId)
    if (found.kind !== 'found') return unavailable(`${transactionId} is ${found.kind}`)
    if (found.chargeId === chargeId && !(await isOurRefund(db, found.reference)))
      await db.transaction().execute((tx) => recordGatewayRefund(tx, paymentId, found, now))
  }
  return true
}

/** Records a refund made at the gateway as a finding, or that it was voided since. */
async function recordGatewayRefund(
  db: Tx,
  paymentId: string,
  found: FoundTransaction,
  now: Date,
): Promise<void> {
  const { transactionId, amountCents, submittedAt: chargedAt, is } = found
  if (is === 'unmade refund') return noteUnmade(db, transactionId, now)
  const difference = { kind: 'unknown_refund', paymentId, transactionId, amountCents, chargedAt } as const
  await recordFindings(db, [difference], now)
}
