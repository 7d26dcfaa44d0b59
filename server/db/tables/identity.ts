import type { Generated, GeneratedAlways } from 'kysely'
import type { Role } from '../../../contract/permissions.ts'

/** Accounts and what proves who somebody is. Owned by the identity domain. */
export type IdentityTables = {
  users: {
    id: Generated<string>
    email: string
    username: string
    first_name: string
    last_name: Generated<string>
    reddit_username: string
    password_hash: string
    is_creator: boolean
    role: Role | null
    email_verified_at: Date | null
    referral_code: string
    referred_by: string | null
    /** A code that several people share; never beside a single referrer. */
    referred_by_shared: string | null
    age_confirmed_at: Date | null
    age_approved_at: Date | null
    /** Invented with the sample data. */
    is_sample: Generated<boolean>
    /** Somebody who creates nothing wants to be found by everybody. */
    discoverable: Generated<boolean>
    /** Creators see who this is when they write to them on the forum. */
    recognizable: Generated<boolean>
    suspended_at: Date | null
    suspended_by: string | null
    suspension_reason: string | null
    deletion_requested_at: Date | null
    /** While either of the two holds; the database keeps it. */
    hidden_at: GeneratedAlways<Date | null>
    created_at: Date
  }
  sessions: {
    id: Generated<string>
    user_id: string
    token_hash: Buffer
    created_at: Date
    last_seen_at: Date
    expires_at: Date
    user_agent: Generated<string>
    /** When the person last proved who they are in this session; sensitive changes need it to be fresh. */
    reauthenticated_at: Generated<Date | null>
  }
  /** Another address that an account asked for; it is the account's once its link is opened. */
  email_changes: {
    id: Generated<string>
    user_id: string
    email: string
    requested_at: Date
    expires_at: Date
    ended_at: Generated<Date | null>
  }
  email_confirmations: {
    token_hash: Buffer
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
  }
}
