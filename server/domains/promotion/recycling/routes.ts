import type { Handlers } from '../../../handler.ts'
import { countBelow } from './data.ts'

export const recyclingHandlers = {
  async removalPreview({ db, viewer, query, now }) {
    return { count: await countBelow(db, viewer.id, { ...query, now }) }
  },
} satisfies Partial<Handlers>
