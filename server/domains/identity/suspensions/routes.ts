import type { Handlers } from '../../../handler.ts'
import { reinstatePerson, suspendPerson } from './actions.ts'

export const suspensionHandlers = {
  async suspendPerson({ db, viewer, body, now }) {
    await suspendPerson(db, { actor: viewer, ...body, now })
    return { success: true }
  },
  async reinstatePerson({ db, viewer, body, now }) {
    await reinstatePerson(db, { actor: viewer, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
