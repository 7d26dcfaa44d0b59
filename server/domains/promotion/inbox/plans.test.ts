import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { type InboxFilters, listThreads } from './data.ts'

const [PEOPLE, THREADS] = [20, 20_000]
let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>
let last: { sql: string; parameters: readonly unknown[] } | undefined
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

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
    insert into users (id, email, username, first_name, reddit_username, recognizable, password_hash, is_creator, referral_code, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n || '@example.test', 'many' || n, 'M',
      'Writer' || n, n % 2 = 0, 'x', true, 'm' || n, now() from generate_series(1, 5000) n`.execute(db)
  await sql`
    insert into forum_accounts (user_id, forum_id, name, connected_at)
    select id, username, username, now() from users order by id limit ${PEOPLE}`.execute(db)
  // The first person has half of them.
  await sql`
    insert into forum_threads (user_id, account_id, key, author, subject, last_received_at)
    select account.user_id, account.id, 't4_' || n, 'Writer' || n, 'Hello', now() - n * interval '1 minute'
    from generate_series(1, ${THREADS}::int) n
      join (select *, row_number() over (order by user_id) as place from forum_accounts) as account
        on account.place = case when n % 2 = 0 then 1 else 1 + n % ${PEOPLE}::int end`.execute(db)
  await sql`
    insert into forum_messages (thread_id, account_id, name, author, is_own, body, sent_at)
    select id, account_id, key || 'x' || n, author, n = 2, 'Message ' || n || ' of ' || author, last_received_at
    from forum_threads, generate_series(1, 3) n`.execute(db)
  await sql`
    insert into forum_contacts (user_id, name, ignored, last_contact_at)
    select user_id, lower(author), substr(key, 4)::int % 40 = 0,
      case when substr(key, 4)::int % 3 = 0 then now() end from forum_threads where substr(key, 4)::int % 4 < 3`.execute(
    db,
  )
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
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The tables that the last statement reads from end to end, and how many threads it looks at. */
async function planOfLast() {
  const { sql: text, parameters } = last ?? { sql: '', parameters: [] }
  const literal = (value: unknown) =>
    value instanceof Date ? `'${value.toISOString()}'` : `'${String(value).replaceAll("'", "''")}'`
  const whole = sql.raw<never>(text.replace(/\$(\d+)/g, (_, at) => literal(parameters[Number(at) - 1])))
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: Plan }]
  }>`explain (analyze, format json) ${whole}`.execute(db)
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  const nodes = nodesOf(plan.Plan)
  const small = new Set([
    'forum_accounts',
    'forum_replies',
    'fans',
    'blocks',
    'profiles',
    'geo_blocks',
    'subscriptions',
  ])
  return nodes.flatMap(({ 'Node Type': type, 'Relation Name': name }) =>
    type === 'Seq Scan' && name && !small.has(name) ? [name] : [],
  )
}

const audience = {
  ...{ id: idOf(1), isCreator: true, reachesAll: false, viewsAll: false },
  place: { country: 'US', region: 'NY' },
}
const list = (filters: Partial<InboxFilters>, cursor?: string) =>
  listThreads(db, audience, {
    page: { limit: 15, cursor },
    filters: { search: '', removeContacted: false, ignored: false, ...filters },
    now: new Date(),
  })

test.each([
  ['the latest', {}],
  ['with a word', { search: '2 of Writer77' }],
  ['not written to', { removeContacted: true }],
  ['the ignored', { ignored: true }],
] as const)('a page of threads, %s, is read by indexes, and so is the next', async (_, filters) => {
  const first = await list(filters)
  expect(first).toHaveLength(16)
  expect(await planOfLast()).toEqual([])
  const second = await list(filters, Buffer.from(first[14]?.position ?? '', 'latin1').toString('base64url'))
  expect(second[0]?.id).toBe(first[15]?.id)
  expect(await planOfLast()).toEqual([])
})
