import type { Handlers } from '../../../handler.ts'
import { addPerformer } from './actions.ts'
import { listPerformers } from './data.ts'

export const performerHandlers = {
  async performers({ db, viewer }) {
    const named = await listPerformers(db, viewer.id)
    return {
      items: [
        { _id: viewer.id, name: viewer.username, self: true },
        ...named.map(({ id, name }) => ({ _id: id, name, self: false })),
      ],
    }
  },

  async addPerformer({ db, viewer, body, now }) {
    const { id, name } = await addPerformer(db, { creatorId: viewer.id, name: body.name, now })
    return { _id: id, name, self: false }
  },
} satisfies Partial<Handlers>
