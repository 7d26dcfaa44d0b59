import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { challengeExpiry } from '../../reauthentication/rules.ts'

type Purpose = 'login' | 'reauthenticate' | 'add-passkey'
export type Asked = { id: string; userId: string | null; passkeyChallenge: string }

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

/** A challenge that may still be answered, or null. */
export async function findChallenge(
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
