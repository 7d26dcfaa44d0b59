import type { Generated } from 'kysely'

/** How accounts end and what people take with them. Deletions are owned by identity, exports by compliance. */
export type LifecycleTables = {
  account_deletions: {
    user_id: string
    requested_at: Date
    due_at: Date
    started_at: Date | null
    erased_at: Date | null
  }
  data_exports: {
    id: Generated<string>
    user_id: string
    status: 'waiting' | 'ready' | 'failed'
    bytes: number | null
    requested_at: Date
    ready_at: Date | null
    expires_at: Date
    /** Room that it takes, or may take while it is made. */
    kept_bytes: Generated<number>
    /** The items whose files it holds. */
    media_ids: Generated<string[]>
  }
}
