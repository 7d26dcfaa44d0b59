import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { presentListed } from '../present.ts'
import { toggleFollow } from './actions.ts'
import { isFollowing, listFollowing } from './data.ts'

export const followingHandlers = {
  async isFollowing({ db, viewer, query }) {
    return { following: await isFollowing(db, { userId: viewer.id, followingId: query.followingId }) }
  },

  async toggleFollow({ db, audience, viewer, body, now }) {
    const follower = { ...audience, username: viewer.username }
    return { following: await toggleFollow(db, follower, { followingId: body.followingId, now }) }
  },

  async following({ db, audience, query }) {
    return toPage(await listFollowing(db, audience, query), query, presentListed)
  },
} satisfies Partial<Handlers>
