import { randomBytes } from 'node:crypto'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { undoDeletion } from '../account/actions.ts'
import { hashToken } from '../data.ts'
import type { LetterSite } from '../letters/present.ts'
import { sessionExpiry } from '../rules.ts'

/** A session as it is handed out: the bearer token is known here only once. */
export type NewSession = { sessionId: string; token: string }

/**
 * Begins a session of somebody who has just proven who they are, which takes a requested deletion of the account back.
 * Throws `login_failed` for an account whose erasure has begun.
 */
export async function startSession(
  db: Db,
  { userId, userAgent, site, now }: { userId: string; userAgent: string; site: LetterSite; now: Date },
): Promise<NewSession> {
  if (!(await undoDeletion(db, { userId, site }))) throw new AppError('login_failed')
  const token = randomBytes(32).toString('base64url')
  const { id } = await db
    .insertInto('sessions')
    .values({
      user_id: userId,
      token_hash: hashToken(token),
      created_at: now,
      last_seen_at: now,
      expires_at: sessionExpiry(now),
      user_agent: userAgent,
      proven_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { sessionId: id, token }
}

/** Ends one session of a person: its token and every media link bound to it open nothing from now on. Throws `not_found`. */
export async function revokeSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new AppError('not_found')
}

/** Ends all sessions of a person but the one to `keep`; returns how many. */
export async function revokeSessions(
  db: Db,
  { userId, keep }: { userId: string; keep: string | null },
): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep))
    .returning('id')
    .execute()
  return ended.length
}
