import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Db } from '../../../db/client.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { conversationIdOf } from '../data.ts'
import { storeTogether } from '../messages/storing/actions.ts'

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
async function waitingJobs() {
  const { rows } = await sql`
    select from graphile_worker.jobs where task_identifier = ${JOB}`.execute(harness.context.db)
  return rows.length
}
/** How many statements in this database wait for somebody's lock. */
async function waitingForLocks(db: Db) {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
async function told({ id }: Person) {
  const api = harness.api.as({ token: await buildSession(harness, id) })
  return (await api.call(routes.notifications, { query: {} })).items.length
}

test('messages of one second enqueue one job, which reminds of all their conversations', async () => {
  const [creator, early, late] = [
    await buildCreator(harness),
    await Promise.all(Array.from({ length: 3 }, () => buildFan(harness))),
    await Promise.all(Array.from({ length: 3 }, () => buildFan(harness))),
  ]
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
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = ${JOB}`.execute(harness.context.db)
  const remind = () => harness.server.jobs[JOB]({}, { attempt: 1, lastAttempt: false })
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
    await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', held?.id ?? '')
      .forUpdate()
      .execute()
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
  const remind = () => harness.server.jobs[JOB]({}, { attempt: 1, lastAttempt: false })
  await remind()
  expect([await told(creator), await told(other)]).toEqual([0, 1])
  await sql`drop trigger refuses on notifications`.execute(db)
  await remind()
  expect(await told(creator)).toBe(0)
  harness.clock.advance(60_000)
  await remind()
  expect([await told(creator), await told(other)]).toEqual([1, 1])
})
