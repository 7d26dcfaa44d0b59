import type { Generated } from 'kysely'
import type { Livemode } from './orders.ts'

/** Cards that people stored, and each use of one. Owned by the commerce domain. */
export type CardTables = {
  /** Customers to delete at the gateway, asked for until it has. */
  gateway_deletions: {
    customer_id: string
    attempts: Generated<number>
    last_error: string | null
    requested_at: Date
    next_attempt_at: Date
    done_at: Date | null
  }
  stored_cards: {
    id: Generated<string>
    user_id: string
    customer_profile_id: string
    payment_profile_id: string
    brand: string
    last_four: string
    livemode: Livemode
    created_at: Date
    /** `2031-09`; null until the gateway was asked. */
    expires: string | null
    /** When the gateway was asked what it stored. */
    described_at: Date | null
    /** When that was tried last. */
    lookup_tried_at: Date | null
    /** When it was stored, or paid last. */
    used_at: Date
    /** From here on it pays nothing; the row stays until the gateway has forgotten the card too. */
    removed_at: Date | null
    /** Since then the gateway may have forgotten it, so that the removal can't be undone. */
    deletion_sent_at: Date | null
    deletion_attempts: Generated<number>
    deletion_due_at: Date | null
  }
  /** Cards that people add without buying, each an intent of its own. */
  card_additions: {
    id: Generated<string>
    user_id: string
    replaces_id: string | null
    /** The past-due subscriptions that it is to pay at once; null for all that there are. */
    past_due: string[] | null
    status: Generated<'submitting' | 'stored' | 'declined' | 'refused' | 'unknown'>
    reason: string | null
    stored_card_id: string | null
    livemode: Livemode
    idempotency_key: string | null
    request_hash: string | null
    created_at: Date
    decided_at: Date | null
    /** When the gateway was asked last what became of it. */
    lookup_tried_at: Date | null
  }
  /** Each use of a card by a person, kept for a day: what the limits on card testing count. */
  card_attempts: {
    /** The payment's or the addition's. */
    id: string
    user_id: string
    /** A keyed hash of the address, in IPv6 of its /64; empty for this machine itself. */
    network: string
    creator_id: string | null
    stored_card_id: string | null
    created_at: Date
    declined_at: Date | null
  }
}
