import { z } from 'zod'
import { Conversation } from './routes/messaging/conversations.ts'
import { Message, NewMessage } from './routes/messaging/messages.ts'
import { Notification, UnreadCount } from './routes/notifications/inbox.ts'
import { Id, TimeZone } from './schemas.ts'

/** The most bytes of one event; a client that sends more is disconnected. */
export const MAX_EVENT_BYTES = 64 * 1024

/** The handshake. A connection with a conversation gets the events of that one alone, one without gets all. */
export const Handshake = z.object({
  token: z.string().max(200),
  conversationId: Id.optional(),
  participantIds: z.array(Id).max(2).optional(),
  /** The browser's own; one that isn't known here is as none. */
  timeZone: TimeZone.optional().catch(undefined),
})

/** Events that a client emits; each is acknowledged by `{ok: true, …}` or `{ok: false, error, code}`. */
export const clientEvents = {
  'chat message': z.object({
    message: NewMessage,
    /** The recipient of a conversation's first message; later its id is enough. */
    conversation: z
      .object({
        _id: Id,
        participants: z
          .array(z.object({ _id: Id }).loose())
          .max(2)
          .optional(),
      })
      .loose()
      .optional(),
  }),
  /** Everything up to this message of the other person has been read. */
  markAsRead: z.object({ _id: Id, conversationId: Id }).loose(),
  /** The person is writing; to be repeated every few seconds while they do. */
  typing: z.object({ conversationId: Id }),
} as const

/** Events that a client receives. */
export const serverEvents = {
  'chat message': z.object({ message: Message, conversation: Conversation }),
  /** `message` is the newest one that the other person, or another device of one's own, has read. */
  markAsRead: z.object({
    message: Message.pick({
      _id: true,
      position: true,
      senderId: true,
      content: true,
      conversationId: true,
      isRead: true,
    }),
    conversation: Conversation,
  }),
  /** It was edited, deleted, reacted to, or bought. */
  'message changed': z.object({ message: Message, conversation: Conversation }),
  /** A mass message of the person’s own went out or was taken back, or they muted a conversation: what is shown is asked for again. */
  'conversations changed': z.object({}),
  typing: z.object({ conversationId: Id, userId: Id }),
  presence: z.object({ conversationId: Id, userId: Id, online: z.boolean() }),
  /** The person was told something. */
  notification: UnreadCount.extend({ notification: Notification }),
  /** They read notifications on some device. */
  'notifications read': UnreadCount,
  /** Something on their timeline did, or an account of theirs rests, stops or posts again: what is shown is asked for again. */
  'timeline changed': z.object({}),
} as const

export const Acknowledgement = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), message: Message.optional() }),
  z.object({
    ok: z.literal(false),
    error: z.string(),
    code: z.string(),
    /** Seconds to wait before trying again, when that helps. */
    retryAfter: z.number().int().optional(),
  }),
])

/**
 * Signals between the server's processes when a transaction commits (`publish`): every web process gets them, loads
 * what they name for the people concerned who are connected there, and sends that. They carry ids only.
 */
export const Signal = z.discriminatedUnion('name', [
  z.object({ name: z.literal('message.sent'), conversationId: Id, messageId: Id, people: z.array(Id) }),
  z.object({ name: z.literal('message.changed'), conversationId: Id, messageId: Id, people: z.array(Id) }),
  /** Messages of one sender, each for the person at the same place, who alone is told. */
  z.object({
    name: z.enum(['messages.sent', 'messages.changed']),
    senderId: Id,
    messageIds: z.array(Id),
    people: z.array(Id),
  }),
  /** Their sender, once all of them were stored or taken back. */
  z.object({ name: z.literal('conversations.changed'), people: z.array(Id) }),
  z.object({
    name: z.literal('conversation.read'),
    conversationId: Id,
    messageId: Id,
    /** The reader. */
    userId: Id,
    people: z.array(Id),
  }),
  /** `userId` is writing. */
  z.object({ name: z.literal('typing'), conversationId: Id, userId: Id, people: z.array(Id) }),
  /** `userId` is connected from now on, or no longer. `people` is empty, as each process knows whom it concerns there. */
  z.object({ name: z.literal('presence'), userId: Id, online: z.boolean(), people: z.array(Id) }),
  /** Whether these people may see `userId` come and go may have changed; without any, whether anybody may. */
  z.object({ name: z.literal('visibility.changed'), userId: Id, people: z.array(Id) }),
  z.object({ name: z.literal('notification.added'), notificationId: Id, people: z.array(Id) }),
  z.object({ name: z.literal('notifications.read'), people: z.array(Id) }),
  /** Published by triggers (`server/db/migrations/0092-timeline-live.ts`). */
  z.object({ name: z.literal('timeline.changed'), people: z.array(Id) }),
  /** Sessions of this person ended: their connections are asked who they are again. */
  z.object({ name: z.literal('sessions.ended'), people: z.array(Id) }),
])
export type Signal = z.output<typeof Signal>
