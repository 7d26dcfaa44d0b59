import { sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { lateChargesAfter, REASONS } from '../../payments/rules.ts'
import { nextDeletionAttempt } from '../rules.ts'

/**
 * Writes down that the gateway must forget this person and their cards: in the transaction that forgets them here, so
 * that it is asked until it has, whatever breaks down.
 */
export async function requestCustomerDeletion(db: Tx, userId: string, now: Date): Promise<void> {
  const bought = await db.selectFrom('orders').select('id').where('buyer_id', '=', userId).executeTakeFirst()
  const added = await db
    .selectFrom('card_additions')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!bought && !added) return
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

/** Asks the gateway once to forget one customer, with no transaction open, and writes down what it said. False when it gave no answer. */
export async function deleteCustomer({ db, clock, payments, log }: Context, due: Due): Promise<boolean> {
  const { customer_id: id } = due
  const answer = await payments.deleteCustomer(id)
  const attempts = due.attempts + 1
  const now = clock.now()
  if (answer.kind !== 'deleted')
    log.warn({ customerId: id, attempts, answer }, 'the gateway could not be made to forget a customer yet')
  await db.transaction().execute((tx) => recordDeletion(tx, { ...due, attempts }, answer, now))
  return answer.kind === 'deleted'
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

type RemovedCard = Awaited<ReturnType<typeof findRemovedCards>>[number]

/** Asks the gateway once to forget a removed card, with no transaction open; the row goes once it has. False when it gave no answer. */
export async function deleteCard({ db, clock, payments, log }: Context, card: RemovedCard): Promise<boolean> {
  const attempts = card.deletion_attempts + 1
  const claimed = await db.transaction().execute((tx) => beginDeletion(tx, card, attempts, clock.now()))
  if (!claimed) return true
  const answer = await payments.deleteCard({
    customerProfileId: card.customer_profile_id,
    paymentProfileId: card.payment_profile_id,
  })
  if (answer.kind === 'deleted') {
    await db.transaction().execute((tx) => endDeletion(tx, card.id, clock.now()))
    return true
  }
  log.warn({ cardId: card.id, attempts, answer }, 'the gateway could not be made to forget a card yet')
  return false
}

/** Commits that the gateway is about to forget it; false when its owner has added it again meanwhile. */
async function beginDeletion(db: Tx, { id }: RemovedCard, attempts: number, now: Date): Promise<boolean> {
  const started = await db
    .updateTable('stored_cards')
    .set({
      deletion_attempts: attempts,
      deletion_due_at: nextDeletionAttempt(attempts, now),
      deletion_sent_at: sql`coalesce(deletion_sent_at, ${now})`,
    })
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .where('deletion_due_at', '<=', now)
    .returning('id')
    .executeTakeFirst()
  return started !== undefined
}

/**
 * The row goes, but stays for its next turn while a charge by a typed card is undecided, or the card of one is still to be
 * kept: it tells that its owner removed that card.
 */
async function endDeletion(db: Tx, cardId: string, now: Date): Promise<void> {
  await db
    .deleteFrom('stored_cards')
    .where('id', '=', cardId)
    .where('removed_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments')
            .select('payments.id')
            .whereRef('buyer_id', '=', 'stored_cards.user_id')
            .whereRef('payments.created_at', '<=', 'stored_cards.removed_at')
            .where('save_card', '=', true)
            .where(({ or, and, eb }) =>
              or([
                eb('keep_card_due_at', 'is not', null),
                eb('status', 'in', UNDECIDED_STATUSES),
                and([eb('reason', '=', REASONS.notCharged), eb('submitted_at', '>', lateChargesAfter(now))]),
              ]),
            ),
        ),
      ),
    )
    .execute()
}

/** Removed cards that the gateway is to be asked to forget, the oldest first. */
export function findRemovedCards(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('stored_cards')
    .select(['id', 'customer_profile_id', 'payment_profile_id', 'deletion_attempts'])
    .where('removed_at', 'is not', null)
    .where('deletion_due_at', '<=', now)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('deletion_due_at')
    .limit(limit)
    .execute()
}
