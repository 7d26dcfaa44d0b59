import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { Capture } from '../../../ports/payments/port.ts'
import { nextDeletionAttempt } from './rules.ts'

/** Remembers the card that the gateway stored; null when it stored none. */
export async function keepCard(db: Tx, userId: string, charge: Capture, now: Date): Promise<string | null> {
  if (!charge.storedCard) return null
  const { brand, lastFour } = charge.card
  const { customerProfileId, paymentProfileId } = charge.storedCard
  const { id } = await db
    .insertInto('stored_cards')
    .values({
      user_id: userId,
      customer_profile_id: customerProfileId,
      payment_profile_id: paymentProfileId,
      brand,
      last_four: lastFour,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_profile_id', 'payment_profile_id'])
        .doUpdateSet({ brand, last_four: lastFour }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Writes down that the gateway must forget this person and their cards: in the transaction that forgets them here, so
 * that it is asked until it has, whatever breaks down.
 */
export async function requestCustomerDeletion(db: Tx, userId: string, now: Date): Promise<void> {
  const bought = await db.selectFrom('orders').select('id').where('buyer_id', '=', userId).executeTakeFirst()
  if (!bought) return
  await db
    .insertInto('gateway_deletions')
    .values({
      customer_id: userId,
      requested_at: now,
      next_attempt_at: now,
    })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .execute()
}

type Answer = Awaited<ReturnType<Context['payments']['deleteCustomer']>>
type Due = { customer_id: string; attempts: number }

/** Asks the gateway once to forget one customer, with no transaction open, and writes down what it said. */
export async function deleteCustomer({ db, clock, payments, log }: Context, due: Due): Promise<void> {
  const { customer_id: id } = due
  const answer = await payments.deleteCustomer(id)
  const attempts = due.attempts + 1
  const now = clock.now()
  if (answer.kind !== 'deleted')
    log.warn({ customerId: id, attempts, answer }, 'the gateway could not be made to forget a customer yet')
  await db.transaction().execute((tx) => recordDeletion(tx, { ...due, attempts }, answer, now))
}

async function recordDeletion(
  db: Tx,
  { customer_id: id, attempts }: Due,
  answer: Answer,
  now: Date,
): Promise<void> {
  await db
    .updateTable('gateway_deletions')
    .set(
      answer.kind === 'deleted'
        ? { attempts, done_at: now, last_error: null }
        : {
            attempts,
            last_error: answer.detail.slice(0, 200),
            next_attempt_at: nextDeletionAttempt(attempts, now),
          },
    )
    .where('customer_id', '=', id)
    .where('done_at', 'is', null)
    .execute()
}

/** Customers whose next attempt is due, the oldest first. */
export function findDueDeletions(db: Db, now: Date, limit: number): Promise<Due[]> {
  return db
    .selectFrom('gateway_deletions')
    .select(['customer_id', 'attempts'])
    .where('done_at', 'is', null)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute()
}
