import { type RawBuilder, sql } from 'kysely'
import type { Flair, PostRequirements } from '../../../../contract/forum.ts'
import type { CANDIDATE_ORDERS } from '../../../../contract/promotion.ts'
import { todaysZone } from '../../../../contract/time-zones.ts'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, positionOf, timeAndId } from '../../../db/cursor.ts'
import { prepare } from '../../../db/prepare.ts'
import { AppError } from '../../../errors.ts'
import { isBlockedGif } from '../../media/quarantine/blocked/data.ts'
import { clashFacts } from './clashes/data.ts'
import { limitOf, type PostFacts, type Rhythm } from './rules.ts'

/** The rhythm of somebody who set none. */
const DEFAULT_QUEUE = {
  time_zone: 'UTC',
  days: [0, 1, 2, 3, 4, 5, 6],
  hours: Array.from({ length: 24 }, (_, hour) => hour),
  gap_minutes: 60,
  same_media_minutes: 0,
  paused: false,
  candidate_order: 'roundRobin' as (typeof CANDIDATE_ORDERS)[number],
  recycle_days: null as number | null,
  recycle_min_score: 0,
  remove_below: null as number | null,
  remove_after_hours: 24,
}

/** Somebody's queue, as it is set or as it is by default. */
export async function findQueue(db: Db, userId: string) {
  const row = await db
    .selectFrom('forum_queues')
    .select(['time_zone', 'days', 'hours', 'gap_minutes', 'same_media_minutes', 'paused', 'candidate_order'])
    .select(['recycle_days', 'recycle_min_score', 'remove_below', 'remove_after_hours'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // It may have been stored by a name that a browser still used.
  return row ? { ...row, time_zone: todaysZone(row.time_zone) } : DEFAULT_QUEUE
}
export type QueueRow = Awaited<ReturnType<typeof findQueue>>

/** When a queue posts. */
export const rhythmOf = ({ time_zone, days, hours, gap_minutes }: QueueRow): Rhythm => ({
  timeZone: time_zone,
  days,
  hours,
  gapMinutes: gap_minutes,
})

/** The latest time in a person's queue, past or future; null for the first post. */
export async function findLastTime(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('scheduled_posts')
    .select('up_at')
    .where('user_id', '=', userId)
    .where('state', 'in', ['scheduled', 'waiting', 'submitting', 'posted'])
    .orderBy('up_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.up_at ?? null
}

/** When somebody's other posts go up or went up, from a gap before now on, the earliest first; overdue ones left out. */
export async function listTaken(
  db: Db,
  { userId, except, gapMinutes, now }: { userId: string; except: string; gapMinutes: number; now: Date },
): Promise<Date[]> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select('up_at')
    .where('user_id', '=', userId)
    .where('id', '<>', except)
    .where(COUNTED.ahead(now))
    .where('up_at', '>', new Date(now.getTime() - gapMinutes * 60_000))
    .orderBy('up_at')
    .execute()
  return rows.map((row) => row.up_at)
}

type FactsRow = {
  name: string
  media_key: string
  media: PostFacts['media']
  submission_type: PostFacts['submissionType']
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
  same_link: Date[]
  same_anywhere: Date[]
}

/** Of a post whose item is gone for good. */
const NO_MEDIA = 'redgifs:'

/** The embed URL of the external gif that such a key stands for. */
export const embedOf = (mediaKey: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`'https://www.redgifs.com/ifr/' || substr(${mediaKey}, 9)`

/** The longest that a frequency looks back, and the most posts that are looked at. */
const MAX_TIMES = 2000

/**
 * The items that count against a limit: all on the timeline, only those that were or may have been posted, or those
 * and what is ahead: overdue items give way by themselves.
 */
const COUNTED = {
  timeline: () => sql<boolean>`state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`,
  sent: () => sql<boolean>`state in ('submitting', 'posted', 'unknown')`,
  ahead: (now: Date) => sql<boolean>`(state in ('submitting', 'posted', 'unknown')
    or (state in ('scheduled', 'waiting') and post_at > ${now}))`,
}

/** A post to be judged: by all of its limits’ posts from now on, or, with the time `at`, by those around it. */
type Judged = { subredditId: string; accountId: string | null; mediaKey: string; at?: Date }
type Counting = {
  userId: string
  counted: keyof typeof COUNTED
  sameMediaMinutes: number
  now: Date
}

/** The facts by which a person's post can break a rule of a subreddit; `except` is the item that is changed. */
export async function findFacts(
  db: Db,
  { except, ...of }: Judged & Counting & { except: string | null },
): Promise<PostFacts> {
  const [facts] = await listFacts(db, { ...of, posts: [of], except: except === null ? [] : [except] })
  if (!facts) throw new AppError('subreddit_not_found')
  return facts
}

/** The same for many posts, in their order; none of the items `except` counts. */
export async function listFacts(
  db: Db,
  of: Counting & { posts: readonly Judged[]; except: readonly string[] },
): Promise<PostFacts[]> {
  const { userId, posts, except, counted, sameMediaMinutes, now } = of
  const mine = sql`scheduled_posts where user_id = ${userId}
    and ${COUNTED[counted](now)}
    and id <> all(${except}::uuid[])`
  const around = (window: RawBuilder<unknown>) =>
    sql`up_at > given.first_at - ${window} and up_at < given.last_at + ${window}`
  const windowOf = (amount: string, unit: string) =>
    sql`coalesce(${sql.ref(amount)}, 0) * case ${sql.ref(unit)} when 'days' then interval '24 hours' else interval '1 hour' end`
  const { rows } = await sql<FactsRow>`
    select subreddits.name, reading.state, reading.submission_type, reading.flair, reading.requirements, verification_type, post_max,
      post_interval, post_unit, repost_max, repost_interval, repost_unit, given.media_key,
      case when media_id is null then case when ${isBlockedGif(embedOf(sql`given.media_key`))} then 'quarantined' else 'promotes' end else coalesce((
        select case when deleted_at is not null then 'deleted' when quarantined_at is not null then 'quarantined'
          when reddit_promotion then 'promotes' else 'private' end
        from media where id = media_id and creator_id = ${userId}), 'deleted') end as media,
      coalesce(own.status = 'done' and own.confirmed <> 'false', false) as is_verified,
      (select message from forum_closed_pairs where account_id = given.account_id and subreddit_id = subreddits.id) as closed,
      case when post_max is null then '{}' else array(
        select up_at from ${mine} and subreddit_id = subreddits.id and ${around(windowOf('subreddits.post_interval', 'subreddits.post_unit'))}
        order by up_at desc limit ${sql.lit(MAX_TIMES)}) end as there,
      case when repost_max is null then '{}' else array(
        select up_at from ${mine} and subreddit_id = subreddits.id and media_key = given.media_key
          and ${around(windowOf('subreddits.repost_interval', 'subreddits.repost_unit'))}
        order by up_at desc limit ${sql.lit(MAX_TIMES)}) end as same_there,
      case when media_id is not null or reading.requirements ->> 'link_repost_age' is null then '{}' else array(
        select up_at from ${mine} and subreddit_id = subreddits.id and media_key = given.media_key
          and ${around(sql`(reading.requirements ->> 'link_repost_age')::integer * interval '24 hours'`)}
        order by up_at desc limit ${sql.lit(MAX_TIMES)}) end as same_link,
      case when ${sameMediaMinutes}::integer = 0 then '{}' else array(
        select up_at from ${mine} and media_key = given.media_key
          and ${around(sql`${sameMediaMinutes}::integer * interval '1 minute'`)}
        order by up_at desc limit ${sql.lit(MAX_TIMES)}) end as same_anywhere
    from unnest(${posts.map(({ subredditId }) => subredditId)}::uuid[], ${posts.map(({ accountId }) => accountId)}::uuid[],
        ${posts.map(({ mediaKey }) => mediaKey)}::text[], ${posts.map(({ at }) => at ?? now)}::timestamptz[],
        ${posts.map(({ at }) => at ?? 'infinity')}::timestamptz[])
        with ordinality as given (subreddit_id, account_id, media_key, first_at, last_at, place)
      cross join lateral (select case when given.media_key like 'media:%' then substr(given.media_key, 7)::uuid end as media_id) as shown
      join subreddits on subreddits.id = given.subreddit_id
      left join subreddit_readings as reading on reading.subreddit_id = subreddits.id
      left join verifications as own on own.subreddit_id = subreddits.id and own.user_id = ${userId}
    order by given.place`.execute(db)
  return rows.map((row) => factsOf(row, sameMediaMinutes))
}

function factsOf(row: FactsRow, sameMediaMinutes: number): PostFacts {
  const limits = [
    limitOf('frequency', { max: row.post_max, interval: row.post_interval, unit: row.post_unit }, row.there),
    limitOf(
      'repost',
      { max: row.repost_max, interval: row.repost_interval, unit: row.repost_unit },
      row.same_there,
    ),
    // A link to an item of ours is another one each time, as it counts its own visits.
    row.media_key.startsWith('media:')
      ? null
      : limitOf(
          'repost',
          { max: 1, interval: row.requirements?.link_repost_age || null, unit: 'days' },
          row.same_link,
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
    media: row.media_key === NO_MEDIA ? 'deleted' : row.media,
    state: row.state ?? 'unread',
    submissionType: row.submission_type,
    verificationType: row.verification_type,
    isVerified: row.is_verified,
    closed: row.closed === null ? null : { message: row.closed },
    requirements: row.requirements,
    flair: row.flair,
    limits: limits.flatMap((limit) => (limit ? [limit] : [])),
  }
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
      'item.code',
      'item.url',
      'item.flair_id',
      'item.flair_text',
      'item.nsfw',
      'item.post_at',
      'item.state',
      'item.by_hand',
      'item.account_id',
      'item.failure',
      'item.permalink',
      'item.posted_at',
      'item.comment_state',
      'item.comment_failure',
      'item.score',
      'item.comments_count',
      'item.removed_by',
      'item.taken_down_at',
    ])
    .select(['subreddits.name as subreddit', 'account.name as account'])
    // The media of the item itself, whatever its post was given since; null if it was deleted for good.
    .select(
      sql<string>`case when item.media_key like 'redgifs:_%' then ${embedOf(sql.ref('item.media_key'))} else '' end`.as(
        'link',
      ),
    )
    .select(
      sql<
        string | null
      >`case when item.media_key like 'media:%' and (post.media_id is not null or post.link <> '')
        then substr(item.media_key, 7)::uuid end`.as('media_id'),
    )

/** One item of somebody's timeline. */
export function findItem(db: Db, userId: string, itemId: string) {
  return items(db).where('item.id', '=', itemId).where('item.user_id', '=', userId).executeTakeFirst()
}
export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>

/** One row more than the page of somebody's timeline, by time, with what each clashes with; what was canceled is left out. */
export function listItems(
  db: Db,
  userId: string,
  of: {
    page: PageRequest
    from?: string | undefined
    overdue?: boolean | undefined
    to?: string | undefined
    postId?: string | undefined
    state?: ItemRow['state'] | undefined
    sortOrder: 'asc' | 'desc'
  },
) {
  const { page, from = null, overdue = false, to = null, postId = null, state = null, sortOrder } = of
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return pageOfItems(db, {
    ...{ userId, from, overdue, to, postId, state, isRising: sortOrder === 'asc' },
    ...{ afterTime: last?.time ?? null, afterId: last?.id ?? null },
    ...{ limit: page.limit, skip: last ? 0 : (page.skip ?? 0) },
  })
}

type Listed = {
  userId: string
  from: string | null
  overdue: boolean
  to: string | null
  postId: string | null
  state: ItemRow['state'] | null
  isRising: boolean
  afterTime: string | null
  afterId: string | null
  limit: number
  skip: number
}

/** Items still to be posted. */
const isOpen = (table: string) =>
  sql<boolean>`${sql.ref(`${table}.state`)} in ('scheduled', 'waiting', 'submitting')`

/** When the first of somebody's items that are still to go up was to, at the latest `from`. */
const firstOpen = (userId: string, from: string | null) =>
  sql<Date>`least(${from}::timestamptz, (select min(post_at) from scheduled_posts as open
    where open.user_id = ${userId} and ${isOpen('open')}))`

const gapOf = (userId: string) =>
  sql<number>`coalesce((select gap_minutes from forum_queues where user_id = ${userId}), ${sql.lit(DEFAULT_QUEUE.gap_minutes)})`

const pageOfItems = prepare((db, values: Listed) => {
  const { userId, from, overdue, to, postId, state, isRising, afterTime, afterId, limit, skip } = values
  const [time, id] = [sql.ref<Date>('item.post_at'), sql.ref<string>('item.id')]
  const order = isRising ? 'asc' : 'desc'
  const isBehind = sql.raw(isRising ? '>' : '<')
  return (
    items(db)
      .select(positionOf(time, id).as('position'))
      .select(clashFacts)
      .select(gapOf(userId).as('gapMinutes'))
      .where('item.user_id', '=', userId)
      // Written out, or no plan that is kept may use the index of what isn't canceled.
      .where(sql<boolean>`item.state <> 'canceled'`)
      .$if(postId !== null, (query) => query.where('item.post_id', '=', postId ?? ''))
      .$if(state !== null, (query) => query.where('item.state', '=', state ?? 'scheduled'))
      .$if(from !== null, (query) =>
        query.where(
          'item.post_at',
          '>=',
          sql<Date>`${overdue ? firstOpen(userId, from) : from}::timestamptz`,
        ),
      )
      .$if(from !== null && overdue, (query) =>
        query.where(sql<boolean>`(item.post_at >= ${from}::timestamptz or ${isOpen('item')})`),
      )
      .$if(to !== null, (query) => query.where('item.post_at', '<', sql<Date>`${to}::timestamptz`))
      .$if(afterTime !== null, (query) =>
        query.where(sql<boolean>`(${time}, ${id}) ${isBehind} (${afterTime}::timestamptz, ${afterId}::uuid)`),
      )
      .orderBy('item.post_at', order)
      .orderBy('item.id', order)
      .limit(sql.lit(limit + 1))
      .offset(sql.lit(skip))
  )
})

/** How often each title of a post was used, or is to be. */
export async function findUses(db: Db, postId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select(({ fn }) => ['title', fn.countAll<number>().as('count')])
    .where('post_id', '=', postId)
    .where('state', '<>', 'canceled')
    .groupBy('title')
    .execute()
  return Object.fromEntries(rows.map(({ title, count }) => [title, count]))
}

/** Somebody's accounts with whether they post. */
export function listPosters(db: Db, userId: string) {
  return db
    .selectFrom('forum_accounts')
    .select(['id', 'name', 'revoked_at', 'resting_until', 'rest_reason', 'stopped_by'])
    .where('user_id', '=', userId)
    .orderBy('connected_at')
    .orderBy('id')
    .execute()
}
export type PosterRow = Awaited<ReturnType<typeof listPosters>>[number]

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
