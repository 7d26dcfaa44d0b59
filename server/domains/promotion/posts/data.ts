import { sql } from 'kysely'
import { MAX_SUBREDDITS_NAMED } from '../../../../contract/promotion.ts'
import type { Db } from '../../../db/client.ts'
import {
  after,
  type PageRequest,
  positionOf,
  rankAndId,
  rankPositionOf,
  timeAndId,
} from '../../../db/cursor.ts'

type State = 'usable' | 'discarded' | 'scheduled' | 'posted'

/** How many subreddits of each kind are named; null names them all. */
type Named = number | null

const first = (named: Named) => (named === null ? sql`` : sql`limit ${sql.lit(named)}`)

const chosen = (state: Exclude<State, 'posted'>, named: Named) => sql<string[]>`array(
  select subreddits.name from forum_post_subreddits as chosen join subreddits on subreddits.id = chosen.subreddit_id
  where chosen.post_id = forum_posts.id and chosen.state = ${sql.lit(state)}
  order by chosen.place, lower(subreddits.name) ${first(named)}
)`

const posted = (named: Named) => sql<{ subreddit: string; postedTime: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('subreddit', name, 'postedTime',
    to_char(posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by posted_at desc), '[]')
  from (
    select subreddits.name, chosen.posted_at
    from forum_post_subreddits as chosen join subreddits on subreddits.id = chosen.subreddit_id
    where chosen.post_id = forum_posts.id and chosen.state = 'posted'
    order by chosen.posted_at desc ${first(named)}
  ) as latest
)`

const posts = (db: Db, named: Named) =>
  db
    .selectFrom('forum_posts')
    .select(['id', 'user_id', 'titles', 'test_titles', 'link', 'comment', 'media_id', 'offer_id'])
    .select(['nsfw', 'hidden', 'created_at'])
    .select([
      chosen('usable', named).as('usable'),
      chosen('discarded', named).as('discarded'),
      chosen('scheduled', named).as('scheduled'),
      posted(named).as('posted'),
      countOf('usable').as('usable_count'),
      countOf('scheduled').as('scheduled_count'),
      countOf('posted').as('posted_count'),
    ])

/** One post of this person with its subreddits in the order they were chosen. */
export function findPost(db: Db, userId: string, postId: string) {
  return posts(db, null).where('id', '=', postId).where('user_id', '=', userId).executeTakeFirst()
}
export type PostRow = NonNullable<Awaited<ReturnType<typeof findPost>>>

/** The first subreddits of each of these posts, by the post’s id. */
export async function findFirstSubreddits(db: Db, postIds: readonly string[]) {
  const rows = await db
    .selectFrom('forum_posts')
    .select([
      'id',
      chosen('usable', MAX_SUBREDDITS_NAMED).as('usable'),
      chosen('scheduled', MAX_SUBREDDITS_NAMED).as('scheduled'),
      posted(MAX_SUBREDDITS_NAMED).as('posted'),
    ])
    .where('id', '=', sql<string>`any(${postIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const countOf = (state: State) => sql<number>`(
  select count(*) from forum_post_subreddits where post_id = forum_posts.id and state = ${sql.lit(state)}
)::integer`

const RANKS = { usableSubredditsCount: countOf('usable'), postedSubredditsCount: countOf('posted') }

/** One row more than the page of somebody’s posts, hidden ones or the others, with the first of their subreddits. */
export function listPosts(
  db: Db,
  userId: string,
  of: {
    page: PageRequest
    hidden: boolean
    sortBy: 'createdAt' | keyof typeof RANKS
    sortOrder: 'asc' | 'desc'
  },
) {
  const { page, hidden, sortBy, sortOrder } = of
  const { cursor } = page
  const [createdAt, id] = [sql.ref<Date>('forum_posts.created_at'), sql.ref<string>('forum_posts.id')]
  const direction = sql.raw(sortOrder)
  const rank = sortBy === 'createdAt' ? null : RANKS[sortBy]
  const position = rank ? rankPositionOf(sql<string>`${rank}`, id) : positionOf(createdAt, id)
  return posts(db, MAX_SUBREDDITS_NAMED)
    .select(position.as('position'))
    .where('user_id', '=', userId)
    .where('hidden', '=', hidden)
    .$if(cursor !== undefined, (query) =>
      query.where(isBehind(cursor ?? '', { rank, sortOrder, createdAt, id })),
    )
    .orderBy(rank ? sql`${rank} ${direction}` : sql`created_at ${direction}`)
    .orderBy(sql`id ${direction}`)
    .limit(page.limit + 1)
    .offset(cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}

function isBehind(
  cursor: string,
  of: {
    rank: ReturnType<typeof countOf> | null
    sortOrder: 'asc' | 'desc'
    createdAt: ReturnType<typeof sql.ref<Date>>
    id: ReturnType<typeof sql.ref<string>>
  },
) {
  const { rank, sortOrder, createdAt, id } = of
  if (!rank && sortOrder === 'desc') return after(cursor, createdAt, id)
  const sign = sql.raw(sortOrder === 'desc' ? '<' : '>')
  if (!rank) {
    const last = timeAndId(cursor)
    return sql<boolean>`(${createdAt}, ${id}) ${sign} (${last.time}::timestamptz, ${last.id}::uuid)`
  }
  const last = rankAndId(cursor)
  return sql<boolean>`(${rank}, ${id}) ${sign} (${last.rank}::numeric, ${last.id}::uuid)`
}

/** One row more than the page of where a picture or link went up, the latest first. */
export function listPostings(
  db: Db,
  { userId, mediaKey, page }: { userId: string; mediaKey: string; page: PageRequest },
) {
  const [time, id] = [sql.ref<Date>('item.up_at'), sql.ref<string>('item.id')]
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .leftJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .select(['item.id', 'item.post_id', 'item.title', 'item.post_at', 'item.posted_at', 'item.score'])
    .select(['item.removed_by', 'item.taken_down_at', 'item.permalink'])
    .select(['subreddits.name as subreddit', 'account.name as account'])
    .select(positionOf(time, id).as('position'))
    .where('item.user_id', '=', userId)
    .where('item.media_key', '=', mediaKey)
    .where('item.state', '=', 'posted')
    .$if(last !== null, (query) =>
      query.where(sql<boolean>`(${time}, ${id}) < (${last?.time}::timestamptz, ${last?.id}::uuid)`),
    )
    .orderBy('item.up_at', 'desc')
    .orderBy('item.id', 'desc')
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}
