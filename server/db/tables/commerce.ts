import type { ColumnType, Generated } from 'kysely'
import type { OfferType } from '../../../contract/offers.ts'
import type {
  DisputeCause,
  DisputeStatus,
  Kind,
  OrderStatus,
  PaymentStatus,
  RefundStatus,
} from '../../../contract/orders.ts'
import type { TermMonths } from '../../../contract/subscriptions.ts'

/** Months of a term that is longer than one. */
type LongerTerm = Exclude<TermMonths, 1>

/** The chart of accounts: people's own by role and state, and the platform's. */
export type AccountKind =
  | 'gateway'
  | 'bank'
  | 'processor_fees'
  | 'platform_fees'
  | 'creator_pending'
  | 'creator_available'
  | 'creator_reserve'
  | 'referrer_pending'
  | 'referrer_available'
  | 'payout_in_transit'
  | 'dispute_clearing'
  | 'dispute_fees'
  | 'refund_clearing'
  | 'suspense'

export type JournalKind =
  | 'sale'
  | 'refund'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'release'
  | 'payout'
  | 'payout_paid'
  | 'payout_returned'
  | 'settlement'
  | 'commission'
  | 'adjustment'

export type PayoutStatus = 'requested' | 'approved' | 'in_transit' | 'paid' | 'failed' | 'canceled'

/** Whether the money is real; the database takes it from the installation. */
type Livemode = ColumnType<boolean, never, never>

/** Who learnt of a payment's new status, and how. */
export type PaymentSource = 'live' | 'lookup' | 'webhook' | 'settlement' | 'operator'

/** What is sold, who bought it, and every movement of money. Owned by the commerce domain. */
export type CommerceTables = {
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
  /** What a creator took out of a subscription that includes all locked media. */
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
    /** Whoever has some of it for good pays for the rest alone. */
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
  /** What a creator gives away, or sells for less, to everyone or to chosen people. */
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
  /** Who took an offer. One with an order is reserved until that is paid, and released when that is void, by a trigger. */
  offer_redemptions: {
    id: Generated<string>
    offer_id: string
    fan_id: string
    order_id: string | null
    reserved_at: Date
    redeemed_at: Date | null
    released_at: ColumnType<Date | null, never, never>
  }
  /** What a buyer agreed to, and owes until it is paid. */
  orders: {
    id: Generated<string>
    buyer_id: string
    creator_id: string
    kind: Kind
    item_id: string
    title: string
    amount_cents: number
    /** The price of all of it where its buyer had some, and how many items that was; the others alone are ordered. */
    full_cents: ColumnType<number | null, number | null | undefined, never>
    owned_items: ColumnType<number | null, number | null | undefined, never>
    currency: Generated<string>
    /** The platform's share, as it was when the order was made. */
    fee_basis_points: number
    bought_once: boolean
    livemode: Livemode
    status: Generated<OrderStatus>
    terms_version: string | null
    consented_at: Date | null
    /** The network that the buyer agreed from, never the whole address. */
    consent_network: string | null
    subscription_id: string | null
    period: number | null
    offer_id: string | null
    /** Of a trial that is paid: its days, and what each month after them costs. */
    trial_days: number | null
    renewal_cents: number | null
    /** Of a subscription how many months it pays for; 1 of anything else. */
    months: Generated<TermMonths>
    created_at: Date
    /** When somebody last began to pay it. */
    tried_at: Date
    paid_by: string | null
    paid_at: Date | null
    closed_at: Date | null
    refunded_at: Date | null
  }
  /** What an order holds, fixed when it was made; both ids null once the creator was erased. */
  order_items: {
    order_id: string
    position: number
    media_id: string | null
    version_id: string | null
  }
  /** What an order pays those who referred its buyer or seller, agreed when it was made. */
  order_commissions: {
    order_id: string
    referrer_id: string
    side: 'buyer' | 'seller' | 'both'
    shared_code_id: string | null
    cents: number
  }
  /** What each referrer earned in a month of UTC (its first day), less what was taken back in it. Kept by a trigger. */
  commission_months: { referrer_id: string; month: Date; cents: number }
  /** Attempts to pay an order, of which at most one may still move money, or did. */
  payments: {
    id: Generated<string>
    order_id: string
    buyer_id: string
    amount_cents: number
    status: PaymentStatus
    /** Who changed the status last, and when: what the next event says. */
    source: PaymentSource
    status_at: Date
    reason: string | null
    decline_class: 'hard' | 'soft' | null
    /** What the gateway said of the address, and of the security code. */
    avs: string | null
    cvv: string | null
    /** What the gateway knows this attempt by: invoice number and refId, at most 20 characters. */
    reference: string
    save_card: Generated<boolean>
    stored_card_id: string | null
    /** Charged by us while its buyer isn't there, as renewals are. */
    off_session: Generated<boolean>
    gateway_transaction_id: string | null
    network_transaction_id: string | null
    card_brand: string | null
    card_last_four: string | null
    idempotency_key: string | null
    request_hash: string | null
    lookups: Generated<number>
    livemode: Livemode
    /** When the gateway was last asked, whether it answered or not. */
    lookup_tried_at: Date | null
    created_at: Date
    submitted_at: Date | null
    decided_at: Date | null
    /** The gateway refuses to void and to refund it: it waits for the operator. */
    stuck_at: Date | null
  }
  /** Every status that a payment had, written by a trigger of payments alone. */
  payment_events: {
    id: ColumnType<string, never, never>
    payment_id: ColumnType<string, never, never>
    from_status: ColumnType<PaymentStatus | null, never, never>
    to_status: ColumnType<PaymentStatus, never, never>
    source: ColumnType<PaymentSource, never, never>
    reason: ColumnType<string | null, never, never>
    at: ColumnType<Date, never, never>
  }
  /** What is given back of a payment, each with its own intent; never more than was charged. */
  refunds: {
    id: Generated<string>
    payment_id: string
    order_id: string
    amount_cents: number
    status: Generated<RefundStatus>
    /** What was sent last: a void may be sent again, a refund may not. */
    method: 'void' | 'refund' | null
    reason: string
    /** The operator; null where nothing could be granted for the charge. */
    requested_by: string | null
    reference: string
    gateway_transaction_id: string | null
    /** Why the gateway refused it. */
    failure: string | null
    livemode: Livemode
    idempotency_key: string | null
    request_hash: string | null
    lookups: Generated<number>
    lookup_tried_at: Date | null
    created_at: Date
    submitted_at: Date | null
    decided_at: Date | null
  }
  /** Payments that a cardholder's bank took back, wholly or in part. */
  disputes: {
    id: Generated<string>
    payment_id: string
    order_id: string
    amount_cents: number
    /** What the bank takes for the dispute itself. */
    fee_cents: number
    cause: DisputeCause
    case_number: string
    /** A calendar day; to be read as text, as a Date stands in a time zone. */
    respond_by: ColumnType<Date | null, string | null, never>
    status: Generated<DisputeStatus>
    livemode: Livemode
    recorded_by: string
    opened_at: Date
    decided_at: Date | null
  }
  /** How payments differ from what the gateway charged, until they no longer do. */
  findings: {
    id: Generated<string>
    kind:
      | 'unknown_charge'
      | 'charge_not_recorded'
      | 'amount_differs'
      | 'payment_without_charge'
      | 'unknown_refund'
      | 'settlement_differs'
    payment_id: string | null
    gateway_transaction_id: string
    amount_cents: number | null
    livemode: Livemode
    /** When the charge or the payment that it is about was sent. */
    charged_at: Date
    found_at: Date
    seen_at: Date
    /** The operator who takes care of it. */
    owner_id: string | null
    resolved_at: Date | null
    /** Null when a comparison found it explained. */
    resolved_by: string | null
  }
  /** What the gateway settled, batch by batch: what its statistics say, and what our own rows of the same transactions come to. */
  settlements: {
    id: Generated<string>
    batch_id: string
    settled_at: Date
    currency: Generated<string>
    livemode: Livemode
    charged_cents: number
    refunded_cents: number
    charged_back_cents: number
    own_charged_cents: number
    own_refunded_cents: number
    compared_at: Date
    /** When its journal moved the money to the bank account; null while both differ. */
    posted_at: Date | null
  }
  /** Subreddits that people brought to the affiliate program, and what was decided of each. */
  subreddit_affiliates: {
    id: Generated<string>
    user_id: string
    /** Lower case, without r/. */
    subreddit: string
    stated_subscribers: number
    status: Generated<'applied' | 'approved' | 'refused'>
    /** What each of both shares was paid for. */
    subscribers: number | null
    restrictions: Generated<string>
    reason: Generated<string>
    livemode: Livemode
    applied_at: Date
    decided_at: Date | null
    decided_by: string | null
    /** What the journals of the subreddit's own share are posted for. */
    share_id: Generated<string>
    /** Who has that share; null while it is held. */
    moderator_id: string | null
  }
  /** Webhooks of the card gateway that have come. */
  gateway_notices: {
    notification_id: string
    event: string
    gateway_transaction_id: string | null
    received_at: Date
  }
  /** A view: an order with the payment that paid it, else the one under way, else the last. */
  purchases: {
    id: ColumnType<string, never, never>
    buyer_id: ColumnType<string, never, never>
    creator_id: ColumnType<string, never, never>
    kind: ColumnType<Kind, never, never>
    item_id: ColumnType<string, never, never>
    title: ColumnType<string, never, never>
    amount_cents: ColumnType<number, never, never>
    order_status: ColumnType<OrderStatus, never, never>
    subscription_id: ColumnType<string | null, never, never>
    created_at: ColumnType<Date, never, never>
    status: ColumnType<PaymentStatus, never, never>
    reason: ColumnType<string | null, never, never>
    card_brand: ColumnType<string | null, never, never>
    card_last_four: ColumnType<string | null, never, never>
  }
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
    status: Generated<'submitting' | 'stored' | 'declined' | 'refused' | 'unknown'>
    reason: string | null
    stored_card_id: string | null
    livemode: Livemode
    idempotency_key: string | null
    request_hash: string | null
    created_at: Date
    decided_at: Date | null
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
    created_at: Date
    ended_at: Date | null
    /** When it is next charged, or looked at. */
    renewal_due_at: Date | null
    /** When its fan was told of the next renewal. */
    reminded_at: Date | null
  }
  /** What a subscription costs from a later period on, and for how long: agreed to by its fan, or a price that fell. */
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
  /** Who is asked for a higher price, from when on, and what they answered. */
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
  ledger_accounts: {
    id: Generated<string>
    kind: AccountKind
    user_id: string | null
    currency: Generated<string>
    livemode: Livemode
  }
  journals: {
    id: Generated<string>
    kind: JournalKind
    order_id: string | null
    /** What it was posted for: once for each source and kind. */
    source_type:
      | 'payment'
      | 'refund'
      | 'dispute'
      | 'payout'
      | 'release'
      | 'settlement'
      | 'commission'
      | 'adjustment'
    source_id: string
    occurred_at: Date
    livemode: Livemode
    reason: Generated<string>
    posted_in: Generated<string>
  }
  postings: {
    id: Generated<string>
    journal_id: string
    account_id: string
    amount_cents: number
    /** When a pending share becomes available, and so with what takes it back. */
    available_at: Date | null
  }
  /** What a person's account holds, positive when it is owed to them. Kept by a trigger. */
  ledger_balances: { account_id: string; balance_cents: number; may_be_negative: boolean }
  /** Each time that an account's due shares were made available. */
  ledger_releases: { id: Generated<string>; account_id: string; released_at: Date }
  /** Each person's postings in sum, kept by a trigger. */
  ledger_totals: {
    user_id: string
    gross_cents: number
    fee_cents: number
    share_cents: number
    spent_cents: number
  }
  /** What each creator sold in a quarter of an hour, kept by the same trigger. */
  ledger_quarter_hours: {
    creator_id: string
    starts_at: Date
    sales: number
    gross_cents: number
    fee_cents: number
    share_cents: number
  }
  /** The same by what it was sold with, commissions included. Kept by a trigger, as are the two below. */
  ledger_source_quarter_hours: {
    user_id: string
    starts_at: Date
    source: Kind | 'commission'
    sales: number
    gross_cents: number
    fee_cents: number
    share_cents: number
  }
  /** What each item and fan brought a creator, by day, month (of UTC, to be compared as text) and altogether. */
  ledger_rankings: {
    creator_id: string
    side: 'item' | 'fan'
    span: 'day' | 'month' | 'all'
    starts_on: ColumnType<Date, string, string>
    key: string
    sales: number
    gross_cents: number
    share_cents: number
    /** The last one that was counted. */
    order_id: string
  }
  /** What moved a person's balance in a month of UTC; net of all months is the balance. */
  ledger_months: {
    user_id: string
    month: ColumnType<Date, string, string>
    source: Kind | 'commission' | 'payout' | 'adjustment'
    movement: JournalKind
    entries: number
    gross_cents: number
    fee_cents: number
    net_cents: number
  }
  /** Where people are paid; no more is told than country and last four. */
  bank_details: {
    user_id: string
    country: string
    last_four: string
    sealed_details: Buffer
    changed_at: Date
  }
  payouts: {
    id: Generated<string>
    user_id: string
    amount_cents: number
    currency: Generated<string>
    livemode: Livemode
    status: Generated<PayoutStatus>
    requested_at: Date
    changed_at: Date
  }
  /** Each change of a payout's status, and who made it. */
  payout_events: {
    id: Generated<string>
    payout_id: string
    status: PayoutStatus
    actor_id: string
    reason: Generated<string>
    occurred_at: Date
  }
}
