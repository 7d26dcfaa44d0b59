import { DISCOVERY_STEP } from '../../../../contract/promotion.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findReader } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { failureOf } from '../present.ts'
import { currentReading } from './actions.ts'
import { findTracked, type Reading } from './data.ts'

export const forumHandlers = {
  async searchForum({ context, viewer, query }) {
    const forum = requireForum(context)
    const asked = { text: query.search, after: query.after, count: query.count, limit: DISCOVERY_STEP }
    const account = await findReader(context.db, viewer.id)
    const answer =
      account?.revoked_at === null
        ? await askAs(context, account, (accessToken) => forum.search(asked, { accessToken }))
        : await forum.search(asked, 'anybody')
    if (answer.kind !== 'answered') throw failureOf(answer)
    const { subreddits, after } = answer.value
    const tracked = await findTracked(
      context.db,
      subreddits.map(({ name }) => name),
    )
    return {
      subreddits: subreddits.map((each) => ({ ...each, known: tracked.has(each.name.toLowerCase()) })),
      after,
    }
  },

  async subredditFlair({ context, viewer, query }) {
    const asked = { name: query.subreddit, userId: viewer.id, needs: 'account' as const }
    const reading = readable(await currentReading(context, asked))
    return { items: reading.flair ?? [], readAt: readAt(reading) }
  },

  async subredditRequirements({ context, viewer, query }) {
    const reading = await currentReading(context, { name: query.subreddit, userId: viewer.id })
    return {
      requirements: reading.requirements,
      rules: reading.rules,
      state: reading.state,
      readAt: readAt(reading),
    }
  },

  async refreshSubreddit({ context, viewer, body }) {
    const reading = await currentReading(context, { name: body.subreddit, userId: viewer.id, again: true })
    return { state: reading.state, readAt: readAt(reading) }
  },
} satisfies Partial<Handlers>

const readAt = ({ read_at }: Reading) => (read_at ?? new Date(0)).toISOString()

/** Throws why there is nothing to read. */
function readable(reading: Reading): Reading {
  if (reading.state === 'gone') throw new AppError('subreddit_not_found')
  if (reading.state === 'banned') throw new AppError('subreddit_banned')
  if (reading.state === 'private' || reading.state === 'quarantined') throw new AppError('subreddit_private')
  return reading
}
