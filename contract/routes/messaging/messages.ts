import { z } from 'zod'
import { MAX_ATTACHMENTS, MAX_MESSAGE_LENGTH, REACTIONS } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, Moment, Money, paragraph, Success } from '../../schemas.ts'
import { FeedMedia } from '../media/viewing.ts'
import { CustomRequestTerms } from './custom-requests.ts'

/** An attachment of a message as one of the two may see it: locked, its `url` is null. */
export const Attachment = z.object({
  /** A short-lived signed link, as in `media`. */
  url: z.string().nullable(),
  mediaType: z.enum(['image', 'video']),
  media: FeedMedia,
})

/** One message of a conversation, as one of the two sees it. */
export const Message = z.object({
  _id: Id,
  conversationId: Id,
  senderId: Id,
  /** The sender's client's own id for it; told to the sender alone. */
  clientMessageId: Id.nullable(),
  /** Empty once deleted. */
  content: z.string(),
  createdAt: Moment,
  /** Ascending within a conversation; not without gaps. */
  position: z.number().int(),
  /** The revision of the conversation at which it last changed. */
  revision: z.number().int(),
  /** Read by the person it was sent to. */
  isRead: z.boolean(),
  editedAt: Moment.nullable(),
  deletedAt: Moment.nullable(),
  replyTo: z
    .object({
      _id: Id,
      senderId: Id,
      content: z.string(),
      position: z.number().int(),
      deleted: z.boolean(),
      /** The amount of a tip. */
      tip: z.string().nullable(),
    })
    .nullable(),
  attachments: z.array(Attachment),
  /** The price of its attachments together; null when they come with the message. */
  price: z.string().nullable(),
  /** Whether the recipient bought what it costs. */
  purchased: z.boolean(),
  /** Sent to many people at once, each in their own conversation; told to the sender alone. */
  toMany: z.boolean(),
  reactions: z.array(z.object({ userId: Id, emoji: z.enum(REACTIONS) })),
  /** Of the fan’s message that asks for something custom, and of the creator’s that delivers it. */
  customRequest: CustomRequestTerms.nullable(),
  /** Money from its sender, in place of words. */
  tip: z.object({ amount: z.string(), refunded: z.boolean() }).nullable(),
})

/** A message as it is sent; with a `clientMessageId` a repeated one counts once. */
export const NewMessage = z.object({
  senderId: Id,
  content: paragraph(MAX_MESSAGE_LENGTH),
  conversationId: Id,
  clientMessageId: Id.optional(),
  /** `url` is the handle that the upload answered (`/media/<id>`), or the same of an item in the sender's library. */
  attachments: z
    .array(
      z.object({
        url: z.string().regex(/^\/media\/[0-9a-f-]{36}$/, 'Attach a file that was uploaded.'),
        mediaType: z.enum(['image', 'video']).optional(),
      }),
    )
    .max(MAX_ATTACHMENTS, `Attach at most ${MAX_ATTACHMENTS} files.`)
    .default([]),
  /** Locks the attachments until the recipient buys them; creators alone. */
  price: Money.optional(),
  replyTo: Id.optional(),
})

export const messageRoutes = {
  messagePosition: route({
    method: 'GET',
    path: '/users/message/position',
    summary: 'Where a message stands in the caller’s conversation with `recipientId`.',
    access: 'user',
    rateLimit: { points: 300, seconds: 600 },
    query: z.object({ recipientId: Id, messageId: Id }),
    output: z.object({ position: z.number().int() }),
  }),
  editMessage: route({
    method: 'POST',
    path: '/users/message/edit',
    summary:
      'Changes the text of the caller’s own message, within a day of sending it, up to 20 times, and unless it was bought.',
    access: 'user',
    rateLimit: { points: 120, seconds: 600 },
    body: z.object({
      messageId: Id,
      content: paragraph(MAX_MESSAGE_LENGTH).pipe(z.string().min(1, 'Write something.')),
    }),
    output: Message,
  }),
  deleteMessage: route({
    method: 'POST',
    path: '/users/message/delete',
    summary:
      'Deletes the caller’s own message for both, within a day of sending it and unless it was bought.',
    access: 'user',
    rateLimit: { points: 240, seconds: 600 },
    body: z.object({ messageId: Id }),
    output: Message,
  }),
  reactToMessage: route({
    method: 'POST',
    path: '/users/message/react',
    summary: 'Sets the caller’s reaction to a message, or with null takes it back.',
    access: 'user',
    rateLimit: { points: 300, seconds: 600 },
    body: z.object({ messageId: Id, emoji: z.enum(REACTIONS).nullable() }),
    output: Message,
  }),
  reportMessage: route({
    method: 'POST',
    path: '/users/message/report',
    summary:
      'Reports a message of the other person to the operator, who then sees it and what stands around it.',
    access: 'user',
    rateLimit: { points: 20, seconds: 3600 },
    body: z.object({
      messageId: Id,
      reason: paragraph(1000).pipe(z.string().min(3, 'Say in a few words what’s wrong.')),
    }),
    output: Success,
  }),
}
