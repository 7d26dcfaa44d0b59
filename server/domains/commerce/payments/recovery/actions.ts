import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentSource } from '../../../../db/tables/commerce/payments.ts'
import { recordGivenBack } from '../../refunds/uncounted/actions.ts'
import { followUp } from '../../renewals/charging/actions.ts'
import type { DuePayment } from '../data.ts'
import { recordOutcome } from '../outcome/actions.ts'
import { concludesNotCharged, REASONS } from '../rules.ts'

/**
 * Asks the gateway what became of one attempt, and records it as the live call would have. What it does not know is
 * concluded as not charged only after several look-ups and some time; nothing is ever sent again. False when the
 * gateway gave no answer.
 */
export async function lookUp(
  context: Context,
  payment: DuePayment,
  source: PaymentSource = 'lookup',
): Promise<boolean> {
  const { db, clock, payments } = context
  const { id, reference, amount_cents: amountCents, submitted_at: submittedAt } = payment
  if (!submittedAt) return true
  await db.transaction().execute((tx) => noteLookupTried(tx, id, clock.now()))
  const outcome = await payments.lookup({ reference, amountCents, since: submittedAt })
  if (outcome.kind === 'unavailable') return false
  const lookups = await db.transaction().execute((tx) => countLookup(tx, id))
  switch (outcome.kind) {
    case 'absent':
      if (concludesNotCharged({ lookups, submittedAt }, clock.now()))
        await db.transaction().execute((tx) => concludeNotCharged(tx, id, clock.now()))
      break
    case 'voided':
      await db.transaction().execute((tx) =>
        recordGivenBack(tx, id, {
          status: 'voided',
          source,
          transactionId: outcome.transactionId,
          now: clock.now(),
        }),
      )
      await followUpRefusal(context, id)
      break
    case 'unsettled': {
      const notCharged = { kind: 'refused' as const, reason: REASONS.notCharged, tokenExpired: false }
      await recordOutcome(context, id, notCharged, source)
      break
    }
    default:
      await recordOutcome(context, id, outcome, source)
      if (outcome.kind === 'declined') await followUpRefusal(context, id)
  }
  return true
}

/** What a decline or void means for the renewal that it was of is decided now: until the next look its card may pay for something else. */
async function followUpRefusal({ db, clock }: Context, paymentId: string): Promise<void> {
  const renewal = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select('subscription_id as subscriptionId')
    .where('payments.id', '=', paymentId)
    .where('off_session', '=', true)
    .executeTakeFirst()
  const subscriptionId = renewal?.subscriptionId
  if (subscriptionId) await db.transaction().execute((tx) => followUp(tx, subscriptionId, clock.now()))
}

/** Before the gateway is asked, so that one it never answers for is behind the others in the next run. */
async function noteLookupTried(tx: Tx, paymentId: string, now: Date): Promise<void> {
  await tx.updateTable('payments').set({ lookup_tried_at: now }).where('id', '=', paymentId).execute()
}

async function countLookup(db: Tx, paymentId: string): Promise<number> {
  const { lookups } = await db
    .updateTable('payments')
    .set((eb) => ({ lookups: eb('lookups', '+', 1) }))
    .where('id', '=', paymentId)
    .returning('lookups')
    .executeTakeFirstOrThrow()
  return lookups
}

/** A charge held for review is known to the gateway, so it waits. */
async function concludeNotCharged(db: Tx, paymentId: string, now: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set({
      status: 'refused',
      source: 'lookup',
      status_at: now,
      reason: REASONS.notCharged,
      decided_at: now,
    })
    .where('id', '=', paymentId)
    .where('status', 'in', ['submitting', 'unknown'])
    .execute()
}
