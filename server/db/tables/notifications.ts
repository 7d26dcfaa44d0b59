import type { ColumnType, Generated } from 'kysely'
import type { EmailFrequency, NotificationKind, NotificationTopic } from '../../../contract/notifications.ts'

/** Notifications, the settings for them, and how often an address was mailed. Owned by notifications. */
export type NotificationTables = {
  notifications: {
    id: Generated<string>
    user_id: string
    kind: NotificationKind
    data: ColumnType<object, string, never>
    once_key: string | null
    created_at: Date
    read_at: Date | null
    /** The person who caused it. */
    actor_id: string | null
    /** The email that tells of it, alone or in a digest. */
    mailed_by: string | null
  }
  /** Missing settings use the contract's defaults. */
  notification_preferences: {
    user_id: string
    topic: NotificationTopic
    email: EmailFrequency
    push: boolean
  }
  notification_settings: {
    user_id: string
    time_zone: string | null
    /** Minutes of the day there; null without quiet hours. */
    quiet_from: number | null
    quiet_to: number | null
    show_message_text: Generated<boolean>
    next_digest_at: Date | null
  }
  /** Where browsers that asked for it are sent notifications; each belongs to the session that asked. */
  push_subscriptions: {
    id: Generated<string>
    user_id: string
    session_id: string
    endpoint_hash: string
    sealed_subscription: Buffer
    created_at: Date
  }
  mail_sends: {
    delivery_id: string
    /** Keyed, so that the table names nobody. */
    address_hash: string
    kind: string
    by_others: boolean
    sent_at: Date
  }
}
