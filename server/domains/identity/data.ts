import { createHash } from 'node:crypto'
import { type ExpressionWrapper, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/client.ts'
import { prepare } from '../../db/prepare.ts'
import type { Viewer } from '../../viewer.ts'
import { isFresh } from './reauthentication/rules.ts'
import { isExtensionDue, normalReferralCode, sessionExpiry } from './rules.ts'

/** How many unlocked items the current user carries; the rest is read page by page where it is shown. */
const MAX_UNLOCKED_MEDIA = 1000

/** What is stored of a bearer or confirmation token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The person whose live session this bearer token is, or null. Being seen moves the session's end on (decisions §3). */
export async function findViewer(db: Tx, token: string, now: Date): Promise<Viewer | null> {
  const row = await findSession(db, hashToken(token).toString('hex'))
  if (!row || row.expires_at <= now) return null
  if (isExtensionDue(row.last_seen_at, now)) {
    await db
      .updateTable('sessions')
      .set({ last_seen_at: now, expires_at: sessionExpiry(now) })
      .where('id', '=', row.sessionId)
      .where('last_seen_at', '=', row.last_seen_at)
      .execute()
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

/** Whether the session with this id has not ended. */
export async function isSessionLive(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', '=', sessionId)
    .where('expires_at', '>', now)
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

type SessionRow = Awaited<ReturnType<typeof readSessions>>[number]
type Lookup = PromiseWithResolvers<SessionRow | null> & { hash: string }

const lookupsOf = new WeakMap<Db, Lookup[]>()

/** Calls that arrive in one turn of the event loop ask for their sessions together; nothing is kept for a later one. */
function findSession(db: Db, hash: string): Promise<SessionRow | null> {
  const lookup = { hash, ...Promise.withResolvers<SessionRow | null>() }
  const waiting = lookupsOf.get(db)
  if (waiting) waiting.push(lookup)
  else {
    lookupsOf.set(db, [lookup])
    setImmediate(() => answerLookups(db))
  }
  return lookup.promise
}

async function answerLookups(db: Db): Promise<void> {
  const lookups = lookupsOf.get(db) ?? []
  lookupsOf.delete(db)
  try {
    const hashes = [...new Set(lookups.map(({ hash }) => hash))]
    // Few lengths of the list are few statements; the first fills it up.
    const length = 2 ** Math.ceil(Math.log2(hashes.length))
    const rows = await readSessions(db, {
      hashes: Array.from({ length }, (_, at) => hashes[at] ?? hashes[0] ?? ''),
    })
    const byHash = new Map(rows.map((row) => [row.hash, row]))
    for (const { hash, resolve } of lookups) resolve(byHash.get(hash) ?? null)
  } catch (error) {
    for (const { reject } of lookups) reject(error)
  }
}

/** The sessions of these tokens' hashes in hexadecimal, whether they are over or not. */
const readSessions = prepare((db, { hashes }: { hashes: string[] }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(sql<string>`encode(sessions.token_hash, 'hex')`.as('hash'))
    .select([
      'sessions.id as sessionId',
      'sessions.last_seen_at',
      'sessions.expires_at',
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
      eb.and([eb('users.role', 'is not', null), hasSecondFactor(eb.ref('users.id'))]).as('secondFactor'),
    )
    // Whoever is suspended, or left, has no session, whatever began one.
    .where('users.hidden_at', 'is', null)
    // A list of single values: of an array the database would plan each call anew.
    .where(
      'sessions.token_hash',
      'in',
      hashes.map((hash) => sql<Buffer>`decode(${hash}, 'hex')`),
    ),
)

/** Whether this account has a second factor that counts. */
function hasSecondFactor(userId: ExpressionWrapper<Tables, 'users', string>) {
  return sql<boolean>`(
    exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null)
    or exists (select from passkeys where user_id = ${userId})
  )`
}

/** What logging in compares with, or null when no account has this (lower-case) address. */
export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ id: string; passwordHash: string } | null> {
  const [row] = await readCredentials(db, { email })
  return row ?? null
}

const readCredentials = prepare((db, { email }: { email: string }) =>
  db.selectFrom('users').select(['id', 'password_hash as passwordHash']).where('email', '=', email),
)

/** Whose referral code this is, whatever its case; people who are hidden refer nobody. */
export async function findReferrer(db: Db, code: string): Promise<{ id: string; username: string } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('referral_code', '=', normalReferralCode(code))
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The accounts that hold this address or (whatever its case) this username: none, one or two. */
export function findHolders(db: Db, { email, username }: { email: string; username: string }) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'username'])
    .where((eb) => eb.or([eb('email', '=', email), eb(sql`lower(username)`, '=', username.toLowerCase())]))
    .execute()
}

/** Everything that the logged-in person is told about themselves. */
export async function findCurrentUser(db: Db, userId: string) {
  const account = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .selectAll('users')
    .select(['bio', 'menu', 'limits', 'links', 'profile_image', 'profile_hero_image'])
    .select((eb) => hasSecondFactor(eb.ref('users.id')).as('second_factor'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const unlocked = await db
    .selectFrom('entitlement_media')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_media.entitlement_id')
    .select('media_id')
    .where('entitlement_media.user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('entitlement_media.granted_at', 'desc')
    .orderBy('media_id', 'desc')
    .limit(MAX_UNLOCKED_MEDIA)
    .execute()
  const subscriptions = await db
    .selectFrom('subscriptions')
    .select(['plan_id', 'status', 'current_period_end'])
    .where('fan_id', '=', userId)
    .where('status', 'in', ['trialing', 'active', 'past_due'])
    .orderBy('created_at')
    .execute()
  return { account, unlockedMedia: unlocked.map((row) => row.media_id), subscriptions }
}
