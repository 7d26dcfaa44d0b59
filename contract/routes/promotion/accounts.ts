import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment, Success } from '../../schemas.ts'

/** A forum account that a creator connected; its tokens never leave the server. */
const ForumAccount = z.object({
  _id: Id,
  name: z.string(),
  /** `revoked`: the forum no longer accepts what it gave us, so it must be connected again. */
  status: z.enum(['connected', 'revoked']),
  /** Who stopped posting by it: its person, or the forum. */
  stoppedBy: z.enum(['person', 'forum']).nullable(),
  connectedAt: Moment,
  /** The number of scheduled posts and recurring slots that it posts automatically. */
  scheduledPosts: z.number().int(),
  slots: z.number().int(),
})

export const forumAccountRoutes = {
  forumAccounts: route({
    method: 'GET',
    path: '/reddit/accounts',
    summary: 'The creator’s forum accounts, the first connected first.',
    access: 'creator',
    output: z.object({ items: z.array(ForumAccount) }),
  }),
  authorizeForum: route({
    method: 'GET',
    path: '/reddit/authorize',
    summary: 'Where the forum asks the creator for permission; good for 30 minutes, in this session only.',
    access: 'creator',
    rateLimit: { points: 60, seconds: 3600 },
    output: z.object({ url: z.url() }),
  }),
  confirmForum: route({
    method: 'POST',
    path: '/reddit/tokenconfirmation',
    summary: 'Connects the forum account that the forum’s redirect came from.',
    access: 'creator',
    self: 'userId',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 3600 },
    body: z.object({
      userId: Id.optional(),
      code: z.string().min(1).max(2000),
      /** As the redirect carried it: the person’s id, and what binds it to the session. */
      state: z.string().min(1).max(500),
    }),
    output: z.object({ account: ForumAccount }),
  }),
  disconnectForum: route({
    method: 'POST',
    path: '/reddit/accounts/disconnect',
    summary:
      'Forgets a forum account, and has the forum revoke what it gave us; what it was to post waits until it is connected again.',
    access: 'creator',
    body: z.object({ accountId: Id }),
    /** How many posts and recurring slots wait for it now. */
    output: Success.extend({ posts: z.number().int(), slots: z.number().int() }),
  }),
}
