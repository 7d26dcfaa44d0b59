import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../testing/builders.ts'
import { cardToken } from '../testing/gateway.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { buildItem, ONE_SALE, purchaseTraces } from '../testing/purchases.ts'
import { findUnchained } from './chains.ts'

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness({ restricted: true })
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterAll(() => harness?.stop())

const DENIED = '42501'
/** A column that could be written to, where it isn’t `id`. */
const COLUMNS: Record<string, string> = {
  order_commissions: 'order_id',
  commissions_withheld: 'order_id',
  record_links: 'digest',
}
const codeOf = (statement: string) =>
  sql
    .raw(statement)
    .execute(harness.context.db)
    .then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )

describe('the server’s role', () => {
  test.each([
    'journals',
    'postings',
    'payment_events',
    'payout_events',
    'order_commissions',
    'commissions_withheld',
    'audit_log',
    'record_links',
  ])('can’t alter or delete %s, switch off its triggers, or change it', async (table) => {
    const column = COLUMNS[table] ?? 'id'
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} add column more text`,
      `drop table ${table} cascade`,
      `drop trigger ${table}_no_truncate on ${table}`,
    ])
      expect([statement, await codeOf(statement)]).toEqual([statement, DENIED])
  })

  test.each([
    'set session_replication_role = replica',
    "insert into record_links (chain, record_id, digest) values ('journals', uuidv7(), '')",
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'create function public.mine() returns integer language sql return 1',
    'delete from payments',
    'delete from refunds',
    'delete from disputes',
    'update kysely_migration set name = name',
    'create role another superuser',
    'create policy open on graphile_worker._private_jobs using (true)',
  ])('can’t: %s', async (statement) => {
    expect(await codeOf(statement)).toBe(DENIED)
  })

  test('sells, books and chains, and works the queue', async () => {
    const itemId = await buildItem(harness, creator, 'single')
    const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
    expect((await harness.api.as(fan).send('POST', '/users/purchase', { body })).status).toBe(200)
    await harness.runJobs()
    await harness.server.jobs['records.seal']({}, { attempt: 1, lastAttempt: false })
    expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
    expect(await findUnchained(harness.context.db)).toEqual([])
    const { rows } = await sql<{ left: number }>`select count(*) as left from graphile_worker.jobs`.execute(
      harness.context.db,
    )
    expect(rows).toEqual([{ left: 0 }])
  })

  test('cancels commissions', async () => {
    const { context, clock, api } = harness
    const [referrer, buyer] = [await buildFan(harness), await buildFan(harness)]
    await context.db
      .updateTable('users')
      .set({ referred_by: referrer.id })
      .where('id', '=', buyer.id)
      .execute()
    const itemId = await buildItem(harness, creator, 'single')
    const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
    await api.as(buyer).call(routes.purchase, { body })
    const { id } = await buildUser(harness, { role: 'finance' })
    const token = await buildSession(harness, id, { reauthenticatedAt: clock.now() })
    const canceled = { body: { username: referrer.username, reason: 'Fake accounts' } }
    expect(await api.as({ token }).call(routes.cancelCommissions, canceled)).toMatchObject({ count: 1 })
  })
})
