import type { Handlers } from '../../../handler.ts'
import { removeRegion, setRegion } from './actions.ts'
import { listRegions } from './data.ts'

export const regionHandlers = {
  async regions({ db }) {
    const rows = await listRegions(db)
    return {
      items: rows.map(({ country, code, name, vpn_hint, by, reason, occurred_at }) => ({
        country,
        code,
        name,
        vpnHint: vpn_hint,
        changed: occurred_at && { by: by ?? '', at: occurred_at.toISOString(), reason: reason ?? '' },
      })),
    }
  },

  async setRegion({ db, viewer, body, now }) {
    await setRegion(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },

  async removeRegion({ db, viewer, body, now }) {
    await removeRegion(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
