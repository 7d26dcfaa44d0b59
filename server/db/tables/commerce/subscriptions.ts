import type { Generated } from 'kysely'
import type { TermMonths } from '../../../../contract/subscriptions.ts'

/** Subscriptions, and their prices over time. Owned by the commerce domain. */
export type SubscriptionTables = {
  subscriptions: {
    id: Generated<string>
    plan_id: string
    fan_id: string
    creator_id: string
    price_cents: number
    status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'
    anchor_at: Date
    /** How many months each period lasts. */
    months: Generated<TermMonths>
    /** Months that were given for free so far. */
    extended_months: Generated<number>
    /** Whole months after the anchor, on the last day of a shorter month. */
    current_period_end: Date
    stored_card_id: string | null
    network_transaction_id: string | null
    /** When its fan last chose its card, or paid it by another one; null if they never did. */
    card_chosen_at: Date | null
    created_at: Date
    ended_at: Date | null
    /** When it is next charged, or looked at. */
    renewal_due_at: Date | null
    /** When its fan was told of the next renewal. */
    reminded_at: Date | null
    /** When its fan was last told of a price of it. */
    price_told_at: Date | null
  }
  /** Price and term of a subscription from a later period on: agreed to by its fan, or a price that fell. */
  subscription_agreements: {
    id: Generated<string>
    subscription_id: string
    months: TermMonths
    price_cents: number
    /** It holds for the first period that begins then or later. */
    effective_from: Date
    terms_version: string | null
    consented_at: Date | null
    /** The network that the fan agreed from, never the whole address. */
    consent_network: string | null
    created_at: Date
    applied_at: Date | null
    withdrawn_at: Date | null
    /** The higher price that the fan agreed to. */
    price_change_id: string | null
  }
  /** A higher price that current subscribers of a plan are asked for; one at a time. */
  price_changes: {
    id: Generated<string>
    plan_id: string
    price_cents: number
    created_at: Date
    closed_at: Date | null
  }
  /** Subscribers asked for a higher price, from when on, and their answers. */
  price_change_notices: {
    change_id: string
    subscription_id: string
    months: TermMonths
    price_cents: number
    /** The first period that it would hold for begins then or later. */
    effective_from: Date
    /** When its fan was told, from when on the days of notice count. */
    told_at: Date | null
    agreed_at: Date | null
    declined_at: Date | null
  }
}
