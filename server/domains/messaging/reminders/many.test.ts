import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildFollowed } from '../../../testing/audiences.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import * as chat from '../../../testing/chat.ts'
import { messageOf, until } from '../../../testing/chat.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { createPushBrowser } from '../../../testing/push-browser.ts'
import { emailsTo } from '../../../testing/security.ts'

/** Notifications of a mass message that people haven't read. */
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => chat.closeSockets())
afterAll(() => harness?.stop())

const MINUTE_MS = 60_000
const SECRET = 'Only for those who open it'
const fresh = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
const follow = (fan: Person, creator: Person) =>
  harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
const send = async (creator: Person) =>
  (await fresh(creator)).call(routes.saveMassMessage, { body: { content: SECRET, audience: 'followers' } })
const told = async (person: Person) =>
  (await (await fresh(person)).call(routes.notifications, { query: {} })).items
const unreadOf = async (person: Person) =>
  (await (await fresh(person)).call(routes.unreadNotifications, {})).unread
const read = async (fan: Person, creator: Person) => {
  const { messages } = await (await fresh(fan)).call(routes.messages, { query: { recipientId: creator.id } })
  const { _id, conversationId } = messages.at(-1) as (typeof messages)[number]
  const socket = await chat.connect(harness, fan)
  expect(await socket.emit('markAsRead', { _id, conversationId })).toEqual({ ok: true })
}
/** Sends the reminders of this creator’s mass message. */
const remindAll = async (creator: Person) => {
  const { rows } = await sql<{ massMessageId: string; from: string; to: string }>`
    select mass_message_id as "massMessageId", min(id::text) as from, max(id::text) as to from messages
    where sender_id = ${creator.id} and mass_message_id is not null group by mass_message_id`.execute(
    harness.context.db,
  )
  for (const batch of rows)
    await harness.server.jobs['messages.remind-many'](batch, { attempt: 2, lastAttempt: false })
}
const after = async (ms: number) => {
  harness.clock.advance(ms)
  await harness.runJobs()
}

test('each is told once by the ways they chose, without its words; who read, muted or blocked is not', async () => {
  const creator = await buildCreator(harness)
  const names = ['plain', 'open', 'daily', 'night', 'reader', 'muted', 'blocks'] as const
  const people = new Map<(typeof names)[number], Person>()
  for (const name of names) {
    const fan = await buildFan(harness)
    people.set(name, fan)
    await follow(fan, creator)
  }
  const of = (name: (typeof names)[number]) => people.get(name) as Person
  const phone = createPushBrowser(harness)
  await phone.subscribe(of('plain'))
  const bedside = createPushBrowser(harness)
  await bedside.subscribe(of('night'))
  const set = async (name: (typeof names)[number], body: object) =>
    (await fresh(of(name))).call(routes.setNotificationSettings, { body })
  const hour = harness.clock.now().getUTCHours()
  await set('night', { timeZone: 'UTC', quietHours: { from: hour * 60, to: ((hour + 2) % 24) * 60 } })
  await (await fresh(of('daily'))).call(routes.setNotificationTopic, {
    body: { topic: 'messages', email: 'daily', push: false },
  })
  const open = await chat.connect(harness, of('open'))
  await until(async () => {
    const { db } = harness.context
    const { rows } = await sql`select from online_people where user_id = ${of('open').id}`.execute(db)
    return rows.length > 0
  })

  await send(creator)
  await harness.runJobs()
  await (await fresh(of('muted'))).call(routes.muteConversation, {
    body: { recipientId: creator.id, muted: true },
  })
  await (await fresh(of('blocks'))).call(routes.block, { body: { blockedId: creator.id } })
  await read(of('reader'), creator)
  expect(await told(of('plain'))).toEqual([])
  await after(11_000)
  const kinds = async () => Promise.all(names.map(async (name) => [name, (await told(of(name))).length]))
  const expected = [
    ['plain', 1],
    ['open', 1],
    ['daily', 1],
    ['night', 1],
    ['reader', 0],
    ['muted', 0],
    ['blocks', 0],
  ]
  expect(await kinds()).toEqual(expected)
  await until(() => open.all('notification').length === 1)
  expect((await phone.received()).map(({ payload }) => payload.kind)).toEqual(['message.received'])
  expect(await bedside.received()).toEqual([])

  // A repeated batch, and a second message before the first was read, notify nobody twice.
  await remindAll(creator)
  await send(creator)
  await harness.runJobs()
  await after(11_000)
  expect(await kinds()).toEqual([...expected.slice(0, 4), ['reader', 1], ['muted', 0], ['blocks', 0]])

  // Emails wait ten minutes, until quiet hours end, or until the morning, and reveal no more.
  await after(10 * MINUTE_MS)
  const mailed = async (name: (typeof names)[number]) => (await emailsTo(harness, of(name).email)).length
  expect([await mailed('plain'), await mailed('daily'), await mailed('night')]).toEqual([1, 0, 0])
  await after(3 * 60 * MINUTE_MS)
  expect(await mailed('night')).toBe(1)
  expect((await bedside.received()).map(({ payload }) => payload.kind)).toEqual(['message.received'])
  await after(25 * 60 * MINUTE_MS)
  await harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })
  await harness.runJobs()
  expect(await mailed('daily')).toBe(1)
  const emails = await Promise.all(names.map((name) => emailsTo(harness, of(name).email)))
  const pushes = [...(await phone.received()), ...(await bedside.received())]
  expect(JSON.stringify([emails, pushes])).not.toContain(SECRET)
})

test('whose place is held by something else right then is told all the same, once, and keeps nobody waiting', async () => {
  const creator = await buildCreator(harness)
  const [busy, other] = [await buildFan(harness), await buildFan(harness)]
  for (const person of [busy, other]) await follow(person, creator)
  await send(creator)
  await harness.runJobs()
  harness.clock.advance(11_000)
  await harness.context.db.transaction().execute(async (tx) => {
    await sql`select from conversation_members where user_id = ${busy.id} for update`.execute(tx)
    await remindAll(creator)
    expect([await told(busy), await told(other)].map(({ length }) => length)).toEqual([0, 1])
  })
  await harness.runJobs()
  await remindAll(creator)
  await harness.runJobs()
  expect([await told(busy), await told(other)].map(({ length }) => length)).toEqual([1, 1])
})

test('a message to one alone is told in place of an unread mass message, which is told again once that was', async () => {
  const creator = await buildCreator(harness)
  const [fan, busy] = [await buildFan(harness), await buildFan(harness)]
  for (const person of [fan, busy]) await follow(person, creator)
  const phone = createPushBrowser(harness)
  await phone.subscribe({ ...fan, token: await buildSession(harness, fan.id) })
  await send(creator)
  await harness.runJobs()
  harness.clock.advance(11_000)
  await harness.context.db.transaction().execute(async (tx) => {
    await sql`select from conversation_members where user_id = ${busy.id} for update`.execute(tx)
    await remindAll(creator)
  })
  await harness.runJobs()
  const writes = await chat.connect(harness, creator)
  const write = async () => {
    for (const person of [fan, busy])
      expect(await writes.emit('chat message', messageOf(creator, person))).toMatchObject({ ok: true })
    await after(11_000)
  }
  const lines = async (person: Person) => (await told(person)).map(({ read }) => read)
  expect([await lines(fan), await lines(busy)]).toEqual([[false], [false]])
  // A push service keeps the newest of a sender.
  const pushes = async () => (await phone.received()).map(({ payload }) => payload.id)
  const first = await pushes()
  await write()
  expect([await lines(fan), await lines(busy)]).toEqual([
    [false, true],
    [false, true],
  ])
  expect([first, await pushes()]).toEqual([[expect.any(String)], [expect.any(String)]])
  expect(await pushes()).not.toEqual(first)
  await after(10 * MINUTE_MS)
  expect(await emailsTo(harness, fan.email)).toHaveLength(1)
  // Neither what is written to them nor to many is told until they read.
  await write()
  await send(creator)
  await after(11_000)
  await after(11_000)
  expect([await unreadOf(fan), await unreadOf(busy)]).toEqual([1, 1])
  await (await fresh(fan)).call(routes.readNotifications, { body: {} })
  await send(creator)
  await after(11_000)
  await after(11_000)
  expect([await unreadOf(fan), (await told(fan)).length]).toEqual([1, 3])
})

test('what is unsent tells nobody, and takes back what was told', async () => {
  const [creator, fan, other] = [
    await buildCreator(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  for (const person of [fan, other]) await follow(person, creator)
  const writes = await chat.connect(harness, creator)
  expect(await writes.emit('chat message', messageOf(creator, other))).toMatchObject({ ok: true })
  const unsend = async (massMessageId: string) => {
    await (await fresh(creator)).call(routes.unsendMassMessage, { body: { massMessageId } })
    await harness.runJobs()
  }
  const early = await send(creator)
  await harness.runJobs()
  await unsend(early._id)
  await after(11_000)
  expect(await told(fan)).toEqual([])

  const late = await send(creator)
  await harness.runJobs()
  await after(11_000)
  const socket = await chat.connect(harness, fan)
  expect([await unreadOf(fan), await unreadOf(other)]).toEqual([1, 1])
  await unsend(late._id)
  await until(() => socket.all('notifications read').length === 1)
  // The other one still has an unread message of the creator's.
  expect([await unreadOf(fan), await unreadOf(other)]).toEqual([0, 1])
  await after(11 * MINUTE_MS)
  expect(await emailsTo(harness, fan.email)).toEqual([])

  // The next one is announced again.
  await send(creator)
  await harness.runJobs()
  await after(11_000)
  expect(await unreadOf(fan)).toBe(1)
})

test('thousands are told in parts, each once, whatever is tried again', async () => {
  const { creator, followerIds } = await buildFollowed(harness, 1_150)
  await send(creator)
  await harness.runJobs()
  const { rows: jobs } = await sql`
    select from graphile_worker.jobs where task_identifier = 'messages.remind-many'`.execute(
    harness.context.db,
  )
  expect(jobs.length).toBeGreaterThan(1)
  await after(11_000)
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select('user_id')
    .where('actor_id', '=', creator.id)
    .execute()
  expect(rows.map(({ user_id }) => user_id).sort()).toEqual(followerIds.toSorted())
})
