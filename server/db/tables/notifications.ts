import type { ColumnType, Generated } from 'kysely'
import type { NotificationChannel, NotificationKind } from '../../../contract/notifications.ts'

/** What people were told, what they want to be told, and how often an address was mailed. Owned by notifications. */
export type NotificationTables = {
  notifications: {
    id: Generated<string>
    user_id: string
    kind: NotificationKind
    data: ColumnType<object, string, never>
    once_key: string | null
    created_at: Date
    read_at: Date | null
  }
  /** What is not said is wanted. */
  notification_preferences: {
    user_id: string
    kind: NotificationKind
    channel: NotificationChannel
    enabled: boolean
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
