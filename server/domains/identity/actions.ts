import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Challenge } from '../../../contract/passkeys.ts'
import type { Role } from '../../../contract/permissions.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sweepServer } from '../../db/sweep.ts'
import { AppError, violates } from '../../errors.ts'
import { sendConfirmation } from './account/confirmation/actions.ts'
import type { Site } from './account/confirmation/present.ts'
import { findCredentials, findReferrer } from './data.ts'
import { hashPassword, refuseWeakPassword, verifyPassword } from './passwords/actions.ts'
import { type AuthenticationFactor, answerChallenge, startChallenge } from './reauthentication/actions.ts'
import { ATTEMPT_WINDOW_MS } from './reauthentication/rules.ts'
import { readableCode } from './rules.ts'
import { type NewSession, startPlainSession, startSession } from './sessions/actions.ts'
import { removeAllFactors } from './two-factor/actions.ts'
import { findFactors, isSecondFactorOn } from './two-factor/data.ts'

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
  sharedReferralCode: string | null
  now: Date
}

const REFERRAL_CODE_LENGTH = 8
const MAX_REFERRAL_CODES_TRIED = 5

/**
 * Makes an account, mails its confirmation link and logs it in (core §2.3, §5). `db` is the pool: the password is
 * hashed before the transaction. Throws `signup_taken` when e-mail or username exist, whatever their case.
 */
export async function signUp(
  db: Db,
  person: Omit<NewAccount, 'passwordHash' | 'role' | 'emailVerifiedAt' | 'referredBy'> & {
    password: string
    referralCode: string | null
    site: Site
    userAgent: string
  },
): Promise<NewSession> {
  const { password, referralCode, site, userAgent, ...account } = person
  const { email, username, now } = account
  refuseWeakPassword(password, { email, username, brand: site.brand })
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (transaction) => {
    const referrer = referralCode ? await findReferrer(transaction, referralCode) : null
    const referredBy = referrer?.id ?? null
    const userId = await createAccount(transaction, {
      ...account,
      passwordHash,
      role: null,
      emailVerifiedAt: null,
      referredBy,
    })
    await sendConfirmation(transaction, { userId, email, site, now })
    return startSession(transaction, { userId, userAgent, site, now })
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
        referral_code: readableCode(randomBytes(REFERRAL_CODE_LENGTH)),
        referred_by: account.referredBy,
        shared_referral_code: account.sharedReferralCode,
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
 * Logs in, which takes a requested deletion of the account back, or asks for the second factor that the account has.
 * Throws `login_failed`, after the same work, whether the account does not exist or the password is wrong.
 */
export async function logIn(
  context: Context,
  {
    email,
    password,
    ...session
  }: { email: string; password: string; userAgent: string; site: Site; now: Date },
): Promise<NewSession | z.input<typeof Challenge>> {
  const { db } = context
  const credentials = await findCredentials(db, email)
  const matches = await verifyPassword(credentials?.passwordHash ?? null, password)
  if (!credentials || !matches) throw new AppError('login_failed')
  const userId = credentials.id
  const plain = await db.transaction().execute((tx) => startPlainSession(tx, { userId, ...session }))
  if (plain) return plain
  return db.transaction().execute(async (transaction) => {
    if (isSecondFactorOn(await findFactors(transaction, userId)))
      return startChallenge(transaction, context, { purpose: 'login', userId, now: session.now })
    return startSession(transaction, { userId, ...session })
  })
}

/** Ends a log-in by its second factor, or by a passkey alone; throws what `answerChallenge` throws. */
export function finishLogin(
  context: Context,
  {
    challengeId,
    factor,
    ...session
  }: {
    challengeId: string
    factor: Omit<AuthenticationFactor, 'password'>
    userAgent: string
    site: Site
    now: Date
  },
): Promise<NewSession> {
  const answer = { challengeId, purpose: 'login', userId: null, factor, now: session.now } as const
  return answerChallenge(context, answer, (db, userId) => startSession(db, { userId, ...session }))
}

/** Remembers that the person said to be 18 or older; the first time counts. */
export async function confirmAge(db: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await db
    .updateTable('users')
    .set({ age_confirmed_at: now })
    .where('id', '=', userId)
    .where('age_confirmed_at', 'is', null)
    .execute()
}

/** Whether the operator vouches for the person's age: since this moment, or with null not at all. False: no such account. */
export async function setAgeApproval(
  db: Tx,
  { userId, approvedAt }: { userId: string; approvedAt: Date | null },
): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ age_approved_at: approvedAt })
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Makes an existing account a superadmin whose address the operator vouches for. Whoever held it before loses it:
 * the password is replaced, and every session, second factor and open link ends.
 */
export async function promoteToSuperadmin(
  db: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({
      role: 'superadmin',
      password_hash: passwordHash,
      email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)),
    }))
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('email_confirmations').where('user_id', '=', userId).execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
  await removeAllFactors(db, userId)
}

/** Forgets what is past use: sessions, links, challenges, answers kept for a repeated key, counted attempts. */
export async function sweep(db: Tx, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('email_confirmations').where('expires_at', '<=', now).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  await db.deleteFrom('authentication_challenges').where('expires_at', '<=', now).execute()
  const longAgo = new Date(now.getTime() - ATTEMPT_WINDOW_MS)
  await db.deleteFrom('authentication_attempts').where('made_at', '<=', longAgo).execute()
  await sweepServer(db, now)
}
