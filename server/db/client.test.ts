import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { startSilentProxy } from '../testing/silent-proxy.ts'
import { cloneTemplate } from '../testing/template.ts'
import { createDb, createPool, type Pool, type Tx } from './client.ts'

const NO_ANSWER = 'Query read timeout'

let database: { url: string; drop(): Promise<void> }
let db: Pool

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  db = createDb(createPool(database.url, { max: 4, onError: () => {} }))
  const counter = (key: string) => ({ key, points: 0, expire: null })
  await db
    .insertInto('rate_limits')
    .values([counter('one'), counter('two')])
    .execute()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('of two transactions that wait for each other, the one that PostgreSQL ends starts over', async () => {
  const add = (tx: Tx, key: string) =>
    tx
      .updateTable('rate_limits')
      .set((eb) => ({ points: eb('points', '+', 1) }))
      .where('key', '=', key)
      .execute()
  let holding = 0
  let bothHold = () => {}
  const both = new Promise<void>((resolve) => (bothHold = resolve))
  const attempts: string[] = []
  const crossing = (first: string, second: string) =>
    db.transaction().execute(async (tx) => {
      attempts.push(first)
      await add(tx, first)
      if (++holding === 2) bothHold()
      await both
      await add(tx, second)
    })
  await Promise.all([crossing('one', 'two'), crossing('two', 'one')])
  // The retried one may win against the other again now and then.
  expect(attempts.length).toBeGreaterThan(2)
  const points = await db.selectFrom('rate_limits').select('points').execute()
  expect(points.map((row) => row.points)).toEqual([2, 2])
})

test('a page is planned once, not at every call', async () => {
  await sql`insert into rate_limits (key, points) select 'page ' || n, 0 from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`analyze rate_limits`.execute(db)
  const page = db.selectFrom('rate_limits').select('key').where('key', '>', 'page').orderBy('key').limit(16)
  const plans = await db.connection().execute(async (one) => {
    // As a product's database chooses.
    await sql`set plan_cache_mode to auto`.execute(one)
    await sql`prepare page (text) as ${sql.raw(page.compile().sql)}`.execute(one)
    for (let call = 0; call < 10; call += 1) await sql`execute page ('page')`.execute(one)
    return sql`select generic_plans, custom_plans from pg_prepared_statements where name = 'page'`.execute(
      one,
    )
  })
  expect(plans.rows).toEqual([{ generic_plans: 5, custom_plans: 5 }])
})

test('a connection that no longer answers fails what waits for it, and the next call gets another', async () => {
  const proxy = await startSilentProxy(database.url)
  const silent = createDb(
    createPool(proxy.connectionString, { max: 1, onError: () => {}, answerTimeoutMs: 5000 }),
  )
  const ask = () => sql`select 1 as one`.execute(silent)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await ask()
  proxy.silence()
  let failed: Error | undefined
  ask().catch((error: Error) => {
    failed = error
  })
  await expect.poll(() => vi.advanceTimersByTimeAsync(1000).then(() => failed?.message)).toBe(NO_ANSWER)
  await expect(
    silent.transaction().execute(async (tx) => sql`select 1 as one`.execute(tx)),
  ).resolves.toMatchObject({ rows: [{ one: 1 }] })
  await silent.destroy()
})

test('a transaction that allows itself more time is not taken for silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const patient = createDb(createPool(database.url, { max: 1, onError: () => {}, answerTimeoutMs: 5000 }))
  const slept = patient.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const sleeping = sql`select 'slept' as outcome from pg_sleep(1)`.execute(tx)
    // Once the question is on its way.
    await vi.advanceTimersByTimeAsync(0)
    await vi.advanceTimersByTimeAsync(6000)
    return sleeping
  })
  await expect(slept).resolves.toMatchObject({ rows: [{ outcome: 'slept' }] })
  await patient.destroy()
})

test('some connections stay open while nothing is asked', async () => {
  const pool = createPool(database.url, { max: 4, keptOpen: 2, onError: () => {} })
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const client of clients) client.release()
  vi.advanceTimersByTime(60_000)
  expect(pool.totalCount).toBe(2)
  vi.useRealTimers()
  await pool.end()
})
