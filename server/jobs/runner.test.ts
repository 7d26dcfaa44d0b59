import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { noteClockOffset } from '../start/sandbox-clock.ts'
import { buildFan } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { uploadLongVideo } from '../testing/long-video.ts'
import { tellOften } from '../testing/mails/telling.ts'
import { addressOf, mailTo, workers } from '../testing/workers.ts'
import { type JobName, type JobPayload, jobs } from './catalogue.ts'
import { enqueueMany, LATER } from './enqueue.ts'

const HOUR_MS = 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
const { gates, release, startWith, put, gate, delivered } = workers(() => harness)
afterEach(release)
afterAll(() => harness.stop())

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
    'subscriptions.confirm': () => ({
      ...{ fanId: randomUUID(), subscriptionId: randomUUID() },
      canceledAt: new Date().toISOString(),
    }),
    'account.export': () => ({ exportId: randomUUID() }),
  }
  return put(name, payloads[name]?.() ?? {})
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
