import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { FoundTransaction } from '../../../../ports/payments/port.ts'
import { noteUnmade, recordFindings } from '../../reconciliation/actions.ts'
import { findSettled, listUntold } from '../../reconciliation/settlements/data.ts'
import { settledSince } from '../../reconciliation/settlements/rules.ts'
import { findRefund, hasExceeded, isOurRefund, listMadeAtGateway } from '../data.ts'

/**
 * Records the refunds of a payment that were made at the gateway itself, as it lists them now, and which of them were voided.
 * Each becomes a finding, as one that a webhook reports. False when the gateway gave no answer.
 */
export async function recordGatewayRefunds(
  { db, clock, log, payments }: Context,
  refundId: string,
): Promise<boolean> {
  const { payment_id: paymentId, charge_id: chargeId } = await findRefund(db, refundId)
  const now = clock.now()
  // A batch that differs was looked through when it was compared.
  const since = settledSince({ ...(await findSettled(db)), differing: null }) ?? now
  const listed = await payments.listRefunds({ since, until: now })
  const unavailable = (detail: string) => {
    log.error(
      { refundId, detail },
      'the gateway’s refunds could not be listed, so nothing more is given back',
    )
    return false
  }
  if (listed.kind === 'unavailable') return unavailable(listed.detail)
  const told = (await listMadeAtGateway(db, paymentId)).map((made) => made.transactionId)
  const untold = await listUntold(db, listed.refundIds)
  for (const transactionId of [...told, ...untold]) {
    const found = await payments.findTransaction(transactionId)
    // What it once told of counts as made for as long as it doesn't say otherwise.
    if (found.kind === 'absent' && told.includes(transactionId)) continue
    if (found.kind !== 'found') return unavailable(`${transactionId} is ${found.kind}`)
    if (found.chargeId === chargeId && !(await isOurRefund(db, found.reference)))
      await db.transaction().execute((tx) => recordGatewayRefund(tx, paymentId, found, now))
  }
  return true
}

/**
 * Has the gateway tell what was given back there of the payment of one of an order's refunds, where it says that it has less
 * left. Throws `gateway_refunds_unknown` when it doesn't.
 */
export async function requireToldOf(
  context: Context,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<void> {
  if (!(await hasExceeded(context.db, { orderId, refundId }))) return
  if (!(await recordGatewayRefunds(context, refundId))) throw new AppError('gateway_refunds_unknown')
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
