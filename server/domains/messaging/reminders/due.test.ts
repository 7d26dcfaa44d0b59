import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
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
