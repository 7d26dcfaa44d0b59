import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import type { Viewer } from '../../../../viewer.ts'
import { tell } from '../../actions.ts'
import { findPendingEmail, hashToken } from '../../data.ts'
import { requireReauthentication } from '../../reauthentication/actions.ts'
import { confirmationExpiry, EMAIL_CHANGE_WINDOW_MS, EMAIL_CHANGES_A_DAY } from '../../rules.ts'

/** The effect that a confirmation link would have on this account now, and who else holds the address. */
export async function findConfirmable(
  db: Tx,
  { userId, email }: { userId: string; email: string },
): Promise<{ confirmable: boolean; holder: string | null }> {
  const holder = await db
    .selectFrom('users')
    .select(['id', 'email_verified_at'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (holder?.id === userId) return { confirmable: holder.email_verified_at === null, holder: null }
  const wanted = (await findPendingEmail(db, userId)) === email
  return { confirmable: wanted && !holder, holder: wanted && holder ? holder.id : null }
}

/**
 * A new link that confirms this address; returns its path. It is made in the job that mails it, so that its token is in
 * no payload. Links sent before stay good until their own end: mails overtake one another.
 */
export async function issueConfirmation(
  db: Tx,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('email_confirmations')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      email,
      created_at: now,
      expires_at: confirmationExpiry(now),
    })
    .execute()
  return `/emailconfirmation?email=${encodeURIComponent(email)}&token=${encodeURIComponent(token)}`
}

/**
 * Confirms the address that the link was mailed to, if it still is the account's, and moves the account there if that
 * was asked for; throws `confirmation_invalid`. The first use spends the account's other links to the address, and where it
 * moves, all of them. The used one goes on answering yes until its end, and changes nothing, because a page that confirms
 * by itself may be loaded twice.
 */
export async function confirmEmail(
  db: Tx,
  { email, token, now }: { email: string; token: string; now: Date },
): Promise<void> {
  const tokenHash = hashToken(token)
  const account = await db
    .selectFrom('email_confirmations')
    .innerJoin('users', 'users.id', 'email_confirmations.user_id')
    .select(['users.id', 'users.email', 'users.email_verified_at'])
    .where('email_confirmations.token_hash', '=', tokenHash)
    .where('email_confirmations.email', '=', email)
    .where('email_confirmations.expires_at', '>', now)
    .forUpdate('users')
    .executeTakeFirst()
  if (!account) throw new AppError('confirmation_invalid')
  const isMoved = account.email !== email
  if (isMoved) await moveAccount(db, { userId: account.id, email, now })
  else if (account.email_verified_at) return
  else await db.updateTable('users').set({ email_verified_at: now }).where('id', '=', account.id).execute()
  await db
    .deleteFrom('email_confirmations')
    .where('user_id', '=', account.id)
    .where('token_hash', '<>', tokenHash)
    // The link at another address that the account asked for meanwhile is still waited for.
    .$if(!isMoved, (links) => links.where('email', '=', email))
    .execute()
}

/** Ends the change that waits for this address, and every link that the former address was sent. */
async function moveAccount(
  db: Tx,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const change = await db
    .updateTable('email_changes')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!change) throw new AppError('confirmation_invalid')
  try {
    await db.updateTable('users').set({ email, email_verified_at: now }).where('id', '=', userId).execute()
  } catch (error) {
    if (violates(error, 'users_email_key')) throw new AppError('confirmation_invalid')
    throw error
  }
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

/**
 * Remembers the address that an account wants, until its link is opened; the present one is told. Whether somebody else
 * has the address shows in nothing: it is found out by the job that mails. The present address ends what waits, and is
 * mailed a link if it isn't confirmed. Throws `rate_limited` after three in a day, and `reauthentication_required`.
 */
export async function requestEmailChange(
  db: Tx,
  { userId, sessionId, email, now }: { userId: string; sessionId: string; email: string; now: Date },
): Promise<void> {
  const before = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // Under the account's lock, so that no session that a new password ends in this moment moves the account.
  await requireReauthentication(db, { sessionId, now })
  if (email !== before.email) await refuseOftenChanged(db, userId, now)
  await endEmailChanges(db, { userId, now })
  if (email === before.email) {
    if (!before.email_verified_at) await tell(db, { kind: 'email.confirm', person: userId, address: email })
    return
  }
  await db
    .insertInto('email_changes')
    .values({ user_id: userId, email, requested_at: now, expires_at: confirmationExpiry(now) })
    .execute()
  await tell(db, { kind: 'email.confirm', person: userId, address: email })
  await tell(db, { kind: 'email.change-requested', person: userId, data: {} })
}

/** Takes back the change that waits to be confirmed. Throws `no_email_change`, as after its link was opened. */
export async function cancelEmailChange(
  db: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  if ((await endEmailChanges(db, { userId, now })) === 0) throw new AppError('no_email_change')
}

/** Ends what waits to be confirmed, and answers how many that was: the link that was mailed opens nothing from now on. */
export async function endEmailChanges(
  db: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<number> {
  const ended = await db
    .updateTable('email_changes')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return ended.length
}

async function refuseOftenChanged(db: Tx, userId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - EMAIL_CHANGE_WINDOW_MS)
  const recent = await db
    .selectFrom('email_changes')
    .select('requested_at')
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .orderBy('requested_at', 'desc')
    .limit(EMAIL_CHANGES_A_DAY)
    .execute()
  const earliest = recent[EMAIL_CHANGES_A_DAY - 1]
  if (!earliest) return
  const waitMs = earliest.requested_at.getTime() - since.getTime()
  throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/**
 * Mails another link to the address that waits for one, the account's own or the one it asked for; false when none
 * does. Throws `not_yourself` when another address is named.
 */
export async function resendConfirmation(
  db: Tx,
  viewer: Viewer,
  { email }: { email: string | undefined },
): Promise<boolean> {
  const pending = await findPendingEmail(db, viewer.id)
  if (email !== undefined && email !== viewer.email && email !== pending) throw new AppError('not_yourself')
  if (viewer.emailVerified && !pending) return false
  await tell(db, { kind: 'email.confirm', person: viewer.id, address: email ?? pending ?? viewer.email })
  return true
}
