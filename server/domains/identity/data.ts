import { createHash } from 'node:crypto'
import { type ExpressionWrapper, sql } from 'kysely'
import { IDS_PER_PAGE } from '../../../contract/constants.ts'
import type { Db, Tables, Tx } from '../../db/client.ts'
import { prepare } from '../../db/prepare.ts'
import { subscriptionsOf } from './customers/data.ts'
import { normalReferralCode } from './rules.ts'

/** The stored form of a bearer or confirmation token: its SHA-256. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Whether this account has a second factor that counts. */
export function hasSecondFactor(userId: ExpressionWrapper<Tables, 'users', string>) {
  return sql<boolean>`(
    exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null)
    or exists (select from passkeys where user_id = ${userId})
  )`
}

/** The stored credentials of an account, or null when no account has this (lower-case) address. */
export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ id: string; passwordHash: string; isSample: boolean } | null> {
  const [row] = await readCredentials(db, { email })
  return row ?? null
}

const readCredentials = prepare((db, { email }: { email: string }) =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash', 'is_sample as isSample'])
    .where('email', '=', email),
)

/** Whether what was compared is still the account's password; who replaces it waits until the transaction ends. */
export async function isStillPassword(
  db: Tx,
  { id, passwordHash }: { id: string; passwordHash: string },
): Promise<boolean> {
  const account = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return account?.password_hash === passwordHash
}

/** The owner of this referral code, ignoring case. Hidden people refer nobody. */
export async function findReferrer(db: Db, code: string): Promise<{ id: string; username: string } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('referral_code', '=', normalReferralCode(code))
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The people who share a code, ignoring its case, in their order. Hidden people refer nobody. */
export function findSharers(
  db: Db,
  code: string,
): Promise<{ codeId: string; id: string; username: string }[]> {
  return db
    .selectFrom('shared_codes')
    .innerJoin('shared_code_participants', 'code_id', 'shared_codes.id')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['shared_codes.id as codeId', 'users.id', 'username'])
    .where('code', '=', normalReferralCode(code))
    .where('accepted_at', 'is not', null)
    .where('hidden_at', 'is', null)
    .orderBy('place')
    .execute()
}

/** The accounts that hold this address or (whatever its case) this username: none, one or two. */
export function findHolders(db: Db, { email, username }: { email: string; username: string }) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'username'])
    .where((eb) => eb.or([eb('email', '=', email), eb(sql`lower(username)`, '=', username.toLowerCase())]))
    .execute()
}

/** Whether nobody has this username, whatever its case; people who are hidden keep theirs. */
export async function isUsernameFree(db: Db, username: string): Promise<boolean> {
  const holder = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return !holder
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

/**
 * Everything that the logged-in person is told about themselves; of what they have for good the newest. What subscriptions
 * open is left to its own call: to find the newest of both costs several times the rest of this one.
 */
export async function findCurrentUser(db: Db, userId: string) {
  const [row] = await readCurrentUser(db, { userId })
  if (!row) throw new Error('the session is of nobody')
  return row
}

const readCurrentUser = prepare((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select([
      'users.id',
      'username',
      'email',
      'first_name',
      'last_name',
      'reddit_username',
      'recognizable',
      'referral_code',
    ])
    .select(['role', 'is_creator', 'email_verified_at'])
    .select(['bio', 'menu', 'limits', 'links', 'profile_image', 'profile_hero_image'])
    .select((eb) => [
      hasSecondFactor(eb.ref('users.id')).as('second_factor'),
      sql<boolean>`exists (
        select from forum_accounts where forum_accounts.user_id = users.id and revoked_at is null
      )`.as('forum_connected'),
      eb
        .selectFrom('email_changes')
        .select('email_changes.email')
        .whereRef('email_changes.user_id', '=', 'users.id')
        .where('email_changes.ended_at', 'is', null)
        .as('pending_email'),
    ])
    .select(
      sql<string[]>`array(
        select media_id from unlocked_media where user_id = ${userId}
          and not exists (select from media where id = media_id and quarantined_at is not null offset 0)
        order by granted_at desc, media_id desc limit ${sql.lit(IDS_PER_PAGE)}
      )`.as('unlocked_media'),
    )
    .select(subscriptionsOf(userId).as('subscriptions'))
    .where('users.id', '=', userId),
)
