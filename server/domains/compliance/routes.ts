import type { Handlers } from '../../handler.ts'
import { confirmAge } from '../identity/actions.ts'
import { isRestricted } from './data.ts'
import { isAgeVerified } from './rules.ts'

export const complianceHandlers: Handlers<'ageVerified' | 'confirmAge' | 'location'> = {
  async ageVerified({ db, viewer, client }) {
    return {
      ageVerified: isAgeVerified({
        restricted: await isRestricted(db, client.place),
        approved: viewer?.ageApproved ?? false,
        confirmedOnAccount: viewer?.ageConfirmed ?? false,
        cookie: client.ageCookie,
      }),
    }
  },

  async confirmAge({ db, viewer, now, answer }) {
    if (viewer) await confirmAge(db, { userId: viewer.id, now })
    answer.rememberAge()
    return { success: true }
  },

  async location({ db, client }) {
    const { country, region } = client.place
    return { country, region, restricted: await isRestricted(db, client.place) }
  },
}
