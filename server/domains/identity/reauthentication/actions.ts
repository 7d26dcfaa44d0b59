import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Challenge } from '../../../../contract/passkeys.ts'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { verifyPassword } from '../passwords/actions.ts'
import { takeRecoveryCode } from '../two-factor/actions.ts'
import { type Factors, findFactors, isSecondFactorOn } from '../two-factor/data.ts'
import { type Assertion, findPasskeyOwner, takePasskey } from '../two-factor/passkeys/actions.ts'
import { knownTransports, relyingParty } from '../two-factor/passkeys/rules.ts'
import { takeTotp } from '../two-factor/totp/actions.ts'
import { ATTEMPT_WINDOW_MS, challengeExpiry, isFresh, MAX_ATTEMPTS } from './rules.ts'

/** How somebody proves who they are: exactly one of these. */
export type AuthenticationFactor = {
  password?: string | undefined
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: Assertion | undefined
}

type Purpose = 'login' | 'reauthenticate' | 'add-passkey'
type Asked = { id: string; userId: string | null; passkeyChallenge: string }

const TIMEOUT_MS = 5 * 60 * 1000

/** Remembers that an answer is waited for; `userId` is null while only a passkey can say who it is. */
export async function openChallenge(
  db: Tx,
  { purpose, userId, now }: { purpose: Purpose; userId: string | null; now: Date },
): Promise<Asked> {
  const passkeyChallenge = randomBytes(32).toString('base64url')
  const { id } = await db
    .insertInto('authentication_challenges')
    .values({
      purpose,
      user_id: userId,
      passkey_challenge: passkeyChallenge,
      created_at: now,
      expires_at: challengeExpiry(now),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, userId, passkeyChallenge }
}

/** Asks for one of the account's second factors, or for its password when it has none. */
export async function startChallenge(
  db: Tx,
  context: Context,
  ask: { purpose: 'login' | 'reauthenticate'; userId: string | null; now: Date },
): Promise<z.input<typeof Challenge>> {
  const factors = ask.userId ? await findFactors(db, ask.userId) : null
  const { id, passkeyChallenge } = await openChallenge(db, ask)
  const passkeys = factors?.passkeys ?? []
  const methods = factors ? methodsOf(factors) : (['passkey'] as const)
  return {
    challengeId: id,
    methods: [...methods],
    passkey: (methods as readonly string[]).includes('passkey')
      ? {
          challenge: passkeyChallenge,
          rpId: relyingParty(context.publicUrl, '').id,
          timeout: TIMEOUT_MS,
          allowCredentials: passkeys.map(({ credential_id, transports }) => ({
            id: credential_id,
            type: 'public-key',
            transports: knownTransports(transports),
          })),
          userVerification: ask.userId ? 'preferred' : 'required',
        }
      : null,
  }
}

function methodsOf(factors: Factors): z.input<typeof Challenge>['methods'] {
  if (!isSecondFactorOn(factors)) return ['password']
  return [
    ...(factors.totpSince ? (['totp'] as const) : []),
    ...(factors.passkeys.length ? (['passkey'] as const) : []),
    ...(factors.recoveryCodesLeft ? (['recovery'] as const) : []),
  ]
}

/**
 * Takes the answer to a challenge and does what it opens in the same transaction. `userId` is who acts, or null at a
 * log-in. Throws `challenge_expired`, `rate_limited`, and why the factor was refused; a refused one is counted.
 */
export async function answerChallenge<T>(
  context: Context,
  answer: {
    challengeId: string
    purpose: 'login' | 'reauthenticate'
    userId: string | null
    factor: AuthenticationFactor
    now: Date
  },
  then: (tx: Tx, userId: string) => Promise<T>,
): Promise<T> {
  const { challengeId, purpose, factor, now } = answer
  onlyOne(factor)
  const asked = await findChallenge(context.db, { id: challengeId, purpose, now })
  if (!asked || (answer.userId && asked.userId !== answer.userId)) throw new AppError('challenge_expired')
  const userId =
    asked.userId ?? (factor.passkey ? await findPasskeyOwner(context.db, factor.passkey.id) : null)
  if (!userId) throw new AppError('passkey_refused')
  return countAttempt(context.db, { userId, now }, async () => {
    await checkPassword(context.db, userId, factor)
    return context.db.transaction().execute(async (db) => {
      await closeChallenge(db, { ...asked, purpose, now })
      await verifyFactor(db, context, { userId, factor, asked, now })
      return then(db, userId)
    })
  })
}

/** Proves by password or code in the call that needs it, and does what that opens in the same transaction. */
export async function verifyInPassing<T>(
  context: Context,
  { userId, factor, now }: { userId: string; factor: Omit<AuthenticationFactor, 'passkey'>; now: Date },
  then: (tx: Tx) => Promise<T>,
): Promise<T> {
  onlyOne(factor)
  return countAttempt(context.db, { userId, now }, async () => {
    await checkPassword(context.db, userId, factor)
    return context.db.transaction().execute(async (db) => {
      await verifyFactor(db, context, { userId, factor, asked: null, now })
      return then(db)
    })
  })
}

/** Ends a challenge, whose answer counts once; throws `challenge_expired`. Returns what the passkey had to sign. */
export async function closeChallenge(
  db: Tx,
  { id, purpose, userId, now }: { id: string; purpose: Purpose; userId: string | null; now: Date },
): Promise<string> {
  const closed = await db
    .deleteFrom('authentication_challenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', now)
    .returning('passkey_challenge')
    .executeTakeFirst()
  if (!closed) throw new AppError('challenge_expired')
  return closed.passkey_challenge
}

/** Notes that this session has just proven who its person is. */
export async function markProven(
  db: Tx,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<void> {
  await db.updateTable('sessions').set({ reauthenticated_at: now }).where('id', '=', sessionId).execute()
}

/** Throws `reauthentication_required` unless this session proved who its person is within 10 minutes (ASVS 5.0, 7.5.1). */
export async function requireReauthentication(
  db: Db,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<void> {
  const session = await db
    .selectFrom('sessions')
    .select('reauthenticated_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (!isFresh(session?.reauthenticated_at ?? null, now)) throw new AppError('reauthentication_required')
}

/**
 * Whether the password alone proves who somebody is: they have no second factor. With one, throws `reauthentication_required`
 * unless this session proved it within 10 minutes.
 */
export async function isPasswordEnough(
  db: Db,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<boolean> {
  if (!isSecondFactorOn(await findFactors(db, userId))) return true
  await requireReauthentication(db, { sessionId, now })
  return false
}

/**
 * Counts an attempt before it is made, so that parallel guesses count as well, and gives it back when it succeeds.
 * Throws `rate_limited` after 5 wrong ones of the account in 10 minutes. `db` is the pool.
 */
export async function countAttempt<T>(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  attempt: () => Promise<T>,
): Promise<T> {
  const since = new Date(now.getTime() - ATTEMPT_WINDOW_MS)
  const id = await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const made = await transaction
      .selectFrom('authentication_attempts')
      .select('made_at')
      .where('user_id', '=', userId)
      .where('made_at', '>', since)
      .orderBy('made_at')
      .execute()
    const [oldest] = made
    if (oldest && made.length >= MAX_ATTEMPTS) {
      const waitMs = oldest.made_at.getTime() - since.getTime()
      throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
    }
    const row = await transaction
      .insertInto('authentication_attempts')
      .values({ user_id: userId, made_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  const result = await attempt()
  await db
    .transaction()
    .execute((tx) => tx.deleteFrom('authentication_attempts').where('id', '=', id).execute())
  return result
}

async function findChallenge(
  db: Db,
  { id, purpose, now }: { id: string; purpose: Purpose; now: Date },
): Promise<Asked | null> {
  const row = await db
    .selectFrom('authentication_challenges')
    .select(['user_id', 'passkey_challenge'])
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? { id, userId: row.user_id, passkeyChallenge: row.passkey_challenge } : null
}

/** Outside of every transaction, because hashing takes long. With a second factor on, the password is not enough. */
async function checkPassword(db: Db, userId: string, { password }: AuthenticationFactor): Promise<void> {
  if (password === undefined) return
  if (isSecondFactorOn(await findFactors(db, userId))) throw new AppError('reauthentication_required')
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(password_hash, password)))
    throw new AppError('password_wrong', { details: { password: 'This is not your password.' } })
}

async function verifyFactor(
  db: Tx,
  context: Context,
  {
    userId,
    factor,
    asked,
    now,
  }: { userId: string; factor: AuthenticationFactor; asked: Asked | null; now: Date },
): Promise<void> {
  const { code, recoveryCode, passkey } = factor
  if (code !== undefined) await takeTotp(db, context, { userId, code, now })
  if (recoveryCode !== undefined) await takeRecoveryCode(db, context, { userId, code: recoveryCode })
  if (passkey && asked) {
    await takePasskey(db, {
      userId,
      passkey,
      challenge: asked.passkeyChallenge,
      alone: asked.userId === null,
      site: relyingParty(context.publicUrl, context.config.BRAND_NAME),
      now,
    })
  }
}

function onlyOne(factor: AuthenticationFactor): void {
  const given = Object.values(factor).filter((value) => value !== undefined)
  if (given.length !== 1) throw new AppError('invalid_input', { details: { code: 'Enter one code.' } })
}
