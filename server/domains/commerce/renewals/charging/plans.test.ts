import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { createPool, type Tables } from '../../../../db/client.ts'
import { buildCreator, buildFan, buildPlan } from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { chargeDue } from './actions.ts'

const SUBSCRIBERS = 2000
const YEARS = 10

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('what was agreed for a renewal is found by its subscription, however much was agreed before', async () => {
  const { context, clock } = harness
  const { db } = context
  const now = clock.now()
  const creator = await buildCreator(harness)
  const planId = await buildPlan(harness, creator)
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await harness.api.as(await buildFan(harness)).call(routes.purchase, { body })
  await sql`
    with fans as (
      insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select 'p' || n || '@example.test', 'p' || n, 'P', 'p', 'x', false, 'r' || n, ${now}
      from generate_series(1, ${SUBSCRIBERS}::int) n returning id
    )
    insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
    select ${planId}, id, ${creator.id}, 1000, 'active', ${now}, ${now}, ${now} from fans`.execute(db)
  await sql`
    with changes as (
      insert into price_changes (plan_id, price_cents, created_at, closed_at)
      select ${planId}, 1000, ${now}, case when n > 1 then ${now}::timestamptz end
      from generate_series(1, ${YEARS}::int) n returning id
    ), asked as (
      insert into price_change_notices (change_id, subscription_id, months, price_cents, effective_from, told_at, agreed_at)
      select changes.id, subscriptions.id, 1, 1000, ${now}, ${now}, ${now} from changes, subscriptions
      returning change_id, subscription_id
    )
    insert into subscription_agreements (subscription_id, months, price_cents, effective_from, terms_version, consented_at,
      created_at, applied_at, price_change_id)
    select subscription_id, 1, 1000, ${now}, '1', ${now}, ${now}, ${now}, change_id from asked`.execute(db)
  for (const table of ['subscriptions', 'price_changes', 'price_change_notices', 'subscription_agreements'])
    await sql`analyze ${sql.table(table)}`.execute(db)

  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const pool = createPool(harness.databaseUrl, { max: 3, onError: () => {} })
  const logged = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (query.sql.includes('subscription_agreements'))
        statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  try {
    clock.advance(31 * 24 * 3600 * 1000)
    expect(await chargeDue({ ...context, db: logged })).toBe(1)
    expect(statements.some(({ sql: text }) => text.includes('price_change_notices'))).toBe(true)
    expect(statements.some(({ sql: text }) => text.includes('insert into orders'))).toBe(true)
    for (const { sql: text, parameters } of statements) {
      const { rows } = await pool.query(`explain ${text}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('subscription_agreements')
      expect(plan).not.toContain('Seq Scan on subscription_agreements')
    }
  } finally {
    await logged.destroy()
  }
})
