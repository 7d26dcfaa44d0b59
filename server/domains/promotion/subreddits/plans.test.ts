import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { countRecords, listRecords } from '../verification/data.ts'
import { type SubredditFilters, searchTracked } from './data.ts'

const [PEOPLE, SUBREDDITS, EACH] = [100, 10_000, 1_000]
/** A filter may pass by most subreddits in their order, but never reads what other people have. */
const MOST_ROWS = SUBREDDITS
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
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n || '@example.test', 'many' || n, 'M', 'm', 'x',
      true, 'm' || n, now() from generate_series(1, ${PEOPLE}::int) n`.execute(db)
  await sql`
    insert into subreddits (name, subscribers, tag_ids, created_at)
    select 'Garden' || n, n * 7919 % 1000003, array(select id from subreddit_tags order by name offset n % 19 limit 2), now()
    from generate_series(1, ${SUBREDDITS}::int) n`.execute(db)
  await sql`
    insert into verifications (user_id, subreddit_id, sort_name, status, confirmed, changed_at)
    select users.id, s.id, lower(s.name), (array['todo', 'pending', 'done'])[1 + s.n % 3], 'pending', now()
    from (select id, row_number() over (order by id) as n from users) as users
    join (select id, name, row_number() over (order by id) as n from subreddits) as s
      on s.n % ${SUBREDDITS / EACH}::int = users.n % ${SUBREDDITS / EACH}::int`.execute(db)
  await sql`vacuum analyze subreddits, verifications, users`.execute(db)
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

/** How the statement that was run last reads these tables, as the database says when it runs it again. */
async function planOfLast() {
  const { sql: text, parameters } = last ?? { sql: '', parameters: [] }
  let at = 0
  const whole = sql.raw<never>(text.replace(/\$\d+/g, () => literal(parameters[at++])))
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: Plan }]
  }>`explain (analyze, format json) ${whole}`.execute(db)
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  const nodes = nodesOf(plan.Plan)
  const large = nodes.filter(({ 'Relation Name': name }) => name === 'subreddits' || name === 'verifications')
  return {
    lookedOnLists: nodes.reduce(
      (sum, node) => sum + (node['Relation Name'] === 'subreddit_list_members' ? node['Actual Loops'] : 0),
      0,
    ),
    scanned: large.filter(({ 'Node Type': type }) => type === 'Seq Scan').length,
    read: large.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `'{${value.join(',')}}'`
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}

const ALL: SubredditFilters = {
  ...{
    srTagIds: [],
    excludeTagIds: [],
    excludeListIds: [],
    withRemoved: false,
    search: '',
    categorized: 'all',
    sortBy: 'subscribers',
  },
}
const search = (filters: Partial<SubredditFilters>, cursor?: string) =>
  searchTracked(db, idOf(7), { page: { limit: 15, cursor }, filters: { ...ALL, ...filters } })
const cursorOf = (position: string | undefined) => Buffer.from(position ?? '', 'latin1').toString('base64url')

test.each([
  ['the largest', {}],
  ['by name', { sortBy: 'name' }],
  ['part of a name', { search: 'garden77' }],
  ['one’s own status', { status: 'pending' }],
  ['without a record', { status: 'none' }],
] as const)(
  'a page of tracked subreddits, %s, is read by an index, and so is one far behind',
  async (_, filters) => {
    const first = await search(filters)
    expect(first).toHaveLength(16)
    expect(await planOfLast()).toMatchObject({ scanned: 0 })
    expect((await planOfLast()).read).toBeLessThan(MOST_ROWS)
    const second = await search(filters, cursorOf(first.at(-2)?.position))
    expect(second[0]?.name).toBe(first.at(-1)?.name)
    expect(await planOfLast()).toMatchObject({ scanned: 0 })
    expect((await planOfLast()).read).toBeLessThan(MOST_ROWS)
  },
)

test('where no list leaves anything out, no subreddit is looked for on one', async () => {
  await search({ status: 'pending' })
  expect((await planOfLast()).lookedOnLists).toBe(0)
})

test('a page of the board and its counts read one’s own records alone', async () => {
  const rows = await listRecords(db, idOf(7), { page: { limit: 15 }, status: 'todo', search: '' })
  expect(rows).toHaveLength(16)
  const { scanned, read } = await planOfLast()
  expect([scanned, read < MOST_ROWS]).toEqual([0, true])
  expect(await countRecords(db, idOf(7))).toEqual({ todo: 333, pending: 334, done: 333 })
  expect((await planOfLast()).scanned).toBe(0)
})
