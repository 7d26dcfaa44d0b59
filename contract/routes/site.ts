import { z } from 'zod'
import { COMMISSION_READINGS } from '../commissions.ts'
import { route } from '../route.ts'
import { Moment } from '../schemas.ts'

/** The kinds of work that can wait for a person, the most harmful to forget first. */
export const WAITING_KINDS = [
  // A fan's.
  'request_to_pay',
  'past_due',
  'no_card',
  'card_expired',
  'card_expiring',
  'price_change',
  // A creator's.
  'request_to_deliver',
  'request_to_answer',
  'forum_account',
  'post_failed',
  'post_overdue',
  'post_by_hand',
  'payout_possible',
  // An operator's.
  'dispute',
  'report',
  'finding',
  'stuck_payment',
  'payout',
  'payout_to_export',
  'adjustment',
  'subreddit',
] as const

/** One kind of thing that waits for a person. */
export const Waiting = z.object({
  kind: z.enum(WAITING_KINDS),
  /** How many; of a card, the subscriptions that renew by it. */
  count: z.number().int(),
  /** Since when the oldest of them waits; null where that says nothing. */
  since: Moment.nullable(),
  /** When the first of them is due: a moment, or a day such as `2026-11-21`; null without a deadline. */
  due: z.string().nullable(),
  /** The amount to be paid, or that can be paid out; null if there are several, or none. */
  amount: z.string().nullable(),
  /** The card, or the creator to pay; null where there are several, or none. */
  name: z.string().nullable(),
})

export const siteRoutes = {
  waiting: route({
    method: 'GET',
    path: '/users/waiting',
    summary:
      'What waits for the caller: payments and answers of a fan, work of a creator, decisions that an operator may make. What is due first stands first.',
    access: 'user',
    output: z.object({ items: z.array(Waiting) }),
  }),
  donations: route({
    method: 'GET',
    path: '/donate',
    summary:
      'Whether the operator takes tips, which are bought as a `donation`; and whether the caller’s account stands on them as their seller, so that it can’t send any.',
    access: 'public',
    output: z.object({ taken: z.boolean(), own: z.boolean() }),
  }),
  config: route({
    method: 'GET',
    path: '/config',
    summary: 'The settings the client needs (docs/product.md, Sandbox and sample data).',
    access: 'public',
    restricted: 'allowed',
    output: z.object({
      brand: z.object({
        name: z.string(),
        operator: z.string(),
        email: z.string(),
        forumAccount: z.string(),
        /** Where post reaches the operator; null when the setting is empty. */
        address: z.string().nullable(),
        /** The operator's page on a social site; null without one. */
        socialUrl: z.string().nullable(),
        /** Address of the how-to page's video; null without one. */
        howToVideo: z.string().nullable(),
      }),
      payments: z.object({
        scriptUrl: z.string(),
        apiLoginID: z.string(),
        clientKey: z.string(),
        /** The platform's share of a sale (`split` in contract/money.ts). */
        feePercent: z.number(),
        /** How commissions for referrals are counted (docs/product.md, Referrals). */
        commission: z.enum(COMMISSION_READINGS),
      }),
      forum: z.object({
        name: z.string(),
        /** Whether there is one that creators can promote their work on. */
        available: z.boolean(),
      }),
      /** Path of the page that shows caught mail, etc.; null with real services. */
      sandbox: z
        .object({
          mail: z.string(),
          payments: z.string(),
          age: z.string().nullable(),
          forum: z.string().nullable(),
          /** The first start's sample data isn't there yet, and will be in minutes. */
          makingSample: z.boolean(),
        })
        .nullable(),
      features: z.object({ publishing: z.boolean(), ageCheck: z.boolean() }),
      limits: z.object({
        maxFileBytes: z.number().int(),
        /** The lowest price of anything on sale. */
        lowestPrice: z.string(),
      }),
    }),
  }),
}
