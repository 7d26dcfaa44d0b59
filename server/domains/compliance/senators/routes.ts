import type { Handlers } from '../../../handler.ts'
import { setSenators } from './actions.ts'
import { listSenators } from './data.ts'

export const senatorHandlers = {
  async senators({ db }) {
    const rows = await listSenators(db)
    return {
      items: rows.map(({ state, correct_on, seats }) => ({
        code: state,
        correctOn: correct_on,
        senators: seats,
      })),
    }
  },

  async setSenators({ db, viewer, body, now }) {
    await setSenators(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
