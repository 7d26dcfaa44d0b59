import { z } from 'zod'
import {
  DEFAULT_DELIVERY_DAYS,
  MAX_ATTACHMENTS,
  MAX_CUSTOM_MESSAGE_LENGTH,
  MAX_CUSTOM_MINUTES,
  MAX_DELIVERY_DAYS,
  MAX_MESSAGE_LENGTH,
} from '../../constants.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Money, Page, paragraph, QueryBoolean } from '../../schemas.ts'

/**
 * Where a custom request stands. `overdue`: paid, and not delivered in time, so that it is being refunded. `leaving`: being
 * refunded as one of the two deletes their account before it is due. What is paid, refunded or disputed is what its order says.
 */
export const CUSTOM_REQUEST_STATES = [
  'requested',
  'accepted',
  'declined',
  'paid',
  'delivered',
  'overdue',
  'leaving',
  'refunded',
  'disputed',
] as const

/** The terms of a custom request; its text is in the message that shows it. */
export const CustomRequestTerms = z.object({
  _id: Id,
  /** The fan. */
  userId: Id,
  creatorId: Id,
  maxMinutes: z.number().int(),
  pricePerMinute: z.string(),
  state: z.enum(CUSTOM_REQUEST_STATES),
  /** The creator's price for all of it; null until they accept. */
  price: z.string().nullable(),
  /** Days from the payment to the delivery. */
  deliveryDays: z.number().int().nullable(),
  /** Until when it is to be delivered, once it is paid; null while a refund of it is sent another way, as the days stand still. */
  deliverBy: Moment.nullable(),
  /** Whether it wasn't delivered by its deadline, which is why it is refunded. */
  late: z.boolean(),
  /** Why it was declined. */
  reason: z.string().nullable(),
})

/** A custom request as one of its two people sees it. */
export const CustomRequest = CustomRequestTerms.extend({
  requestedBy: Id,
  requestMessage: z.string(),
  /** Of who asked. */
  username: z.string(),
  creatorUsername: z.string(),
  createdAt: Moment,
  /** The message of their conversation that shows it. */
  messageId: Id.nullable(),
  /** Whether the creator sells to the fan, who can pay it once it is accepted. */
  payable: z.boolean(),
})

const days = z
  .number()
  .int()
  .min(1, 'Enter at least 1 day.')
  .max(MAX_DELIVERY_DAYS, `Enter at most ${MAX_DELIVERY_DAYS} days.`)

export const customRequestRoutes = {
  createCustomRequest: route({
    method: 'POST',
    path: '/users/create/customrequest',
    summary: 'Asks a creator to make something, as a message of the conversation with them.',
    access: 'user',
    self: 'userId',
    rateLimit: { points: 20, seconds: 3600 },
    idempotent: true,
    body: z.object({
      userId: Id.optional(),
      creatorId: Id,
      requestMessage: paragraph(MAX_CUSTOM_MESSAGE_LENGTH).pipe(
        z.string().min(1, 'Describe what you’d like.'),
      ),
      maxMinutes: z
        .number({ error: 'Enter a number of minutes.' })
        .int('Enter whole minutes.')
        .min(1, 'Enter at least 1 minute.')
        .max(MAX_CUSTOM_MINUTES, `Enter at most ${MAX_CUSTOM_MINUTES} minutes.`),
      pricePerMinute: Money,
    }),
    output: CustomRequest,
  }),
  customRequests: route({
    method: 'GET',
    path: '/users/customs',
    summary:
      'The caller’s custom requests, newest first: with `all` those they sent and those they got, with `creators` those they got as a creator (`isCreator`), else those they sent to creators.',
    access: 'user',
    self: 'currentUserId',
    query: Page.omit({ skip: true }).extend({
      currentUserId: Id.optional(),
      isCreator: QueryBoolean.default(false),
      filterType: z.enum(['all', 'creators']).default('all'),
    }),
    output: listOf(CustomRequest),
  }),
  deleteCustomRequest: route({
    method: 'POST',
    path: '/users/delete/customrequest',
    summary: 'Deletes the caller’s own custom request for both, while nothing is paid.',
    access: 'user',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ requestId: Id }),
    output: z.object({ message: z.string() }),
  }),
  acceptCustomRequest: route({
    method: 'POST',
    path: '/users/customrequest/accept',
    summary:
      'Accepts a custom request at a price, by default what the fan offered, or sets another price while it isn’t paid.',
    access: 'creator',
    publishing: 'required',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({
      requestId: Id,
      price: Money.optional(),
      deliveryDays: days.default(DEFAULT_DELIVERY_DAYS),
    }),
    output: CustomRequest,
  }),
  declineCustomRequest: route({
    method: 'POST',
    path: '/users/customrequest/decline',
    summary: 'Declines a custom request while it isn’t paid, with a reason that the fan sees.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ requestId: Id, reason: paragraph(500).default('') }),
    output: CustomRequest,
  }),
  deliverCustomRequest: route({
    method: 'POST',
    path: '/users/customrequest/deliver',
    summary:
      'Delivers a paid custom request, once: a message with media of the creator’s library that the fan keeps.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({
      requestId: Id,
      mediaIds: z
        .array(Id)
        .min(1, 'Choose what you deliver.')
        .max(MAX_ATTACHMENTS, `Deliver at most ${MAX_ATTACHMENTS} files.`),
      content: paragraph(MAX_MESSAGE_LENGTH).default(''),
    }),
    output: CustomRequest,
  }),
}
