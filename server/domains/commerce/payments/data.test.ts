import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPool, type Tables } from '../../../db/client.ts'
import { cloneTemplate } from '../../../testing/template.ts'
import { findDue } from './data.ts'

const SOLD = 20_000
const now = new Date('2026-06-01T12:00:00Z')
const statements: { sql: string; parameters: readonly unknown[] }[] = []
let database: { url: string; drop(): Promise<void> }
let db: Kysely<Tables>

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createPool(database.url, { max: 1, onError: () => {} }) }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  // Purchases as they are after years, inserted without the steps that lead there.
  await sql`alter table payments disable trigger payments_guarded`.execute(db)
  await sql`
    with people as (
      insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select 'p' || n || '@example.test', 'p' || n, 'P', 'p', 'x', n > 1, 'r' || n, ${now} from generate_series(1, 2) n
      returning id, is_creator
    ), made as (
      select uuidv7() as id, buyer.id as buyer_id, creator.id as creator_id, state.*
      from people as buyer, people as creator, (
        select n, case when n % 10 = 0 then 'declined' else 'voided' end as status, null as reason
          from generate_series(1, ${SOLD}::int) n
        union all select 1, 'unknown', null union all select 1, 'refused', 'not_charged'
        union all select 2, 'refused', 'abandoned'
      ) as state
      where not buyer.is_creator and creator.is_creator
    ), ordered as (
      insert into orders (id, buyer_id, creator_id, kind, item_id, title, amount_cents, fee_basis_points, bought_once,
        created_at, tried_at)
      select id, buyer_id, creator_id, 'subscription', id, 'Plan', 999, 2000, false, ${now}, ${now} from made
    )
    insert into payments (id, order_id, buyer_id, amount_cents, status, source, status_at, reason, reference,
      gateway_transaction_id, created_at, submitted_at)
    select id, id, buyer_id, 999, status, 'live', ${now}, reason, 'r' || n || status,
      case when status <> 'refused' then 'g' || n || status end, ${now}, ${now}::timestamptz - interval '10 minutes'
    from made`.execute(db)
  await sql`alter table payments enable trigger payments_guarded`.execute(db)
  await sql`vacuum analyze payments`.execute(db)
})
afterAll(async () => {
  await db?.destroy()
  await database?.drop()
})

test('what is due is found by its index, however much was sold', async () => {
  statements.length = 0
  const due = await findDue(db, now, 200)
  expect(due.map(({ status }) => status).sort()).toEqual(['refused', 'unknown'])
  const [statement] = statements
  const pool = createPool(database.url, { max: 1, onError: () => {} })
  try {
    const { rows } = await pool.query(`explain ${statement?.sql}`, [...(statement?.parameters ?? [])])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('payments_looked_up')
    expect(plan).not.toContain('Seq Scan')
  } finally {
    await pool.end()
  }
})
