import { Kysely, PostgresDialect, sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { recyclePosts } from './actions.ts'

const [POSTS, SUBREDDITS] = [10, 400]
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
      if (query.sql.includes('update forum_post_subreddits as chosen') && !query.sql.startsWith('explain'))
        last = { sql: query.sql, parameters: query.parameters }
    },
  })
  // How long it takes on a busy machine decides nothing.
  await sql`set statement_timeout = 0`.execute(db)
  await sql`
    insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    values ('many@example.test', 'many', 'M', 'many', 'x', true, 'm', now())`.execute(db)
  await sql`
    insert into forum_queues (user_id, recycle_days, recycle_min_score)
    select id, 30, 1000 from users where username = 'many'`.execute(db)
  await sql`
    insert into subreddits (name, created_at) select 'Garden' || n, now() from generate_series(1, ${SUBREDDITS}::int) n`.execute(
    db,
  )
  await sql`
    insert into forum_posts (user_id, titles, link, comment, created_at)
    select id, array['A lake'], 'https://www.redgifs.com/ifr/lake' || n, '', now()
    from users, generate_series(1, ${POSTS}::int) n where username = 'many'`.execute(db)
  // Each place twice: what did well the last time counts, of two subreddits of each post.
  await sql`
    insert into scheduled_posts (user_id, post_id, subreddit_id, title, url, media_key, post_at, posted_at, state, score, created_at)
    select post.user_id, post.id, place.id, 'A lake', link, link, at, at, 'posted',
      case when place.name in ('Garden1', 'Garden2') = (time = 2) then 2000 else 1 end, at
    from forum_posts post, subreddits place, generate_series(1, 2) time,
      lateral (select now() - time * interval '40 days' + interval '1 minute' as at) as moment
    where place.name like 'Garden%'`.execute(db)
  await sql`
    insert into forum_post_subreddits (post_id, subreddit_id, state, place, posted_at)
    select post_id, subreddit_id, 'posted', 0, max(posted_at) from scheduled_posts group by post_id, subreddit_id`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Plan = {
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Actual Loops': number
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** How many posts the last statement looks at, in the table and in its indexes. */
async function postsRead(): Promise<number> {
  const { sql: text, parameters } = last ?? { sql: '', parameters: [] }
  const literal = (value: unknown) =>
    value instanceof Date ? `'${value.toISOString()}'` : `'${String(value).replaceAll("'", "''")}'`
  const whole = sql.raw<never>(text.replace(/\$(\d+)/g, (_, at) => literal(parameters[Number(at) - 1])))
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: Plan }]
  }>`explain (analyze, format json) ${whole}`.execute(db)
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  return nodesOf(plan.Plan)
    .filter(({ 'Relation Name': table, 'Index Name': index }) =>
      (table ?? index ?? '').startsWith('scheduled_posts'),
    )
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, count) => sum + count, 0)
}

test('what can be used again is found without looking at posts again for each place', async () => {
  const log = pino({ level: 'silent' })
  await recyclePosts({ db, log, clock: { now: () => new Date() } } as unknown as Context)
  const { rows } = await sql<{ name: string; state: string; count: number }>`
    select name, state, count(*)::integer from forum_post_subreddits join subreddits on subreddits.id = subreddit_id
    where state = 'usable' group by name, state order by name`.execute(db)
  expect(rows.map(({ name }) => name)).not.toContain('Garden1')
  expect(rows).toHaveLength(SUBREDDITS - 2)
  expect(rows.every(({ count }) => count === POSTS)).toBe(true)
  await sql`update forum_post_subreddits set state = 'posted', posted_at = now() - interval '40 days'`.execute(
    db,
  )
  await sql`vacuum analyze forum_post_subreddits`.execute(db)
  expect(await postsRead()).toBeLessThanOrEqual(2 * 2 * POSTS * SUBREDDITS)
})
