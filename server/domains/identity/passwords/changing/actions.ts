import { randomBytes } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Viewer } from '../../../../viewer.ts'
import { endEmailChanges } from '../../account/email/actions.ts'
import { tell } from '../../actions.ts'
import { findCredentials, hashToken, isStillPassword } from '../../data.ts'
import { countAttempt, isPasswordEnough, markReauthenticated } from '../../reauthentication/actions.ts'
import { resetExpiry } from '../../rules.ts'
import { revokeSessions } from '../../sessions/actions.ts'
import { lockAccount } from '../../two-factor/actions.ts'
import { hashPassword, refuseWeakPassword, verifyPassword } from '../actions.ts'
import { isSamePassword } from '../rules.ts'

type ResetLink = { userId: string; token: string; now: Date }

/**
 * A new link that resets the password; returns its path. It is made in the job that mails it, so that its token is in no
 * payload.
 */
export async function issueReset(db: Tx, { userId, now }: { userId: string; now: Date }): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: now,
      expires_at: resetExpiry(now),
    })
    .execute()
  return `/resetconfirmed/${userId}/${token}`
}

/** The account of a reset link that still works; throws `reset_invalid`. */
export async function findReset(
  db: Db,
  { userId, token, now }: ResetLink,
): Promise<{ email: string; username: string }> {
  const account = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'email', 'username'])
    .where('token_hash', '=', hashToken(token))
    .where('password_resets.expires_at', '>', now)
    .executeTakeFirst()
  if (account?.id !== userId) throw new AppError('reset_invalid')
  return account
}

/**
 * Sets a new password by a reset link, which is spent by it together with the account's other links, and ends every
 * session. Returns the account's address. Throws `reset_invalid`, and what the password is refused for, which spends nothing.
 */
export async function resetPassword(
  context: Context,
  { password, ...link }: ResetLink & { password: string },
): Promise<{ email: string }> {
  const { userId, token, now } = link
  const { email, username } = await findReset(context.db, link)
  refuseWeakPassword(password, { email, username, brand: context.config.BRAND_NAME })
  const passwordHash = await hashPassword(password)
  await context.db.transaction().execute(async (db) => {
    const spent = await db
      .deleteFrom('password_resets')
      .where('token_hash', '=', hashToken(token))
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst()
    if (!spent) throw new AppError('reset_invalid')
    await storePassword(db, { userId, passwordHash, keep: null, now })
  })
  return { email }
}

/**
 * Changes the own password by the current one, and ends every other session. Throws `password_wrong`, `password_unchanged`,
 * what the new one is refused for, and with a second factor `reauthentication_required`.
 */
export async function changePassword(
  context: Context,
  { id: userId, sessionId, email, username }: Viewer,
  { currentPassword, password, now }: { currentPassword: string; password: string; now: Date },
): Promise<void> {
  refuseWeakPassword(password, { email, username, brand: context.config.BRAND_NAME })
  await isPasswordEnough(context.db, { userId, sessionId, now })
  const compared = await countAttempt(context.db, { userId, source: 'session', now }, async () => {
    const credentials = await findCredentials(context.db, email)
    const matches = await verifyPassword(credentials?.passwordHash ?? null, currentPassword)
    if (!credentials || !matches) throw wrongPassword()
    return credentials
  })
  // A reset takes it: refusing would tell whoever holds the link that they guessed the password.
  if (isSamePassword(password, currentPassword)) throw new AppError('password_unchanged')
  const passwordHash = await hashPassword(password)
  await context.db.transaction().execute(async (db) => {
    // A factor that was added while the password was hashed counts as well.
    await lockAccount(db, userId)
    if (!(await isStillPassword(db, compared))) throw wrongPassword()
    const enough = await isPasswordEnough(db, { userId, sessionId, now })
    await storePassword(db, { userId, passwordHash, keep: sessionId, now })
    if (enough) await markReauthenticated(db, { sessionId, now })
  })
}

function wrongPassword(): AppError {
  return new AppError('password_wrong', { details: { currentPassword: 'Incorrect password.' } })
}

/**
 * Replaces the password and tells the owner. Ends all sessions except the one to `keep`, and everything that was
 * started with the old password: links, challenges, factors, and a move to another email address, which would take
 * the account along.
 */
async function storePassword(
  db: Tx,
  {
    userId,
    passwordHash,
    keep,
    now,
  }: { userId: string; passwordHash: string; keep: string | null; now: Date },
): Promise<void> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await db.deleteFrom('authentication_challenges').where('user_id', '=', userId).execute()
  await db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute()
  await endEmailChanges(db, { userId, now })
  await revokeSessions(db, { userId, keep })
  await tell(db, { kind: 'password.changed', person: userId, data: {} })
}
