import type { Db } from '../../db/client.ts'
import { toPage } from '../../db/cursor.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import type { Audience } from '../../viewer.ts'
import { findReferrer } from '../identity/data.ts'
import { setWatermark, toggleFollow } from './actions.ts'
import { blockingHandlers } from './blocking/routes.ts'
import {
  countShownMedia,
  findProfile,
  isFollowing,
  isReachable,
  listFollowing,
  wantsWatermark,
} from './data.ts'
import { editingHandlers } from './editing/routes.ts'
import { peopleHandlers } from './people/routes.ts'
import { presentListed, presentProfile } from './present.ts'

const shownHandlers = {
  profileByUsername: ({ db, audience, params }) => showProfile(db, { username: params.username }, audience),

  profileById: ({ db, audience, params }) => showProfile(db, { id: params.id }, audience),

  async referrer({ db, audience, params }) {
    const referrer = await findReferrer(db, params.code)
    if (!referrer || !(await isReachable(db, referrer.id, audience))) throw new AppError('user_not_found')
    return { username: referrer.username }
  },

  async isFollowing({ db, viewer, query }) {
    return { following: await isFollowing(db, { userId: viewer.id, followingId: query.followingId }) }
  },

  async toggleFollow({ db, audience, body, now }) {
    return { following: await toggleFollow(db, audience, { followingId: body.followingId, now }) }
  },

  async following({ db, audience, query }) {
    return toPage(await listFollowing(db, audience, query), query, presentListed)
  },

  async watermark({ db, viewer }) {
    return { enabled: await wantsWatermark(db, viewer.id) }
  },

  async setWatermark({ db, viewer, body: { enabled } }) {
    await setWatermark(db, viewer.id, enabled)
    return { enabled }
  },
} satisfies Partial<Handlers>

export const profilesHandlers = {
  ...shownHandlers,
  ...editingHandlers,
  ...peopleHandlers,
  ...blockingHandlers,
}

async function showProfile(db: Db, by: { id: string } | { username: string }, audience: Audience) {
  const profile = await findProfile(db, by, audience)
  if (!profile) throw new AppError('user_not_found')
  return presentProfile(profile, await countShownMedia(db, profile.id))
}
