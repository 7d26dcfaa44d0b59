import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { FoundTransaction } from '../../../../ports/payments/port.ts'
import { noteOver, recordFindings } from '../../reconciliation/actions.ts'
import type { FindingKind } from '../../reconciliation/rules.ts'
import { findSettled, listUntold } from '../../reconciliation/settlements/data.ts'
import { settledSince } from '../../reconciliation/settlements/rules.ts'
import {
  findRefund,
  hasExceeded,
  isOurRefund,
  isPartOfRecorded,
  isRecorded,
  listMadeAtGateway,
  listTold,
} from '../data.ts'
import { sumOf } from '../rules.ts'

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
    const isNews = found.is !== 'refund' || !(await isOurRefund(db, found))
    if (found.chargeId === chargeId && isNews)
      await db.transaction().execute((tx) => recordStanding(tx, { paymentId, isOurs: false }, found, now))
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

/**
 * Records how a refund stands that isn't under way here: one that nobody here asked for is a finding, which stops payouts
 * until a person says why, or it is voided there; and so is one that is recorded, but wasn't made, or was after all.
 */
export async function recordStanding(
  db: Tx,
  { paymentId, isOurs }: { paymentId: string | null; isOurs: boolean },
  { transactionId, amountCents, submittedAt: chargedAt, is }: FoundTransaction,
  now: Date,
): Promise<void> {
  const record = (kind: FindingKind, cents: number) =>
    recordFindings(db, [{ kind, paymentId, transactionId, amountCents: cents, chargedAt }], now)
  if (is === 'refund') {
    const mayBeTwice = await noteOver(db, ['refund_not_made'], transactionId, now)
    if (!isOurs) await record('unknown_refund', amountCents)
    else if (mayBeTwice) await record('refund_made_after_all', amountCents)
    return
  }
  const countedCents = await findCountedCents(db, paymentId, { transactionId, amountCents })
  await noteOver(db, ['unknown_refund', 'refund_made_after_all'], transactionId, now)
  if (countedCents > 0) await record('refund_not_made', countedCents)
}

/** How much of this refund of the gateway's is recorded as made, under its number or another one's, in cents. */
async function findCountedCents(
  db: Tx,
  paymentId: string | null,
  { transactionId, amountCents }: { transactionId: string; amountCents: number },
): Promise<number> {
  if ((await isRecorded(db, transactionId)) || (await isPartOfRecorded(db, transactionId))) return amountCents
  if (paymentId === null) return 0
  const isIt = (made: { transactionId: string }) => made.transactionId === transactionId
  if (!(await listTold(db, paymentId)).some(isIt)) return 0
  return amountCents - sumOf((await listMadeAtGateway(db, paymentId)).filter(isIt))
}
