import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from './testing/harness.ts'
import { waitingForLocks } from './testing/locks.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

/** How many servers listen for events on this database. */
async function listeners(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name = 'fanfare realtime'
  `.execute(harness.context.db)
  return Number(rows[0]?.count)
}

test('a server whose port is taken ends what it has opened', async () => {
  const { port } = new URL(harness.origin)
  expect(await listeners()).toBe(1)
  await expect(startHarness({ beside: harness, environment: { PORT: port } })).rejects.toThrow('is taken')
  await vi.waitUntil(async () => (await listeners()) === 1, { timeout: 150_000 })
})

/** How many connections on this database say that they are workers: they alone share a turn. */
async function workers(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct pid) from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
      and database = (select oid from pg_database where datname = current_database())`.execute(
    harness.context.db,
  )
  return Number(rows[0]?.count)
}

test('a stop that is asked for while the workers start ends what serves already, and then the workers', async () => {
  const { db } = harness.context
  const serving = Promise.withResolvers<() => Promise<void>>()
  const { starting, stopping } = await db.transaction().execute(async (tx) => {
    // Jobs that killed processes left are freed before anything else.
    await sql`lock table graphile_worker._private_jobs in access exclusive mode`.execute(tx)
    const starting = startHarness({
      beside: harness,
      environment: { ROLE: 'all' },
      onServing: serving.resolve,
    }).catch(() => null)
    while ((await waitingForLocks(db)) === 0);
    expect(await workers()).toBe(0)
    const stopping = (await serving.promise)()
    await vi.waitUntil(async () => (await listeners()) === 1, { timeout: 150_000 })
    return { starting, stopping }
  })
  await Promise.all([stopping, starting])
  // The database hears of a closed connection a moment later.
  await vi.waitUntil(async () => (await workers()) === 0, { timeout: 150_000 })
  await (await starting)?.stop()
})
