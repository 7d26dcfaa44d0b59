import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from './testing/harness.ts'

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
