import type { Generated } from 'kysely'
import type { MassFailure } from '../../../contract/constants.ts'

/** A message's text before an edit, and the time of the edit, as the database writes it in JSON. */
export type EarlierText = { content: string; until: string }

/** Messages and conversations. Owned by the messaging domain. */
export type MessagingTables = {
  conversations: {
    id: string
    low_id: string
    high_id: string
    revision: Generated<number>
    last_message_id: string | null
    created_at: Date
  }
  /** Each of the two people of a conversation: their place in it, and how far they have read. */
  conversation_members: {
    conversation_id: string
    user_id: string
    other_id: string
    last_at: Date
    read_position: Generated<number>
    /** How far the other person is shown that they have read. */
    shown_position: Generated<number>
    unread: Generated<number>
    wrote: Generated<boolean>
    /** How many messages they wrote themselves, deleted ones too. */
    written: Generated<number>
    muted_at: Date | null
    /** When a reminder that waits is due. */
    remind_at: Date | null
    /** How far they had read when they were last reminded of the rest. */
    reminded_position: number | null
  }
  messages: {
    id: Generated<string>
    conversation_id: string
    position: number
    revision: number
    sender_id: string
    client_message_id: string | null
    content: string
    created_at: Date
    edited_at: Date | null
    deleted_at: Date | null
    /** The text of a deleted message for as long as it can be reported; its attachments stay as long. */
    kept_content: Generated<string | null>
    reply_to: string | null
    price_cents: number | null
    /** On the fan’s message that asks, and on the creator’s that delivers. */
    custom_request_id: Generated<string | null>
    /** Of a tip, which is a message without words. */
    tip_order_id: Generated<string | null>
    mass_message_id: Generated<string | null>
  }
  /** A fan's custom request; whether it is paid is up to its order. */
  custom_requests: {
    id: Generated<string>
    fan_id: string
    creator_id: string
    message: string
    max_minutes: number
    minute_price_cents: number
    status: Generated<'requested' | 'accepted' | 'declined'>
    price_cents: number | null
    delivery_days: number | null
    reason: string | null
    created_at: Date
    answered_at: Date | null
    delivered_at: Date | null
    /** When it was found that it can only be given back. */
    overdue_at: Date | null
    /** Whether that is because one of the two leaves, and not because it is late. */
    leaving: Generated<boolean>
  }
  message_attachments: { message_id: string; place: number; media_id: string; version_id: string }
  message_reactions: { message_id: string; user_id: string; emoji: string }
  /** A message's text before an edit, for as long as that is kept; the revision is the edit’s. */
  message_versions: { message_id: string; revision: number; content: string; until: Date }
  /** Kept with what the message said when it was reported. */
  message_reports: {
    id: Generated<string>
    message_id: string | null
    reporter_id: string | null
    sender_id: string | null
    content: string
    /** The texts before its edits, oldest first. */
    earlier: Generated<EarlierText[]>
    reason: string
    created_at: Date
    closed_at: Date | null
    closed_by: string | null
    decision: string | null
  }
  /** Connections of people to web processes. */
  online_people: { user_id: string; listener: number }
  chat_settings: {
    user_id: string
    audience: 'everyone' | 'followers' | 'subscribers' | 'chat'
    welcome_message: string
  }
  /** Followers, subscribers and buyers of a creator, with what they spent; kept by triggers. */
  fans: {
    creator_id: string
    fan_id: string
    since: Date
    follows: Generated<boolean>
    subscription: Generated<'none' | 'current' | 'ended'>
    buys: Generated<boolean>
    spent_cents: Generated<number>
    /** Of fans who spent something: whether the two converse. */
    conversing: Generated<boolean>
  }
  fan_lists: {
    id: Generated<string>
    creator_id: string
    name: string
    members: Generated<number>
    created_at: Date
  }
  fan_list_members: { list_id: string; fan_id: string; added_at: Date }
  fan_notes: { creator_id: string; fan_id: string; note: string; changed_at: Date }
  mass_messages: {
    id: Generated<string>
    creator_id: string
    content: string
    price_cents: number | null
    audience: 'followers' | 'subscribers' | 'expired' | 'list'
    list_id: string | null
    excluded_list_id: string | null
    status: 'scheduled' | 'sending' | 'sent' | 'unsending' | 'unsent' | 'failed'
    failure: MassFailure | null
    created_at: Date
    send_at: Date
    started_at: Date | null
    finished_at: Date | null
    expected: number
    sent: Generated<number>
    unsent: Generated<number>
    left_out: Generated<number>
    reached_at: Date | null
    reached_id: string | null
  }
  mass_message_attachments: { mass_message_id: string; place: number; media_id: string; version_id: string }
  mass_message_figures: {
    mass_message_id: string
    slot: number
    opened: Generated<number>
    bought: Generated<number>
    share_cents: Generated<number>
  }
}
