import { z } from 'zod'
import { MIN_AFFILIATE_SUBSCRIBERS } from '../../commissions.ts'
import { SubredditName } from '../../forum.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, paragraph, Reason, Success } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** The largest subreddits have some 70 million. */
const MAX_SUBSCRIBERS = 75_000_000

const Subscribers = z
  .number('Check the number of subscribers.')
  .int()
  .min(MIN_AFFILIATE_SUBSCRIBERS, 'A subreddit needs at least 1,000 subscribers.')
  .max(MAX_SUBSCRIBERS, 'Check the number of subscribers.')

/** A subreddit that somebody referred to the subreddit program. */
export const SubredditAffiliate = z.object({
  _id: Id,
  subreddit: z.string(),
  status: z.enum(['applied', 'approved', 'refused']),
  /** As counted for the shares once it is approved, as stated before. */
  subscribers: z.number().int(),
  /** The caller's share; null until it is approved. */
  amount: z.string().nullable(),
  /** Whether an operator took that back before it was available. */
  canceled: z.boolean(),
  /** Under which conditions it was approved; empty without any. */
  restrictions: z.string(),
  /** Why it was refused; null otherwise. */
  reason: z.string().nullable(),
  appliedAt: Moment,
})

/** The same as operators see it. */
const AnySubredditAffiliate = SubredditAffiliate.extend({
  person: Person,
  /** As the forum says, where the subreddit is tracked. */
  knownSubscribers: z.number().int().nullable(),
  /** The recipient of the subreddit's own share; null while it is held. */
  moderator: Person.nullable(),
  /** The payment that the caller or another operator proposed, until two of them want the same; null without one. */
  proposal: z
    .object({
      by: Person,
      /** Null where it is the held share alone that is to be paid. */
      subscribers: z.number().int().nullable(),
      restrictions: z.string(),
      moderator: Person.nullable(),
      reason: z.string(),
    })
    .nullable(),
})

/** `waits`: nothing is paid before another operator sends the same. */
const Decided = Success.extend({ waits: z.boolean() })

const Username = line(100).pipe(z.string().min(1, 'Enter a username.'))

export const subredditAffiliateRoutes = {
  subredditAffiliates: route({
    method: 'GET',
    path: '/users/subredditaffiliates',
    summary: 'The subreddits that the caller referred to the subreddit program, newest first.',
    access: 'user',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(SubredditAffiliate),
  }),
  applyForSubreddit: route({
    method: 'POST',
    path: '/users/subredditaffiliates',
    summary: 'Applies to refer a subreddit to the subreddit program.',
    access: 'user',
    self: 'userId',
    rateLimit: { points: 20, seconds: 3600 },
    body: z.object({ userId: Id.optional(), subreddit: SubredditName, subscribers: Subscribers }),
    output: SubredditAffiliate,
  }),
  allSubredditAffiliates: route({
    method: 'GET',
    path: '/admin/subredditaffiliates',
    summary:
      'Applications to the subreddit program: those that wait for a decision of the caller, the oldest first, those whose own share is held, or all, newest first.',
    access: { permission: 'payouts.approve' },
    query: Page.extend({ showing: z.enum(['open', 'held', 'all']).default('open') }),
    output: listOf(AnySubredditAffiliate),
  }),
  decideSubreddit: route({
    method: 'POST',
    path: '/admin/subredditaffiliates/decide',
    summary:
      'Approves a subreddit, which pays both shares once, or refuses it. An approval waits until a second person sends the same, where there is one.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    body: z.object({
      applicationId: Id,
      decision: z.enum(['approve', 'refuse']),
      /** The basis of the payment; where it is left out, the forum's figures, else the stated ones. */
      subscribers: Subscribers.optional(),
      restrictions: paragraph(500).default(''),
      /** The username of the recipient of the subreddit's own share; without one it is held. */
      moderator: Username.optional(),
      reason: Reason,
    }),
    output: Decided,
  }),
  paySubredditShare: route({
    method: 'POST',
    path: '/admin/subredditaffiliates/pay',
    summary:
      'Gives the held share of an approved subreddit to its moderator, once a second person has named the same, where there is one.',
    access: { permission: 'payouts.approve' },
    reauthentication: 'recent',
    body: z.object({ applicationId: Id, moderator: Username, reason: Reason }),
    output: Decided,
  }),
}
