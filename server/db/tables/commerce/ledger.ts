import type { ColumnType, Generated } from 'kysely'
import type { Kind } from '../../../../contract/orders.ts'
import type { Livemode } from './orders.ts'

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
  | 'referrer_reserve'
  | 'payout_in_transit'
  | 'dispute_clearing'
  | 'dispute_fees'
  /** Chargebacks of amounts that had been refunded already. */
  | 'dispute_losses'
  | 'suspense'

/** The platform's own accounts that an operator may adjust. */
export type AdjustedAccount = 'bank' | 'gateway' | 'processor_fees' | 'dispute_fees' | 'suspense'

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

/** Every movement of money, and the sums that triggers keep of them. Owned by the commerce domain. */
export type LedgerTables = {
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
    /** The source of the journal: posted once for each source and kind. */
    source_type:
      | 'payment'
      | 'refund'
      | 'dispute'
      | 'payout'
      | 'release'
      | 'settlement'
      | 'commission'
      | 'adjustment'
      | 'document'
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
  /** Entries that operators make from outside documents, each once, with a second person's approval. */
  adjustments: {
    id: Generated<string>
    from_account: AdjustedAccount
    to_account: AdjustedAccount
    amount_cents: number
    currency: Generated<string>
    livemode: Livemode
    /** The document's own number. */
    reference: string
    /** The document's day; to be read as text, as a Date stands in a time zone. */
    dated: ColumnType<Date, string, never>
    reason: string
    status: Generated<'proposed' | 'posted' | 'declined'>
    proposed_by: string
    proposed_at: Date
    decided_by: string | null
    decided_at: Date | null
    decision_reason: string | null
  }
  /** The balance of a person's account, positive when it is owed to them. Kept by a trigger. */
  ledger_balances: { account_id: string; balance_cents: number; may_be_negative: boolean }
  /** Each time that an account's due shares were made available, or that all shares of an order were put on hold or came back from there. */
  ledger_releases: {
    id: Generated<string>
    account_id: string
    released_at: Date
    order_id: ColumnType<string | null, string | undefined, never>
  }
  /** Each person's postings in sum, kept by a trigger. */
  ledger_totals: {
    user_id: string
    gross_cents: number
    fee_cents: number
    share_cents: number
    spent_cents: number
  }
  /** Each creator's sales in a quarter of an hour, kept by the same trigger. */
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
  /** A creator's earnings from each item and fan, by day, by month (UTC, comparable as text), and in total. */
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
  /** Changes of a person's balance in a month of UTC; the sum of all months is the balance. */
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
}
