import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Delivery, EmailFrequency, NotificationTopic } from '../../../../contract/notifications.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo } from '../../../testing/security.ts'
import { notify } from '../actions.ts'

/** More emails to be sent right away than an address gets in an hour. */

const HOUR_MS = 3600 * 1000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const prefer = (person: Person, topic: NotificationTopic, email: EmailFrequency) =>
  harness.api.as(person).call(routes.setNotificationTopic, { body: { topic, email } })
const sale = (creator: Person, fan: Person) =>
  harness.context.db.transaction().execute((db) => {
    const data = {
      from: fan.username,
      fromId: fan.id,
      title: 'A photo',
      amount: '$4',
      item: 'single' as const,
    }
    return notify(db, { kind: 'sale.made', person: creator.id, data }, { now: harness.clock.now() })
  })

/** A creator who wants an email for each sale, and a fan. */
async function buildPeople() {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  await prefer(creator, 'sales', 'now')
  return { creator, fan }
}

/** How many sales each email tells of, oldest first. */
async function toldBy({ email }: Person): Promise<number[]> {
  const mails = await emailsTo(harness, email)
  return mails.map(({ text }) => Number(/• (\d+) sales?/.exec(text)?.[1] ?? 1)).toReversed()
}

const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)

/** When this account's summary is made, in minutes from now. */
async function summariesOf({ id }: Person): Promise<number[]> {
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from run_at - now()) / 60)::int as minutes from graphile_worker.jobs
    where task_identifier = 'notifications.summarize' and key = ${`summary ${id}`}`.execute(
    harness.context.db,
  )
  return rows.map(({ minutes }) => minutes)
}

test('comes together in one email as soon as the address gets one more, and in no other', async () => {
  const { creator, fan } = await buildPeople()
  await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1])
  harness.clock.advance(20 * 60_000)
  for (let told = 0; told < 5; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  // The hour of the first one is over before that of the second.
  harness.clock.advance(30 * 60_000)
  expect(await toldBy(creator)).toEqual([1, 1])
  harness.clock.advance(11 * 60_000)
  expect(await toldBy(creator)).toEqual([1, 1, 4])
  const [summary] = await emailsTo(harness, creator.email)
  expect(summary?.subject).toBe('What’s new on Fanfare')
  expect(summary?.text).not.toContain(fan.username)
  // No digest says it once more, and what comes next is emailed by itself.
  harness.clock.advance(48 * HOUR_MS)
  await harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })
  expect(await toldBy(creator)).toEqual([1, 1, 4])
  await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1, 4, 1])
})

test('is told once each, whatever several workers and new sales do at the same moment', async () => {
  const { creator, fan } = await buildPeople()
  const tellAndWork = () =>
    Promise.all([
      ...Array.from({ length: 6 }, () => sale(creator, fan)),
      harness.runJobs(),
      harness.runJobs(),
      harness.runJobs(),
    ])
  for (let hour = 0; hour < 4; hour++) {
    const before = (await emailsTo(harness, creator.email)).length
    await tellAndWork()
    const after = (await emailsTo(harness, creator.email)).length
    expect(after - before).toBeLessThanOrEqual(2)
    expect((await summariesOf(creator)).length).toBeLessThanOrEqual(1)
    harness.clock.advance(HOUR_MS)
  }
  for (let hour = 0; hour < 3; hour++) {
    await Promise.all([harness.runJobs(), harness.runJobs()])
    harness.clock.advance(HOUR_MS)
  }
  expect(sum(await toldBy(creator))).toBe(24)
})

test('is not emailed by itself where its job runs once more, as after a process ended', async () => {
  const { creator, fan } = await buildPeople()
  for (let told = 0; told < 2; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  await sale(creator, fan)
  const { rows } = await sql<{ payload: Delivery }>`
    select payload from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    where identifier = 'notifications.send' and payload #>> '{message,person}' = ${creator.id}`.execute(
    harness.context.db,
  )
  const [delivery] = rows.map(({ payload }) => payload)
  if (!delivery) throw new Error('no job')
  const again = () => harness.server.jobs['notifications.send'](delivery, { attempt: 2, lastAttempt: false })
  expect(await toldBy(creator)).toEqual([1, 1])
  harness.clock.advance(HOUR_MS)
  await again()
  expect(await toldBy(creator)).toEqual([1, 1, 1])
  expect((await emailsTo(harness, creator.email))[0]?.text).toContain('• 1 sale\n')
  await again()
  expect(await toldBy(creator)).toEqual([1, 1, 1])
})

test('leaves out what was read meanwhile, and is not sent of nothing', async () => {
  const { creator, fan } = await buildPeople()
  for (let told = 0; told < 4; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  await harness.api.as(creator).call(routes.readNotifications, { body: {} })
  harness.clock.advance(HOUR_MS)
  expect(await toldBy(creator)).toEqual([1, 1])
  expect(await summariesOf(creator)).toEqual([])
})

test('waits for the end of quiet hours', async () => {
  const { creator, fan } = await buildPeople()
  for (let told = 0; told < 2; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  await sale(creator, fan)
  // In half an hour they begin, for three.
  const now = harness.clock.now()
  const from = Math.ceil((now.getUTCHours() * 60 + now.getUTCMinutes() + 15) / 15) * 15
  const quietHours = { from: from % 1440, to: (from + 180) % 1440 }
  await harness.api
    .as(creator)
    .call(routes.setNotificationSettings, { body: { quietHours, timeZone: 'UTC' } })
  expect(await toldBy(creator)).toEqual([1, 1])
  const [minutes = 0] = await summariesOf(creator)
  expect(minutes).toBeGreaterThanOrEqual(180)
  expect(minutes).toBeLessThanOrEqual(180 + 31)
})

test('is ended by its link with all that comes right away, and with no digest', async () => {
  const { creator, fan } = await buildPeople()
  for (let told = 0; told < 3; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  harness.clock.advance(HOUR_MS)
  expect(await toldBy(creator)).toEqual([1, 1, 1])
  const [summary] = await emailsTo(harness, creator.email)
  const token = /\/unsubscribe\?token=(\S+)/.exec(summary?.text ?? '')?.[1] ?? ''
  await harness.api.visitor().call(routes.unsubscribe, { params: { token } })
  const { topics } = await harness.api.as(creator).call(routes.notificationSettings, {})
  const emailOf = (topic: string) => topics.find((one) => one.topic === topic)?.email
  expect(['sales', 'messages', 'followers', 'security'].map(emailOf)).toEqual(['off', 'off', 'weekly', 'now'])
})

test('leaves out what was told while no emails were wanted, and so does the digest that is chosen next', async () => {
  const { creator, fan } = await buildPeople()
  const digests = async () => {
    harness.clock.advance(48 * HOUR_MS)
    await harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })
    return toldBy(creator)
  }
  const as = async () => ({ ...creator, token: await buildSession(harness, creator.id) })
  await prefer(creator, 'sales', 'daily')
  for (let told = 0; told < 2; told++) await sale(creator, fan)
  await prefer(creator, 'sales', 'off')
  for (let told = 0; told < 3; told++) await sale(creator, fan)
  await prefer(creator, 'sales', 'now')
  for (let told = 0; told < 4; told++) await sale(creator, fan)
  expect(await toldBy(creator)).toEqual([1, 1])
  harness.clock.advance(HOUR_MS)
  expect(await toldBy(creator)).toEqual([1, 1, 2])
  await prefer(creator, 'sales', 'off')
  for (let told = 0; told < 3; told++) await sale(creator, fan)
  await prefer(creator, 'sales', 'daily')
  await sale(creator, fan)
  expect(await digests()).toEqual([1, 1, 2, 1])
  // What waits when emails at once are chosen still comes in the morning.
  for (let told = 0; told < 2; told++) await sale(creator, fan)
  await prefer(await as(), 'sales', 'now')
  expect(await digests()).toEqual([1, 1, 2, 1, 2])
})
