import { createHash } from 'node:crypto'
import { type ExpressionWrapper, sql } from 'kysely'
import type { Db, Tables } from '../../db/client.ts'
import { prepare } from '../../db/prepare.ts'
import { normalReferralCode } from './rules.ts'

/** How many unlocked items the current user carries; the rest is read page by page where it is shown. */
const MAX_UNLOCKED_MEDIA = 1000

/** What is stored of a bearer or confirmation token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Whether this account has a second factor that counts. */
export function hasSecondFactor(userId: ExpressionWrapper<Tables, 'users', string>) {
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

/** The address that an account asked for and whose link was not opened yet, or null. */
export async function findPendingEmail(db: Db, userId: string): Promise<string | null> {
  const change = await db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return change?.email ?? null
}

/** Everything that the logged-in person is told about themselves. */
export async function findCurrentUser(db: Db, userId: string) {
  const account = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .selectAll('users')
    .select(['bio', 'menu', 'limits', 'links', 'profile_image', 'profile_hero_image'])
    .select((eb) => [
      hasSecondFactor(eb.ref('users.id')).as('second_factor'),
      eb
        .selectFrom('email_changes')
        .select('email_changes.email')
        .whereRef('email_changes.user_id', '=', 'users.id')
        .where('email_changes.ended_at', 'is', null)
        .as('pending_email'),
    ])
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
