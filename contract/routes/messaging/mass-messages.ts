import { z } from 'zod'
import { MAX_ATTACHMENTS, MAX_MESSAGE_LENGTH } from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Money, Page, paragraph, Success } from '../../schemas.ts'
import { FeedMedia } from '../media/viewing.ts'

/**
 * The audiences of a mass message: `expired` are people whose subscriptions ended, `list` is one of the creator’s own
 * lists.
 */
export const MASS_AUDIENCES = ['followers', 'subscribers', 'expired', 'list'] as const

/** The audience of a mass message in a call. */
const MassAudience = z.object({
  audience: z.enum(MASS_AUDIENCES),
  listId: Id.optional(),
  /** Nobody on this list gets it. */
  excludedListId: Id.optional(),
})

/** A message to many people, as its creator sees it. */
const MassMessage = z.object({
  _id: Id,
  content: z.string(),
  attachments: z.array(FeedMedia),
  price: z.string().nullable(),
  audience: z.enum(MASS_AUDIENCES),
  /** Null once that list is gone. */
  list: z.object({ _id: Id, name: z.string() }).nullable(),
  excludedList: z.object({ _id: Id, name: z.string() }).nullable(),
  status: z.enum(['scheduled', 'sending', 'sent', 'unsending', 'unsent', 'failed']),
  /** Why it was not sent, in a sentence. */
  failure: z.string().nullable(),
  sendAt: Moment,
  /** How many people it was for when it began; while it is scheduled, when it was saved. */
  expected: z.number().int(),
  sent: z.number().int(),
  opened: z.number().int(),
  bought: z.number().int(),
  /** The creator’s share of what was bought. */
  earned: z.string(),
  /** How many people lost it again. */
  unsent: z.number().int(),
  /** Attachments that were no longer available when it was sent. */
  leftOut: z.number().int(),
  canUnsend: z.boolean(),
})

export const massMessageRoutes = {
  massMessages: route({
    method: 'GET',
    path: '/users/massmessages',
    summary: 'The creator’s mass messages with their figures, the latest first.',
    access: 'creator',
    query: Page.omit({ skip: true }),
    output: listOf(MassMessage),
  }),
  massMessage: route({
    method: 'GET',
    path: '/users/massmessage',
    summary: 'One of the creator’s mass messages.',
    access: 'creator',
    query: z.object({ massMessageId: Id }),
    output: MassMessage,
  }),
  countMassAudience: route({
    method: 'GET',
    path: '/users/massmessages/audience',
    summary: 'How many people a mass message would go to now.',
    access: 'creator',
    rateLimit: { points: 300, seconds: 600 },
    query: MassAudience,
    output: z.object({ people: z.number().int() }),
  }),
  saveMassMessage: route({
    method: 'POST',
    path: '/users/massmessage',
    summary:
      'Sends a message to many people, each in their own conversation, now or at `sendAt`; with `massMessageId` changes one that is still scheduled, or that was sent to nobody.',
    access: 'creator',
    idempotent: true,
    rateLimit: { points: 60, seconds: 600 },
    body: MassAudience.extend({
      massMessageId: Id.optional(),
      content: paragraph(MAX_MESSAGE_LENGTH),
      /** Handles of uploads, or items of the creator’s library. */
      mediaIds: z.array(Id).max(MAX_ATTACHMENTS, `Attach at most ${MAX_ATTACHMENTS} files.`).default([]),
      /** Locks the attachments until the recipient buys them. */
      price: Money.optional(),
      /** Without it, at once. */
      sendAt: Moment.optional(),
    }),
    output: MassMessage,
  }),
  cancelMassMessage: route({
    method: 'POST',
    path: '/users/massmessage/cancel',
    summary: 'Deletes a mass message that is still scheduled, or that was not sent.',
    access: 'creator',
    rateLimit: { points: 120, seconds: 600 },
    body: z.object({ massMessageId: Id }),
    output: Success,
  }),
  unsendMassMessage: route({
    method: 'POST',
    path: '/users/massmessage/unsend',
    summary: 'Stops a mass message, and removes it for everybody who did not buy what it holds.',
    access: 'creator',
    rateLimit: { points: 120, seconds: 600 },
    body: z.object({ massMessageId: Id }),
    output: MassMessage,
  }),
}
