import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findCredentials } from '../data.ts'
import { countAttempt, isPasswordEnough, markProven } from '../reauthentication/actions.ts'
import { lockAccount } from '../two-factor/actions.ts'
import { hashPassword, refuseWeakPassword, verifyPassword } from './actions.ts'
import { storePassword } from './reset/actions.ts'

export const passwordHandlers = {
  async changePassword({ context, viewer, body, now }) {
    const { id: userId, sessionId, email, username } = viewer
    refuseWeakPassword(body.password, { email, username, brand: context.config.BRAND_NAME })
    await isPasswordEnough(context.db, { userId, sessionId, now })
    await countAttempt(context.db, { userId, now }, async () => {
      const credentials = await findCredentials(context.db, email)
      if (!(await verifyPassword(credentials?.passwordHash ?? null, body.currentPassword)))
        throw new AppError('password_wrong', { details: { currentPassword: 'This is not your password.' } })
    })
    const passwordHash = await hashPassword(body.password)
    await context.db.transaction().execute(async (db) => {
      // A factor that was added while the password was hashed counts as well.
      await lockAccount(db, userId)
      const enough = await isPasswordEnough(db, { userId, sessionId, now })
      await storePassword(db, context, { userId, passwordHash, keep: sessionId })
      if (enough) await markProven(db, { sessionId, now })
    })
    return { message: 'Your password has been changed. You are logged out everywhere else.' }
  },
} satisfies Partial<Handlers>
