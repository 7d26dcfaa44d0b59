import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Delivery } from '../../contract/notifications.ts'
import { createPool } from '../db/client.ts'
import { noteClockOffset } from '../start/sandbox-clock.ts'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import type { JobHandlers, JobName, JobPayload } from './catalogue.ts'
import { enqueue, LATER } from './enqueue.ts'
import { startRunner } from './runner.ts'

const HOUR_MS = 3600 * 1000

/** A mail that somebody asked for; nobody has the address. */
const mailTo = (address: string): Delivery => ({
  id: randomUUID(),
  message: { kind: 'password.reset', address },
})
const addressOf = ({ message }: Delivery) => ('address' in message ? message.address : '')

let harness: Harness
/** What a test has to end: what its jobs wait for, then who works them. */
const gates: (() => void)[] = []
const runners: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
afterEach(async () => {
  for (const open of gates.splice(0)) open()
  for (const runner of runners.splice(0)) await runner.stop()
  await sql`delete from graphile_worker._private_jobs`.execute(harness.context.db)
})

async function startWith(handlers: Partial<JobHandlers>) {
  const runner = await startRunner({
    openPool: (max) => createPool(harness.databaseUrl, { max, onError: () => {} }),
    handlers: { ...harness.server.jobs, ...handlers },
    log: pino({ level: 'silent' }),
  })
  runners.push(runner)
}

const put = <N extends JobName>(name: N, payload: JobPayload<N>, options?: Parameters<typeof enqueue>[3]) =>
  harness.context.db.transaction().execute((tx) => enqueue(tx, name, payload, options))

/** Where jobs wait until the test is over; tells how many came. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  gates.push(resolve)
  const at = {
    came: 0,
    first: arrived.promise,
    async wait() {
      at.came++
      arrived.resolve()
      await promise
    },
  }
  return at
}

/** Handles mails as ever, and tells when the first one is in its box. */
function delivered() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const handler: JobHandlers['notifications.send'] = async (delivery, run) => {
    await harness.server.jobs['notifications.send'](delivery, run)
    resolve(addressOf(delivery))
  }
  return { handler, promise }
}

describe('lanes', () => {
  test('100 uploads that are not done, and as many that hang in a poster, hold up no reset mail', async () => {
    const files = gate()
    const box = delivered()
    for (let count = 0; count < 100; count++) await put('media.process', { uploadId: crypto.randomUUID() })
    await startWith({
      'media.process': files.wait,
      'media.poster': files.wait,
      'notifications.send': box.handler,
    })
    await files.first
    const fan = await buildFan(harness)
    await harness.api.visitor().call(routes.requestReset, { body: { email: fan.email } })
    expect(await box.promise).toBe(fan.email)
    const answer = await fetch(`${harness.sandboxOrigin}/sandbox/mail/messages?to=${fan.email}`)
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(1)
  })

  test('copies, posters and exports, however many wait, hold up neither each other nor a photo of somebody else', async () => {
    const crowds = { copies: gate(), posters: gate(), exports: gate() }
    const files = gate()
    for (let count = 0; count < 8; count++) {
      const [mediaId, versionId, exportId] = [randomUUID(), randomUUID(), randomUUID()]
      await put('posts.copy', { versionId, name: 'LanternMaker' })
      await put('media.poster', { mediaId, seconds: 1, label: 'poster' })
      await put('account.export', { exportId })
    }
    await startWith({
      'posts.copy': crowds.copies.wait,
      'media.poster': crowds.posters.wait,
      'account.export': crowds.exports.wait,
      'media.process': files.wait,
    })
    await Promise.all(Object.values(crowds).map(({ first }) => first))
    await put('media.process', { uploadId: randomUUID() })
    await files.first
    // None holds a place for longer than its own work takes.
    expect([crowds.copies.came, crowds.posters.came]).toEqual([1, 1])
    expect(crowds.exports.came).toBeLessThan(8)
  })

  test('a gateway that hangs holds up neither mails nor files, nor a store that is asked at the same time', async () => {
    const gateway = gate()
    const files = gate()
    const store = gate()
    const box = delivered()
    await startWith({
      'purchases.recover': gateway.wait,
      'media.process': files.wait,
      'media.remove-files': store.wait,
      'notifications.send': box.handler,
    })
    for (let count = 0; count < 5; count++) await put('purchases.recover', {})
    await gateway.first
    await put('notifications.send', mailTo('a@example.test'))
    await put('media.process', { uploadId: crypto.randomUUID() })
    await put('media.remove-files', {
      mediaId: crypto.randomUUID(),
      storageId: crypto.randomUUID(),
      names: null,
    })
    await Promise.all([box.promise, files.first, store.first])
    expect(gateway.came).toBe(1)
  })

  test('push services that hang, however many wait for them, hold up no recovery of payments', async () => {
    const pushed = gate()
    const gateway = gate()
    await startWith({ 'notifications.push': pushed.wait, 'purchases.recover': gateway.wait })
    for (let count = 0; count < 20; count++)
      await put('notifications.push', {
        notificationId: randomUUID(),
        subscriptionId: randomUUID(),
        tries: 1,
      })
    await expect.poll(() => pushed.came).toBeGreaterThan(1)
    await put('purchases.recover', {})
    await gateway.first
    expect(pushed.came).toBeLessThan(20)
  })
})

describe('a lane', () => {
  test('works what people wait for before the digests that came earlier', async () => {
    const sent: string[] = []
    const all = Promise.withResolvers<void>()
    const digest = () => ({
      id: randomUUID(),
      message: { kind: 'notifications.digest' as const, person: randomUUID() },
    })
    for (let count = 0; count < 8; count++) await put('notifications.send', digest(), { priority: LATER })
    await put('notifications.send', mailTo('a@example.test'))
    await startWith({
      'notifications.send': async ({ message }) => {
        if (sent.push(message.kind) === 9) all.resolve()
      },
    })
    await all.promise
    // Four at once begin.
    expect(sent.indexOf('password.reset')).toBeLessThan(4)
  })

  test('whose job’s end the database did not take down goes on, and runs that job once more', async () => {
    const { db } = harness.context
    await sql`
      create function refuse_end() returns trigger language plpgsql as $$ begin raise 'no end today'; end $$;
      create trigger refuse_end before delete on graphile_worker._private_jobs
        for each row execute function refuse_end()`.execute(db)
    const allow = () => sql`drop function if exists refuse_end cascade`.execute(db)
    const ran: string[] = []
    const twice = Promise.withResolvers<void>()
    await startWith({
      'notifications.send': async (delivery) => {
        ran.push(addressOf(delivery))
        if (ran.length === 1) return
        await allow()
        twice.resolve()
      },
    })
    await put('notifications.send', mailTo('a@example.test')).finally(() => gates.push(() => void allow()))
    await twice.promise
    expect(ran).toEqual(['a@example.test', 'a@example.test'])
    await expect
      .poll(async () => (await sql`select from graphile_worker.jobs`.execute(db)).rows.length, {
        timeout: 10_000,
      })
      .toBe(0)
  })
})

describe('a single job', () => {
  test('never runs twice at once and waits once, in one process and in two', async () => {
    const counting = gate()
    const after = gate()
    const handlers = { 'tags.count': counting.wait, 'notifications.send': after.wait }
    await startWith(handlers)
    await startWith(handlers)
    await put('tags.count', {})
    await counting.first
    for (let count = 0; count < 5; count++) await put('tags.count', {})
    // Taken after them from the same lane: by then they were passed over.
    await put('notifications.send', mailTo('a@example.test'))
    await after.first
    expect(counting.came).toBe(1)
    const waiting = await sql`
      select from graphile_worker.jobs where task_identifier = 'tags.count' and locked_at is null`.execute(
      harness.context.db,
    )
    expect(waiting.rows).toHaveLength(1)
  })
})

describe('a job for later', () => {
  test('comes when our clock says so, also when the clock is moved', async () => {
    const { db, clock } = harness.context
    const ran: string[] = []
    const { jobs } = harness.server
    const handler = jobs['notifications.send']
    gates.push(() => Object.assign(jobs, { 'notifications.send': handler }))
    jobs['notifications.send'] = async (delivery) => void ran.push(addressOf(delivery))
    const names = () => harness.runJobs().then(() => [...ran])
    // Moved before the job is there, and not written down yet; and after it.
    clock.advance(5 * HOUR_MS)
    await put('notifications.send', mailTo('later@example.test'), {
      runAt: new Date(clock.now().getTime() + HOUR_MS),
    })
    await put('notifications.send', mailTo('past@example.test'), {
      runAt: new Date(clock.now().getTime() - HOUR_MS),
    })
    expect(await names()).toEqual(['past@example.test'])
    clock.advance(0.9 * HOUR_MS)
    expect(await names()).toEqual(['past@example.test'])
    clock.advance(0.2 * HOUR_MS)
    expect(await names()).toEqual(['past@example.test', 'later@example.test'])
    await db.transaction().execute((tx) => noteClockOffset(tx, 0))
  })
})

async function lockAsDead(): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-a-killed-process', attempts = 1`.execute(
    harness.context.db,
  )
}

describe('jobs that a killed process left locked', () => {
  test('are worked by the next start', async () => {
    const box = delivered()
    await put('notifications.send', mailTo('a@example.test'))
    await lockAsDead()
    await startWith({ 'notifications.send': box.handler })
    expect(await box.promise).toBe('a@example.test')
  })

  test('stay with their worker while any other worker lives', async () => {
    await startWith({})
    await put('notifications.send', mailTo('a@example.test'), {
      runAt: new Date(harness.clock.now().getTime() + HOUR_MS),
    })
    await lockAsDead()
    await startWith({})
    const { rows } = await sql`
      select locked_by from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(
      harness.context.db,
    )
    expect(rows).toEqual([{ locked_by: 'worker-of-a-killed-process' }])
  })
})
