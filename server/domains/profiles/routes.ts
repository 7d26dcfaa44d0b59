import type { Db } from '../../db/client.ts'
import { toPage } from '../../db/cursor.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import { setWatermark, toggleFollow } from './actions.ts'
import { blockingHandlers } from './blocking/routes.ts'
import {
  type Audience,
  audienceAt,
  countShownMedia,
  findProfile,
  isFollowing,
  listFollowing,
  wantsWatermark,
} from './data.ts'
import { editingHandlers } from './editing/routes.ts'
import { peopleHandlers } from './people/routes.ts'
import { presentListed, presentProfile } from './present.ts'

const shownHandlers = {
  profileByUsername: ({ db, viewer, client, params }) =>
    showProfile(db, { username: params.username }, audienceAt(viewer, client.place)),

  profileById: ({ db, viewer, client, params }) =>
    showProfile(db, { id: params.id }, audienceAt(viewer, client.place)),

  async isFollowing({ db, viewer, query }) {
    return { following: await isFollowing(db, { userId: viewer.id, followingId: query.followingId }) }
  },

  async toggleFollow({ db, viewer, client, body, now }) {
    const follower = { id: viewer.id, role: viewer.role, place: client.place }
    return { following: await toggleFollow(db, follower, { followingId: body.followingId, now }) }
  },

  async following({ db, viewer, client, query }) {
    const audience = { id: viewer.id, role: viewer.role, place: client.place }
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
