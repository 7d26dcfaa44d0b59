import type { Handlers } from '../../handler.ts'
import { confirmAge } from '../identity/actions.ts'
import { findGate, findRegion } from './data.ts'
import { isAgeVerified } from './rules.ts'

export const complianceHandlers = {
  async ageVerified({ db, viewer, client, now }) {
    const { place, ageVisit } = client
    const gate = await findGate(db, { place, userId: viewer?.id ?? null, ageVisit, now })
    return {
      ageVerified: isAgeVerified({
        restricted: gate.restricted,
        approved: gate.approved || (viewer?.ageApproved ?? false),
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
    const listed = await findRegion(db, client.place)
    return { country, region, restricted: listed !== null, vpnHint: listed?.vpnHint ?? true }
  },
} satisfies Partial<Handlers>
