import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { AuditAction, AuditTarget } from '../../../contract/audit.ts'

/** A table whose rows are chained. */
export type Chain =
  | 'journals'
  | 'payment_events'
  | 'payout_events'
  | 'order_commissions'
  | 'commissions_withheld'
  | 'audit_log'

/** Tables for the server itself and its operator. */
export type OperationsTables = {
  idempotency_keys: {
    user_id: string
    key: string
    route: string
    request_hash: string
    status: number
    /** One of both: as it was, or sealed where it must not be read. */
    response: JSONColumnType<object | null, string | null>
    sealed_response: Buffer | null
    created_at: Date
  }
  audit_log: {
    id: Generated<string>
    actor_id: string | null
    action: AuditAction
    target_kind: AuditTarget
    target_id: string
    reason: string
    detail: ColumnType<Record<string, unknown>, string | undefined, never>
    occurred_at: Date
  }
  /** The place of every append-only record in its chain of hashes; null until it is sealed. */
  record_links: {
    id: Generated<number>
    chain: Chain
    record_id: string
    digest: Buffer
    position: number | null
    hash: Buffer | null
  }
  /** Kept by the limiter, in milliseconds of the system's clock. */
  rate_limits: { key: string; points: number; expire: number | null }
  installation: {
    id: Generated<boolean>
    clock_offset_ms: Generated<number>
    sample_data_at: Date | null
    /** Whether money is real here; what is bought and booked takes it from here by itself. */
    livemode: Generated<boolean>
    /** Null before there are sample accounts, 'public', or the id of the key that their password comes from. */
    sample_password: string | null
    /** Which forum the rows of promotion are of; null before any was asked. */
    forum: 'sandbox' | 'real' | null
  }
  lasting_keys: { name: string; sealed_key: Buffer }
}
