import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { sendEmail } from '../emails/actions.ts'
import type { EmailContext } from '../emails/present.ts'
import { requireReauthentication } from '../reauthentication/actions.ts'
import { keepRoleManager } from '../roles/actions.ts'
import { announceMove } from './email-change/actions.ts'
import { erasureDue } from './rules.ts'

export type Details = {
  firstName: string
  lastName?: string | undefined
  username: string
  redditUsername: string
  email: string
}

/**
 * Changes who a person says to be. A new address is unconfirmed: a link goes there and a notice to the old one.
 * Returns whether the address is confirmed now. Throws `profile_taken`, decided by the unique keys, and for a new
 * address `reauthentication_required`.
 */
export async function updateDetails(
  db: Tx,
  {
    userId,
    sessionId,
    details,
    site,
    now,
  }: { userId: string; sessionId: string; details: Details; site: EmailContext; now: Date },
): Promise<boolean> {
  const before = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const moved = before.email !== details.email
  if (moved) await requireReauthentication(db, { sessionId, now })
  try {
    await db
      .updateTable('users')
      .set({
        first_name: details.firstName,
        ...(details.lastName === undefined ? {} : { last_name: details.lastName }),
        username: details.username,
        reddit_username: details.redditUsername,
        email: details.email,
        ...(moved ? { email_verified_at: null } : {}),
      })
      .where('id', '=', userId)
      .execute()
  } catch (error) {
    if (violates(error, 'users_email_key') || violates(error, 'users_username'))
      throw new AppError('profile_taken')
    throw error
  }
  if (!moved) return before.email_verified_at !== null
  await announceMove(db, { userId, from: before.email, to: details.email, site, now })
  return false
}

/**
 * Hides the person at once, ends every session and promises erasure; asking again changes nothing and tells nobody.
 * Returns until when logging in takes it back. Throws `last_superadmin`: somebody must be left who can run the site.
 */
export async function requestDeletion(
  db: Tx,
  { userId, site, now }: { userId: string; site: EmailContext; now: Date },
): Promise<Date> {
  await keepRoleManager(db, userId)
  const account = await db
    .updateTable('users')
    .set((eb) => ({ deletion_requested_at: eb.fn.coalesce('deletion_requested_at', eb.val(now)) }))
    .where('id', '=', userId)
    .returning(['email', 'is_creator'])
    .executeTakeFirstOrThrow()
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  // The row of the user is locked, so who asks second finds the first request.
  const before = await db
    .selectFrom('account_deletions')
    .select('due_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (before) return before.due_at
  const dueAt = erasureDue(now)
  await db
    .insertInto('account_deletions')
    .values({ user_id: userId, requested_at: now, due_at: dueAt })
    .execute()
  await sendEmail(db, {
    to: account.email,
    site,
    message: {
      subject: 'Your account will be deleted',
      paragraphs: [
        'Your account will be deleted within 30 days. Nobody can see it any more.',
        `You can undo it before ${dueAt.toISOString().slice(0, 10)}: log in, and everything is as it was.`,
      ],
      action: { label: 'Log in to keep it', path: '/login' },
    },
  })
  if (account.is_creator) await enqueue(db, 'account.tell-buyers', { creatorId: userId })
  return dueAt
}

/**
 * Takes a deletion back because its owner logged in. Returns whether the account may be used: false once erasure has
 * started. Accounts that nobody asked to delete are left as they are.
 */
export async function undoDeletion(
  db: Tx,
  { userId, site }: { userId: string; site: EmailContext },
): Promise<boolean> {
  const request = await db
    .selectFrom('account_deletions')
    .innerJoin('users', 'users.id', 'account_deletions.user_id')
    .select(['started_at', 'email'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!request) return true
  if (request.started_at) return false
  await db.deleteFrom('account_deletions').where('user_id', '=', userId).execute()
  await db.updateTable('users').set({ deletion_requested_at: null }).where('id', '=', userId).execute()
  await sendEmail(db, {
    to: request.email,
    site,
    message: {
      subject: 'Your account stays',
      paragraphs: ['You logged in, so your account is not deleted. Everything is as it was.'],
      action: { label: 'Go to your dashboard', path: '/dashboard' },
    },
  })
  return true
}

/** From here on logging in takes nothing back; false when it just did. */
export async function beginErasure(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('account_deletions')
    .set((eb) => ({ started_at: eb.fn.coalesce('started_at', eb.val(now)) }))
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends an erasure: the account's row stays for the money records that name it, and says nothing about anybody; no
 * password opens it.
 */
export async function endErasure(
  tx: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email: `${userId}@deleted.invalid`,
      username: `deleted-${userId}`,
      first_name: 'Deleted User',
      last_name: '',
      reddit_username: '',
      password_hash: passwordHash,
      role: null,
      suspended_at: null,
      suspended_by: null,
      suspension_reason: null,
      email_verified_at: null,
      referral_code: `deleted-${userId}`,
      referred_by: null,
      shared_referral_code: null,
      age_confirmed_at: null,
      age_approved_at: null,
    })
    .where('id', '=', userId)
    .execute()
  await tx.updateTable('account_deletions').set({ erased_at: now }).where('user_id', '=', userId).execute()
}
