import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { FoundTransaction, Notice } from '../../../ports/payments/port.ts'
import { lookUp } from '../payments/recovery/actions.ts'
import { lookedUpBefore } from '../payments/rules.ts'
import { recordFindings } from '../reconciliation/actions.ts'
import { type Difference, differences, isAnother } from '../reconciliation/rules.ts'
import { isOurRefund, wasSentElsewhere } from '../refunds/data.ts'
import { recordStanding } from '../refunds/gateway-refunds/actions.ts'
import { lookUpRefund } from '../refunds/recovery/actions.ts'
import { findAttempt, findChargedPayment, findUndecidedRefund } from './data.ts'
import { isLookedUp, noticesKeptSince } from './rules.ts'

/** Keeps a notice of the gateway, and has its transaction looked up; a repeated one changes nothing. */
export async function receiveNotice(db: Tx, notice: Notice, now: Date): Promise<void> {
  const { id, event, transactionId } = notice
  const kept = await db
    .insertInto('gateway_notices')
    .values({ notification_id: id, event, gateway_transaction_id: transactionId, received_at: now })
    .onConflict((conflict) => conflict.column('notification_id').doNothing())
    .returning('notification_id')
    .executeTakeFirst()
  if (!kept || transactionId === null) return
  await enqueue(db, 'gateway.look-up', { transactionId }, { key: `gateway:${transactionId}` })
}

/**
 * Asks the gateway how a transaction stands now, and brings our payment or refund up to it, as recovery would. What can't be
 * explained becomes a finding, as the daily comparison makes them. Throws when the gateway gives no answer.
 */
export async function lookUpTransaction(context: Context, transactionId: string): Promise<void> {
  const found = await context.payments.findTransaction(transactionId)
  // It may show up late.
  if (found.kind === 'absent') throw new Error('the gateway does not know the transaction of its notice')
  if (found.kind === 'unavailable') throw new Error(`the gateway gave no answer: ${found.detail}`)
  const isAnswered =
    found.is === 'refund' || found.is === 'unmade refund'
      ? await catchUpRefund(context, found)
      : await catchUp(context, found)
  if (!isAnswered) throw new Error('the gateway gave no answer')
}

/**
 * A refund that is under way here is brought up to it; of any other, and of one that wasn't made, as it may be a finding, it is
 * recorded how the gateway says that it stands.
 */
async function catchUpRefund(context: Context, found: FoundTransaction) {
  const { db, clock } = context
  const undecided = await findUndecidedRefund(db, { reference: found.reference })
  if (undecided === null || found.is === 'unmade refund') {
    const { chargeId } = found
    const paymentId = chargeId === null ? null : await findChargedPayment(db, chargeId)
    const refunded = { paymentId, isOurs: await isOurRefund(db, found) }
    await db.transaction().execute((tx) => recordStanding(tx, refunded, found, clock.now()))
  }
  return undecided === null || lookUpRefund(context, undecided.id, 'webhook')
}

async function catchUp(context: Context, found: FoundTransaction): Promise<boolean> {
  const { db, clock, log } = context
  const payment = await findAttempt(db, found.reference)
  // The charge is still being made, and its own answer says more; should that not come, recovery looks.
  const sentAt = payment?.status === 'submitting' ? payment.submitted_at : null
  if (sentAt && sentAt > lookedUpBefore(clock.now())) return true
  let isAnswered = true
  if (payment && isLookedUp(payment.status)) isAnswered = await lookUp(context, payment, 'webhook')
  else if (payment && found.is === 'voided') {
    const refund = await findUndecidedRefund(db, { paymentId: payment.id })
    if (refund) isAnswered = await lookUpRefund(context, refund.id, 'webhook')
  }
  const after = await findAttempt(db, found.reference)
  const compared = after && {
    ...{ id: after.id, reference: after.reference, status: after.status, amountCents: after.amount_cents },
    ...{ transactionId: after.transactionId ?? found.transactionId },
    // Only the daily comparison knows that a void didn't come about.
    ...{ submittedAt: after.submitted_at, isDisputed: false, isVoided: false },
  }
  // One more charge that was voided differs in nothing.
  const isVoided = found.is === 'voided' && !(compared && isAnother(compared, found))
  const isMoney = found.is === 'captured' || isVoided
  // The gateway has no webhook of a chargeback; its lists tell.
  const charges = found.is === 'captured' ? [{ ...found, isChargedBack: false }] : []
  const different = isMoney ? differences(charges, compared ? [compared] : []).filter(isOf(found)) : []
  if (isVoided && after?.status === 'refunded' && (await wasSentElsewhere(db, after.id)))
    different.push(givenTwice(after.id, found))
  if (different.length === 0) return isAnswered
  await db.transaction().execute((tx) => recordFindings(tx, different, clock.now()))
  log.error({ transactionId: found.transactionId }, 'a payment differs from what the gateway says of it')
  return true
}

/** The transaction says nothing of another one of its reference. */
const isOf = (found: FoundTransaction) => (difference: Difference) =>
  difference.transactionId === found.transactionId

/** The buyer was sent another way what the gateway has taken back since. */
function givenTwice(paymentId: string, found: FoundTransaction): Difference {
  const { transactionId, amountCents, submittedAt: chargedAt } = found
  return { kind: 'refund_made_after_all', paymentId, transactionId, amountCents, chargedAt }
}

/** Forgets notices that the gateway no longer repeats. */
export async function forgetNotices(db: Tx, now: Date): Promise<void> {
  await db.deleteFrom('gateway_notices').where('received_at', '<', noticesKeptSince(now)).execute()
}
