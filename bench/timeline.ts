import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'
import { compare, heading, line } from './feeds/measure.ts'

const ITEMS = Number(process.env.BENCH_ITEMS ?? 1_000_000)
const POSTS = 500
const SUBREDDITS = 400
/** Items of each creator, a year of them. */
const EACH = 10_000
const LIMIT_MS = 100

/**
 * A creator's year on the timeline among 1,000,000 items, and what of it is to come, each with its clashes, against a bare
 * server that runs the same query alone; and the time for a page of candidates of 500 posts in 400 subreddits, the first and a deep one. Prints ratios and milliseconds.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 20 })
pool.on('error', () => {})
await fill()
const userId = (await pool.query("select id from users where username = 'creator1'")).rows[0].id
const headers = await browserHeaders(server.address, await logIn(pool, userId))

const nearest = (isSo: string) => {
  const others = `from scheduled_posts other where ${isSo} and other.id <> item.id
    and other.state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`
  return `case when item.state in ('scheduled', 'waiting') then extract(epoch from least(
    (select other.up_at - item.post_at ${others} and other.up_at >= item.post_at order by other.up_at limit 1),
    (select item.post_at - other.up_at ${others} and other.up_at < item.post_at order by other.up_at desc limit 1)))::float8 * 1000 end`
}
const ROWS = `select item.id, item.post_id, item.title, item.comment, item.code, item.url, item.flair_id, item.flair_text, item.nsfw,
    item.post_at, item.state, item.by_hand, item.account_id, item.failure, item.permalink, item.posted_at, item.comment_state,
    item.comment_failure, item.score, item.comments_count, item.removed_by, item.taken_down_at, s.name as subreddit, account.name as account,
    case when item.media_key like 'redgifs:_%' then 'https://www.redgifs.com/ifr/' || substr(item.media_key, 9) else '' end as link,
    case when item.media_key like 'media:%' and (post.media_id is not null or post.link <> '') then substr(item.media_key, 7)::uuid end as media_id,
    ${nearest('other.user_id = item.user_id and other.media_key = item.media_key and other.subreddit_id = item.subreddit_id')} as same_picture_ms,
    ${nearest('other.account_id = item.account_id')} as account_ms,
    coalesce((select gap_minutes from forum_queues where user_id = $1), 0) as gap_minutes
  from scheduled_posts item join subreddits s on s.id = item.subreddit_id join forum_posts post on post.id = item.post_id
    left join forum_accounts account on account.id = item.account_id
  where item.user_id = $1 and item.state <> 'canceled'`
const YEAR = new Date(Date.now() - 365 * 86_400_000).toISOString()
const NOW = new Date().toISOString()
const lists = [
  {
    name: 'what is to come, with its clashes',
    query: `?limit=60&from=${NOW}`,
    text: `${ROWS} and item.post_at >= $2 order by item.post_at, item.id limit 61`,
    values: [userId, NOW],
  },
  {
    name: 'a year from its begin',
    query: `?limit=60&from=${YEAR}`,
    text: `${ROWS} and item.post_at >= $2 order by item.post_at, item.id limit 61`,
    values: [userId, YEAR],
  },
  {
    name: 'failed, the latest first',
    query: '?limit=60&state=failed&sortOrder=desc',
    text: `${ROWS} and item.state = 'failed' order by item.post_at desc, item.id desc limit 61`,
    values: [userId],
  },
]
const bare = fastify()
for (const [index, { text, values }] of lists.entries())
  bare.get(`/${index}`, async () => {
    const { rows } = await pool.query({ name: `list ${index}`, text, values })
    return { items: rows.slice(0, 60), hasMore: rows.length > 60 }
  })
await bare.listen({ port: 0, host: '127.0.0.1' })

process.stdout.write(heading)
for (const [index, { name, query }] of lists.entries()) {
  const url = `${server.address}/api/reddit/timeline${query}`
  const compared = { name, bare: `${bare.listeningOrigin}/${index}`, fanfare: { url, headers }, target: 0.5 }
  process.stdout.write(line(await compare(compared)))
}
for (const [name, query, order] of [
  ['candidates, the first page', '', 'roundRobin'],
  ['candidates, in round 200', `&cursor=${await deepCursor()}`, 'roundRobin'],
  ['shuffled candidates, in round 200', `&cursor=${await deepCursor()}`, 'shuffled'],
  ['candidates of one subreddit', '&subreddit=Garden77', 'roundRobin'],
  ['candidates by earnings, the first page', '', 'earnings'],
  ['candidates by earnings, in round 200', `&cursor=${await deepCursor()}`, 'earnings'],
] as const) {
  await pool.query('update forum_queues set candidate_order = $1 where user_id = $2', [order, userId])
  const median = await medianOf(`${server.address}/api/reddit/scheduleposts?limit=5${query}`)
  const verdict = median <= LIMIT_MS ? 'ok' : 'ABOVE'
  process.stdout.write(`${name.padEnd(40)} ${median.toFixed(1)} ms, at most ${LIMIT_MS}  ${verdict}\n`)
}

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

async function deepCursor(): Promise<string> {
  const { rows } = await pool.query(
    'select id from forum_posts where user_id = $1 order by id limit 1 offset 250',
    [userId],
  )
  return Buffer.from(`200|${rows[0].id}`).toString('base64url')
}

/** Milliseconds of one call after the other. */
async function medianOf(url: string): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < 25; call++) {
    const start = performance.now()
    const answer = await fetch(url, { headers })
    const { items } = (await answer.json()) as { items: unknown[] }
    if (!answer.ok || items.length === 0) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - start)
  }
  return times.sort((one, other) => one - other)[12] ?? 0
}

async function fill(): Promise<void> {
  await pool.query('set session_replication_role = replica')
  await pool.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
     select 'c' || n || '@example.test', 'creator' || n, 'Creator', 'creator' || n, 'x', true, 'c' || n, now(), now()
     from generate_series(1, $1::int) n`,
    [Math.ceil(ITEMS / EACH)],
  )
  await pool.query(
    `insert into forum_accounts (user_id, forum_id, name, connected_at, revoked_at)
     select id, username, username, now(), now() from users where is_creator`,
  )
  await pool.query(
    `insert into subreddits (name, subscribers, verification_type, tag_ids, created_at)
     select 'Garden' || n, n * 100, 'other', '{}', now() from generate_series(1, $1::int) n`,
    [SUBREDDITS],
  )
  await pool.query(
    `insert into forum_posts (user_id, titles, link, comment, created_at)
     select users.id, array['A quiet lake', 'The lake at dawn'], 'https://www.redgifs.com/ifr/lake' || n, '', now() - n * interval '1 minute'
     from users, generate_series(1, $1::int) n where username = 'creator1' or n <= 25`,
    [POSTS],
  )
  await pool.query(
    `insert into forum_post_subreddits (post_id, subreddit_id, state, place)
     select post.id, s.id, 'usable', s.subscribers / 100 from forum_posts post join users on users.id = post.user_id, subreddits s
     where username = 'creator1'`,
  )
  await pool.query(
    `insert into scheduled_posts (user_id, account_id, post_id, subreddit_id, title, url, media_key, post_at, state, by_hand, posted_at, created_at)
     select users.id, account.id, post.id, s.id, 'A quiet lake', post.link, post.link, at, case when at > now() then 'scheduled'
         when item % 50 = 0 then 'failed' else 'posted' end, at <= now(), case when at <= now() then at end, now()
     from users join forum_accounts as account on account.user_id = users.id cross join generate_series(1, $1::int) item
       cross join lateral (select now() - interval '330 days' + item * interval '52 minutes' as at) as time
       join (select id, user_id, link, row_number() over (partition by user_id order by id) as n from forum_posts) as post
         on post.user_id = users.id and post.n = 1 + item % 25
       join (select id, row_number() over (order by id) as n from subreddits) as s on s.n = 1 + item / 25 % $2`,
    [EACH, SUBREDDITS],
  )
  await pool.query(
    `insert into forum_queues (user_id, expected_cents, expected_at) select id, 300, now() from users where username = 'creator1'`,
  )
  await pool.query(
    `insert into forum_expected_earnings (user_id, subreddit_id, cents, posts)
     select users.id, s.id, s.subscribers % 700, 3 from users, subreddits s where username = 'creator1' and s.subscribers % 200 = 0`,
  )
  await pool.query('vacuum analyze')
}
