import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { FORUM_TIMEOUT_MS } from '../../../context.ts'
import { createPool } from '../../../db/client.ts'
import type { JobHandlers } from '../../../jobs/catalogue.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { startRunner } from '../../../jobs/runner.ts'
import { noteClockOffset } from '../../../start/sandbox-clock.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits, connectForum, forumAdmin } from '../../../testing/promotion.ts'

/** More than the server has connections to its database. */
const HANGING = 60
const OTHERS = 100
/** How often the planned fault may strike, so that how often it did can be asked for. */
const TIMES = 100_000

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await connectForum(harness, creator, 'SampleCreator')
  await buildSubreddits(harness, ['Gardens', 'Ceramics', 'Asters'])
})
afterAll(async () => {
  // Connections that were opened for calls given up meanwhile would keep the forum’s server open until one is used.
  await Promise.all(Array.from({ length: 2 * HANGING }, () => forumAdmin(harness, 'GET', 'faults')))
  await harness.stop()
})

const as = (person: Person) => harness.api.as(person)
/** Makes the forum hang, a little longer than the server waits for it. */
const hang = () =>
  forumAdmin(harness, 'POST', 'faults', {
    kind: 'slow',
    delayMilliseconds: FORUM_TIMEOUT_MS + 2_000,
    times: TIMES,
  })
const hanging = async () =>
  TIMES -
  ((await forumAdmin<{ items: { times: number }[] }>(harness, 'GET', 'faults')).items[0]?.times ?? TIMES)

/** Until the first call can have been given up, none is over; a busy machine may take longer than that for the others. */
function expectNoneOver(began: number, over: number): void {
  if (performance.now() - began < FORUM_TIMEOUT_MS) expect(over).toBe(0)
}

test('while the forum hangs, other calls are answered, and no connection to the database waits with it', async () => {
  await hang()
  const began = performance.now()
  let ended = 0
  const asked = Array.from({ length: HANGING }, (_, index) => {
    const calls = [
      () => as(creator).send('GET', '/reddit/api/subreddits', { query: { search: 'gardens' } }),
      () => as(creator).send('GET', '/reddit/flair', { query: { subreddit: 'Gardens' } }),
      () => as(creator).send('POST', '/reddit/srinfo/refresh', { body: { subreddit: 'Ceramics' } }),
      () =>
        as(creator).send('POST', '/reddit/updateusersrinfo', {
          body: { srName: `Hanging${index}`, status: 'todo' },
        }),
    ]
    return calls[index % calls.length]?.().finally(() => ended++)
  })
  // Searches hang each by itself; the others share one call for the product’s own token.
  await expect.poll(hanging).toBeGreaterThan(HANGING / 4)
  for (let count = 0; count < OTHERS; count += 4) {
    const answers = await Promise.all([
      as(creator).send('GET', '/reddit/srinfos'),
      as(creator).send('GET', '/reddit/accounts'),
      as(creator).send('POST', '/reddit/updateusersrinfo', { body: { srName: 'Asters', status: 'todo' } }),
      harness.api.visitor().send('GET', '/config'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
  const open = async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(harness.context.db)
    return rows[0]?.open
  }
  // One at work may be between two statements; one that waited for the forum would be here until that is given up.
  await expect.poll(open, { timeout: FORUM_TIMEOUT_MS / 2 }).toBe(0)
  expectNoneOver(began, ended)
  await forumAdmin(harness, 'DELETE', 'faults')
  expect((await Promise.all(asked)).map((answer) => answer?.status)).not.toContain(500)
})

test('while what reads it hangs, other lanes go on, that of due posts among them', async () => {
  await harness.runJobs()
  const { db } = harness.context
  const due = await connectForum(harness, creator, 'SecondAccount')
  await as(creator).call(routes.disconnectForum, { body: { accountId: due._id } })
  harness.clock.advance(26 * 3_600_000)
  await buildSubreddits(harness, ['Lanterns'])
  await db.transaction().execute((tx) => noteClockOffset(tx, harness.clock.offset()))
  await hang()
  const began = performance.now()
  const over: string[] = []
  const mailed = Promise.withResolvers<void>()
  const posted = Promise.withResolvers<void>()
  const jobs = harness.server.jobs
  const handlers: JobHandlers = {
    ...jobs,
    'forum.refresh': (payload, run) =>
      jobs['forum.refresh'](payload, run).finally(() => over.push('refresh')),
    'forum.revoke': (payload, run) => jobs['forum.revoke'](payload, run).finally(() => over.push('revoke')),
    'posts.submit': async (payload, run) => {
      await jobs['posts.submit'](payload, run)
      posted.resolve()
    },
    'notifications.send': async (delivery, run) => {
      await jobs['notifications.send'](delivery, run)
      mailed.resolve()
    },
  }
  await db.transaction().execute((tx) => enqueue(tx, 'forum.refresh', {}))
  const runner = await startRunner({
    openPool: (max) => createPool(harness.databaseUrl, { max, onError: () => {} }),
    handlers,
    log: pino({ level: 'silent' }),
  })
  await expect.poll(hanging).toBeGreaterThanOrEqual(2)
  const fan = await buildFan(harness)
  await harness.api.visitor().call(routes.requestReset, { body: { email: fan.email } })
  await mailed.promise
  await db.transaction().execute((tx) => enqueue(tx, 'posts.submit', {}))
  await posted.promise
  expectNoneOver(began, over.length)
  await forumAdmin(harness, 'DELETE', 'faults')
  await runner.stop()
})
