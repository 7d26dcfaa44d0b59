import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { CardOnFile } from '../../../ports/payments/port.ts'
import { retryAfter } from '../renewals/charging/rules.ts'
import { CHARGED_STATUSES, isUsable, listOwed, lockCard } from './data.ts'
import { isAsShown, type Owed } from './rules.ts'

/**
 * Remembers a card that the gateway stored, also one that was removed here meanwhile; null when the gateway has been
 * asked to forget it. A card without its expiry is described later.
 */
export async function keepCard(db: Tx, userId: string, card: CardOnFile, now: Date): Promise<string | null> {
  const { brand, lastFour, expires, customerProfileId, paymentProfileId } = card
  const described = { brand, last_four: lastFour, expires, described_at: expires === null ? null : now }
  const kept = await db
    .insertInto('stored_cards')
    .values({
      user_id: userId,
      customer_profile_id: customerProfileId,
      payment_profile_id: paymentProfileId,
      created_at: now,
      used_at: now,
      ...described,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['customer_profile_id', 'payment_profile_id'])
        .doUpdateSet({ ...described, used_at: now, removed_at: null, deletion_due_at: null })
        .where('stored_cards.deletion_sent_at', 'is', null)
        .where('stored_cards.user_id', '=', userId),
    )
    .returning('id')
    .executeTakeFirst()
  return kept?.id ?? null
}

/** The card that a charge was made by, if it can still be charged; from now on the last used. */
export async function noteUse(db: Tx, cardId: string | null, now: Date): Promise<string | null> {
  if (cardId === null) return null
  const [used] = await noteUses(db, [cardId], now)
  return used ?? null
}

/**
 * Has what is kept of one person's charges, and what they add, choose or remove, or a bank calls stolen, follow one another,
 * so that each knows of the other. Before any row is locked that the other may need.
 */
export async function takeCardsTurn(db: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('cards ' || ${userId}, 0))`.execute(db)
}

/** Has the gateway forget a card that it stored, and that isn't to be kept anymore, unless it is known here already. */
export async function forgetUnkept(db: Tx, userId: string, card: CardOnFile, now: Date): Promise<void> {
  await db
    .insertInto('stored_cards')
    .values({
      ...{ user_id: userId, brand: card.brand, last_four: card.lastFour, expires: null, described_at: now },
      ...{ customer_profile_id: card.customerProfileId, payment_profile_id: card.paymentProfileId },
      ...{ created_at: now, used_at: now, removed_at: now, deletion_due_at: now },
    })
    .onConflict((conflict) => conflict.columns(['customer_profile_id', 'payment_profile_id']).doNothing())
    .execute()
}

/** Notes that these cards paid, and answers those that are still there. */
export async function noteUses(db: Tx, cardIds: string[], now: Date): Promise<string[]> {
  const used = await db
    .updateTable('stored_cards')
    .set({ used_at: now })
    .where('id', '=', sql<string>`any(${cardIds}::uuid[])`)
    .where(isUsable)
    .returning('id')
    .execute()
  return used.map(({ id }) => id)
}

type Asked = { userId: string; cardId: string; now: Date }

/** Removes a card: it pays nothing from now on, and the gateway is asked until it has forgotten it. Throws `card_not_found`. */
export async function removeCard(db: Tx, { userId, cardId, now }: Asked): Promise<void> {
  // Subscriptions are locked before their card, as they are when another card is put on them.
  await db
    .updateTable('subscriptions')
    .set({ stored_card_id: null, network_transaction_id: null })
    .where('fan_id', '=', userId)
    .where('stored_card_id', '=', cardId)
    .execute()
  const removed = await db
    .updateTable('stored_cards')
    .set({ removed_at: now, deletion_due_at: now })
    .where('id', '=', cardId)
    .where('user_id', '=', userId)
    .where(isUsable)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('card_not_found')
}

/** Throws `past_due_changed` where a person owes anything else than they were shown. */
export async function requireAsShown(
  db: Tx,
  userId: string,
  shown: readonly Owed[],
  now: Date,
): Promise<void> {
  if (!isAsShown(await listOwed(db, userId, now), shown)) throw new AppError('past_due_changed')
}

/**
 * Charges subscriptions to this card from now on: all of a person's, or those that are past due, have no card or had the
 * one that it replaces. What is past due is due at once, where it is among `dueIds`, null being all of it, else on the next
 * day of retries, also after a hard decline of the card of before.
 */
export async function renewBy(
  db: Tx,
  { userId, cardId, now }: Asked,
  which: 'all' | { replaces: string | null },
  dueIds: readonly string[] | null,
): Promise<void> {
  let rows = db
    .selectFrom('subscriptions')
    .select(['id', 'status', 'current_period_end', 'stored_card_id'])
    .where('fan_id', '=', userId)
    .where('status', 'in', CHARGED_STATUSES)
    .orderBy('id')
    .forUpdate()
  if (which !== 'all') {
    const { replaces } = which
    rows = rows.where((eb) =>
      eb.or([
        eb('status', '=', 'past_due'),
        eb('stored_card_id', 'is', null),
        ...(replaces === null ? [] : [eb('stored_card_id', '=', replaces)]),
      ]),
    )
  }
  const subscriptions = await rows.execute()
  if (!(await lockCard(db, userId, cardId))) throw new AppError('card_not_found')
  for (const { id, status, current_period_end, stored_card_id } of subscriptions) {
    // The same card again is another one at the gateway, once its bank has reissued it.
    const isAnother = status === 'past_due' || stored_card_id !== cardId
    const dueAt = dueIds?.includes(id) === false ? retryAfter(current_period_end, now) : now
    await db
      .updateTable('subscriptions')
      .set({
        stored_card_id: cardId,
        card_chosen_at: now,
        ...(isAnother ? { network_transaction_id: null } : {}),
        ...(status === 'past_due' ? { renewal_due_at: sql<Date>`least(renewal_due_at, ${dueAt})` } : {}),
      })
      .where('id', '=', id)
      .execute()
  }
}

/** Cards of which nobody asked the gateway yet when they expire, the oldest first. */
export function findUndescribed(db: Db, limit: number) {
  return db
    .selectFrom('stored_cards')
    .select(['id', 'customer_profile_id', 'payment_profile_id'])
    .where('described_at', 'is', null)
    .where(isUsable)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Asks the gateway when a card expires, with no transaction open. False when it gave no answer. */
export async function describeCard(
  { db, clock, payments }: Context,
  card: Awaited<ReturnType<typeof findUndescribed>>[number],
): Promise<boolean> {
  const tried = { lookup_tried_at: clock.now() }
  await db
    .transaction()
    .execute((tx) => tx.updateTable('stored_cards').set(tried).where('id', '=', card.id).execute())
  const listed = await payments.listCards({ customerProfileId: card.customer_profile_id })
  if (listed.kind === 'unavailable') return false
  const found = listed.cards.find(({ paymentProfileId }) => paymentProfileId === card.payment_profile_id)
  await db.transaction().execute((tx) =>
    tx
      .updateTable('stored_cards')
      .set({ expires: sql`coalesce(${found?.expires ?? null}, expires)`, described_at: clock.now() })
      .where('id', '=', card.id)
      .execute(),
  )
  return true
}
