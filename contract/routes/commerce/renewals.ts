import { z } from 'zod'
import { PAYMENT_STATUSES } from '../../orders.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Money, Page } from '../../schemas.ts'
import { Person, Subscription, TermMonths } from './subscriptions.ts'

/** A subscription that the caller has or had, with its own price and dates; `planId` is what is sold. */
export const OwnSubscription = z.object({
  _id: Id,
  planId: Id,
  title: z.string(),
  /** Without a picture where either blocked the other, or the creator is gone. */
  creator: Person.extend({ profileImage: z.string().nullable() }),
  /** The price of each period for this fan, whatever new subscribers pay, and its number of months. */
  price: z.string(),
  months: TermMonths,
  /** What a card is charged at once for a period that isn’t paid; null when nothing is owed. */
  owed: z.object({ price: z.string(), months: TermMonths }).nullable(),
  /** The terms of the next charged period, if they differ; of a canceled one, once it is resumed. */
  next: z.object({ price: z.string(), months: TermMonths }).nullable(),
  /**
   * The terms that it can change to: those on sale at their current prices, and this fan’s own; empty while it can’t
   * change.
   */
  terms: z.array(z.object({ price: z.string(), months: TermMonths })),
  /** Its creator no longer sells it; the fan keeps it. */
  retired: z.boolean(),
  /** The higher price that its creator asks for; nothing of it is charged before the fan agrees. */
  priceChange: z
    .object({
      price: z.string(),
      months: TermMonths,
      /** When it would be charged first; without a yes the subscription ends then instead. */
      on: Moment,
      answer: z.enum(['agreed', 'declined']).nullable(),
    })
    .nullable(),
  status: Subscription.shape.status.unwrap(),
  /** When the paid period ends. */
  expiration: Moment,
  /** Whether another period is charged then. */
  renews: z.boolean(),
  /** Whether a canceled one can be resumed. */
  canResume: z.boolean(),
  /** The card that pays the renewals, such as `Visa 1111`; null when there is none. */
  card: z.string().nullable(),
  startedAt: Moment,
  /** When access ended; null while there is some. */
  endedAt: Moment.nullable(),
})

/** The caller's payment for one order. */
export const Receipt = z.object({
  _id: Id,
  title: z.string(),
  creator: Person,
  amount: z.string(),
  /** The part given back by refunds and lost disputes; null if none. */
  returned: z.string().nullable(),
  /** Whether a bank took some of it back. */
  byBank: z.boolean(),
  /** Of a subscription how many months it paid for; null of anything else, and of a trial. */
  months: TermMonths.nullable(),
  /** The price of all of it, if the caller had `owned` of its items and paid for the rest alone. */
  reduced: z.object({ fullPrice: z.string(), owned: z.number().int() }).nullable(),
  status: z.enum(PAYMENT_STATUSES),
  /** The card that paid, such as `Visa 1111`; null when it isn't known. */
  card: z.string().nullable(),
  paidAt: Moment,
})

/** A payment of the caller's that is still being decided, and what happens next, in a few sentences. */
export const PendingPayment = z.object({
  /** The number of its order. */
  _id: Id,
  title: z.string(),
  creator: Person,
  amount: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  message: z.string(),
  startedAt: Moment,
})

const ofOne = z.object({ userId: Id.optional(), subscriptionId: Id })

export const renewalRoutes = {
  ownSubscriptions: route({
    method: 'GET',
    path: '/users/billing/subscriptions',
    summary:
      'The caller’s subscriptions, past due before newest: those that still give access, or those that ended.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    query: Page.extend({ userId: Id.optional(), showing: z.enum(['current', 'ended']).default('current') }),
    output: listOf(OwnSubscription),
  }),
  cancelSubscription: route({
    method: 'POST',
    path: '/users/subscription/cancel',
    summary: 'Stops the renewals of a subscription of the caller’s; access stays until the paid period ends.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    body: ofOne,
    output: OwnSubscription,
  }),
  resumeSubscription: route({
    method: 'POST',
    path: '/users/subscription/resume',
    summary: 'Undoes the cancellation of a subscription of the caller’s, until its paid period ends.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    body: ofOne,
    output: OwnSubscription,
  }),
  changeTerm: route({
    method: 'POST',
    path: '/users/subscription/term',
    summary:
      'Changes for how many months a subscription of the caller’s is charged at a time, from its next renewal; its own term undoes that.',
    access: 'user',
    self: 'userId',
    body: ofOne.extend({
      months: TermMonths,
      /** The price that the fan was shown; another one now is a 409 `price_changed`. */
      price: Money,
    }),
    output: OwnSubscription,
  }),
  answerPriceChange: route({
    method: 'POST',
    path: '/users/subscription/pricechange',
    summary:
      'Agrees to the higher price of a subscription of the caller’s, or declines it: then it ends before the first charge of it.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    body: ofOne.extend({
      agree: z.boolean(),
      /** The price that the fan was shown; another one now is a 409 `price_changed`. */
      price: Money,
    }),
    output: OwnSubscription,
  }),
  receipts: route({
    method: 'GET',
    path: '/users/billing/receipts',
    summary:
      'The caller’s payments, newest first, and their total less refunds; with the first page, those still being decided.',
    access: 'user',
    self: 'userId',
    restricted: 'allowed',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(Receipt).extend({
      totalSpent: z.string(),
      /** The newest 50; none with a later page. */
      pending: z.array(PendingPayment),
    }),
  }),
}
