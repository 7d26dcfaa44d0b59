import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Delivery } from '../../contract/notifications.ts'
import { createPool } from '../db/client.ts'
import { noteClockOffset } from '../start/sandbox-clock.ts'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { uploadLongVideo } from '../testing/long-video.ts'
import { tellOften } from '../testing/mails/telling.ts'
import { type JobHandlers, type JobName, type JobPayload, jobs } from './catalogue.ts'
import { enqueue, enqueueMany, LATER } from './enqueue.ts'
import { startRunner } from './runner.ts'

const HOUR_MS = 3600 * 1000
const MINUTE_MS = 60_000
/** A worker in its own process. */
const CHILD = join(import.meta.dirname, '..', 'testing', 'job-worker.ts')

/** A requested email to an address that nobody has. */
const mailTo = (address: string): Delivery => ({
  id: randomUUID(),
  message: { kind: 'password.reset', address },
})
const addressOf = ({ message }: Delivery) => ('address' in message ? message.address : '')

/** Jobs that wait for an outside service, by service; `renewals` sends thousands of charges to the gateway. */
const hanging = {
  mail: ['notifications.send'],
  push: ['notifications.push'],
  gateway: [
    'purchases.recover',
    'refunds.recover',
    'custom-requests.refund',
    'payments.compare',
    'cards.recover',
    'cards.forget',
    'gateway.look-up',
  ],
  renewals: ['renewals.charge'],
  store: ['media.remove-files', 'account.erase', 'account.sweep'],
  forum: ['forum.refresh', 'forum.revoke', 'posts.follow', 'posts.take-down', 'inbox.sync'],
} satisfies Record<string, JobName[]>

type Service = keyof typeof hanging

/** More than the places of any lane. */
const CROWD = 8

/** Any job of this name, with ids that don't exist. */
const putOne = (name: JobName) => {
  const payloads: { [N in JobName]?: () => JobPayload<N> } = {
    'notifications.send': () => mailTo('a@example.test'),
    'notifications.summarize': () => ({ person: randomUUID() }),
    'notifications.push': () => ({ notificationId: randomUUID(), subscriptionId: randomUUID(), tries: 1 }),
    'messages.remind': () => ({ conversationId: randomUUID(), userId: randomUUID() }),
    'messages.remind-many': () => ({ massMessageId: randomUUID(), from: randomUUID(), to: randomUUID() }),
    'messages.mass': () => ({ massMessageId: randomUUID() }),
    'messages.welcome': () => ({ subscriptionId: randomUUID() }),
    'posts.copy': () => ({ versionId: randomUUID(), name: 'LanternMaker' }),
    'media.process': () => ({ uploadId: randomUUID() }),
    'media.poster': () => ({ mediaId: randomUUID(), seconds: 1, label: 'poster' }),
    'media.remove-files': () => ({ mediaId: randomUUID(), storageId: randomUUID(), names: null }),
    'gateway.look-up': () => ({ transactionId: '1' }),
    'account.tell-buyers': () => ({ creatorId: randomUUID() }),
    'prices.tell': () => ({ changeId: null, editedAt: new Date().toISOString(), each: [] }),
    'account.export': () => ({ exportId: randomUUID() }),
  }
  return put(name, payloads[name]?.() ?? {})
}

let harness: Harness
/** The locks that a test has to release: those of its jobs, then its workers. */
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
  // A lane that stopped before it could start again leaves its queue locked, which only a job would have freed.
  await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`.execute(
    harness.context.db,
  )
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

/** Blocks jobs until the test is over; counts how many started. */
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

/** Sends emails as usual, and resolves when the first one arrived. */
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
    const posters = gate()
    for (let count = 0; count < 100; count++) {
      await put('media.process', { uploadId: randomUUID() })
      await put('media.poster', { mediaId: randomUUID(), seconds: 1, label: 'poster' })
    }
    await startWith({
      'media.process': files.wait,
      'media.poster': posters.wait,
      'notifications.send': box.handler,
    })
    await Promise.all([files.first, posters.first])
    const fan = await buildFan(harness)
    await harness.api.visitor().call(routes.requestReset, { body: { email: fan.email } })
    expect(await box.promise).toBe(fan.email)
    const answer = await fetch(`${harness.sandboxOrigin}/sandbox/mail/messages?to=${fan.email}`)
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(1)
    // The email is there before any of them is done: those at work are among these until then.
    const { rows } = await sql<{ name: string; count: number }>`
      select task_identifier as name, count(*)::int from graphile_worker.jobs
      where task_identifier in ('media.poster', 'media.process') group by name order by name`.execute(
      harness.context.db,
    )
    expect(rows).toEqual([
      { name: 'media.poster', count: 100 },
      { name: 'media.process', count: 100 },
    ])
  })

  test('a video that is being prepared holds up no reset mail', async () => {
    const atWork = Promise.withResolvers<void>()
    const { context } = harness
    const { processor } = context
    gates.push(() => {
      context.processor = processor
      void processor.close()
    })
    context.processor = {
      ...processor,
      process(file) {
        atWork.resolve()
        return processor.process(file)
      },
    }
    await uploadLongVideo(harness)
    const box = delivered()
    await startWith({ 'notifications.send': box.handler })
    await atWork.promise
    const fan = await buildFan(harness)
    await harness.api.visitor().call(routes.requestReset, { body: { email: fan.email } })
    expect(await box.promise).toBe(fan.email)
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

  const services = Object.keys(hanging) as Service[]
  test.each([
    ...services.map((service) => ({ what: service, which: [service] })),
    { what: 'all of them', which: services },
  ])('while it hangs, no job waits that does not ask it: $what', async ({ which }) => {
    const held = which.map((service) => hanging[service].map((name) => [name, gate()] as const))
    const names = new Set<JobName>(held.flatMap((gates) => gates.map(([name]) => name)))
    const others = (Object.keys(jobs) as JobName[])
      .filter((name) => !names.has(name))
      .map((name) => [name, Promise.withResolvers<void>()] as const)
    for (let count = 0; count < CROWD; count++) for (const name of names) await putOne(name)
    await startWith(
      Object.fromEntries([
        ...held.flat().map(([name, { wait }]) => [name, wait]),
        ...others.map(([name, { resolve }]) => [name, async () => resolve()]),
      ]),
    )
    await Promise.all(held.map((gates) => Promise.any(gates.map(([, { first }]) => first))))
    for (const [name] of others) await putOne(name)
    await Promise.all(others.map(([, { promise }]) => promise))
  })

  test('what hangs at the gateway leaves each kind its place, however much is to be looked up, and of each one runs', async () => {
    const asking = hanging.gateway.map((name) => [name, gate()] as const)
    const refunds = Array.from({ length: CROWD }, () => ({ payload: { transactionId: randomUUID() } }))
    await harness.context.db.transaction().execute((tx) => enqueueMany(tx, 'gateway.look-up', refunds))
    await startWith(Object.fromEntries(asking.map(([name, { wait }]) => [name, wait])))
    for (let count = 0; count < CROWD; count++) {
      await put('gateway.look-up', { transactionId: String(count) })
      await put('purchases.recover', {})
    }
    for (const [name] of asking) if ('cron' in jobs[name]) await putOne(name)
    await Promise.all(asking.map(([, { first }]) => first))
    expect(asking.map(([, { came }]) => came)).toEqual(asking.map(() => 1))
  })
})

describe('a lane', () => {
  test('works what people wait for before the receipts and digests that came earlier', async () => {
    const sent: string[] = []
    const linked = Promise.withResolvers<void>()
    const { id: person } = await buildFan(harness)
    const data = { title: 'Patrons', amount: '$4', card: 'Visa 1111', until: '2030-01-01' }
    await tellOften(harness, { kind: 'subscription.renewed', person, data: { ...data, months: 1 } }, 1000)
    const digest = () => ({
      id: randomUUID(),
      message: { kind: 'notifications.digest' as const, person: randomUUID() },
    })
    for (let count = 0; count < 8; count++) await put('notifications.send', digest(), { priority: LATER })
    await put('notifications.send', mailTo('a@example.test'))
    await startWith({
      'notifications.send': async ({ message }) => {
        sent.push(message.kind)
        if (message.kind === 'password.reset') linked.resolve()
        // The lanes before it wait, as one may be done with several jobs before the last has begun its first.
        else if (sent.length < 4) await linked.promise
      },
    })
    await linked.promise
    // The first four start at once.
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
    // Others, tried once, may have been kept as well.
    const kept = () =>
      sql`select from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(db)
    await expect.poll(async () => (await kept()).rows.length).toBe(0)
  })
})

describe('a single job', () => {
  test('never runs twice at once and waits once, in one process and in two', async () => {
    const counting = gate()
    const after = gate()
    const handlers = { 'tags.count': counting.wait, 'messages.welcome': after.wait }
    await startWith(handlers)
    await startWith(handlers)
    await put('tags.count', {})
    await counting.first
    for (let count = 0; count < 5; count++) await put('tags.count', {})
    // Enqueued after them in the same lane: when it runs, they were skipped.
    await put('messages.welcome', { subscriptionId: randomUUID() })
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
    // Moved before the job is enqueued, and not recorded yet; and again after it.
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

  test('are worked within a minute by a worker that lives on, but none of a living one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    gates.push(() => vi.useRealTimers())
    const { db } = harness.context
    await put('posts.submit', {})
    const child = spawn(process.execPath, ['--no-warnings', CHILD], {
      env: { DATABASE_URL: harness.databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    gates.push(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    for await (const name of createInterface(child.stdout)) if (name === 'posts.submit') break
    const { rows: at } = await sql<{ worker: string }>`
      select locked_by as worker from graphile_worker.jobs where task_identifier = 'posts.submit' and locked_by is not null`.execute(
      db,
    )
    const posting = gate()
    await startWith({ 'posts.submit': posting.wait })
    await put('posts.submit', {})
    const locks = async () => (await livingWorkers()).filter(({ worker }) => worker === at[0]?.worker).length
    const isQueueLocked = async () => {
      const { rows } = await sql`
        select from graphile_worker._private_job_queues where queue_name = 'posts.submit' and locked_by is not null`.execute(
        db,
      )
      return rows.length === 1
    }
    expect(await Promise.all([locks(), isQueueLocked()])).toEqual([1, true])
    child.kill('SIGKILL')
    await ended
    await expect.poll(locks).toBe(0)
    expect([posting.came, await isQueueLocked()]).toEqual([0, true])
    vi.advanceTimersByTime(MINUTE_MS)
    await posting.first
  })

  test('stay with a worker whose connection broke, which is seen to live again', async () => {
    const mails = gate()
    await put('notifications.send', mailTo('a@example.test'))
    await startWith({ 'notifications.send': mails.wait })
    await mails.first
    const { rows: at } = await sql<{ worker: string }>`
      select locked_by as worker from graphile_worker.jobs where task_identifier = 'notifications.send'`.execute(
      harness.context.db,
    )
    const before = (await livingWorkers()).find(({ worker }) => worker === at[0]?.worker)
    await sql`select pg_terminate_backend(${before?.pid ?? 0}::integer)`.execute(harness.context.db)
    const again = async () => (await livingWorkers()).filter(({ pid }) => pid !== before?.pid)
    await expect.poll(async () => (await again()).map(({ worker }) => worker)).toContain(before?.worker)
    await startWith({ 'notifications.send': mails.wait })
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'notifications.send' and locked_by = ${before?.worker}`.execute(
      harness.context.db,
    )
    expect([mails.came, rows.length]).toEqual([1, 1])
  })
})

/** Workers with jobs that count as alive, and their connections. */
async function livingWorkers(): Promise<{ worker: string; pid: number }[]> {
  const { rows } = await sql<{ worker: string; pid: number }>`
    select distinct locked_by as worker, pid from graphile_worker.jobs, pg_locks
    where locked_by is not null and locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = hashtextextended('worker of jobs ' || locked_by, 0)`.execute(
    harness.context.db,
  )
  return rows
}
