import type { z } from 'zod'
import type { Challenge } from '../../../../contract/passkeys.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { findCredentials, isStillPassword } from '../data.ts'
import { verifyPassword } from '../passwords/actions.ts'
import { type AuthenticationFactor, answerChallenge, startChallenge } from '../reauthentication/actions.ts'
import { type NewSession, startPlainSession, startSession } from '../sessions/actions.ts'
import { findFactors, isSecondFactorOn } from '../two-factor/data.ts'

/**
 * Logs in, which takes a requested deletion of the account back, or asks for the second factor that the account has.
 * Throws `login_failed`, after the same work, whether the account does not exist or the password is wrong, and
 * `sample_account_elsewhere` for a sample account whose password everybody knows, unless the call `isFromHere`.
 */
export async function logIn(
  context: Context,
  {
    email,
    password,
    isFromHere,
    ...session
  }: { email: string; password: string; isFromHere: boolean; userAgent: string; now: Date },
): Promise<NewSession | z.input<typeof Challenge>> {
  const { db, config } = context
  const credentials = await findCredentials(db, email)
  const matches = await verifyPassword(credentials?.passwordHash ?? null, password)
  if (!credentials || !matches) throw new AppError('login_failed')
  const { id: userId, passwordHash, isSample } = credentials
  // A tunnel or proxy on this machine brings strangers, who know the password from the README.
  if (isSample && config.SANDBOX_TOKEN === undefined && !isFromHere)
    throw new AppError('sample_account_elsewhere')
  const start = { userId, passwordHash, ...session }
  const plain = await db.transaction().execute((tx) => startPlainSession(tx, start))
  if (plain) return plain
  return db.transaction().execute(async (transaction) => {
    // The password was replaced while it was compared, and that ended everything the old one opens.
    if (!(await isStillPassword(transaction, credentials))) throw new AppError('login_failed')
    if (isSecondFactorOn(await findFactors(transaction, userId)))
      return startChallenge(transaction, context, { purpose: 'login', userId, now: session.now })
    return startSession(transaction, { userId, ...session })
  })
}

/**
 * Ends a login by its second factor, or by a passkey alone; throws what `answerChallenge` throws. `knownDevice` says
 * for an address whether its owner logged in on this device before: such a device has attempts of its own.
 */
export async function finishLogin(
  context: Context,
  {
    challengeId,
    factor,
    knownDevice,
    ...session
  }: {
    challengeId: string
    factor: Omit<AuthenticationFactor, 'password'>
    knownDevice: (email: string) => string | null
    userAgent: string
    now: Date
  },
): Promise<NewSession & { email: string }> {
  const answer = { challengeId, purpose: 'login', userId: null, factor, now: session.now } as const
  return answerChallenge(context, { ...answer, knownDevice }, async (db, userId) => {
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return { ...(await startSession(db, { userId, ...session })), email }
  })
}
