import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentSource } from '../../../../db/tables/commerce/payments.ts'
import { concludesNotCharged } from '../../payments/rules.ts'
import { sendRefund } from '../actions.ts'
import { findRefund } from '../data.ts'
import { type RefundOutcome, recordRefund } from '../recording/actions.ts'
import { NOT_REFUNDED } from '../rules.ts'

/**
 * Asks the gateway what became of one refund, and records it as the live call would have. What was never sent is sent, and
 * a void that the gateway doesn't know is sent again; a refund of money never is. False when the gateway gave no answer.
 */
export async function lookUpRefund(
  context: Context,
  refundId: string,
  source: PaymentSource = 'lookup',
): Promise<boolean> {
  const { db, clock, payments } = context
  const refund = await findRefund(db, refundId)
  const { submitted_at: since, charge_id: transactionId, asked_cents: amountCents, reference } = refund
  await db.transaction().execute((tx) => noteLookupTried(tx, refundId, clock.now()))
  if (refund.status === 'created' || !since || !transactionId) return sendRefund(context, refundId, source)
  const outcome = await payments.lookupRefund({ transactionId, amountCents, reference, since })
  if (outcome.kind === 'unavailable') return false
  const lookups = await db.transaction().execute((tx) => countLookup(tx, refundId))
  const record = (found: RefundOutcome) => recordRefund(context, { refundId, source, outcome: found })
  if (outcome.kind !== 'absent') await record(outcome)
  else if (refund.method === 'void' && refund.status !== 'refused') {
    await record({ kind: 'unknown' })
    await sendRefund(context, refundId, source)
  } else if (concludesNotCharged({ lookups, submittedAt: since }, clock.now()))
    await record({ kind: 'refused', failure: NOT_REFUNDED })
  return true
}

/** Before the gateway is asked, so that one it never answers for is behind the others in the next run. */
async function noteLookupTried(db: Tx, refundId: string, now: Date): Promise<void> {
  await db.updateTable('refunds').set({ lookup_tried_at: now }).where('id', '=', refundId).execute()
}

async function countLookup(db: Tx, refundId: string): Promise<number> {
  const { lookups } = await db
    .updateTable('refunds')
    .set((eb) => ({ lookups: eb('lookups', '+', 1) }))
    .where('id', '=', refundId)
    .returning('lookups')
    .executeTakeFirstOrThrow()
  return lookups
}
