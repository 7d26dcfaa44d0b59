import type { ColumnType, Generated, RawBuilder } from 'kysely'
import type { DisputeCause, DisputeStatus, PaymentStatus, RefundStatus } from '../../../../contract/orders.ts'
import type { Livemode } from './orders.ts'

/** The source of a payment's new status. */
export type PaymentSource = 'live' | 'lookup' | 'webhook' | 'settlement' | 'operator'

/** Charges and refunds, and how they compare with the gateway's. Owned by the commerce domain. */
export type PaymentTables = {
  /** Attempts to pay an order, of which at most one may still move money, or did. */
  payments: {
    id: Generated<string>
    order_id: string
    buyer_id: string
    amount_cents: number
    status: PaymentStatus
    /** The source and time of the last change of status, which the next event records. */
    source: PaymentSource
    status_at: Date
    reason: string | null
    decline_class: 'hard' | 'soft' | null
    /** The gateway's results for the address (AVS) and the security code (CVV). */
    avs: string | null
    cvv: string | null
    /** Our reference, by which the gateway knows this attempt: invoice number and refId, at most 20 characters. */
    reference: string
    save_card: Generated<boolean>
    stored_card_id: string | null
    /** When the gateway is asked, or asked again, to keep the card of this captured charge; null where there is nothing to ask. */
    keep_card_due_at: Date | null
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
  /** Refunds of a payment, each with its own intent; never more than was charged in total. */
  refunds: {
    id: Generated<string>
    payment_id: string
    order_id: string
    amount_cents: number
    status: Generated<RefundStatus>
    /** The last request sent: a void may be sent again, a refund may not. */
    method: 'void' | 'refund' | null
    reason: string
    /** The operator; null where nothing could be granted for the charge. */
    requested_by: string | null
    reference: string
    gateway_transaction_id: string | null
    /** Why the gateway refused it. */
    failure: string | null
    /** Since when the gateway says that it has less left of the charge than it is asked for. */
    exceeded_at: Date | null
    livemode: Livemode
    idempotency_key: string | null
    request_hash: string | null
    lookups: Generated<number>
    lookup_tried_at: Date | null
    created_at: Date
    submitted_at: Date | null
    decided_at: Date | null
    /** Since when, and by which operator, it is sent another way: while refused, the gateway isn't asked for it. */
    outside_since: Date | null
    outside_by: string | null
    /** The part that was refunded at the gateway itself, so that only the rest is requested or sent. */
    made_cents: Generated<number>
    /** For how long it was sent another way, less what a dispute was open of that. */
    outside_for: ColumnType<unknown, never, RawBuilder<unknown>>
  }
  /** Payments that a cardholder's bank took back, wholly or in part. */
  disputes: {
    id: Generated<string>
    payment_id: string
    order_id: string
    amount_cents: number
    /** The bank's fee for the dispute. */
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
      | 'chargeback_not_recorded'
      | 'unknown_refund'
      | 'refund_not_made'
      | 'refund_made_after_all'
      | 'settlement_differs'
      | 'settlement_failed'
      | 'settled_after_all'
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
    /** Null when a comparison found it explained, or it is unmade. */
    resolved_by: string | null
    /** When it was known that this refund was voided at the gateway, or failed; of one that wasn't made, that it was after all. */
    unmade_at: Date | null
  }
  /** Settled batches of the gateway: its statistics, and the sums of our own rows of the same transactions. */
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
    /** The part that was recorded as disputes. */
    own_charged_back_cents: number
    compared_at: Date
    /** The gateway's numbers of what we count and it didn't settle, from when an operator resolved that. */
    given_up: Generated<string[]>
    /** When its journal moved the money to the bank account; null while both differ. */
    posted_at: Date | null
  }
  /** Webhooks of the card gateway that have come. */
  gateway_notices: {
    notification_id: string
    event: string
    gateway_transaction_id: string | null
    received_at: Date
  }
}
