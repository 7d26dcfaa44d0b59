import type { Tx } from '../../../../db/client.ts'
import type { Handlers } from '../../../../handler.ts'
import { emailContext } from '../../emails/actions.ts'
import { markProven, requireReauthentication, verifyInPassing } from '../../reauthentication/actions.ts'
import { changeEmail } from './actions.ts'

export const emailHandlers = {
  async changeEmail({ context, viewer, body, now }) {
    const { email, ...factor } = body
    const userId = viewer.id
    const change = (db: Tx) => changeEmail(db, { userId, email, site: emailContext(context), now })
    if (factor.password === undefined && factor.code === undefined) {
      await context.db.transaction().execute(async (db) => {
        await requireReauthentication(db, { sessionId: viewer.sessionId, now })
        await change(db)
      })
    } else {
      await verifyInPassing(context, { userId, factor, now }, async (db) => {
        await markProven(db, { sessionId: viewer.sessionId, now })
        await change(db)
      })
    }
    return { message: 'Email has been sent. Please check your email!' }
  },
} satisfies Partial<Handlers>
