import type { ColumnType, Generated } from 'kysely'
import type { OfferType } from '../../../../contract/offers.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'

/** Months of a term that is longer than one. */
type LongerTerm = Exclude<TermMonths, 1>

/** Products and offers of creators. Owned by the commerce domain. */
export type CatalogTables = {
  subscription_plans: {
    id: Generated<string>
    creator_id: string
    title: string
    price_cents: number
    chat_enabled: Generated<boolean>
    /** All locked media of the creator, put in and taken out by triggers; else what was chosen. */
    includes_all: Generated<boolean>
    description: Generated<string>
    cover_media_id: string | null
    /** No longer sold since then; who has it keeps it. */
    retired_at: Date | null
    created_at: Date
    deleted_at: Date | null
  }
  /** Items that a creator excluded from a subscription that includes all locked media. */
  subscription_plan_exclusions: { plan_id: string; media_id: string }
  subscription_plan_media: {
    plan_id: string
    media_id: string
    position: number
    /** Written by a trigger alone. */
    media_created_at: ColumnType<Date, never, never>
  }
  /** For how many months a plan is sold beside one, and what that takes off. */
  subscription_plan_terms: { plan_id: string; months: LongerTerm; discount_percent: number }
  bundles: {
    id: Generated<string>
    creator_id: string
    title: string
    price_cents: number
    /** Buyers who own some of it for good pay for the rest alone. */
    less_owned: Generated<boolean>
    description: Generated<string>
    cover_media_id: string | null
    /** No longer sold since then; who has it keeps it. */
    retired_at: Date | null
    created_at: Date
    deleted_at: Date | null
  }
  bundle_media: { bundle_id: string; media_id: string; position: number }
  /** How much each subscription and bundle holds of what is neither deleted, taken down nor private; kept by triggers. */
  offer_contents: { offer_id: string; photos: number; videos: number; video_seconds: number }
  /** A gift or discount of a creator, for everyone or for chosen people. */
  offers: {
    id: Generated<string>
    creator_id: string
    type: OfferType
    plan_id: string | null
    subscription_days: number | null
    bundle_id: string | null
    price_cents: number | null
    available_to_all: boolean
    /** 0: any number of people. */
    redemptions_allowed: number
    /** How many were redeemed or wait for their payment; kept by a trigger. */
    redemptions_taken: ColumnType<number, never, never>
    views: Generated<number>
    expires_at: Date | null
    created_at: Date
    ended_at: Date | null
    deleted_at: Date | null
  }
  offer_media: { offer_id: string; media_id: string; position: number }
  offer_recipients: { offer_id: string; user_id: string }
  /**
   * A redemption of an offer. One with an order is reserved until the order is paid, and a trigger releases it when
   * the order is voided.
   */
  offer_redemptions: {
    id: Generated<string>
    offer_id: string
    fan_id: string
    order_id: string | null
    reserved_at: Date
    redeemed_at: Date | null
    released_at: ColumnType<Date | null, never, never>
  }
}
