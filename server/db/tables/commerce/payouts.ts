import type { Generated } from 'kysely'
import type { Livemode } from './orders.ts'

export type PayoutStatus =
  | 'requested'
  | 'approved'
  | 'in_transit'
  | 'paid'
  | 'failed'
  | 'canceled'
  | 'returned'

/** Where people are paid, and what they asked for. Owned by the commerce domain. */
export type PayoutTables = {
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
  /** Each file for the bank, and who made it. */
  payout_exports: {
    id: Generated<string>
    livemode: Livemode
    exported_by: string
    reason: string
    count: number
    amount_cents: number
    exported_at: Date
  }
  /** The lines of those files, which name bank accounts; gone after a while, and with their person. */
  exported_payouts: {
    payout_id: string
    export_id: string
    user_id: string
    position: number
    sealed_line: Buffer
  }
}
