import type { SubredditChange } from '../../../../contract/forum.ts'
import { DISCOVERY_STEP } from '../../../../contract/promotion.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import type { Forum } from '../../../ports/forum/port.ts'
import { type AccountRow, findReadingAccount } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { failureOf } from '../present.ts'
import { currentReading, memberFlair } from './actions.ts'
import { findKnown, findTracked, listChanges, type Reading } from './data.ts'

export const forumHandlers = {
  async searchForum({ context, viewer, query }) {
    const forum = requireForum(context)
    const asked = { text: query.search, after: query.after, count: query.count, limit: DISCOVERY_STEP }
    const account = await findReadingAccount(context.db, viewer.id)
    const own = account?.revoked_at === null ? await searchAs(context, account, asked) : null
    const answer = own ?? (await forum.search(asked, 'anybody'))
    if (answer.kind !== 'answered') throw failureOf(answer)
    const { subreddits, after } = answer.value
    const known = await findKnown(
      context.db,
      viewer.id,
      subreddits.map(({ name }) => name),
    )
    return {
      subreddits: subreddits.map((each) => {
        const tracked = known.get(each.name.toLowerCase())
        return {
          ...each,
          known: tracked !== undefined,
          verificationType: tracked?.verification_type ?? null,
          status: tracked?.status ?? null,
          removedFromSearch: Boolean(tracked?.removed),
        }
      }),
      after,
    }
  },

  async subredditFlair({ context, viewer, query }) {
    const asked = { name: query.subreddit, userId: viewer.id, needs: 'account' as const }
    const current = await currentReading(context, asked)
    const own = current.state === 'private' ? await memberFlair(context, asked) : null
    if (own) return { items: own, known: true, readAt: context.clock.now().toISOString() }
    const reading = readable(current)
    return { items: reading.flair ?? [], known: reading.flair !== null, readAt: readAt(reading) }
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

  async subredditChanges({ db, params }) {
    const rows = await listChanges(db, params.subreddit)
    if (rows.length === 0 && (await findTracked(db, [params.subreddit])).size === 0)
      throw new AppError('subreddit_not_found')
    return {
      items: rows.map(({ id, changed_at, part, before, after }) => ({
        _id: id,
        at: changed_at.toISOString(),
        change: { part, before, after } as SubredditChange,
      })),
    }
  },

  async refreshSubreddit({ context, viewer, body }) {
    const reading = await currentReading(context, { name: body.subreddit, userId: viewer.id, again: true })
    return { state: reading.state, readAt: readAt(reading) }
  },
} satisfies Partial<Handlers>

/**
 * Search results of the forum for an account; null where the forum no longer takes the account, which a search can do
 * without.
 */
async function searchAs(context: Context, account: AccountRow, asked: Parameters<Forum['search']>[0]) {
  const forum = requireForum(context)
  try {
    return await askAs(context, account, (accessToken) => forum.search(asked, { accessToken }))
  } catch (error) {
    if (error instanceof AppError && error.code === 'forum_reconnect') return null
    throw error
  }
}

const readAt = ({ read_at }: Reading) => (read_at ?? new Date(0)).toISOString()

/** Throws why there is nothing to read. */
function readable(reading: Reading): Reading {
  if (reading.state === 'gone') throw new AppError('subreddit_not_found')
  if (reading.state === 'banned') throw new AppError('subreddit_banned')
  if (reading.state === 'private' || reading.state === 'quarantined') throw new AppError('subreddit_private')
  return reading
}
