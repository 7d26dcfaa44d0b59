import type { ColumnType, Generated } from 'kysely'
import type { Kind, OrderStatus, PaymentStatus } from '../../../../contract/orders.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'

/** Whether the money is real; the database takes it from the installation. */
export type Livemode = ColumnType<boolean, never, never>

/** Orders, and the referrers paid for them. Owned by the commerce domain. */
export type OrderTables = {
  /** What a buyer agreed to buy, and owes until it is paid. */
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
    /** When it was paid, or else made: the day of lists and sums. */
    dated_at: ColumnType<Date, never, never>
    closed_at: Date | null
    refunded_at: Date | null
  }
  /** The items of an order, fixed when it was made; both ids are null once the creator was erased. */
  order_items: {
    order_id: string
    position: number
    media_id: string | null
    version_id: string | null
  }
  /** The commissions that an order pays to the referrers of its buyer and seller, agreed when it was made. */
  order_commissions: {
    order_id: string
    referrer_id: string
    side: 'buyer' | 'seller' | 'both'
    shared_code_id: string | null
    cents: number
  }
  /** Which of them weren't paid at the capture, and why: they stayed with the platform's fee. */
  commissions_withheld: {
    order_id: string
    referrer_id: string
    reason: 'suspended' | 'leaving'
    withheld_at: Date
  }
  /** Each referrer's commissions in a month of UTC (its first day), less those reversed in it. Kept by a trigger. */
  commission_months: { referrer_id: string; month: Date; cents: number }
  /** Subreddits that people referred to the subreddit program, and what was decided of each. */
  subreddit_affiliates: {
    id: Generated<string>
    user_id: string
    /** Lower case, without r/. */
    subreddit: string
    stated_subscribers: number
    status: Generated<'applied' | 'approved' | 'refused'>
    /** For how many subscribers each of the two shares was paid; null before. */
    subscribers: number | null
    restrictions: Generated<string>
    reason: Generated<string>
    livemode: Livemode
    applied_at: Date
    decided_at: Date | null
    decided_by: string | null
    /** The source of journals of the subreddit's own share. */
    share_id: Generated<string>
    /** The recipient of that share; null while it is held. */
    moderator_id: string | null
  }
  /** An operator's proposal to pay a subreddit's share, until a second one agrees. */
  subreddit_proposals: {
    affiliate_id: string
    proposed_by: string
    proposed_at: Date
    /** Null where it is the held share alone that is to be paid. */
    subscribers: number | null
    restrictions: string
    moderator_id: string | null
    reason: string
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
    dated_at: ColumnType<Date, never, never>
    status: ColumnType<PaymentStatus, never, never>
    reason: ColumnType<string | null, never, never>
    card_brand: ColumnType<string | null, never, never>
    card_last_four: ColumnType<string | null, never, never>
  }
}
