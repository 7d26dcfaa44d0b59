import type { Handlers } from '../../../handler.ts'
import { setWatermark } from './actions.ts'
import { wantsWatermark } from './data.ts'

export const watermarkHandlers = {
  async watermark({ db, viewer }) {
    return { enabled: await wantsWatermark(db, viewer.id) }
  },

  async setWatermark({ db, viewer, body: { enabled } }) {
    await setWatermark(db, viewer.id, enabled)
    return { enabled }
  },
} satisfies Partial<Handlers>
