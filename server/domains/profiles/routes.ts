import type { Db } from '../../db/client.ts'
import { toPage } from '../../db/cursor.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import { toggleFollow } from './actions.ts'
import { countShownMedia, findProfile, isFollowing, listFollowing } from './data.ts'
import { presentFollowed, presentProfile } from './present.ts'

export const profilesHandlers: Handlers<
  'profileByUsername' | 'profileById' | 'isFollowing' | 'toggleFollow' | 'following'
> = {
  profileByUsername: ({ db, params }) => showProfile(db, { username: params.username }),

  profileById: ({ db, params }) => showProfile(db, { id: params.id }),

  async isFollowing({ db, viewer, query }) {
    return { following: await isFollowing(db, { userId: viewer.id, followingId: query.followingId }) }
  },

  async toggleFollow({ db, viewer, body, now }) {
    return { following: await toggleFollow(db, { userId: viewer.id, followingId: body.followingId, now }) }
  },

  async following({ db, viewer, query }) {
    return toPage(await listFollowing(db, viewer.id, query), query, presentFollowed)
  },
}

async function showProfile(db: Db, by: { id: string } | { username: string }) {
  const profile = await findProfile(db, by)
  if (!profile) throw new AppError('user_not_found')
  return presentProfile(profile, await countShownMedia(db, profile.id))
}
