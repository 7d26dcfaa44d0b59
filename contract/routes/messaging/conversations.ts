import { z } from 'zod'
import { MAX_MESSAGES_PER_PAGE, MESSAGES_PER_PAGE } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, line, Page, Success } from '../../schemas.ts'
import { Message } from './messages.ts'

/** One of the two people of a conversation. */
export const Participant = z.object({
  _id: Id,
  username: z.string(),
  isCreator: z.boolean(),
  profileImage: z.string().nullable(),
})

/**
 * A conversation as one of its two people sees it. Its id follows from theirs, so that it can be named before its
 * first message. `revision` grows by one with every change: a client that knows one revision asks for the changes
 * since (`messages2`, `since`).
 */
export const Conversation = z.object({
  _id: Id,
  participants: z.array(Participant),
  /** The newest message that is still there; null before the first. */
  lastMessage: Message.pick({
    _id: true,
    senderId: true,
    content: true,
    createdAt: true,
    position: true,
    isRead: true,
    tip: true,
  })
    .extend({
      attachments: z.number().int(),
      /** Whether it asks for something custom, or delivers that. */
      request: z.enum(['requested', 'delivered']).nullable(),
    })
    .nullable(),
  revision: z.number().int(),
  /** How many of the other person's messages the viewer has not read. */
  unread: z.number().int(),
  /** Up to which position each of the two has read. */
  readPosition: z.number().int(),
  otherReadPosition: z.number().int(),
  /** Muted by the viewer: it counts for no badge and no notification. */
  muted: z.boolean(),
})

/** A conversation in one’s own list. */
const ListedConversation = Conversation.extend({
  /** The amount that the other person paid for the viewer's products; null if nothing. */
  spent: z.string().nullable(),
})

export const conversationRoutes = {
  unread: route({
    method: 'GET',
    path: '/users/unread',
    summary: 'The caller’s unread conversations that aren’t muted, 100 at most; the count drives the badge.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ items: z.array(z.object({ _id: Id })) }),
  }),
  conversations: route({
    method: 'GET',
    path: '/users/conversations',
    summary:
      'The caller’s conversations, the one with the newest message first; with `showing=spenders` those with people who bought from the caller, who spent most first.',
    access: 'user',
    self: 'userId',
    query: Page.omit({ skip: true }).extend({
      userId: Id.optional(),
      /** Part of the other person's username. */
      filter: line(60).default(''),
      showing: z.enum(['all', 'unread', 'spenders']).default('all'),
    }),
    output: z.object({
      conversations: z.array(ListedConversation),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
  }),
  messages: route({
    method: 'GET',
    path: '/users/messages2',
    summary:
      'The conversation with `recipientId`: its newest messages, those on both sides of the first unread one (`from=unread`), or those before or after a position, oldest first; with `since` what changed after that revision.',
    access: 'user',
    self: 'userId',
    query: z.object({
      userId: Id.optional(),
      recipientId: Id,
      limit: z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_PAGE).default(MESSAGES_PER_PAGE),
      /** `unread`: a page before the other person's first unread message, and one from there; else the newest. */
      from: z.enum(['newest', 'unread']).default('newest'),
      before: z.coerce.number().int().min(0).optional(),
      after: z.coerce.number().int().min(0).optional(),
      since: z.coerce.number().int().min(0).optional(),
    }),
    output: z.object({
      conversation: Conversation,
      participants: z.array(Participant),
      messages: z.array(Message),
      /** More of them lie further in the direction that was asked for; with `since`: more changed than fits. */
      hasMore: z.boolean(),
      /** With `from=unread`: newer ones than these exist. */
      hasNewer: z.boolean(),
      /** Whether the other person can be written to; else why not, as `send` would answer. */
      refusal: z.object({ error: z.string(), code: z.string() }).nullable(),
      /** Whether the other person is connected now. */
      online: z.boolean(),
    }),
  }),
  searchMessages: route({
    method: 'GET',
    path: '/users/messages/search',
    summary: 'The messages of one conversation that contain a text, newest first.',
    access: 'user',
    self: 'userId',
    rateLimit: { points: 120, seconds: 600 },
    query: z.object({
      userId: Id.optional(),
      recipientId: Id,
      filter: line(100).pipe(z.string().min(1)),
      before: z.coerce.number().int().min(0).optional(),
    }),
    output: z.object({
      items: z.array(
        Message.pick({ _id: true, senderId: true, content: true, createdAt: true, position: true }),
      ),
      hasMore: z.boolean(),
      /** The value of `before` for the next call: a call searches a limited number of messages, and may find none. */
      searchedTo: z.number().int().nullable(),
    }),
  }),
  muteConversation: route({
    method: 'POST',
    path: '/users/conversation/mute',
    summary: 'Mutes the conversation with a person for the caller alone, or unmutes it.',
    access: 'user',
    self: 'userId',
    body: z.object({ userId: Id.optional(), recipientId: Id, muted: z.boolean() }),
    output: Success,
  }),
}
