import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, skipOf } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { blockedBy, fansOf, isPublic, knownTo, shown, visible } from '../data.ts'

/** Sorted and compared by bytes, as the index of the directory is. */
const NAME = sql<string>`lower(users.username) collate "C"`
const PLAIN_NAME = /^[a-z0-9][a-z0-9_.-]{0,59}$/
/** Three letters are the least that the index of letters can find. */
const MIN_SUBSTRING = 3

/** Somebody logged in who looks for people. */
type Searcher = PeopleAudience & { id: string }

/** One row more than the page of people by their names, without anybody hidden, or blocked by the one who looks. */
function listPeople(db: Db, audience: Searcher, page: PageRequest) {
  return (
    db
      .selectFrom('users')
      .leftJoin('profiles', 'profiles.user_id', 'users.id')
      .select([
        'users.id',
        'users.username',
        'users.is_creator',
        'profiles.profile_image',
        'users.suspended_at',
      ])
      .select(NAME.as('position'))
      // Condition of the indexes by name; `visible` checks more than this.
      .where('users.deletion_requested_at', 'is', null)
      .where(visible(audience, 'users'))
      .$if(page.cursor !== undefined, (query) => query.where(NAME, '>', nameOf(page.cursor ?? '')))
      .where((eb) =>
        eb.not(
          eb.exists(
            sql`(select from blocks where blocker_id = ${audience.id} and blocked_id = users.id offset 0)`,
          ),
        ),
      )
      .orderBy(NAME)
      .offset(skipOf(page))
      .limit(page.limit + 1)
  )
}

/**
 * People whose username contains the filter; one or two letters must be its beginning. An empty one finds everybody.
 * Who isn't everybody's to find is found by operators, by the creators whose fan they are or whom they wrote to, and by
 * a creator who types the whole name, to whom they are `private`.
 */
export async function searchPeople(
  db: Db,
  audience: Searcher,
  { filter, page }: { filter: string; page: PageRequest },
) {
  const isNamed = matching(filter)
  if (audience.reachesAll) return listPeople(db, audience, page).where(isNamed).execute()
  if (!audience.isCreator) return listPeople(db, audience, page).where(isNamed).where(isPublic()).execute()

  // Each part by an index of its own, as many rows as the whole may need of it; nobody is in two of them.
  const rows = { cursor: page.cursor, limit: skipOf(page) + page.limit }
  const part = listPeople(db, audience, rows)
  const others = part.where((eb) => eb.not(isPublic()))
  const everybodys = part.where(isPublic()).where(isNamed).select(isPrivate(false))
  const known = others.where('users.id', 'in', knownTo(audience.id)).where(isNamed).select(isPrivate(false))
  const named = others
    .where(sql`lower(users.username)`, '=', filter.toLowerCase())
    .where((eb) => eb.not(shown(audience)))
    .select(isPrivate(true))
  type Found = Awaited<ReturnType<typeof named.execute>>[number]
  return db
    .selectFrom(sql<Found>`((${everybodys}) union all (${known}) union all (${named}))`.as('found'))
    .selectAll()
    .orderBy(sql`position collate "C"`)
    .offset(skipOf(page))
    .limit(page.limit + 1)
    .execute()
}

/** A creator's followers, subscribers and buyers by their names. */
export function listFans(db: Db, creator: Searcher, { filter, page }: { filter: string; page: PageRequest }) {
  return listPeople(db, creator, page)
    .where('users.hidden_at', 'is', null)
    .where('users.id', 'in', fansOf(creator.id))
    .where(matching(filter))
    .execute()
}

const MAX_TO_FOLLOW = 6

/** The most popular creators who have something published and whom the person neither follows nor blocked. */
export function listCreatorsToFollow(db: Db, audience: Searcher) {
  return db
    .selectFrom('creator_popularity as popularity')
    .innerJoin('users', 'users.id', 'popularity.creator_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.is_creator', 'profiles.profile_image'])
    .where('users.is_creator', '=', true)
    .where('users.id', '<>', audience.id)
    .where('users.hidden_at', 'is', null)
    .where((eb) => eb.and([visible(audience, 'users'), eb.not(blockedBy(audience.id))]))
    .where(
      sql<SqlBool>`not exists (
        select from follows where follower_id = ${audience.id} and following_id = users.id offset 0
      )`,
    )
    .where(
      sql<SqlBool>`exists (
        select from media
        where creator_id = users.id and deleted_at is null and quarantined_at is null and published and not direct_only
        offset 0
      )`,
    )
    .orderBy('popularity.fans', 'desc')
    .orderBy('popularity.creator_id', 'desc')
    .limit(sql.lit(MAX_TO_FOLLOW))
    .execute()
}

const isPrivate = (is: boolean) => sql<boolean>`${sql.lit(is)}`.as('private')

/** Whether a username contains what was typed, in any case. */
function matching(filter: string): RawBuilder<SqlBool> {
  const typed = filter.toLowerCase().replace(/[\\%_]/g, '\\$&')
  if (typed === '') return sql`true`
  return filter.length < MIN_SUBSTRING
    ? sql`${NAME} like ${`${typed}%`}`
    : sql`lower(users.username) like ${`%${typed}%`}`
}

/** The name that a cursor stands for; throws `bad_cursor`. */
function nameOf(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!PLAIN_NAME.test(name)) throw new AppError('bad_cursor')
  return name
}
