import type { Db } from '../../../db/client.ts'
import type { Handlers } from '../../../handler.ts'
import { letterSite } from '../letters/actions.ts'
import { markProven, proveInPassing, requireFreshProof } from '../proofs/actions.ts'
import { changeEmail } from './actions.ts'

export const emailHandlers: Handlers<'changeEmail'> = {
  async changeEmail({ context, viewer, body, now }) {
    const { email, ...proof } = body
    const userId = viewer.id
    const change = (db: Db) => changeEmail(db, { userId, email, site: letterSite(context), now })
    if (proof.password === undefined && proof.code === undefined) {
      await context.db.transaction().execute(async (db) => {
        await requireFreshProof(db, { sessionId: viewer.sessionId, now })
        await change(db)
      })
    } else {
      await proveInPassing(context, { userId, proof, now }, async (db) => {
        await markProven(db, { sessionId: viewer.sessionId, now })
        await change(db)
      })
    }
    return { message: 'Email has been sent. Please check your email!' }
  },
}
