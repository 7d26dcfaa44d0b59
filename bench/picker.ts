import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/db/embedded/postgres.ts'
import { browserHeaders, logIn, startFanfare } from './feeds/fanfare.ts'
import { compare, heading, line } from './feeds/measure.ts'

const SUBREDDITS = Number(process.env.BENCH_SUBREDDITS ?? 10_000)
const RECORDS = Number(process.env.BENCH_RECORDS ?? 1_000_000)
/** How many of all subreddits each creator has a record of. */
const EACH = 1_000

/**
 * The picker's table among 10,000 tracked subreddits, with 1,000,000 records of verification, against a bare server that
 * runs the same query alone. Prints answers per second and their ratio.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const server = await startFanfare(postgres.connectionString, dataDir)
const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 20 })
pool.on('error', () => {})
await fill()
const userId = (await pool.query("select id from users where username = 'creator1'")).rows[0].id
const tagId = (await pool.query('select id from subreddit_tags order by name limit 1')).rows[0].id
const headers = await browserHeaders(server.address, await logIn(pool, userId))

const ROW = `select s.id, s.name, s.subscribers, s.verification_type, s.notes, s.categorized, s.selling_accounts_allowed,
  s.oc_settings, s.boy_and_girl_required, s.couples_only, s.males_allowed, s.women_only, s.toys_allowed, s.sex_acts_allowed,
  s.watermark_type, s.face_required, s.post_max, s.post_interval, s.post_unit, s.repost_max, s.repost_interval, s.repost_unit,
  s.tag_ids, v.status, v.confirmed from subreddits s`
const OWN = 'verifications v on v.subreddit_id = s.id and v.user_id = $1'
const LARGEST = 'order by coalesce(s.subscribers, -1) desc, s.id desc limit 16'
const { tags, listId, deep } = await more()
const lists = [
  { name: 'first page', query: '', text: `${ROW} left join ${OWN} ${LARGEST}`, values: [userId] },
  {
    name: 'by name',
    query: '?sortBy=name',
    text: `${ROW} left join ${OWN} order by lower(s.name) limit 16`,
    values: [userId],
  },
  {
    name: 'by tag and rule',
    query: `?srTagIds=${tagId}&verificationSetting=required`,
    text: `${ROW} left join ${OWN} where s.tag_ids @> $2::uuid[] and s.verification_type = 'required' ${LARGEST}`,
    values: [userId, [tagId]],
  },
  {
    name: 'own status',
    query: '?status=pending',
    text: `${ROW} join ${OWN} where v.status = 'pending' ${LARGEST}`,
    values: [userId],
  },
  {
    name: 'part of a name',
    query: '?search=garden77',
    text: `${ROW} left join ${OWN} where lower(s.name) like '%garden77%' ${LARGEST}`,
    values: [userId],
  },
  {
    name: 'without tags',
    query: `?excludeTagIds=${tags[0]}&excludeTagIds=${tags[1]}`,
    text: `${ROW} left join ${OWN} where not s.tag_ids && $2::uuid[] ${LARGEST}`,
    values: [userId, tags],
  },
  {
    name: 'without a list of 2,000',
    query: `?excludeListIds=${listId}`,
    text: `${ROW} left join ${OWN} where not exists (
      select from subreddit_list_members m where m.subreddit_id = s.id and m.list_id = $2 offset 0) ${LARGEST}`,
    values: [userId, listId],
  },
  {
    name: 'without a record',
    query: '?status=none',
    text: `${ROW} left join ${OWN} where v.user_id is null ${LARGEST}`,
    values: [userId],
  },
  {
    name: 'behind 5,000',
    query: `?cursor=${deep.cursor}`,
    text: `${ROW} left join ${OWN} where (coalesce(s.subscribers, -1), s.id) < ($2, $3) ${LARGEST}`,
    values: [userId, deep.subscribers, deep.id],
  },
]
const bare = fastify()
for (const [index, { text, values }] of lists.entries())
  bare.get(`/${index}`, async () => {
    const { rows } = await pool.query({ name: `list ${index}`, text, values })
    return { items: rows.slice(0, 15), hasMore: rows.length > 15 }
  })
await bare.listen({ port: 0, host: '127.0.0.1' })

process.stdout.write(heading)
for (const [index, { name, query }] of lists.entries()) {
  const url = `${server.address}/api/reddit/srinfos${query}`
  const compared = { name, bare: `${bare.listeningOrigin}/${index}`, fanfare: { url, headers }, target: 0.5 }
  process.stdout.write(line(await compare(compared)))
}

await bare.close()
await server.stop()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })

/** Two tags, a list of a fifth of all subreddits, and the place behind half of them. */
async function more() {
  const tags = (await pool.query('select id from subreddit_tags order by name limit 2')).rows
  const list = await pool.query(
    "insert into subreddit_lists (user_id, title, created_at) values ($1, 'out', now()) returning id",
    [userId],
  )
  const listId = list.rows[0].id
  await pool.query(
    `insert into subreddit_list_members (list_id, subreddit_id)
     select $1, id from (select id, row_number() over (order by subscribers desc) as n from subreddits) as s where n % 5 = 0`,
    [listId],
  )
  await pool.query('vacuum analyze subreddit_list_members')
  const { rows } = await pool.query(
    'select id, subscribers from subreddits order by coalesce(subscribers, -1) desc, id desc offset $1 limit 1',
    [SUBREDDITS / 2 - 1],
  )
  const asked = `${server.address}/api/reddit/srinfos?limit=1&skip=${SUBREDDITS / 2 - 1}`
  const page = (await (await fetch(asked, { headers })).json()) as { nextCursor: string }
  return { tags: tags.map(({ id }) => id), listId, deep: { ...rows[0], cursor: page.nextCursor } }
}

async function fill(): Promise<void> {
  await pool.query(
    `insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, email_verified_at, created_at)
     select 'c' || n || '@example.test', 'creator' || n, 'Creator', 'creator' || n, 'x', true, 'c' || n, now(), now()
     from generate_series(1, $1::int) n`,
    [Math.ceil(RECORDS / EACH)],
  )
  await pool.query(
    `insert into subreddits (name, subscribers, verification_type, tag_ids, created_at)
     select 'Garden' || n, n * 7919 % 1000003, case when n % 3 = 0 then 'required' else 'other' end, array(
       select id from subreddit_tags order by name offset n % 19 limit 2), now() from generate_series(1, $1::int) n`,
    [SUBREDDITS],
  )
  await pool.query(
    `insert into verifications (user_id, subreddit_id, sort_name, status, confirmed, changed_at)
     select users.id, s.id, lower(s.name), (array['todo', 'pending', 'done'])[1 + s.n % 3], 'pending', now()
     from (select id, row_number() over (order by id) as n from users) as users
     join (select id, name, row_number() over (order by id) as n from subreddits) as s on s.n % $1 = users.n % $1`,
    [Math.max(1, Math.round(SUBREDDITS / EACH))],
  )
  await pool.query('vacuum analyze')
}
