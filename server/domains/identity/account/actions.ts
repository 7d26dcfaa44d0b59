import { randomBytes } from 'node:crypto'
import type { Role } from '../../../../contract/permissions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { tell } from '../actions.ts'
import { findPendingEmail, findReferrer, findSharers } from '../data.ts'
import { hashPassword, refuseWeakPassword } from '../passwords/actions.ts'
import { readableCode } from '../rules.ts'
import { type NewSession, revokeSessions, startSession } from '../sessions/actions.ts'
import { removeAllFactors } from '../two-factor/actions.ts'
import { requestEmailChange } from './email/actions.ts'

export type NewAccount = {
  email: string
  username: string
  firstName: string
  lastName: string
  redditUsername: string
  passwordHash: string
  isCreator: boolean
  role: Role | null
  emailVerifiedAt: Date | null
  ageConfirmedAt: Date | null
  referredBy: string | null
  referredByShared: string | null
  now: Date
}

const REFERRAL_CODE_LENGTH = 8
const MAX_REFERRAL_CODES_TRIED = 5
/**
 * Makes an account, mails its confirmation link and logs it in. `db` is the pool: the password is
 * hashed before the transaction. Throws `signup_taken` when email or username exist, whatever their case.
 */
export async function signUp(
  db: Db,
  person: Omit<
    NewAccount,
    'passwordHash' | 'role' | 'emailVerifiedAt' | 'referredBy' | 'referredByShared'
  > & {
    password: string
    /** Of one person, and of several; one of them counts, a person's own before a shared one. */
    referralCode: string | null
    sharedReferralCode: string | null
    brand: string
    userAgent: string
  },
): Promise<NewSession> {
  const { password, referralCode, sharedReferralCode, brand, userAgent, ...account } = person
  const { email, username, now } = account
  refuseWeakPassword(password, { email, username, brand })
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (transaction) => {
    const referrer = referralCode ? await findReferrer(transaction, referralCode) : null
    const sharers = !referrer && sharedReferralCode ? await findSharers(transaction, sharedReferralCode) : []
    const userId = await createAccount(transaction, {
      ...account,
      passwordHash,
      role: null,
      emailVerifiedAt: null,
      referredBy: referrer?.id ?? null,
      referredByShared: sharers[0]?.codeId ?? null,
    })
    await tell(transaction, { kind: 'email.confirm', person: userId, address: email })
    return startSession(transaction, { userId, userAgent, now })
  })
}

/** Inserts an account, whose empty profile the database adds; returns its id. Throws `signup_taken`, decided by the unique keys. */
export async function createAccount(db: Tx, account: NewAccount): Promise<string> {
  for (let tried = 0; tried < MAX_REFERRAL_CODES_TRIED; tried++) {
    const userId = await insertAccount(db, account)
    if (userId) return userId
  }
  throw new Error('no free referral code was found')
}

/** A code of so many letters that people can read aloud. */
export function newReferralCode(length: number): string {
  return readableCode(randomBytes(length))
}

/** Null when the referral code happened to be taken. */
async function insertAccount(db: Tx, account: NewAccount): Promise<string | null> {
  try {
    const row = await db
      .insertInto('users')
      .values({
        email: account.email,
        username: account.username,
        first_name: account.firstName,
        last_name: account.lastName,
        reddit_username: account.redditUsername,
        password_hash: account.passwordHash,
        is_creator: account.isCreator,
        role: account.role,
        email_verified_at: account.emailVerifiedAt,
        age_confirmed_at: account.ageConfirmedAt,
        referral_code: newReferralCode(REFERRAL_CODE_LENGTH),
        referred_by: account.referredBy,
        referred_by_shared: account.referredByShared,
        created_at: account.now,
      })
      .onConflict((conflict) => conflict.column('referral_code').doNothing())
      .returning('id')
      .executeTakeFirst()
    return row?.id ?? null
  } catch (error) {
    if (violates(error, 'users_email_key') || violates(error, 'users_username'))
      throw new AppError('signup_taken')
    throw error
  }
}

/**
 * Makes an existing account a superadmin; the operator vouches for its address. The previous holder loses access: the
 * password is replaced, and every session, second factor and open link ends. A suspension is lifted as well.
 */
export async function promoteToSuperadmin(
  db: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({
      role: 'superadmin',
      suspended_at: null,
      suspended_by: null,
      suspension_reason: null,
      password_hash: passwordHash,
      email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)),
    }))
    .where('id', '=', userId)
    .execute()
  await revokeSessions(db, { userId, keep: null })
  await db.deleteFrom('email_confirmations').where('user_id', '=', userId).execute()
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await removeAllFactors(db, userId)
}

/** What is undefined stays as it is. */
export type Details = {
  firstName?: string | undefined
  lastName?: string | undefined
  username?: string | undefined
  redditUsername?: string | undefined
  email?: string | undefined
  recognizable?: boolean | undefined
}

/**
 * Changes who a person says to be. Another email address is asked for, and is the account's once its link is opened.
 * Returns whether no address waits to be confirmed. Throws `profile_taken`, decided by the unique key, and for another
 * address `reauthentication_required` and `rate_limited`.
 */
export async function updateDetails(
  db: Tx,
  { userId, sessionId, details, now }: { userId: string; sessionId: string; details: Details; now: Date },
): Promise<boolean> {
  const before = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at', 'first_name', 'username', 'reddit_username'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const pending = await findPendingEmail(db, userId)
  const { email = before.email } = details
  const moves = email !== before.email && email !== pending
  try {
    await db
      .updateTable('users')
      .set({
        first_name: details.firstName ?? before.first_name,
        ...(details.lastName === undefined ? {} : { last_name: details.lastName }),
        username: details.username ?? before.username,
        reddit_username: details.redditUsername ?? before.reddit_username,
        ...(details.recognizable === undefined ? {} : { recognizable: details.recognizable }),
      })
      .where('id', '=', userId)
      .execute()
  } catch (error) {
    if (violates(error, 'users_username')) throw new AppError('profile_taken')
    throw error
  }
  if (moves) await requestEmailChange(db, { userId, sessionId, email, now })
  return before.email_verified_at !== null && !moves && pending === null
}

/** Sets whether everybody finds somebody who creates nothing. */
export async function setDiscoverable(db: Tx, userId: string, enabled: boolean): Promise<void> {
  await db.updateTable('users').set({ discoverable: enabled }).where('id', '=', userId).execute()
}

/** Makes somebody a creator, whom everybody finds; again it changes nothing. */
export async function becomeCreator(db: Tx, userId: string): Promise<void> {
  await db.updateTable('users').set({ is_creator: true }).where('id', '=', userId).execute()
}
