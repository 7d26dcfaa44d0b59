import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { MAX_FOLLOWERS_COUNTED } from '../../../contract/constants.ts'
import type { Db } from '../../db/client.ts'
import type { Audience, PeopleAudience } from '../../viewer.ts'
import { customersOf } from '../identity/customers/data.ts'

/**
 * Whether the viewer can reach the person `alias` (a row of `users`), who has blocked neither them nor their place.
 * Everyone can reach themselves, and operators with `people.viewAll` everyone. `offset 0` makes each check a probe of an
 * index for the rows at hand.
 */
export function reachable(
  { id, reachesAll, place }: Audience,
  alias: 'creator' | 'users' = 'creator',
): RawBuilder<SqlBool> {
  if (reachesAll) return sql<SqlBool>`true`
  const person = sql.ref(`${alias}.id`)
  const unblocked =
    id === null
      ? sql`true`
      : sql`not exists (select from blocks where blocker_id = ${person} and blocked_id = ${id} offset 0)`
  if (!place.country) return sql<SqlBool>`(${unblocked})`
  const own = id === null ? sql`false` : sql`${person} = ${id}`
  return sql<SqlBool>`(${unblocked} and (${own} or not exists (
    select from geo_blocks where creator_id = ${person} and country = ${place.country}
      and region in ('', ${place.region ?? ''}) offset 0
  )))`
}

/**
 * Whether the viewer may see the profile of the person `alias`: not hidden, and reachable. Operators who reach everybody also
 * find who is suspended, so that they can look into it; who wants to be deleted is gone for all.
 */
export function visible(audience: Audience, alias: 'creator' | 'users' = 'creator'): RawBuilder<SqlBool> {
  const hidden = sql.ref(`${alias}.${audience.reachesAll ? 'deletion_requested_at' : 'hidden_at'}`)
  return sql<SqlBool>`(${hidden} is null and ${reachable(audience, alias)})`
}

/** Whether everybody may find the person `alias`: who creates, and who said so (docs/product.md, Who finds whom). */
export function isPublic(alias: 'creator' | 'users' = 'users'): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(`${alias}.is_creator`)} or ${sql.ref(`${alias}.discoverable`)})`
}

/** The ids of a creator's followers, subscribers and buyers; somebody who is several of them comes several times. */
export function fansOf(creatorId: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`(
    select follower_id as id from follows where following_id = ${creatorId}
    union all ${customersOf(creatorId)}
  )`
}

/** The ids of whose profile a creator sees: their fans, and who wrote to them. */
export function knownTo(creatorId: string): RawBuilder<string> {
  return sql<string>`(
    select id from ${fansOf(creatorId)} as fan
    union all select user_id from conversation_members where other_id = ${creatorId} and wrote
  )`
}

/**
 * Whether the profile of the row of `users` is shown to this audience: it is visible, and everybody's, or the own one,
 * or the creator who looks knows them. `offset 0` keeps each a probe of an index for the rows at hand.
 */
export function shown(audience: PeopleAudience): RawBuilder<SqlBool> {
  const { id, isCreator, reachesAll } = audience
  if (reachesAll) return visible(audience, 'users')
  const own = id === null ? sql`false` : sql`users.id = ${id}`
  const known =
    id !== null && isCreator
      ? sql`exists (select from ${knownTo(id)} as known where known.id = users.id offset 0)`
      : sql`false`
  return sql<SqlBool>`(${visible(audience, 'users')} and (${isPublic()} or ${own} or ${known}))`
}

/** Whether this person (null: a visitor) blocked the one of the row of `alias`. */
export function blockedBy(id: string | null, alias: 'creator' | 'users' = 'users'): RawBuilder<SqlBool> {
  return id === null
    ? sql<SqlBool>`false`
    : sql<SqlBool>`exists (select from blocks where blocker_id = ${id} and blocked_id = ${sql.ref(`${alias}.id`)} offset 0)`
}

/** Whether one person blocked another. */
export async function hasBlocked(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('blocker_id')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the viewer may see this person and what they sell: oneself, or neither hidden nor out of reach. */
export async function isReachable(db: Db, personId: string, audience: Audience): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', personId)
    .where((eb) => eb.or([eb('users.id', '=', audience.id), visible(audience, 'users')]))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this person's profile is shown to the audience. */
export async function isShown(db: Db, personId: string, audience: PeopleAudience): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', personId)
    .where(shown(audience))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A person's profile by id or by username (whatever its case), and whether the viewer blocked them; null when there is
 * none for this audience.
 */
export async function findProfile(
  db: Db,
  by: { id: string } | { username: string },
  audience: PeopleAudience,
) {
  const row = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'username', 'first_name', 'is_creator'])
    .select(['bio', 'menu', 'limits', 'links', 'profile_image', 'profile_hero_image'])
    // Set only where `visible` lets operators find somebody suspended.
    .select(['suspended_at', 'suspension_reason'])
    .select(blockedBy(audience.id).as('blocked'))
    .where((eb) =>
      'id' in by ? eb('users.id', '=', by.id) : eb(sql`lower(username)`, '=', by.username.toLowerCase()),
    )
    .where(shown(audience))
    .executeTakeFirst()
  return row ?? null
}

/** How many photos and videos a profile shows, locked ones included, what is sold there, and how many follow. */
export function countShown(db: Db, creatorId: string) {
  return db
    .selectFrom('media')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('type', '=', 'image').as('photoCount'),
      eb.fn.countAll<number>().filterWhere('type', '=', 'video').as('videoCount'),
      eb.fn.countAll<number>().filterWhere('show_in_store', '=', true).as('singleCount'),
    ])
    .select([
      sql<number>`(
        select count(*) from subscription_plans
        where creator_id = ${creatorId} and deleted_at is null and retired_at is null
      )`.as('subscriptionCount'),
      sql<number>`(
        select count(*) from bundles
        where creator_id = ${creatorId} and deleted_at is null and retired_at is null
      )`.as('bundleCount'),
    ])
    .select(
      sql<number>`(
        select count(*) from (
          select from follows where following_id = ${creatorId} limit ${sql.lit(MAX_FOLLOWERS_COUNTED)}
        ) as counted
      )`.as('followerCount'),
    )
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .where('quarantined_at', 'is', null)
    .where((eb) => eb.and([eb.not('direct_only'), eb('published', '=', true)]))
    .executeTakeFirstOrThrow()
}

/** Whether this creator's media that aren't free carry the name of the person who views them. */
export async function wantsWatermark(db: Db, creatorId: string): Promise<boolean> {
  const { watermark } = await db
    .selectFrom('profiles')
    .select('watermark')
    .where('user_id', '=', creatorId)
    .executeTakeFirstOrThrow()
  return watermark
}

/** Whether this person wants to be found by everybody; creators are in any case. */
export async function isDiscoverable(db: Db, userId: string): Promise<boolean> {
  const { discoverable } = await db
    .selectFrom('users')
    .select('discoverable')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return discoverable
}

/** The most addresses that one sitemap may hold (sitemaps.org). */
const PAGE_SIZE = 50_000

/** Creators that everybody may find, in the order of the partial index `users_public_creators`. */
const publicCreators = sql`
  users where is_creator and hidden_at is null and email_verified_at is not null
`

/** The first creator of each page of the sitemap. */
export async function listSitemapPages(db: Db, pageSize = PAGE_SIZE): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id, row_number() over (order by id) - 1 as place from ${publicCreators}) numbered
    where place % ${pageSize} = 0 order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** The usernames of the page that begins with this creator. Who keeps some place out is in no list for all places. */
export async function listSitemapCreators(db: Db, firstId: string, pageSize = PAGE_SIZE): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select username from (select id, username from ${publicCreators} and id >= ${firstId} order by id limit ${pageSize}) page
    where not exists (select from geo_blocks where creator_id = page.id offset 0) order by id
  `.execute(db)
  return rows.map(({ username }) => username)
}
