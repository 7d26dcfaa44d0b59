import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf } from '../../../db/cursor.ts'

const chosen = (state: 'usable' | 'discarded') => sql<string[]>`array(
  select subreddits.name from forum_post_subreddits as chosen join subreddits on subreddits.id = chosen.subreddit_id
  where chosen.post_id = forum_posts.id and chosen.state = ${sql.lit(state)}
  order by chosen.place, lower(subreddits.name)
)`

/** One post of this person with its subreddits in the order they were chosen. */
export function findPost(db: Db, userId: string, postId: string) {
  return db
    .selectFrom('forum_posts')
    .select(['id', 'titles', 'link', 'comment'])
    .select([chosen('usable').as('usable'), chosen('discarded').as('discarded')])
    .where('id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
export type PostRow = NonNullable<Awaited<ReturnType<typeof findPost>>>

/** One row more than the page of somebody’s posts, the newest first. */
export function listPosts(db: Db, userId: string, page: PageRequest) {
  const [createdAt, id] = [sql.ref<Date>('forum_posts.created_at'), sql.ref<string>('forum_posts.id')]
  return db
    .selectFrom('forum_posts')
    .select(['id', 'titles', 'link', 'created_at'])
    .select(
      sql<number>`(
        select count(*) from forum_post_subreddits where post_id = forum_posts.id and state = 'usable'
      )`.as('usable_count'),
    )
    .select(positionOf(createdAt, id).as('position'))
    .where('user_id', '=', userId)
    .$if(page.cursor !== undefined, (query) => query.where(after(page.cursor ?? '', createdAt, id)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}
