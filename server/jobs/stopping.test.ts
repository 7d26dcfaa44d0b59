import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../db/client.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { startSilentProxy } from '../testing/silent-proxy.ts'
import { addressOf, mailTo, workers } from '../testing/workers.ts'
import type { JobHandlers } from './catalogue.ts'
import { LANES, startRunner } from './runner.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
const { gates, release, startWith, put, gate, delivered } = workers(() => harness)
afterEach(release)
afterAll(() => harness.stop())

/** Has the database refuse the end of each email's job. */
async function refuseEnds(): Promise<{ allow(): Promise<unknown> }> {
  const { db } = harness.context
  await sql`
    create function refuse_end() returns trigger language plpgsql as $$ begin
      if old.task_id = (select id from graphile_worker._private_tasks where identifier = 'notifications.send')
      then raise 'no end today'; end if;
      return old;
    end $$;
    create trigger refuse_end before delete on graphile_worker._private_jobs
      for each row execute function refuse_end()`.execute(db)
  const allow = () => sql`drop function if exists refuse_end cascade`.execute(db)
  gates.push(() => void allow())
  return { allow }
}

/** Handles emails by what stands before the @ of their address; `begun` once all of these are at work. */
function atWork(handlers: Record<string, () => Promise<void>>) {
  const begun = Promise.withResolvers<void>()
  const here = new Set<string>()
  const handler: JobHandlers['notifications.send'] = async (delivery) => {
    const [name = ''] = addressOf(delivery).split('@')
    here.add(name)
    if (here.size === Object.keys(handlers).length) begun.resolve()
    await begun.promise
    await handlers[name]?.()
  }
  const putAll = async () => {
    for (const name of Object.keys(handlers)) await put('notifications.send', mailTo(`${name}@example.test`))
  }
  return { begun: begun.promise, handler, putAll }
}

/** Resolves with the `count`th end that was refused; `onLog` hears of them. */
function refusals() {
  const each = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  let count = 0
  const onLog = (message: string) => {
    if (message.startsWith('Failed to complete jobs')) each[count++]?.resolve()
  }
  return { onLog, first: each[0]?.promise, second: each[1]?.promise }
}

const waiting = async () => {
  const { rows } = await sql<{ address: string }>`
    select payload -> 'message' ->> 'address' as address from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = task_id
    where identifier = 'notifications.send' order by address`.execute(harness.context.db)
  return rows.map(({ address }) => address)
}

describe('a lane', () => {
  test('in which the ends of two jobs were refused, one after the other, goes on', async () => {
    const { allow } = await refuseEnds()
    const { onLog, first, second } = refusals()
    const box = delivered()
    const { handler, putAll } = atWork({
      first: async () => {},
      second: async () => first,
      failing: async () => {
        await second
        await allow()
        throw new Error('could not be sent')
      },
    })
    await startWith(
      {
        'notifications.send': (delivery, run) =>
          addressOf(delivery) === 'next@example.test' ? box.handler(delivery, run) : handler(delivery, run),
      },
      { onLog },
    )
    await putAll()
    await second
    await put('notifications.send', mailTo('next@example.test'))
    expect(await box.promise).toBe('next@example.test')
  })

  test('that stops after an end was refused takes down the ends that are still to come', async () => {
    const { allow } = await refuseEnds()
    const { onLog, first } = refusals()
    const last = gate()
    const { handler, putAll } = atWork({
      first: async () => {},
      second: async () => {
        await first
        await allow()
      },
      last: last.wait,
    })
    const runner = await startWith({ 'notifications.send': handler }, { onLog })
    await putAll()
    await expect.poll(waiting).toEqual(['first@example.test', 'last@example.test'])
    const stopped = runner.stop()
    for (const open of gates.splice(0)) open()
    await stopped
    expect(await waiting()).toEqual(['first@example.test'])
  })
})

test('a lane that could not read its kinds of jobs at first works them once it can', async () => {
  const { db } = harness.context
  const box = delivered()
  await put('notifications.send', mailTo('first@example.test'))
  // A sequence advances even if the statement is rolled back.
  await sql`
    create sequence looks;
    create function refuse_looks() returns trigger language plpgsql as $$ begin
      if nextval('looks') <= ${sql.lit(LANES.length)} then raise 'nothing to read yet'; end if;
      return null;
    end $$;
    create trigger refuse_looks before insert on graphile_worker._private_tasks
      for each statement execute function refuse_looks()`.execute(db)
  onTestFinished(async () => {
    await sql`drop function refuse_looks cascade; drop sequence looks`.execute(db)
  })
  await startWith({ 'notifications.send': box.handler })
  expect(await box.promise).toBe('first@example.test')
})

describe('a stop', () => {
  test('ends while the database answers nothing, and keeps the job whose end it could not take down', async () => {
    const proxy = await startSilentProxy(harness.databaseUrl)
    const only = gate()
    const { begun, handler, putAll } = atWork({ only: only.wait })
    const runner = await startWith(
      { 'notifications.send': handler },
      { databaseUrl: proxy.connectionString, stopWithinMs: 100 },
    )
    await putAll()
    await begun
    proxy.silence()
    for (const open of gates.splice(0)) open()
    await runner.stop()
    expect(await waiting()).toEqual(['only@example.test'])
  })

  test('during which connections break that had not begun to listen for jobs ends, and the process goes on', async () => {
    const proxy = await startSilentProxy(harness.databaseUrl, { silentFrom: 'LISTEN "jobs:insert"' })
    const rejections: unknown[] = []
    const note = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    let leaving = 0
    const runner = await startWith(
      {},
      {
        databaseUrl: proxy.connectionString,
        stopWithinMs: 100,
        onLog: (message) => (leaving += Number(message.startsWith('Error occurred attempting to UNLISTEN'))),
      },
    )
    await expect.poll(() => proxy.silenced).toBe(LANES.length)
    await runner.stop()
    proxy.breakOff()
    // Each connection leaves twice: as its lane stops, and as it hears that it never listened.
    await expect.poll(() => leaving).toBe(2 * LANES.length)
    expect(rejections).toEqual([])
  })

  test('that is asked for twice is one', async () => {
    const runner = await startWith({})
    await Promise.all([runner.stop(), runner.stop()])
  })
})

test('a start that fails in one lane ends the others', async () => {
  const pools: pg.Pool[] = []
  const starting = startRunner({
    openPool: (max) => {
      const url = pools.length === 5 ? `${harness.databaseUrl}_gone` : harness.databaseUrl
      const pool = createPool(url, { max, onError: () => {} })
      pools.push(pool)
      return pool
    },
    handlers: harness.server.jobs,
    log: pino({ level: 'silent' }),
  })
  await expect(starting).rejects.toThrow('does not exist')
  expect(pools.map(({ ended }) => ended)).toEqual(pools.map(() => true))
})
