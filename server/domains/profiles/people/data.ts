import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, skipOf } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Audience } from '../../../viewer.ts'
import { visible } from '../data.ts'

/** Sorted and compared by bytes, as the index of the directory is. */
const NAME = sql<string>`lower(users.username) collate "C"`
const PLAIN_NAME = /^[a-z0-9][a-z0-9_.-]{0,59}$/
/** Three letters are the least that the index of letters can find. */
const MIN_SUBSTRING = 3

/** Somebody logged in who looks for people. */
type Searcher = Audience & { id: string }

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
      // What the indexes by name hold; `visible` says more of it.
      .where('users.deletion_requested_at', 'is', null)
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

/** People whose username contains the filter; one or two letters must be its beginning. An empty one finds everybody. */
export function searchPeople(db: Db, audience: Searcher, request: { filter: string; page: PageRequest }) {
  const filter = request.filter.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const people = listPeople(db, audience, request.page).where(visible(audience, 'users'))
  if (filter === '') return people.execute()
  if (request.filter.length < MIN_SUBSTRING) return people.where(NAME, 'like', `${filter}%`).execute()
  return people.where(sql`lower(users.username)`, 'like', `%${filter}%`).execute()
}

/** A creator's followers, subscribers and buyers by their names. */
export function listFans(db: Db, creator: Searcher, page: PageRequest) {
  return listPeople(db, creator, page)
    .where('users.hidden_at', 'is', null)
    .where(
      'users.id',
      'in',
      sql<string>`(
        select follower_id from follows where following_id = ${creator.id}
        union select fan_id from subscriptions where creator_id = ${creator.id}
        union select buyer_id from purchases where creator_id = ${creator.id} and status in ('captured', 'disputed')
      )`,
    )
    .execute()
}

/** The name that a cursor stands for; throws `bad_cursor`. */
function nameOf(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!PLAIN_NAME.test(name)) throw new AppError('bad_cursor')
  return name
}
