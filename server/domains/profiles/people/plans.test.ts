import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { audienceOf } from '../../../viewer.ts'
import { findProfile } from '../data.ts'
import { searchPeople } from './data.ts'

const PEOPLE = 50_000
/** More than any of these needs, and far less than there are people. */
const MOST_ROWS = PEOPLE / 20
const statements: { sql: string; parameters: readonly unknown[] }[] = []
let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>
const place = { country: 'US', region: 'Texas' }
const person = (n: number, isCreator: boolean) => ({
  ...audienceOf({ id: idOf(n), role: null, isCreator }, place),
  id: idOf(n),
})
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const nameOf = async (n: number) =>
  (await db.selectFrom('users').select('username').where('id', '=', idOf(n)).executeTakeFirstOrThrow())
    .username

/**
 * One in a hundred creates, one in a hundred fans wants to be found; the first creator has a fiftieth of all as fans, and
 * wrote to everybody, of whom a hundredth answered.
 */
beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: createPool(database.url, { max: 1, onError: () => {}, answerTimeoutMs: 0 }),
    }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  // How long it takes on a busy machine decides nothing.
  await sql`set statement_timeout = 0`.execute(db)
  await sql`
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, discoverable, referral_code, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n || '@example.test', left(md5(n::text), 12) || n, 'M', 'm', 'x',
      n % 100 = 1, n % 100 = 2, 'm' || n, now() from generate_series(1, ${PEOPLE}::int) n`.execute(db)
  // Triggers that count follows and conversations aren't tested here, and would take a minute.
  await sql`alter table follows disable trigger user`.execute(db)
  await sql`alter table conversation_members disable trigger user`.execute(db)
  await sql`
    insert into follows (follower_id, following_id, created_at)
    select fan.id, ${idOf(1)}::uuid, now() from users fan where not is_creator and hashtext(fan.id::text) % 50 = 0
    union all select id, ('00000000-0000-7000-8000-' || lpad((1 + 100 * (1 + n * 7919 % ${PEOPLE / 100 - 1}::int))::text, 12, '0'))::uuid, now()
      from (select id, row_number() over (order by id) as n from users where not is_creator) fan`.execute(db)
  await sql`
    with pairs as (
      select gen_random_uuid() as id, ${idOf(1)}::uuid as creator_id, users.id as fan_id, hashtext(users.id::text) % 100 = 1 as answered
        from users where not is_creator
      union all select gen_random_uuid(), ('00000000-0000-7000-8000-' || lpad((1 + 100 * (1 + n * 104729 % ${PEOPLE / 100 - 1}::int))::text, 12, '0'))::uuid, id, true
        from (select id, row_number() over (order by id) as n from users where not is_creator) fan
    ), conversing as (
      insert into conversations (id, low_id, high_id, created_at)
      select id, least(creator_id, fan_id), greatest(creator_id, fan_id), now() from pairs
    )
    insert into conversation_members (conversation_id, user_id, other_id, last_at, wrote)
    select id, creator_id, fan_id, now(), true from pairs
    union all select id, fan_id, creator_id, now(), answered from pairs`.execute(db)
  await sql`vacuum analyze users, follows, profiles, conversations, conversation_members`.execute(db)
  await sql`reset statement_timeout`.execute(db)
}, 600_000)
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

/** Rows of people that the last statement read, as EXPLAIN says when it runs again. */
async function planOfLast() {
  const last = statements.at(-1)
  if (!last) throw new Error('nothing was asked')
  let at = 0
  const text = sql.raw<never>(last.sql.replace(/\$\d+/g, () => literal(last.parameters[at++])))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
    explain (analyze, format json) ${text}`.execute(db)
  const [plan] = rows[0]?.['QUERY PLAN'] ?? []
  if (!plan) throw new Error('no plan')
  const nodes = nodesOf(plan.Plan)
  const readOf = (table: string) =>
    Math.max(
      0,
      ...nodes
        .filter((node) => node['Relation Name'] === table)
        .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
    )
  return {
    scanned: nodes.filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' &&
        ['users', 'follows', 'conversation_members'].includes(node['Relation Name'] ?? ''),
    ).length,
    read: readOf('users'),
    conversing: readOf('conversation_members'),
  }
}
const literal = (value: unknown) =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

const VIEWERS = [
  ['a fan', person(2, false)],
  ['a creator with many fans', person(1, true)],
  ['a creator with none', person(101, true)],
] as const
const FILTERS = [
  ['everybody', ''],
  ['a beginning', 'ab'],
  ['some letters', 'abc'],
] as const

test.each(
  VIEWERS.flatMap(([who, viewer]) => FILTERS.map(([what, filter]) => [who, what, viewer, filter] as const)),
)(
  '%s who looks for %s reads few people, on the first page and deep inside',
  async (_who, _what, viewer, filter) => {
    const [middle] = (
      await sql<{ name: string }>`
        select lower(username) as name from users where lower(username) like ${`${filter || '8'}%`} order by 1 limit 1`.execute(
        db,
      )
    ).rows
    const cursor = Buffer.from(middle?.name ?? '').toString('base64url')
    for (const page of [{ limit: 15 }, { limit: 15, cursor }]) {
      const found = await searchPeople(db, viewer, { filter, page })
      if (!('cursor' in page)) expect(found.length).toBeGreaterThan(0)
      const { scanned, read, conversing } = await planOfLast()
      expect(scanned).toBe(0)
      expect(read).toBeLessThan(MOST_ROWS)
      expect(conversing).toBeLessThan(MOST_ROWS)
    }
  },
)

test('a whole name and a profile are read by the index of names', async () => {
  const filter = await nameOf(103)
  expect(await searchPeople(db, person(101, true), { filter, page: { limit: 15 } })).toMatchObject([
    { private: true },
  ])
  expect(await planOfLast()).toMatchObject({ scanned: 0 })
  expect(await findProfile(db, { username: filter }, person(101, true))).toBeNull()
  const { scanned, read, conversing } = await planOfLast()
  expect(scanned).toBe(0)
  expect(read).toBe(1)
  expect(conversing).toBeLessThan(MOST_ROWS)
})
