import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** How many names of a list are shown beside its title. */
const FIRST_NAMES = 8

const names = (limit?: number) => sql<string[]>`array(
  select subreddits.name from subreddit_list_members as member
    join subreddits on subreddits.id = member.subreddit_id
  where member.list_id = subreddit_lists.id order by lower(subreddits.name)
  ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}
)`

const lists = (db: Db) =>
  db
    .selectFrom('subreddit_lists')
    .select(['id', 'user_id', 'title', 'remove_from_search'])
    .select(
      sql<number>`(select count(*) from subreddit_list_members where list_id = subreddit_lists.id)`.as(
        'count',
      ),
    )

/** Somebody’s lists by title with the first of their names, and the operators’ for everybody if wanted. */
export function listLists(db: Db, userId: string, { siteWide }: { siteWide: boolean }) {
  return lists(db)
    .select(names(FIRST_NAMES).as('subreddits'))
    .where((eb) =>
      siteWide ? eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]) : eb('user_id', '=', userId),
    )
    .orderBy(sql`user_id is null`)
    .orderBy(sql`lower(title)`)
    .execute()
}

/** One list with all its names, of this person or for everybody. */
export function findList(db: Db, userId: string, listId: string) {
  return lists(db)
    .select(names().as('subreddits'))
    .where('id', '=', listId)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .executeTakeFirst()
}
export type ListRow = NonNullable<Awaited<ReturnType<typeof findList>>>
