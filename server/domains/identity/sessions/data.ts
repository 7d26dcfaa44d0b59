import { sql } from 'kysely'
import { OPERATOR_ROLES } from '../../../../contract/permissions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { prepareTogether } from '../../../db/together.ts'
import type { Viewer } from '../../../viewer.ts'
import { hashToken, hasSecondFactor } from '../data.ts'
import { isFresh } from '../reauthentication/rules.ts'
import { isExtensionDue, sessionExpiry } from './rules.ts'

/** The person whose live session this bearer token is, or null. Being seen moves the session's end on. */
export async function findViewer(db: Db, token: string, now: Date): Promise<Viewer | null> {
  const [row] = await readSession(db, { hash: hashToken(token).toString('hex') })
  if (!row || row.expires_at <= now) return null
  if (isExtensionDue(row.last_seen_at, now)) {
    await db.transaction().execute((tx) => extendSession(tx, row, now))
  }
  return {
    id: row.id,
    sessionId: row.sessionId,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified_at !== null,
    isCreator: row.is_creator,
    role: row.role,
    ageConfirmed: row.age_confirmed_at !== null,
    ageApproved: row.age_approved_at !== null,
    secondFactor: row.secondFactor === true,
    reauthenticated: isFresh(row.reauthenticated_at, now),
  }
}

async function extendSession(db: Tx, row: SessionRow, now: Date): Promise<void> {
  const expires_at = sessionExpiry({ now, startedAt: row.created_at })
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at })
    .where('id', '=', row.sessionId)
    .where('last_seen_at', '=', row.last_seen_at)
    .execute()
}

/** Whether the session with this id has not ended. */
export async function isSessionLive(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const row = await liveSessions(db, now).where('sessions.id', '=', sessionId).executeTakeFirst()
  return row !== undefined
}

/** Of the sessions with these ids those that have not ended. */
export async function findLiveSessions(db: Db, sessionIds: string[], now: Date): Promise<Set<string>> {
  const rows = await liveSessions(db, now)
    .where('sessions.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const liveSessions = (db: Db, now: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('expires_at', '>', now)
    .where('users.hidden_at', 'is', null)

type SessionRow = Awaited<ReturnType<typeof readSession>>[number]

/** The session of this token’s hash in hexadecimal, whether it is over or not. */
const readSession = prepareTogether({ hash: 'text' }, (db, { hash }: { hash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as sessionId',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.created_at',
      'sessions.reauthenticated_at',
      'users.id',
      'users.username',
      'users.email',
      'users.email_verified_at',
      'users.is_creator',
      'users.role',
      'users.age_confirmed_at',
      'users.age_approved_at',
    ])
    .select((eb) =>
      // Asked for operators only, so that nobody else’s calls pay for it.
      eb
        .and([eb('users.role', 'in', OPERATOR_ROLES), hasSecondFactor(eb.ref('users.id'))])
        .as('secondFactor'),
    )
    // Suspended and deleted accounts have no session, no matter what started it.
    .where('users.hidden_at', 'is', null)
    .where('sessions.token_hash', '=', sql<Buffer>`decode(${hash}, 'hex')`),
)

/** More than this are not shown: nobody reads them, and all but the own one can be ended at once. */
const MAX_LISTED = 100

/** The live sessions of a person, the one that asks first, then the last seen. */
export function listSessions(
  db: Db,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
) {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy((eb) => eb('id', '=', sessionId), 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
}
