import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { DuePurchase } from '../data.ts'
import { recordGivenBack, recordOutcome } from '../outcome/actions.ts'
import { concludesNotCharged, REASONS } from '../rules.ts'

/**
 * Asks the gateway what became of one attempt, and records it as the live call would have. What it does not know is
 * concluded as not charged only after several look-ups and some time; nothing is ever sent again (decisions §5).
 */
export async function lookUp(context: Context, purchase: DuePurchase): Promise<void> {
  const { db, clock, payments } = context
  const { id, reference, amount_cents: amountCents, submitted_at: submittedAt } = purchase
  if (!submittedAt) return
  const outcome = await payments.lookup({ reference, amountCents, since: submittedAt })
  if (outcome.kind === 'unavailable') return
  const lookups = await db.transaction().execute((tx) => countLookup(tx, id))
  switch (outcome.kind) {
    case 'absent':
      if (concludesNotCharged({ lookups, submittedAt }, clock.now()))
        await db.transaction().execute((tx) => concludeNotCharged(tx, id, clock.now()))
      return
    case 'voided':
      return db
        .transaction()
        .execute((tx) => recordGivenBack(tx, id, 'voided', outcome.transactionId, clock.now()))
    case 'declined':
      return recordOutcome(context, id, { ...outcome, hard: false })
    default:
      return recordOutcome(context, id, outcome)
  }
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
