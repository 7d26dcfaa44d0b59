import { type RawBuilder, sql } from 'kysely'
import {
  type CANDIDATE_ORDERS,
  OWN_REMOVALS,
  REMOVALS_TOLD,
  type WATERMARK_TYPES,
} from '../../../../../contract/promotion.ts'
import type { Db } from '../../../../db/client.ts'
import type { PageRequest } from '../../../../db/cursor.ts'
import { AppError } from '../../../../errors.ts'
import { released } from '../../../media/data.ts'
import { isBlockedGif } from '../../../media/quarantine/blocked/data.ts'

export type CandidateRow = {
  id: string
  subreddit_id: string
  subreddit: string
  titles: string[]
  link: string
  comment: string
  media_id: string | null
  watermark_type: (typeof WATERMARK_TYPES)[number]
  test_titles: boolean
  /** How often each of its titles was used, where they are compared. */
  uses: Record<string, number> | null
  /** Cents, where posts went up there. */
  expected: number | null
  posts: number
  removed: number
  position: string
}

const POSITION = /^(\d{1,6})\|([0-9a-f-]{36})$/

/** Which subreddits of a post come first; the cents are of one where nothing went up yet. */
type Order = { candidate_order: (typeof CANDIDATE_ORDERS)[number]; expected_cents: number }

/**
 * One row more than the page of candidates: the first usable subreddit of every post, the newest post first, then the
 * second of each, and so on, or those of one post, with how many there are in all. A post's subreddits are in the order they were chosen, or,
 * where the queue goes by earnings, those first that are expected to earn most; shuffled, posts and subreddits are in an
 * order of chance that stays the same.
 */
export async function listCandidates(
  db: Db,
  userId: string,
  { page, subreddit, postId = null }: { page: PageRequest; subreddit: string; postId?: string | null },
): Promise<{ rows: CandidateRow[]; count: number }> {
  const order = await findOrder(db, userId)
  const named = subreddit === '' ? null : await findNamed(db, subreddit)
  const isNamed = named === null ? sql`` : sql`and chosen.subreddit_id = any(${named}::uuid[])`
  const of = postId === null ? postsOf(userId) : sql`${postsOf(userId)} and post.id = ${postId}::uuid`
  const [counted, rows] = [
    await sql<{ count: number }>`
      select coalesce(sum(counted.count), 0)::integer as count from (select id from ${of}) as post
      cross join lateral (
        select count(*) from forum_post_subreddits as chosen
        where chosen.post_id = post.id and chosen.state = 'usable' ${isNamed}
      ) as counted`.execute(db),
    await candidatesFrom(db, { userId, of, isNamed, page, order }),
  ]
  return { rows, count: counted.rows[0]?.count ?? 0 }
}

/** The ids of posts and subreddits, and of pairs (a post’s, a space, a subreddit’s), that are no candidates. */
type LeftOut = Record<'posts' | 'subreddits' | 'pairs', Iterable<string>>

/** The first candidates of somebody that aren't left out, in their order; only those of one subreddit, where it is named. */
export async function firstCandidates(
  db: Db,
  of: { userId: string; subredditId: string | null; leftOut?: LeftOut; limit: number },
): Promise<CandidateRow[]> {
  const { userId, subredditId, leftOut = { posts: [], subreddits: [], pairs: [] }, limit } = of
  const isOne = subredditId === null ? sql`` : sql`and chosen.subreddit_id = ${subredditId}::uuid`
  return candidatesFrom(db, {
    userId,
    of: postsOf(userId),
    isNamed: sql`${isOne} and chosen.post_id <> all(${[...leftOut.posts]}::uuid[])
      and chosen.subreddit_id <> all(${[...leftOut.subreddits]}::uuid[])
      and chosen.post_id || ' ' || chosen.subreddit_id <> all(${[...leftOut.pairs]}::text[])`,
    page: { limit: limit - 1 },
    order: await findOrder(db, userId),
  })
}

/** Only posts that show something which may be: a link, or an item that promotes. */
const postsOf = (userId: string) =>
  sql`forum_posts as post where post.user_id = ${userId} and not post.hidden
    and (post.link <> '' and not ${isBlockedGif(sql`post.link`)} or exists (select from media where media.id = post.media_id and media.creator_id = post.user_id
      and media.reddit_promotion and media.deleted_at is null and ${released}))`

const findOrder = (db: Db, userId: string) =>
  db
    .selectFrom('forum_queues')
    .select(['candidate_order', 'expected_cents'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Walks the rounds from the cursor's on until the page is full; each takes one subreddit of every post. */
async function candidatesFrom(
  db: Db,
  query: {
    userId: string
    of: RawBuilder<unknown>
    isNamed: RawBuilder<unknown>
    page: PageRequest
    order: Order | undefined
  },
): Promise<CandidateRow[]> {
  const { userId, of, isNamed, page, order } = query
  const byEarnings = order?.candidate_order === 'earnings'
  const expected = byEarnings
    ? sql`left join forum_expected_earnings as expected
        on expected.user_id = ${userId} and expected.subreddit_id = chosen.subreddit_id`
    : sql``
  const cents = byEarnings ? sql`expected.cents` : sql`null::integer`
  const isShuffled = order?.candidate_order === 'shuffled'
  const rank = byEarnings
    ? sql`coalesce(cents, ${order.expected_cents}) desc, place, subreddit_id`
    : isShuffled
      ? sql`uuid_hash_extended(subreddit_id, uuid_hash_extended(post.id, 0)), subreddit_id`
      : sql`place, subreddit_id`
  // Behind one another within a round.
  const turnOf = (id: RawBuilder<unknown>) =>
    isShuffled ? sql`(uuid_hash_extended(${id}, 1), ${id})` : sql`(${id})`
  const start = positionIn(page.cursor)
  const skipped = page.cursor === undefined ? (page.skip ?? 0) : 0
  const wanted = skipped + page.limit + 1
  const found: CandidateRow[] = []
  let [round, rounds] = [start?.round ?? 0, 1]
  while (found.length < wanted) {
    const isFirst = start !== null && round === start.round
    const isBehind = isFirst
      ? sql`where ${turnOf(sql.ref('post.id'))} < ${turnOf(sql`${start.postId}::uuid`)}`
      : sql``
    // Within one round posts are read in their order, so that only those of the page are ranked.
    const inRounds = rounds === 1 ? sql`` : sql`round, `
    const { rows } = await sql<CandidateRow>`
      select candidate.*, subreddits.name as subreddit, watermark_type, round || '|' || candidate.id as position,
        latest.posts, latest.removed,
        case when test_titles then (
          select coalesce(jsonb_object_agg(title, count), '{}') from (
            select title, count(*) from scheduled_posts where post_id = candidate.id and state <> 'canceled' group by title
          ) as used) end as uses
      from (
        select post.id, titles, link, comment, media_id, test_titles, subreddit_id, cents as expected,
          ${round}::integer + number - 1 as round
        from (select id, titles, link, comment, media_id, test_titles from ${of}) as post
        cross join lateral (
          select subreddit_id, cents, row_number() over (order by ${rank}) as number from (
            select place, subreddit_id, cents from (
              select place, chosen.subreddit_id, ${cents} as cents from forum_post_subreddits as chosen ${expected}
              where chosen.post_id = post.id and chosen.state = 'usable' ${isNamed}
            ) as ranked
            order by ${rank} offset ${round} limit ${rounds}
          ) as next
        ) as numbered
        ${isBehind}
        order by ${inRounds}${turnOf(sql.ref('post.id'))} desc limit ${wanted - found.length}
      ) as candidate join subreddits on subreddits.id = subreddit_id
        cross join lateral (
          select count(*)::integer as posts, count(*) filter (where removed_by <> all(${OWN_REMOVALS}))::integer as removed from (
            select removed_by from scheduled_posts
            where user_id = ${userId} and subreddit_id = candidate.subreddit_id and state = 'posted'
            order by up_at desc limit ${sql.lit(REMOVALS_TOLD.most)}
          ) as told
        ) as latest
      order by round, ${turnOf(sql.ref('candidate.id'))} desc`.execute(db)
    found.push(...rows)
    if (rows.length === 0 && !isFirst) break
    round += rounds
    if (!isFirst) rounds *= 4
  }
  return found.slice(skipped)
}

function positionIn(cursor: string | undefined): { round: number; postId: string } | null {
  if (cursor === undefined) return null
  const [, round, postId] = POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (!round || !postId) throw new AppError('bad_cursor')
  return { round: Number(round), postId }
}

/** The ids of the subreddits whose names hold these letters. */
async function findNamed(db: Db, letters: string): Promise<string[]> {
  const part = letters
    .toLowerCase()
    .replace(/^\/?r\//, '')
    .replace(/[\\%_]/g, '\\$&')
  const rows = await db
    .selectFrom('subreddits')
    .select('id')
    .where(sql<boolean>`lower(name) like ${`%${part}%`}`)
    .execute()
  return rows.map(({ id }) => id)
}
