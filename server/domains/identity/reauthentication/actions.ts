import type { z } from 'zod'
import type { Challenge } from '../../../../contract/passkeys.ts'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { verifyPassword } from '../passwords/actions.ts'
import { takeRecoveryCode } from '../two-factor/actions.ts'
import { type Asked, closeChallenge, findChallenge, openChallenge } from '../two-factor/challenges/actions.ts'
import { type Factors, findFactors, isSecondFactorOn } from '../two-factor/data.ts'
import { type Assertion, findPasskeyOwner, takePasskey } from '../two-factor/passkeys/actions.ts'
import { knownTransports, relyingParty } from '../two-factor/rules.ts'
import { takeTotp } from '../two-factor/totp/actions.ts'
import { ATTEMPT_WINDOW_MS, type AttemptSource, isFresh, MAX_ATTEMPTS } from './rules.ts'

/** How somebody proves who they are: exactly one of these. */
export type AuthenticationFactor = {
  password?: string | undefined
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: Assertion | undefined
}

const TIMEOUT_MS = 5 * 60 * 1000

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
 * login. Throws `challenge_expired`, `rate_limited`, and why the factor was refused; a refused one is counted.
 */
export async function answerChallenge<T>(
  context: Context,
  answer: {
    challengeId: string
    purpose: 'login' | 'reauthenticate'
    userId: string | null
    factor: AuthenticationFactor
    /** For a login: the id of this device if the owner of that address logged in on it before. */
    knownDevice?: (email: string) => string | null
    now: Date
  },
  then: (db: Tx, userId: string) => Promise<T>,
): Promise<T> {
  const { challengeId, purpose, factor, now } = answer
  onlyOne(factor)
  const asked = await findChallenge(context.db, { id: challengeId, purpose, now })
  if (!asked || (answer.userId && asked.userId !== answer.userId)) throw new AppError('challenge_expired')
  const userId =
    asked.userId ?? (factor.passkey ? await findPasskeyOwner(context.db, factor.passkey.id) : null)
  if (!userId) throw new AppError('passkey_refused')
  const attempt = async () => {
    await checkPassword(context.db, userId, factor)
    return context.db.transaction().execute(async (db) => {
      await closeChallenge(db, { ...asked, purpose, now })
      await verifyFactor(db, context, { userId, factor, asked, now })
      return then(db, userId)
    })
  }
  // Nobody guesses a signature, so guesses of other factors don't keep a passkey out.
  if (factor.passkey) return attempt()
  return countAttempt(
    context.db,
    { userId, source: await attemptSource(context.db, userId, answer), now },
    attempt,
  )
}

/**
 * Login attempts are counted apart from those of logged-in people, and those of a known device apart from all others.
 */
async function attemptSource(
  db: Db,
  userId: string,
  { purpose, knownDevice }: { purpose: string; knownDevice?: (email: string) => string | null },
): Promise<AttemptSource> {
  if (purpose !== 'login') return 'session'
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const device = knownDevice?.(email)
  return device ? `device ${device}` : 'unknown'
}

/** Notes that the person of this session has just re-authenticated. */
export async function markReauthenticated(
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
 * Throws `rate_limited` after 5 wrong ones from one source in 10 minutes: somebody who guesses elsewhere keeps no known
 * device and nobody who is logged in from trying. `db` is the pool.
 */
export async function countAttempt<T>(
  db: Db,
  { userId, source, now }: { userId: string; source: AttemptSource; now: Date },
  attempt: () => Promise<T>,
): Promise<T> {
  const since = new Date(now.getTime() - ATTEMPT_WINDOW_MS)
  const id = await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const made = await transaction
      .selectFrom('authentication_attempts')
      .select('made_at')
      .where('user_id', '=', userId)
      .where('source', '=', source)
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
      .values({ user_id: userId, source, made_at: now })
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
    throw new AppError('password_wrong', { details: { password: 'Incorrect password.' } })
}

async function verifyFactor(
  db: Tx,
  context: Context,
  { userId, factor, asked, now }: { userId: string; factor: AuthenticationFactor; asked: Asked; now: Date },
): Promise<void> {
  const { code, recoveryCode, passkey } = factor
  if (code !== undefined) await takeTotp(db, context, { userId, code, now })
  if (recoveryCode !== undefined) await takeRecoveryCode(db, context, { userId, code: recoveryCode })
  if (passkey) {
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
