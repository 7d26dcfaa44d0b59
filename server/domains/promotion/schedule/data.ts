import { type RawBuilder, sql } from 'kysely'
import type { Flair, PostRequirements } from '../../../../contract/forum.ts'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, positionOf, timeAndId } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import { limitOf, type PostFacts, type Rhythm } from './rules.ts'

/** The rhythm of somebody who set none. */
const DEFAULT_QUEUE = {
  time_zone: 'UTC',
  days: [0, 1, 2, 3, 4, 5, 6],
  hours: Array.from({ length: 24 }, (_, hour) => hour),
  gap_minutes: 60,
  same_media_minutes: 0,
  paused: false,
}

export async function findQueue(db: Db, userId: string) {
  const row = await db
    .selectFrom('forum_queues')
    .select(['time_zone', 'days', 'hours', 'gap_minutes', 'same_media_minutes', 'paused'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? DEFAULT_QUEUE
}
export type QueueRow = Awaited<ReturnType<typeof findQueue>>

export const rhythmOf = ({ time_zone, days, hours, gap_minutes }: QueueRow): Rhythm => ({
  timeZone: time_zone,
  days,
  hours,
  gapMinutes: gap_minutes,
})

/** When the last post of somebody's queue goes up, or went up; null for nobody's first. */
export async function findLastTime(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('scheduled_posts')
    .select('post_at')
    .where('user_id', '=', userId)
    .where('state', 'in', ['scheduled', 'waiting', 'submitting', 'posted'])
    .orderBy('post_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.post_at ?? null
}

type FactsRow = {
  name: string
  state: PostFacts['state'] | null
  flair: Flair[] | null
  requirements: PostRequirements | null
  verification_type: PostFacts['verificationType']
  post_max: number | null
  post_interval: number | null
  post_unit: 'hours' | 'days' | null
  repost_max: number | null
  repost_interval: number | null
  repost_unit: 'hours' | 'days' | null
  is_verified: boolean
  closed: string | null
  there: Date[]
  same_there: Date[]
  same_anywhere: Date[]
}

/** The longest that a frequency looks back, and the most posts that are looked at. */
const MAX_TIMES = 2000

/** What counts against a limit: all that is on the timeline, or only what went up, or may have. */
const COUNTED = {
  timeline: ['scheduled', 'waiting', 'submitting', 'posted', 'unknown'],
  sent: ['submitting', 'posted', 'unknown'],
}

/** What a post of somebody can break in a subreddit; `except` is the item that is changed. */
export async function findFacts(
  db: Db,
  of: {
    userId: string
    subredditId: string
    accountId: string | null
    mediaKey: string
    except: string | null
    counted: keyof typeof COUNTED
    sameMediaMinutes: number
    now: Date
  },
): Promise<PostFacts> {
  const { userId, subredditId, accountId, mediaKey, except, counted, sameMediaMinutes, now } = of
  const mine = sql`scheduled_posts where user_id = ${userId}
    and state in (${sql.join(COUNTED[counted].map((state) => sql.lit(state)))})
    and id is distinct from ${except}::uuid`
  const times = sql`coalesce(posted_at, post_at)`
  const since = (amount: string, unit: string) =>
    sql`post_at > ${now}::timestamptz - coalesce(${sql.ref(amount)}, 0) * case ${sql.ref(unit)} when 'days' then interval '1 day' else interval '1 hour' end - interval '1 day'`
  const { rows } = await sql<FactsRow>`
    select subreddits.name, reading.state, reading.flair, reading.requirements, verification_type, post_max,
      post_interval, post_unit, repost_max, repost_interval, repost_unit,
      coalesce(own.status = 'done' and own.confirmed <> 'false', false) as is_verified,
      (select message from forum_closed_pairs where account_id = ${accountId}::uuid and subreddit_id = subreddits.id) as closed,
      case when post_max is null then '{}' else array(
        select ${times} from ${mine} and subreddit_id = ${subredditId} and ${since('subreddits.post_interval', 'subreddits.post_unit')}
        order by post_at desc limit ${sql.lit(MAX_TIMES)}) end as there,
      case when repost_max is null then '{}' else array(
        select ${times} from ${mine} and subreddit_id = ${subredditId} and media_key = ${mediaKey}
          and ${since('subreddits.repost_interval', 'subreddits.repost_unit')}
        order by post_at desc limit ${sql.lit(MAX_TIMES)}) end as same_there,
      case when ${sameMediaMinutes}::integer = 0 then '{}' else array(
        select ${times} from ${mine} and media_key = ${mediaKey}
          and post_at > ${now}::timestamptz - ${sameMediaMinutes}::integer * interval '1 minute' - interval '1 day'
        order by post_at desc limit ${sql.lit(MAX_TIMES)}) end as same_anywhere
    from subreddits
      left join subreddit_readings as reading on reading.subreddit_id = subreddits.id
      left join verifications as own on own.subreddit_id = subreddits.id and own.user_id = ${userId}
    where subreddits.id = ${subredditId}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('subreddit_not_found')
  const limits = [
    limitOf('frequency', { max: row.post_max, interval: row.post_interval, unit: row.post_unit }, row.there),
    limitOf(
      'repost',
      { max: row.repost_max, interval: row.repost_interval, unit: row.repost_unit },
      row.same_there,
    ),
    sameMediaMinutes === 0
      ? null
      : {
          rule: 'same-media' as const,
          max: 1,
          windowMs: sameMediaMinutes * 60_000,
          times: row.same_anywhere,
        },
  ]
  return {
    subreddit: row.name,
    state: row.state ?? 'unread',
    verificationType: row.verification_type,
    isVerified: row.is_verified,
    closed: row.closed === null ? null : { message: row.closed },
    requirements: row.requirements,
    flair: row.flair,
    limits: limits.flatMap((limit) => (limit ? [limit] : [])),
  }
}

export type CandidateRow = {
  id: string
  subreddit: string
  titles: string[]
  link: string
  comment: string
  media_id: string | null
  position: string
}

const POSITION = /^(\d{1,6})\|([0-9a-f-]{36})$/

/**
 * One row more than the page of candidates: the first usable subreddit of every post, the newest post first, then the
 * second of each, and so on, with how many there are in all.
 */
export async function listCandidates(
  db: Db,
  userId: string,
  { page, subreddit }: { page: PageRequest; subreddit: string },
): Promise<{ rows: CandidateRow[]; count: number }> {
  const named = subreddit === '' ? null : await findNamed(db, subreddit)
  const isNamed = named === null ? sql`` : sql`and chosen.subreddit_id = any(${named}::uuid[])`
  const of = sql`forum_posts as post where post.user_id = ${userId} and not post.hidden`
  const [counted, rows] = [
    await sql<{ count: number }>`
      select coalesce(sum(counted.count), 0)::integer as count from (select id from ${of}) as post
      cross join lateral (
        select count(*) from forum_post_subreddits as chosen
        where chosen.post_id = post.id and chosen.state = 'usable' ${isNamed}
      ) as counted`.execute(db),
    await candidatesFrom(db, { of, isNamed, page }),
  ]
  return { rows, count: counted.rows[0]?.count ?? 0 }
}

/** Walks the rounds from the cursor's on until the page is full; each takes one subreddit of every post. */
async function candidatesFrom(
  db: Db,
  { of, isNamed, page }: { of: RawBuilder<unknown>; isNamed: RawBuilder<unknown>; page: PageRequest },
): Promise<CandidateRow[]> {
  const start = positionIn(page.cursor)
  const skipped = page.cursor === undefined ? (page.skip ?? 0) : 0
  const wanted = skipped + page.limit + 1
  const found: CandidateRow[] = []
  let [round, rounds] = [start?.round ?? 0, 1]
  while (found.length < wanted) {
    const isBehind =
      start && found.length === 0
        ? sql`where round > ${start.round} or candidate.id < ${start.postId}`
        : sql``
    const { rows } = await sql<CandidateRow>`
      select candidate.id, subreddits.name as subreddit, titles, link, comment, media_id,
        round || '|' || candidate.id as position
      from (
        select post.id, titles, link, comment, media_id, subreddit_id, ${round}::integer + number - 1 as round
        from (select id, titles, link, comment, media_id from ${of}) as post
        cross join lateral (
          select subreddit_id, row_number() over (order by place, subreddit_id) as number from (
            select place, subreddit_id from forum_post_subreddits as chosen
            where chosen.post_id = post.id and chosen.state = 'usable' ${isNamed}
            order by place, subreddit_id offset ${round} limit ${rounds}
          ) as next
        ) as numbered
      ) as candidate join subreddits on subreddits.id = subreddit_id
      ${isBehind}
      order by round, candidate.id desc limit ${wanted - found.length}`.execute(db)
    found.push(...rows)
    const isFirst = start !== null && round === start.round
    if (rows.length === 0 && !isFirst) break
    round += rounds
    rounds *= 4
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

const items = (db: Db) =>
  db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .innerJoin('forum_posts as post', 'post.id', 'item.post_id')
    .leftJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .select([
      'item.id',
      'item.post_id',
      'item.title',
      'item.comment',
      'item.url',
      'item.flair_id',
      'item.flair_text',
      'item.post_at',
      'item.state',
      'item.by_hand',
      'item.account_id',
      'item.failure',
      'item.permalink',
      'item.posted_at',
      'item.comment_state',
      'item.score',
      'item.comments_count',
      'item.removed_by',
    ])
    .select(['subreddits.name as subreddit', 'post.link', 'post.media_id', 'account.name as account'])

/** One item of somebody's timeline. */
export function findItem(db: Db, userId: string, itemId: string) {
  return items(db).where('item.id', '=', itemId).where('item.user_id', '=', userId).executeTakeFirst()
}
export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>

/** One row more than the page of somebody's timeline, by time; what was canceled is left out. */
export function listItems(
  db: Db,
  userId: string,
  of: {
    page: PageRequest
    from?: string | undefined
    to?: string | undefined
    state?: ItemRow['state'] | undefined
    sortOrder: 'asc' | 'desc'
  },
) {
  const [time, id] = [sql.ref<Date>('item.post_at'), sql.ref<string>('item.id')]
  const { page, from, to, state, sortOrder } = of
  const isBehind = sql.raw(sortOrder === 'asc' ? '>' : '<')
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return items(db)
    .select(positionOf(time, id).as('position'))
    .where('item.user_id', '=', userId)
    .where('item.state', '<>', 'canceled')
    .$if(state !== undefined, (query) => query.where('item.state', '=', state ?? 'scheduled'))
    .$if(from !== undefined, (query) => query.where('item.post_at', '>=', sql<Date>`${from}::timestamptz`))
    .$if(to !== undefined, (query) => query.where('item.post_at', '<', sql<Date>`${to}::timestamptz`))
    .$if(last !== null, (query) =>
      query.where(sql<boolean>`(${time}, ${id}) ${isBehind} (${last?.time}::timestamptz, ${last?.id}::uuid)`),
    )
    .orderBy('item.post_at', sortOrder)
    .orderBy('item.id', sortOrder)
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}

/** Somebody's accounts with whether they post. */
export function listPosters(db: Db, userId: string) {
  return db
    .selectFrom('forum_accounts')
    .select(['id', 'name', 'revoked_at', 'resting_until', 'stopped_by'])
    .where('user_id', '=', userId)
    .orderBy('connected_at')
    .orderBy('id')
    .execute()
}

/** How many posts wait on somebody's timeline. */
export async function countScheduled(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('scheduled_posts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['scheduled', 'waiting', 'submitting', 'unknown'])
    .executeTakeFirstOrThrow()
  return count
}
