import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import type { PeopleAudience } from '../../viewer.ts'
import { setDiscoverable } from '../identity/account/actions.ts'
import { findReferrer, findSharers } from '../identity/data.ts'
import { blockingHandlers } from './blocking/routes.ts'
import { countShown, findProfile, isDiscoverable, isReachable, wantsWatermark } from './data.ts'
import { editProfile, setWatermark } from './editing/actions.ts'
import { followingHandlers } from './following/routes.ts'
import { peopleHandlers } from './people/routes.ts'
import { presentProfile } from './present.ts'
import { sharedCodeHandlers } from './shared-codes/routes.ts'

const profileHandlers = {
  profileByUsername: ({ db, audience, params }) => showProfile(db, { username: params.username }, audience),

  profileById: ({ db, audience, params }) => showProfile(db, { id: params.id }, audience),

  async referrer({ db, audience, params }) {
    const own = await findReferrer(db, params.code)
    const people = own ? [own] : await findSharers(db, params.code)
    for (const { id, username } of people)
      if (await isReachable(db, id, audience)) return { username, others: people.length - 1 }
    throw new AppError('user_not_found')
  },

  async editProfile({ context, viewer, body, files, now }) {
    const verified = await editProfile(context, viewer, { edit: body, files, now })
    return {
      message: 'Your profile has been updated!',
      verifiedEmail: verified ? 'verified' : 'unverified',
    }
  },

  async watermark({ db, viewer }) {
    return { enabled: await wantsWatermark(db, viewer.id) }
  },

  async setWatermark({ db, viewer, body: { enabled } }) {
    await setWatermark(db, viewer.id, enabled)
    return { enabled }
  },

  async discoverable({ db, viewer }) {
    return { enabled: await isDiscoverable(db, viewer.id) }
  },

  async setDiscoverable({ db, viewer, body: { enabled } }) {
    await setDiscoverable(db, viewer.id, enabled)
    return { enabled }
  },
} satisfies Partial<Handlers>

export const profilesHandlers = {
  ...profileHandlers,
  ...followingHandlers,
  ...peopleHandlers,
  ...blockingHandlers,
  ...sharedCodeHandlers,
}

async function showProfile(db: Db, by: { id: string } | { username: string }, audience: PeopleAudience) {
  const profile = await findProfile(db, by, audience)
  if (!profile) throw new AppError('user_not_found')
  return presentProfile(profile, await countShown(db, profile.id), { isVisitor: audience.id === null })
}
