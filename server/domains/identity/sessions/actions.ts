import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { publish } from '../../../realtime/publish.ts'
import { undoDeletion } from '../account/deletion/actions.ts'
import { hashToken } from '../data.ts'
import { sessionExpiry } from './rules.ts'

/** A session as it is handed out: the bearer token is known here only once. */
export type NewSession = { sessionId: string; token: string; deletionUndone: boolean }

type SessionStart = { userId: string; userAgent: string; now: Date }

/** A new token, and the row that is stored of it; `reauthenticated_at`, as its person has just authenticated. */
function newSession({ userId, userAgent, now }: SessionStart) {
  const token = randomBytes(32).toString('base64url')
  const row = {
    user_id: userId,
    token_hash: hashToken(token),
    created_at: now,
    last_seen_at: now,
    expires_at: sessionExpiry({ now, startedAt: now }),
    user_agent: userAgent,
    reauthenticated_at: now,
  }
  return { token, row }
}

/**
 * Begins a session in one statement for the many of whom only the password is asked, which is still this one, and whose
 * account nobody hid or asked to delete. Null, with nothing done, for everybody else.
 */
export async function startPlainSession(
  db: Tx,
  start: SessionStart & { passwordHash: string },
): Promise<NewSession | null> {
  const { token, row } = newSession(start)
  const { rows } = await sql<{ id: string }>`
    insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at, user_agent, reauthenticated_at)
    select id, ${row.token_hash}, ${row.created_at}, ${row.last_seen_at}, ${row.expires_at}, ${row.user_agent}, ${row.reauthenticated_at}
    from users
    where id = ${row.user_id} and password_hash = ${start.passwordHash} and hidden_at is null
      and not exists (select from account_deletions where user_id = users.id)
      and not exists (select from totp_secrets where user_id = users.id and confirmed_at is not null)
      and not exists (select from passkeys where user_id = users.id)
    -- Who resets the password, suspends them or asks for deletion in the same moment waits, and ends this session too.
    for share of users
    returning id`.execute(db)
  const [session] = rows
  return session ? { sessionId: session.id, token, deletionUndone: false } : null
}

/**
 * Begins a session of somebody who has just authenticated, which takes a requested deletion of the account back.
 * Throws `account_suspended`, and `login_failed` for an account whose erasure has started.
 */
export async function startSession(db: Tx, start: SessionStart): Promise<NewSession> {
  await refuseSuspended(db, start.userId)
  const deletion = await undoDeletion(db, start.userId)
  if (deletion === 'underWay') throw new AppError('login_failed')
  const { token, row } = newSession(start)
  const { id } = await db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow()
  return { sessionId: id, token, deletionUndone: deletion === 'undone' }
}

/** A suspension at the same moment waits for this row, and then ends the session that begins here. */
async function refuseSuspended(db: Tx, userId: string): Promise<void> {
  const person = await db
    .selectFrom('users')
    .select('suspended_at')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (person?.suspended_at) throw new AppError('account_suspended')
}

/** Ends one session of a person: its token and every media link bound to it open nothing from now on. Throws `not_found`. */
export async function revokeSession(
  db: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new AppError('not_found')
  await publish(db, { name: 'sessions.ended', people: [userId] })
}

/** Ends all sessions of a person but the one to `keep`; returns how many. */
export async function revokeSessions(
  db: Tx,
  { userId, keep }: { userId: string; keep: string | null },
): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep))
    .returning('id')
    .execute()
  if (ended.length > 0) await publish(db, { name: 'sessions.ended', people: [userId] })
  return ended.length
}
