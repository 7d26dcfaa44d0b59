import { sql } from 'kysely'

/** Whether a bank called the card of a payment stolen; beside `payments`. */
export const isStolen = sql<boolean>`exists (
  select from disputes join payments as disputed on disputed.id = disputes.payment_id
  where disputed.buyer_id = payments.buyer_id and disputed.card_last_four = payments.card_last_four
    and disputes.cause = 'fraud')`

/** Whether its buyer removed a card since a payment was made; beside `payments`. */
export const removedOneSince = sql<boolean>`exists (
  select from stored_cards
  where stored_cards.user_id = payments.buyer_id and stored_cards.removed_at >= payments.created_at)`
