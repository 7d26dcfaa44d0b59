import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Refused } from '../testing/api.ts'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { clockPage } from './sandbox-clock-page.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const move = (advanceSeconds: unknown) =>
  fetch(`${harness.origin}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }),
  })

test.each([0, -5, 'soon', 1e12, null])(
  'a move of %s seconds is refused and moves nothing',
  async (seconds) => {
    const before = harness.clock.offset()
    expect((await move(seconds)).status).toBe(400)
    expect(harness.clock.offset()).toBe(before)
  },
)

test('a session ends when the clock is moved past it, and the next start knows the time', async () => {
  const fan = await buildFan(harness)
  await harness.api.as(fan).call(routes.me, {})
  expect((await move(31 * 24 * 3600)).status).toBe(200)
  await expect(harness.api.as(fan).call(routes.me, {})).rejects.toMatchObject({
    code: 'not_authenticated',
  } satisfies Partial<Refused>)
  const { clock_offset_ms: kept } = await harness.context.db
    .selectFrom('installation')
    .select('clock_offset_ms')
    .executeTakeFirstOrThrow()
  expect(kept).toBe(harness.clock.offset())
})

test('what comes by itself from time to time is due as soon as the clock is moved, once', async () => {
  await move(600)
  await move(600)
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where key in ('posts.submit', 'ledger.release') and run_at <= now()
    order by key`.execute(harness.context.db)
  expect(rows).toEqual([{ key: 'ledger.release' }, { key: 'posts.submit' }])
})

test('what waits on the way wakes workers again until it is done, and then the clock has arrived', async () => {
  const page = `${harness.origin}/sandbox/clock/`
  const listener = new pg.Client({ connectionString: harness.databaseUrl })
  await listener.connect()
  onTestFinished(() => listener.end())
  let woken = 0
  listener.on('notification', () => {
    woken += 1
  })
  await listener.query('listen "jobs:insert"')
  await fetch(`${page}move`, { method: 'POST', body: new URLSearchParams({ by: 'hour' }) })
  await expect.poll(() => woken).toBeGreaterThan(5)
  const shown = async () => {
    await harness.runJobs()
    return (await fetch(page)).text()
  }
  await expect.poll(shown).not.toContain('Stop here')
  expect(await shown()).toContain('What happened')
})

test('an amount below zero has a minus sign', () => {
  const [from, to] = [new Date('2027-01-01'), new Date('2027-01-02')]
  const journey = { from, to, state: 'arrived' } as const
  const happened = [{ what: 'Refunds', count: 1, cents: -955 }]
  expect(clockPage({ now: to, aheadMs: 0, journey, happened, error: null })).toContain('<td>−$9.55</td>')
})

test('answers tell the time of this clock, which browsers go by', async () => {
  await move(3600)
  // The second one is refused.
  for (const path of ['config', 'users/earnings']) {
    const { headers } = await fetch(`${harness.origin}/api/${path}`)
    const late = harness.clock.now().getTime() - Date.parse(headers.get('date') ?? '')
    expect(late).toBeLessThan(60_000)
  }
  expect(harness.clock.offset()).toBeGreaterThan(60_000)
})
