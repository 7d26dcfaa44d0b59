import { randomBytes } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { hashToken } from '../../data.ts'
import { emailContext, sendEmail, tellOwner } from '../../emails/actions.ts'
import type { EmailContext } from '../../emails/present.ts'
import { revokeSessions } from '../../sessions/actions.ts'
import { hashPassword, refuseWeakPassword } from '../actions.ts'
import { MAX_RESETS_AN_HOUR, resetExpiry } from './rules.ts'

type ResetLink = { userId: string; token: string; now: Date }

/**
 * Mails a reset link when the address has an account. Runs in the background, so that who asks can't tell from answer
 * or time whether there is one.
 */
export async function sendReset(
  db: Tx,
  { email, site, now }: { email: string; site: EmailContext; now: Date },
): Promise<void> {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  if (!account) return
  // Resets live for an hour, so the live ones are those of the last hour.
  const { live } = await db
    .selectFrom('password_resets')
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .where('user_id', '=', account.id)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (live >= MAX_RESETS_AN_HOUR) return
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: account.id,
      created_at: now,
      expires_at: resetExpiry(now),
    })
    .execute()
  await sendEmail(db, {
    to: email,
    site,
    message: {
      subject: 'Reset your password',
      paragraphs: [
        'Somebody, hopefully you, asked for a new password. The link works for one hour and once.',
        'If that was not you, you can ignore this message; your password stays as it is.',
      ],
      action: { label: 'Choose a new password', path: `/resetconfirmed/${account.id}/${token}` },
    },
  })
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
 * session. Throws `reset_invalid`, and what the password is refused for, which spends nothing.
 */
export async function resetPassword(
  context: Context,
  { password, ...link }: ResetLink & { password: string },
): Promise<void> {
  const { userId, token, now } = link
  refuseWeakPassword(password, { ...(await findReset(context.db, link)), brand: context.config.BRAND_NAME })
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
    await storePassword(db, context, { userId, passwordHash, keep: null })
  })
}

/** Replaces the password, ends all sessions but the one to `keep` and whatever else the old one opened, and tells the owner. */
export async function storePassword(
  db: Tx,
  context: Context,
  { userId, passwordHash, keep }: { userId: string; passwordHash: string; keep: string | null },
): Promise<void> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await db.deleteFrom('authentication_challenges').where('user_id', '=', userId).execute()
  await revokeSessions(db, { userId, keep })
  await tellOwner(db, context, userId, {
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${emailContext(context).brand} was changed. You are logged out everywhere else.`,
      'If that was not you, reset it at once and write to us.',
    ],
    action: { label: 'Reset your password', path: '/reset' },
  })
}
