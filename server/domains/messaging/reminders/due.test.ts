import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { createDb, createPool, type Tx } from '../../../db/client.ts'
import { enqueue, queueTime } from '../../../jobs/enqueue.ts'
import { startRunner } from '../../../jobs/runner.ts'
import { noteClockOffset } from '../../../start/sandbox-clock.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { markAsRead } from '../conversations/actions.ts'
import { conversationIdOf } from '../data.ts'
import { storeTogether } from '../messages/storing/actions.ts'
import { remindDue, remindedBy } from './actions.ts'

/** Reminders of many conversations at once. */
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const JOB = 'messages.remind-due'

async function write(senders: Person[], recipient: Person, now: Date) {
  const { db } = harness.context
  const { rows } = await sql<{ id: string }>`
    select uuidv7() as id from generate_series(1, ${senders.length})`.execute(db)
  const stored = senders.map(({ id: senderId }, at) =>
    storeTogether(db, {
      id: rows[at]?.id ?? '',
      conversationId: conversationIdOf(senderId, recipient.id),
      senderId,
      recipientId: recipient.id,
      clientMessageId: randomUUID(),
      content: 'Hello',
      replyTo: null,
      priceCents: null,
      wrote: true,
      now,
    }),
  )
  await Promise.all(stored)
}
const remind = () => harness.server.jobs[JOB]({}, { attempt: 1, lastAttempt: false })
const before = (time: Date, ms: number) => new Date(time.getTime() - ms)
const buildFans = (count: number) => Promise.all(Array.from({ length: count }, () => buildFan(harness)))
const hold = (tx: Tx, { id }: Person) =>
  tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
async function waitingJobs() {
  const { rows } = await sql`
    select from graphile_worker.jobs where task_identifier = ${JOB}`.execute(harness.context.db)
  return rows.length
}
/** When each is to run, by our clock. */
async function jobTimes() {
  const { rows } = await sql<{ at: Date }>`
    select run_at + (${queueTime} - now()) as at from graphile_worker.jobs
    where task_identifier = ${JOB}`.execute(harness.context.db)
  return rows.map(({ at }) => at)
}
/** So that no other job makes up for one that leaves somebody out. */
const forgetJobs = () =>
  sql`
  select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
  where task_identifier = ${JOB}`.execute(harness.context.db)
const holdPlaces = (tx: Tx, { id }: Person) =>
  tx.selectFrom('conversation_members').select('user_id').where('user_id', '=', id).forUpdate().execute()
async function told({ id }: Person) {
  const api = harness.api.as({ token: await buildSession(harness, id) })
  return (await api.call(routes.notifications, { query: {} })).items.length
}

test('messages of one second enqueue one job, which reminds of all their conversations', async () => {
  const [creator, early, late] = [await buildCreator(harness), await buildFans(3), await buildFans(3)]
  const now = harness.clock.now()
  await write(early, creator, now)
  await write(late, creator, now)
  expect(await waitingJobs()).toBe(1)
  harness.clock.advance(11_000)
  await harness.runJobs()
  expect([await told(creator), await waitingJobs()]).toEqual([6, 0])
})

test('a reminder whose job was lost is sent by the one that runs every minute, once', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await write([fan], creator, harness.clock.now())
  await forgetJobs()
  await remind()
  expect(await told(creator)).toBe(0)
  harness.clock.advance(11_000)
  await Promise.all([remind(), remind()])
  expect(await told(creator)).toBe(1)
})

test('a message that waits for its sender’s account holds up nobody else’s', async () => {
  const [creator, held, ...others] = await Promise.all([
    buildCreator(harness),
    ...Array.from({ length: 5 }, () => buildFan(harness)),
  ])
  const now = harness.clock.now()
  let waits: Promise<void> | undefined
  await harness.context.db.transaction().execute(async (tx) => {
    await hold(tx, held as Person)
    waits = write([held as Person], creator, now)
    // Else they would share its statement.
    while ((await waitingForLocks(tx)) < 1);
    let left = others.length
    for (const other of others) void write([other], creator, now).then(() => left--)
    let most = 0
    while (left > 0 && most < 2) most = Math.max(most, await waitingForLocks(tx))
    expect({ left, most }).toEqual({ left: 0, most: 1 })
  })
  await waits
})

test('one who can’t be reminded is tried again a minute later, and keeps nobody waiting', async () => {
  const [creator, fan, other] = [
    await buildCreator(harness),
    await buildFan(harness),
    await buildCreator(harness),
  ]
  const { db } = harness.context
  await sql`create function refuses() returns trigger language plpgsql as 'begin raise exception $$not now$$; end'`.execute(
    db,
  )
  await sql`create trigger refuses before insert on notifications for each row
    when (new.user_id = ${sql.lit(creator.id)}) execute function refuses()`.execute(db)
  const now = harness.clock.now()
  await write([fan], creator, now)
  await write([fan], other, now)
  harness.clock.advance(11_000)
  await remind()
  expect([await told(creator), await told(other)]).toEqual([0, 1])
  await sql`drop trigger refuses on notifications`.execute(db)
  await remind()
  expect(await told(creator)).toBe(0)
  harness.clock.advance(60_000)
  await remind()
  expect([await told(creator), await told(other)]).toEqual([1, 1])
})

test('a backlog is worked in parts, each a job of its own, so that a stop waits for one', async () => {
  const [creator, fans] = [await buildCreator(harness), await buildFans(60)]
  await write(fans, creator, before(harness.clock.now(), 11_000))
  const count = async () => {
    const { db } = harness.context
    const { rows } = await sql`select from notifications where user_id = ${creator.id}`.execute(db)
    return rows.length
  }
  await remind()
  expect(await count()).toBe(50)
  await harness.runJobs()
  expect(await count()).toBe(60)
})

test('a job that waited for an account in vain leaves the rest to the next, so that a stop waits for one', async () => {
  const [creator, fans] = [await buildCreator(harness), await buildFans(3)]
  const { db } = harness.context
  await write(fans, creator, before(harness.clock.now(), 11_000))
  await db.transaction().execute(async (tx) => {
    await hold(tx, creator)
    await remind()
  })
  const { rows: due } = await sql`
    select from conversation_members where user_id = ${creator.id} and remind_at <= ${harness.clock.now()}`.execute(
    db,
  )
  expect(due.length).toBe(2)
  await harness.runJobs()
  expect(await told(creator)).toBe(2)
})

test('a process whose clock is behind reminds when the queue has it do so', async () => {
  const { db } = harness.context
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await db.transaction().execute((tx) => noteClockOffset(tx, harness.clock.offset()))
  await write([fan], creator, before(harness.clock.now(), 11_000))
  harness.clock.advance(-5000)
  await remind()
  harness.clock.advance(5000)
  expect(await told(creator)).toBe(1)
})

test('what was written while a clock was ahead delays no later reminder', async () => {
  const [creator, fan, other] = [
    await buildCreator(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  const now = harness.clock.now()
  await write([fan], creator, before(now, -3600_000))
  const jobs = await waitingJobs()
  await write([fan], creator, now)
  await write([other], creator, now)
  expect(await waitingJobs()).toBe(jobs + 1)
  harness.clock.advance(11_000)
  await harness.runJobs()
  expect(await told(creator)).toBe(2)
})

test('while an account is held, one job at most waits for it, and reminds a minute later', async () => {
  const [creator, fans] = [await buildCreator(harness), await buildFans(6)]
  const { context } = harness
  const { db } = context
  // Nothing else ends a statement that waits.
  const patient = createDb(new pg.Pool({ connectionString: harness.databaseUrl }))
  const now = harness.clock.now()
  for (const [at, fan] of fans.entries()) await write([fan], creator, before(now, 20_000 - 1000 * at))
  expect(await waitingJobs()).toBeGreaterThanOrEqual(6)
  let counted = false
  const runner = await db.transaction().execute(async (tx) => {
    await hold(tx, creator)
    const started = await startRunner({
      openPool: (max) => createPool(harness.databaseUrl, { max, onError: () => {} }),
      handlers: {
        ...harness.server.jobs,
        [JOB]: () => remindDue({ ...context, db: patient }),
        'tags.count': async () => {
          counted = true
        },
      },
      log: pino({ level: 'silent' }),
    })
    let most = 0
    while (most < 1) most = await waitingForLocks(db)
    await db.transaction().execute((other) => enqueue(other, 'tags.count', {}))
    while (!counted && most < 2) most = Math.max(most, await waitingForLocks(db))
    // It gives up by itself.
    while ((await waitingForLocks(db)) > 0);
    expect({ counted, most }).toEqual({ counted: true, most: 1 })
    return started
  })
  await runner.stop()
  await patient.destroy()
  harness.clock.advance(61_000)
  await harness.runJobs()
  expect(await told(creator)).toBe(6)
})

test('one whose place is locked at that moment is reminded a second later', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { db } = harness.context
  await write([fan], creator, before(harness.clock.now(), 11_000))
  await forgetJobs()
  await db.transaction().execute(async (tx) => {
    await holdPlaces(tx, creator)
    await remind()
  })
  expect([await told(creator), await waitingJobs()]).toEqual([0, 1])
  await expect.poll(() => harness.runJobs().then(() => told(creator))).toBe(1)
})

test('a job that waited for an account in vain doesn’t wait for a place that somebody took meanwhile', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { db } = harness.context
  await write([fan], creator, before(harness.clock.now(), 11_000))
  await forgetJobs()
  await db.transaction().execute(async (tx) => {
    await hold(tx, creator)
    let hasEnded = false
    const reminding = remind().finally(() => {
      hasEnded = true
    })
    // Between two looks a slow machine's job may have begun to wait and given up.
    while (!hasEnded && (await waitingForLocks(db)) < 1);
    await holdPlaces(tx, creator)
    await reminding
  })
  // Where the job was faster than who took the place, it waits for the one that runs every minute.
  harness.clock.advance(61_000)
  await remind()
  expect(await told(creator)).toBe(1)
})

test('who reads and is written to again is reminded by a job of its own each time', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const { db } = harness.context
  const conversationId = conversationIdOf(fan.id, creator.id)
  const read = async () => {
    const { id: messageId } = await db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const reading = { conversationId, messageId, userId: creator.id, now: harness.clock.now() }
    await db.transaction().execute((tx) => markAsRead(tx, reading))
  }
  const now = harness.clock.now()
  await write([fan], creator, before(now, 15_000))
  await read()
  const [second, third] = [before(now, 5000), before(now, -4000)]
  await write([fan], creator, second)
  await forgetJobs()
  await remind()
  await read()
  await write([fan], creator, third)
  harness.clock.advance(5500)
  await remind()
  // Another waits where a slow machine's reminder came due before its job looked for what is left.
  expect(await jobTimes()).toEqual(expect.arrayContaining([remindedBy(second), remindedBy(third)]))
  expect(await told(creator)).toBe(0)
  harness.clock.advance(10_000)
  await harness.runJobs()
  expect(await told(creator)).toBe(1)
})

test('who marks everything they were told as read, and reads no message, is told of the next one', async () => {
  const [creator, fan, other] = [
    await buildCreator(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  const wait = async () => {
    harness.clock.advance(11_000)
    await harness.runJobs()
    return told(creator)
  }
  await write([fan, other], creator, harness.clock.now())
  expect(await wait()).toBe(2)
  const api = harness.api.as({ token: await buildSession(harness, creator.id) })
  await api.call(routes.readNotifications, { body: {} })
  await write([fan], creator, harness.clock.now())
  expect(await wait()).toBe(3)
  await write([fan], creator, harness.clock.now())
  expect(await wait()).toBe(3)
  const { items } = await api.call(routes.notifications, { query: {} })
  const [unread] = items.filter(({ read }) => !read)
  await api.call(routes.readNotifications, { body: { notificationIds: [unread?._id ?? ''] } })
  await write([fan, other], creator, harness.clock.now())
  expect(await wait()).toBe(5)
})
