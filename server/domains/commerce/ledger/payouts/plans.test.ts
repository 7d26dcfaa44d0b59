import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, type Tables } from '../../../../db/client.ts'
import { buildFan } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { listGivenBackSince } from './data.ts'

const SALES = 100_000
/** Of so many sales one is refunded, and pays the referrer a commission. */
const EVERY = 100

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('what was given back since a payout is found without the sales since then', async () => {
  const { db, clock } = harness.context
  const { id: referrerId } = await buildFan(harness)
  const payoutId = crypto.randomUUID()
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    // Their orders and postings are none of this.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into journals (kind, source_type, source_id, occurred_at)
      values ('payout', 'payout', ${payoutId}, ${now})`.execute(tx)
    await sql`
      with sold as (
        insert into journals (kind, order_id, source_type, source_id, occurred_at)
        select 'sale', gen_random_uuid(), 'payment', gen_random_uuid(), ${now} from generate_series(1, ${SALES}::int)
        returning order_id
      ), returned as (select order_id from sold order by order_id limit ${SALES / EVERY}::int), paid as (
        insert into order_commissions (order_id, referrer_id, side, cents)
        select order_id, ${referrerId}, 'buyer', 70 from returned
      )
      insert into journals (kind, order_id, source_type, source_id, occurred_at)
      select 'refund', order_id, 'refund', gen_random_uuid(), ${now} from returned`.execute(tx)
  })
  for (const table of ['journals', 'order_commissions']) await sql`analyze ${sql.table(table)}`.execute(db)

  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const pool = createPool(harness.databaseUrl, { max: 1, onError: () => {} })
  const logged = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  try {
    expect(await listGivenBackSince(logged, { payoutId, referrerId })).toHaveLength(SALES / EVERY)
    const [read] = statements
    const { rows } = await pool.query(`explain ${read?.sql}`, [...(read?.parameters ?? [])])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('journals_given_back')
    expect(plan).not.toContain('Seq Scan on journals')
  } finally {
    await logged.destroy()
  }
})
