import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { listActors, listEntries, type Sought } from './data.ts'

const ENTRIES = 50_000
/** What a page of 15 may read: itself, and the first of the next. */
const PAGE = { limit: 15 }
const MOST_READ = 16
const OPERATORS = 5
const statements: { sql: string; parameters: readonly unknown[] }[] = []
let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>
const operatorOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/**
 * Every operator's work was on payouts for half of the time, and is on suspensions since then, and nobody ever gave a role;
 * each entry is about one of a hundredth as many people.
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
    insert into users (id, email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'many' || n || '@example.test', 'many' || n, 'M', 'm', 'x',
      false, 'm' || n, now() from generate_series(1, ${ENTRIES / 100}::int) n`.execute(db)
  // The chain of hashes isn't tested here, and would take a minute.
  await sql`alter table audit_log disable trigger user`.execute(db)
  await sql`
    insert into audit_log (actor_id, action, target_kind, target_id, reason, detail, occurred_at)
    select case when n % 7 > 0 then ('00000000-0000-7000-8000-' || lpad((1 + n % ${OPERATORS}::int)::text, 12, '0'))::uuid end,
      case when n = 1 then 'keys.rotated' when n <= ${ENTRIES / 2}::int then 'payout.paid' else 'user.suspended' end,
      'user', '00000000-0000-7000-8000-' || lpad((1 + n % ${ENTRIES / 100}::int)::text, 12, '0'), 'Because', '{}',
      '2026-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${ENTRIES}::int) n`.execute(db)
  await sql`vacuum analyze audit_log, users`.execute(db)
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

/** How many entries the last statement read, and what it read from end to end, as EXPLAIN says when it runs again. */
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
  const ofLog = nodes.filter((node) => node['Relation Name'] === 'audit_log')
  return {
    read: ofLog.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
    scanned: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && ['audit_log', 'users'].includes(node['Relation Name'] ?? '')
        ? [node['Relation Name']]
        : [],
    ),
  }
}
const literal = (value: unknown) =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** A cursor in the middle of all entries. */
const deep = async () => {
  const { rows } = await sql<{ position: string }>`
    select occurred_at || '|' || id as position from audit_log
    where occurred_at <= '2026-01-01'::timestamptz + ${ENTRIES / 2}::int * interval '1 minute'
    order by occurred_at desc, id desc limit 1`.execute(db)
  return Buffer.from(rows[0]?.position ?? '', 'latin1').toString('base64url')
}

const DAYS = { from: '2026-01-01', to: '2026-02-10' }

test.each<[string, Omit<Sought, 'timeZone'>]>([
  ['everything', {}],
  ['what one operator did', { actor: operatorOf(2) }],
  ['what the server did', { actor: 'server' }],
  ['what the server did of one kind', { actor: 'server', action: 'payout.paid' }],
  ['what the server never did', { actor: 'server', action: 'user.role_set' }],
  ['one kind of action', { action: 'user.suspended' }],
  ['an action that was common once', { action: 'payout.paid' }],
  ['an action that is rare', { action: 'keys.rotated' }],
  ['what one operator did of one kind', { actor: operatorOf(3), action: 'payout.paid' }],
  ['what one operator never did', { actor: operatorOf(3), action: 'user.role_set' }],
  ['some days', DAYS],
  ['one operator’s days', { actor: operatorOf(2), ...DAYS }],
  ['one kind of action in some days', { action: 'payout.paid', ...DAYS }],
  [
    'what one operator did of one kind in some days',
    { actor: operatorOf(3), action: 'payout.paid', ...DAYS },
  ],
  ['a person', { about: operatorOf(101) }],
  ['some days of a person', { about: operatorOf(101), ...DAYS }],
])('%s: reads no more entries than it shows, on the first page and deep inside', async (_what, sought) => {
  for (const cursor of [undefined, await deep()]) {
    await listEntries(db, { ...sought, timeZone: 'America/New_York' }, { ...PAGE, cursor })
    const { read, scanned } = await planOfLast()
    expect(scanned).toEqual([])
    expect(read).toBeLessThanOrEqual(MOST_READ)
  }
})

test('what one operator did about a person is looked for among what is about that person', async () => {
  const sought = { actor: operatorOf(2), action: 'user.role_set', about: operatorOf(101) } as const
  await listEntries(db, { ...sought, timeZone: 'UTC' }, PAGE)
  const { read, scanned } = await planOfLast()
  expect(scanned).toEqual([])
  expect(read).toBeLessThanOrEqual(100)
})

test('who is in it is found by one entry of each', async () => {
  expect(await listActors(db)).toHaveLength(OPERATORS)
  const { read, scanned } = await planOfLast()
  // People are few here: reading all of them is as good.
  expect(scanned).not.toContain('audit_log')
  expect(read).toBeLessThanOrEqual(OPERATORS + 1)
})
