import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, Reason } from '../../schemas.ts'
import { EXTENSION_MONTHS, MAX_FREE_DAYS } from '../../subscriptions.ts'
import { Person, Subscription, TermMonths } from './subscriptions.ts'

/** Somebody's subscription as its creator sees it; `planId` is what is sold. */
export const Subscriber = z.object({
  _id: Id,
  planId: Id,
  title: z.string(),
  subscriber: Person,
  /** The price of each period for this fan. */
  price: z.string(),
  /** How many months a period lasts. */
  months: TermMonths,
  status: Subscription.shape.status.unwrap(),
  /** When the paid period, or the trial, ends. */
  expiration: Moment,
  /** When it ended, which is before that after a refund, for example; null of one that hasn't. */
  endedAt: Moment.nullable(),
  startedAt: Moment,
  /** Whether the fan can be written to: neither has blocked the other, and the fan's account isn't deleted. */
  canMessage: z.boolean(),
  /** Whether free days can be added, as to a trial. */
  canAddDays: z.boolean(),
  /** Whether free months can be added. */
  canExtend: z.boolean(),
})

const LIMIT = { points: 120, seconds: 600 }

export const subscriberRoutes = {
  subscribers: route({
    method: 'GET',
    path: '/users/subscribers',
    summary:
      'A creator’s subscribers, newest first: those that have access now, or had it. Operators name another creator in `userId`.',
    access: 'user',
    query: Page.extend({
      userId: Id.optional(),
      showing: z.enum(['current', 'ended']).default('current'),
      /** Part of a username. */
      search: line(60).default(''),
    }),
    output: listOf(Subscriber),
  }),
  giveFreeDays: route({
    method: 'POST',
    path: '/users/updatesubscribersubscription2',
    summary:
      'Gives a fan of the creator’s free days of a subscription: a trial that ends by itself, or more days of one. Operators name another creator, and a reason.',
    access: 'user',
    publishing: 'required',
    idempotent: true,
    rateLimit: LIMIT,
    body: z.object({
      subscriberId: z.uuid('Choose a person.'),
      /** A plan on sale, as `GET /users/subscriptions` lists it. */
      subscriptionId: z.uuid('Choose a subscription.'),
      creatorId: Id.optional(),
      days: z
        .number('Enter a number of days.')
        .int('Enter whole days.')
        .min(1, `Enter 1 to ${MAX_FREE_DAYS} days.`)
        .max(MAX_FREE_DAYS, `Enter 1 to ${MAX_FREE_DAYS} days.`),
      reason: Reason.optional(),
    }),
    output: Subscriber,
  }),
  extendSubscription: route({
    method: 'POST',
    path: '/users/updatesubscribersubscription',
    summary:
      'Extends a fan’s subscription to what the caller sells by 1, 2, or 3 months for free. Operators do it for any creator, with a reason.',
    access: 'user',
    idempotent: true,
    rateLimit: LIMIT,
    body: z.object({
      subscriberId: z.uuid('Choose a person.'),
      /** A plan on sale, as `GET /users/subscriptions` lists it. */
      subscriptionId: z.uuid('Choose a subscription.'),
      months: z.literal([...EXTENSION_MONTHS]),
      reason: Reason.optional(),
    }),
    output: Subscriber,
  }),
}
