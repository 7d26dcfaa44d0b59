import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'

/** Captured payments whose card is to be kept and isn't, as the gateway's answer was lost, those due longest first. */
export function findUnkept(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('payments')
    .select('id')
    .where('keep_card_due_at', '<=', now)
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .orderBy('keep_card_due_at')
    .limit(limit)
    .execute()
}

/** Whether a bank called the card of a payment stolen; beside `payments`. */
export const isStolen = sql<boolean>`exists (
  select from disputes join payments as disputed on disputed.id = disputes.payment_id
  where disputed.buyer_id = payments.buyer_id and disputed.card_last_four = payments.card_last_four
    and disputes.cause = 'fraud')`

/** A card that its owner removed since a payment was made, beside `payments`; one that was only to be forgotten never stood among theirs. */
const removedSince = sql`
  select from stored_cards
  where stored_cards.user_id = payments.buyer_id and stored_cards.removed_at >= payments.created_at
    and stored_cards.removed_at > stored_cards.created_at`

/** Whether its buyer removed a card since a payment was made; beside `payments`. */
export const removedOneSince = sql<boolean>`exists (${removedSince})`

/** Whether its buyer removed the card of a payment since; beside `payments`. */
export const removedItSince = sql<boolean>`exists (
  ${removedSince} and stored_cards.last_four = payments.card_last_four)`
