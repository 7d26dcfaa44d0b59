import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { listPostings } from '../posts/data.ts'
import { findFacts, findLastTime, listFacts, listItems, listTaken } from './data.ts'

const [PEOPLE, SUBREDDITS, EACH] = [5, 50, 20_000]
/** Far fewer than one person's posts in one subreddit. */
const MOST_ROWS = 200
let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>
let last: { sql: string; parameters: readonly unknown[] } | undefined

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: createPool(database.url, { max: 1, onError: () => {}, answerTimeoutMs: 0 }),
    }),
    log: ({ query }) => {
      if (!query.sql.startsWith('explain')) last = { sql: query.sql, parameters: query.parameters }
    },
  })
  await sql`set statement_timeout = 0`.execute(db)
  await sql`
    insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select 'many' || n || '@example.test', 'many' || n, 'M', 'm', 'x', true, 'm' || n, now()
    from generate_series(1, ${PEOPLE}::int) n`.execute(db)
  await sql`
    insert into subreddits (name, created_at, post_max, post_interval, post_unit, repost_max, repost_interval, repost_unit)
    select 'Garden' || n, now(), 1, 1, 'days', 1, 30, 'days' from generate_series(1, ${SUBREDDITS}::int) n`.execute(
    db,
  )
  await sql`
    insert into forum_posts (user_id, titles, link, comment, created_at)
    select id, array['A lake'], 'https://www.redgifs.com/ifr/lake', '', now() from users`.execute(db)
  // An hour apart, and each went up a week late.
  await sql`
    insert into scheduled_posts (user_id, post_id, subreddit_id, title, url, media_key, post_at, posted_at, state, created_at)
    select post.user_id, post.id, place.id, 'A lake', link, 'redgifs:lake' || n % 500, at - interval '7 days', at, 'posted', at
    from forum_posts post, generate_series(1, ${EACH}::int) n
      join (select id, row_number() over (order by id) - 1 as place from subreddits) as place on place.place = n % ${SUBREDDITS}::int,
      lateral (select now() - n * interval '1 hour' as at) as moment`.execute(db)
  await sql`vacuum analyze`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** How the statement that was run last reads scheduled posts, as the database says when it runs it again. */
async function readOfLast() {
  const { sql: text, parameters } = last ?? { sql: '', parameters: [] }
  const whole = sql.raw<never>(text.replace(/\$(\d+)/g, (_, at) => literal(parameters[Number(at) - 1])))
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: Plan }]
  }>`explain (analyze, format json) ${whole}`.execute(db)
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  const posts = nodesOf(plan.Plan).filter((node) => node['Relation Name'] === 'scheduled_posts')
  return {
    nodes: posts.length,
    scanned: posts.filter((node) => node['Node Type'] === 'Seq Scan').length,
    rows: posts.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'`
  // Of no type of its own, as a parameter is.
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(literal).join(', ')}]`
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}

test('what a post can break, the end of the queue and what is around it are read by an index, whatever was posted', async () => {
  const one = await db
    .selectFrom('scheduled_posts')
    .select(['user_id', 'subreddit_id', 'media_key'])
    .executeTakeFirstOrThrow()
  const { user_id: userId, subreddit_id: subredditId, media_key: mediaKey } = one
  const now = new Date()
  for (const counted of ['timeline', 'sent', 'ahead'] as const) {
    const { limits } = await findFacts(db, {
      ...{ userId, subredditId, mediaKey, accountId: null, except: null },
      ...{ counted, sameMediaMinutes: 60 * 24 * 30, now },
    })
    expect(limits).toHaveLength(3)
    const { nodes, scanned, rows } = await readOfLast()
    expect([nodes > 0, scanned, rows < MOST_ROWS], `${counted}: ${rows} rows`).toEqual([true, 0, true])
  }
  const listings = [
    () => findLastTime(db, userId),
    () => listTaken(db, { userId, except: userId, gapMinutes: 60 * 24, now }),
    () => listPostings(db, { userId, mediaKey, page: { limit: 15 } }),
  ]
  for (const list of listings) {
    await list()
    const { nodes, scanned, rows } = await readOfLast()
    expect([nodes > 0, scanned, rows < MOST_ROWS], `${list}: ${rows} rows`).toEqual([true, 0, true])
  }
})

test('the facts of many posts that move are read by an index, each by what lies around its next time', async () => {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select(['user_id', 'subreddit_id', 'media_key', 'up_at'])
    .orderBy('user_id')
    .orderBy('up_at')
    .limit(10)
    .execute()
  const [{ user_id: userId } = { user_id: '' }] = rows
  const posts = rows.map(({ subreddit_id: subredditId, media_key: mediaKey, up_at: at }) => ({
    ...{ subredditId, mediaKey, accountId: null, at },
  }))
  const facts = await listFacts(db, {
    ...{ userId, posts, except: [], counted: 'timeline', sameMediaMinutes: 60 * 24, now: new Date() },
  })
  expect(facts).toHaveLength(10)
  const { nodes, scanned, rows: read } = await readOfLast()
  expect([nodes > 0, scanned, read < MOST_ROWS], `${read} rows`).toEqual([true, 0, true])
})

test('of a page’s posts only others are read that can break how often their subreddits may be posted in', async () => {
  const { user_id: userId } = await db
    .selectFrom('scheduled_posts')
    .select('user_id')
    .executeTakeFirstOrThrow()
  await db.updateTable('subreddits').set({ post_max: 100 }).execute()
  // A minute from each other, beside all that was posted before.
  await sql`
    insert into scheduled_posts (user_id, post_id, subreddit_id, title, url, media_key, post_at, state, created_at)
    select ${userId}::uuid, post.id, place.id, 'A lake', link, 'redgifs:lake', now() + place.n * interval '1 minute', 'scheduled', now()
    from forum_posts post, (select id, row_number() over (order by id) as n from subreddits limit 10) as place
    where post.user_id = ${userId}::uuid`.execute(db)
  const page = { limit: 10 }
  const items = await listItems(db, userId, { page, state: 'scheduled', sortOrder: 'asc' })
  expect(items).toHaveLength(10)
  const { nodes, scanned, rows } = await readOfLast()
  expect([nodes > 0, scanned, rows < MOST_ROWS], `${rows} rows`).toEqual([true, 0, true])
})
