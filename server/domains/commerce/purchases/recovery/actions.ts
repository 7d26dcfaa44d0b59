import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { DuePurchase } from '../data.ts'
import { recordGivenBack, recordOutcome } from '../outcome/actions.ts'
import { concludesNotCharged, REASONS } from '../rules.ts'

/**
 * Asks the gateway what became of one attempt, and records it as the live call would have. What it does not know is
 * concluded as not charged only after several look-ups and some time; nothing is ever sent again. False when the
 * gateway gave no answer.
 */
export async function lookUp(context: Context, purchase: DuePurchase): Promise<boolean> {
  const { db, clock, payments } = context
  const { id, reference, amount_cents: amountCents, submitted_at: submittedAt } = purchase
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
      await db
        .transaction()
        .execute((tx) => recordGivenBack(tx, id, 'voided', outcome.transactionId, clock.now()))
      break
    case 'declined':
      await recordOutcome(context, id, { ...outcome, hard: false })
      break
    default:
      await recordOutcome(context, id, outcome)
  }
  return true
}

/** Before the gateway is asked, so that one it never answers for is behind the others in the next run. */
async function noteLookupTried(tx: Tx, purchaseId: string, now: Date): Promise<void> {
  await tx.updateTable('purchases').set({ lookup_tried_at: now }).where('id', '=', purchaseId).execute()
}

async function countLookup(db: Tx, purchaseId: string): Promise<number> {
  const { lookups } = await db
    .updateTable('purchases')
    .set((eb) => ({ lookups: eb('lookups', '+', 1) }))
    .where('id', '=', purchaseId)
    .returning('lookups')
    .executeTakeFirstOrThrow()
  return lookups
}

/** What is held for review was known to the gateway, so it waits. */
async function concludeNotCharged(db: Tx, purchaseId: string, now: Date): Promise<void> {
  await db
    .updateTable('purchases')
    .set({ status: 'refused', reason: REASONS.notCharged, decided_at: now })
    .where('id', '=', purchaseId)
    .where('status', 'in', ['submitting', 'unknown'])
    .execute()
}
