import { createECDH, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { NotificationEvent } from '../../../contract/notifications.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../testing/builders.ts'
import { closeSockets, connect, messageOf, until } from '../../testing/chat.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { createPushBrowser, decryptPush } from '../../testing/push-browser.ts'
import { emailsTo, leave } from '../../testing/security.ts'
import { openSocket } from '../../testing/socket.ts'
import { notify } from './actions.ts'

/** The channels of notifications: the app, digests, and browsers. */

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(closeSockets)
afterAll(() => harness?.stop())

const as = (person: { token: string }) => harness.api.as(person)
const list = (person: Person) => as(person).call(routes.notifications, { query: {} })
const unread = async (person: Person) => (await as(person).call(routes.unreadNotifications, {})).unread
const tell = (event: NotificationEvent, once?: string) =>
  harness.context.db
    .transaction()
    .execute((db) => notify(db, event, { now: harness.clock.now(), ...(once ? { once } : {}) }))
const sale = (creator: Person, fan: Person, title = 'A photo') =>
  tell({
    kind: 'sale.made',
    person: creator.id,
    data: { from: fan.username, fromId: fan.id, title, amount: '$4', item: 'single' },
  })
const settingsOf = (person: Person) => as(person).call(routes.notificationSettings, {})
const set = (person: Person, body: object) => as(person).call(routes.setNotificationSettings, { body })
const digests = () => harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })
const inNewYork = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options }).format(harness.clock.now())
/** Moves the clock to this hour of the next day in New York. */
function advanceTo(hour: number): void {
  const local = () => Number(inNewYork({ hour: 'numeric', hourCycle: 'h23' }))
  harness.clock.advance((24 + hour - local()) * HOUR_MS)
  // A day on which the clocks are changed has an hour more or less.
  harness.clock.advance((((hour - local() + 36) % 24) - 12) * HOUR_MS)
}

describe('the list', () => {
  test('shows what one was told, live on each device, and counts what is unread', async () => {
    const [creator, fan, stranger] = [
      await buildCreator(harness),
      await buildFan(harness),
      await buildFan(harness),
    ]
    const second = { ...creator, token: await buildSession(harness, creator.id) }
    const [phone, desk, other] = [
      await connect(harness, creator),
      await connect(harness, second),
      await connect(harness, stranger),
    ]
    const scoped = await connect(harness, creator, stranger)
    await until(async () => {
      const { rows } = await sql`select from online_people where user_id = ${creator.id}`.execute(
        harness.context.db,
      )
      return rows.length > 0
    })
    await as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
    await sale(creator, fan)
    await until(() => phone.all('notification').length === 2 && desk.all('notification').length === 2)
    expect(
      phone.all('notification').map(({ unread, notification }) => [unread, notification.event.kind]),
    ).toEqual(expect.arrayContaining([[2, 'sale.made']]))
    const { items } = await list(creator)
    expect(items.map(({ event, read }) => [event.kind, read])).toEqual([
      ['sale.made', false],
      ['follower.added', false],
    ])
    expect(items[1]?.event.data).toEqual({ from: fan.username, fromId: fan.id })
    // Somebody else names its id, and nothing is read.
    await as(stranger).call(routes.readNotifications, { body: { notificationIds: [items[0]?._id ?? ''] } })
    expect(await unread(creator)).toBe(2)
    await as(creator).call(routes.readNotifications, { body: { notificationIds: [items[0]?._id ?? ''] } })
    await until(() => desk.all('notifications read').some(({ unread }) => unread === 1))
    await as(second).call(routes.readNotifications, { body: {} })
    await until(() => phone.all('notifications read').some(({ unread }) => unread === 0))
    expect(await unread(creator)).toBe(0)
    expect(
      [...other.received, ...scoped.received].filter(({ name }) => name.startsWith('notification')),
    ).toEqual([])
    // Following again tells nothing new.
    for (let time = 0; time < 2; time++)
      await as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
    expect((await list(creator)).items).toHaveLength(2)
  })

  test('comes in pages, tells nothing of people who are leaving or blocked, and forgets', async () => {
    const [creator, fan, gone] = [
      await buildCreator(harness),
      await buildFan(harness),
      await buildFan(harness),
    ]
    for (let at = 0; at < 5; at++) await sale(creator, fan, `Photo ${at}`)
    await sale(creator, gone, 'By someone who is leaving')
    await leave(harness, gone)
    const first = await as(creator).call(routes.notifications, { query: { limit: 3 } })
    const cursor = first.nextCursor ?? ''
    const rest = await as(creator).call(routes.notifications, { query: { limit: 3, cursor } })
    const titles = [...first.items, ...rest.items].map(
      ({ event }) => 'title' in event.data && event.data.title,
    )
    expect(titles.toSorted()).toEqual([0, 1, 2, 3, 4].map((at) => `Photo ${at}`))
    expect(rest.hasMore).toBe(false)
    expect(await unread(creator)).toBe(5)
    await as(creator).call(routes.block, { body: { blockedId: fan.id } })
    expect([(await list(creator)).items, await unread(creator)]).toEqual([[], 0])
    await as(creator).call(routes.unblock, { body: { blockedId: fan.id } })
    await as(creator).call(routes.readNotifications, {
      body: { notificationIds: first.items.map(({ _id }) => _id) },
    })
    harness.clock.advance(91 * DAY_MS)
    const renewed = { ...creator, token: await buildSession(harness, creator.id) }
    await harness.server.jobs['notifications.sweep']({}, { attempt: 1, lastAttempt: false })
    expect((await list(renewed)).items.map(({ read }) => read)).toEqual([false, false])
  })

  test('of messages is read with the messages', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const [writer, reader] = [await connect(harness, fan), await connect(harness, creator)]
    const sent = await writer.emit('chat message', messageOf(fan, creator) as never)
    const data = { from: fan.username, senderId: fan.id }
    await tell({ kind: 'message.received', person: creator.id, data })
    expect(await unread(creator)).toBe(1)
    const message = sent.ok ? sent.message : undefined
    await reader.emit('markAsRead', {
      _id: message?._id ?? '',
      conversationId: message?.conversationId ?? '',
    })
    expect(await unread(creator)).toBe(0)
  })
})

describe('email', () => {
  test('of a day comes once in one digest, which two workers find due at the same moment', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    advanceTo(12)
    // The digest of a Monday is a week’s as well, which the first one here must not be.
    if (inNewYork({ weekday: 'short' }) === 'Sun') advanceTo(12)
    for (let at = 0; at < 3; at++) await sale(creator, fan)
    await as({ token: await buildSession(harness, fan.id) }).call(routes.toggleFollow, {
      body: { followingId: creator.id },
    })
    await digests()
    expect(await emailsTo(harness, creator.email)).toEqual([])
    advanceTo(10)
    await Promise.all([digests(), digests(), digests()])
    const mails = await emailsTo(harness, creator.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['What’s new on Fanfare'])
    expect(mails[0]?.text).toContain('• 3 sales')
    expect(mails[0]?.text).not.toContain(fan.username)
    // The next days have nothing new, and a week's digest brings the follower.
    for (let day = 0; day < 8; day++) {
      advanceTo(10)
      await digests()
      await digests()
    }
    const later = await emailsTo(harness, creator.email)
    expect(later).toHaveLength(2)
    expect(later[0]?.text).toContain('• 1 new follower')
    expect(later[0]?.text).not.toContain('sales')
  })

  test('of a day comes at nine where the browser that first connected is, also what waited by then', async () => {
    advanceTo(12)
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const connectFrom = async (timeZone: unknown) =>
      (await openSocket(harness.origin, { token: creator.token, timeZone })).close()
    const zone = async () => (await settingsOf(creator)).timeZone
    const digestAt = async () => {
      const { next_digest_at } = await harness.context.db
        .selectFrom('notification_settings')
        .select('next_digest_at')
        .where('user_id', '=', creator.id)
        .executeTakeFirstOrThrow()
      return (timeZone: string) =>
        next_digest_at?.toLocaleTimeString('en-US', { timeZone, timeStyle: 'short' }).replace(/\s/, ' ')
    }
    await sale(creator, fan)
    expect((await digestAt())('America/New_York')).toBe('9:00 AM')
    // One that isn't known here is as none.
    for (const unknown of ['Nowhere/At_All', '+05:00', 7, null]) await connectFrom(unknown)
    expect(await zone()).toBeNull()
    await connectFrom('Asia/Kolkata')
    await connectFrom('Europe/Berlin')
    expect(await zone()).toBe('Asia/Kolkata')
    expect((await digestAt())('Asia/Kolkata')).toBe('9:00 AM')
    await set(creator, { timeZone: 'Europe/Berlin' })
    expect((await digestAt())('Europe/Berlin')).toBe('9:00 AM')
  })

  test('of a digest that was claimed before the process died goes out, and not what was read meanwhile', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await sale(creator, fan)
    advanceTo(10)
    // The claim is committed with the job; nobody has worked it yet, as when the process ends here.
    await digests()
    await digests()
    const renewed = { ...creator, token: await buildSession(harness, creator.id) }
    await sale(creator, fan, 'Told after the claim')
    expect(await emailsTo(harness, creator.email)).toHaveLength(1)
    advanceTo(10)
    await digests()
    await as(renewed).call(routes.readNotifications, { body: {} })
    expect(await emailsTo(harness, creator.email)).toHaveLength(1)
  })

  test('waits for the end of quiet hours, unless the account may depend on it', async () => {
    const person = await buildFan(harness)
    await set(person, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(23)
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    await tell({ kind: 'subscription.extended', person: person.id, data })
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    const subjects = async () =>
      (await emailsTo(harness, person.email)).map(({ subject }) => subject.split(' · ')[0])
    expect(await subjects()).toEqual(['Your password was changed'])
    harness.clock.advance(9 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      harness.context.db,
    )
    expect(await subjects()).toEqual(['Free time on “Patrons”', 'Your password was changed'])
  })

  /** Makes due what the server's clock has reached; the queue goes by the database's. */
  const advance = async (hours: number) => {
    harness.clock.advance(hours * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      harness.context.db,
    )
  }

  test('that was left to a later hour, or told before quiet hours were set, waits for their end too', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const count = async () => (await emailsTo(harness, creator.email)).length
    const data = { state: 'requested' as const, from: 'ada', fromId: fan.id, messageId: null, amount: null }
    advanceTo(21)
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    for (let request = 0; request < 3; request++)
      await tell({ kind: 'custom.changed', person: creator.id, data })
    expect(await count()).toBe(2)
    await advance(1.5)
    expect(await count()).toBe(2)
    await advance(10)
    expect(await count()).toBe(3)
    await tell({ kind: 'custom.changed', person: creator.id, data })
    await set(creator, { quietHours: { from: 1 * 60, to: 23 * 60 } })
    advanceTo(8)
    expect(await count()).toBe(3)
    await advance(15.5)
    expect(await count()).toBe(4)
  })

  test('of a day that was claimed before quiet hours were set waits for their end', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const count = async () => (await emailsTo(harness, creator.email)).length
    await sale(creator, fan)
    advanceTo(10)
    await digests()
    const renewed = { ...creator, token: await buildSession(harness, creator.id) }
    await set(renewed, { quietHours: { from: 9 * 60, to: 12 * 60 }, timeZone: 'America/New_York' })
    expect(await count()).toBe(0)
    await advance(3)
    expect(await count()).toBe(1)
  })

  test('right away becomes part of a day’s digest where that is chosen before it went out', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const choose = (email: 'now' | 'daily') =>
      as(creator).call(routes.setNotificationTopic, { body: { topic: 'sales', email } })
    await choose('now')
    await sale(creator, fan)
    await choose('daily')
    expect(await emailsTo(harness, creator.email)).toEqual([])
    advanceTo(10)
    await digests()
    const [digest, ...others] = await emailsTo(harness, creator.email)
    expect(digest?.text).toContain('• 1 sale')
    expect(others).toEqual([])
  })

  test('stays as it was chosen where a change says nothing of a topic', async () => {
    const [fresh, chosen] = [await buildFan(harness), await buildFan(harness)]
    await as(chosen).call(routes.setNotificationTopic, {
      body: { topic: 'payments', email: 'daily', push: true },
    })
    for (const person of [fresh, chosen]) {
      const before = await settingsOf(person)
      await as(person).call(routes.setNotificationTopic, { body: { topic: 'payments' } })
      expect(await settingsOf(person)).toEqual(before)
    }
  })

  test('tells nothing of people who were blocked or left while it waited, nor does push', async () => {
    const [creator, fan, blocked] = [
      await buildCreator(harness),
      await buildFan(harness),
      await buildFan(harness),
    ]
    await set(creator, {
      quietHours: { from: 22 * 60, to: 7 * 60 },
      timeZone: 'America/New_York',
      showMessageText: true,
    })
    advanceTo(23)
    const night = { ...creator, token: await buildSession(harness, creator.id) }
    const own = browser()
    await own.subscribe(night)
    const data = { from: blocked.username, senderId: blocked.id }
    await tell({ kind: 'message.received', person: creator.id, data })
    await sale(creator, blocked)
    await sale(creator, fan)
    await as(night).call(routes.block, { body: { blockedId: blocked.id } })
    harness.clock.advance(11 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      harness.context.db,
    )
    await digests()
    expect((await own.received()).map(({ payload }) => payload.kind)).toEqual(['sale.made'])
    const mails = await emailsTo(harness, creator.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['What’s new on Fanfare'])
    expect(mails[0]?.text).toContain('• 1 sale\n')
    // Of somebody who leaves before the next digest nothing is told.
    await sale(creator, fan)
    await leave(harness, fan)
    advanceTo(10)
    await digests()
    expect(await emailsTo(harness, creator.email)).toHaveLength(1)
  })

  test('is ended by its link without a login, of its topic alone, and by no other link', async () => {
    const person = await buildFan(harness)
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    const gift = () => tell({ kind: 'subscription.extended', person: person.id, data })
    await gift()
    const [mail] = await emailsTo(harness, person.email)
    const token = /\/unsubscribe\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const click = (path: string, method = 'POST') =>
      fetch(`${harness.origin}/api/notifications/unsubscribe/${path}`, {
        method,
        redirect: 'manual',
        ...(method === 'POST'
          ? {
              body: 'List-Unsubscribe=One-Click',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            }
          : {}),
      })
    const stranger = await buildFan(harness)
    const forged = [
      token.replace(person.id, stranger.id),
      token.replace('gifts', 'messages'),
      token.replace('gifts', 'security'),
      `${token}x`,
      'nonsense',
    ]
    for (const wrong of forged) expect((await click(wrong)).status, wrong).toBe(404)
    const looked = await click(token, 'GET')
    expect([looked.status, looked.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`])
    const emailOf = async (topic: string) =>
      (await settingsOf(person)).topics.find((one) => one.topic === topic)?.email
    expect(await emailOf('gifts')).toBe('now')
    for (let time = 0; time < 2; time++) expect((await click(token)).status).toBe(200)
    expect([await emailOf('gifts'), await emailOf('messages')]).toEqual(['off', 'now'])
    await gift()
    expect(await emailsTo(harness, person.email)).toHaveLength(1)
    // Required emails have no such link.
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    expect((await emailsTo(harness, person.email))[0]?.text).not.toContain('nsubscribe')
  })
})

const browser = (name?: string) => createPushBrowser(harness, name)
const kept = (person: Person) =>
  harness.context.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', person.id).execute()

describe('push', () => {
  test('is read by what RFC 8291 says of browsers, its own example included', async () => {
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const keys = createECDH('prime256v1')
    keys.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'))
    const body = bytes(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
    const example = { keys, secret: bytes('BTBZMqHH6r4Tts7J_aSIgg') }
    expect(decryptPush(body, example).toString()).toBe('When I grow up, I want to be a watermelon')
    const [person, phone] = [await buildFan(harness), browser()]
    await phone.subscribe(person)
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    expect((await phone.received()).map(({ payload }) => payload.title)).toEqual([
      'Your password was changed',
    ])
  })

  test('of a message comes in seconds, once until they are read, though a tab is open; not when read or muted', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const phone = browser()
    await phone.subscribe(creator)
    const [writer, desk] = [await connect(harness, fan), await connect(harness, creator)]
    const write = async () => {
      const sent = await writer.emit('chat message', messageOf(fan, creator) as never)
      const { _id = '', conversationId = '' } = (sent.ok && sent.message) || {}
      return { _id, conversationId }
    }
    const waiting = async () => {
      const { rows } = await sql`
        select from graphile_worker.jobs
        where task_identifier = 'messages.remind' and key like ${`%${creator.id}`}`.execute(
        harness.context.db,
      )
      return rows.length
    }
    // A push service keeps the newest of a sender.
    const came = new Set<string | undefined>()
    const pushes = async (seconds: number) => {
      harness.clock.advance(seconds * 1000)
      for (const { payload } of await phone.received()) came.add(payload.id)
      return came.size
    }
    await desk.emit('markAsRead', await write())
    expect(await pushes(11)).toBe(0)
    for (let count = 0; count < 3; count++) await write()
    expect([await waiting(), await pushes(1)]).toEqual([1, 0])
    expect(await pushes(10)).toBe(1)
    expect(await emailsTo(harness, creator.email)).toEqual([])
    const newest = await write()
    expect([await waiting(), await pushes(11)]).toEqual([0, 1])
    await desk.emit('markAsRead', newest)
    await write()
    expect(await pushes(11)).toBe(2)
    await desk.emit('markAsRead', await write())
    await as(creator).call(routes.muteConversation, { body: { recipientId: fan.id, muted: true } })
    const muted = await write()
    expect([await waiting(), await pushes(11)]).toEqual([0, 2])
    await as(creator).call(routes.muteConversation, { body: { recipientId: fan.id, muted: false } })
    await desk.emit('markAsRead', muted)
    // A message that was told is taken back, so there is nothing left to email.
    const { _id: messageId } = await write()
    expect(await pushes(11)).toBe(3)
    await as(fan).call(routes.deleteMessage, { body: { messageId } })
    // A message that was read in time is never emailed.
    expect(await pushes(20 * 60)).toBe(3)
    expect(await emailsTo(harness, creator.email)).toEqual([])
    // The next message is pushed again, as it is after a mute.
    await write()
    await write()
    expect(await pushes(11)).toBe(4)
    await as(creator).call(routes.muteConversation, { body: { recipientId: fan.id, muted: true } })
    await as(creator).call(routes.muteConversation, { body: { recipientId: fan.id, muted: false } })
    await write()
    expect(await pushes(11)).toBe(5)
  })

  test('of a message that comes after others were read waits until that one is ten seconds old', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const phone = browser()
    await phone.subscribe(creator)
    const [writer, desk] = [await connect(harness, fan), await connect(harness, creator)]
    const write = async () => {
      const sent = await writer.emit('chat message', messageOf(fan, creator) as never)
      const { _id = '', conversationId = '' } = (sent.ok && sent.message) || {}
      return { _id, conversationId }
    }
    const first = await write()
    await desk.emit('markAsRead', first)
    harness.clock.advance(9000)
    const second = await write()
    const due = { conversationId: first.conversationId, userId: creator.id }
    await harness.server.jobs['messages.remind'](due, { attempt: 1, lastAttempt: false })
    expect((await list(creator)).items).toEqual([])
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from remind_at - created_at)::float8 as wait
      from conversation_members join messages on messages.id = ${second._id}
      where user_id = ${creator.id} and conversation_members.conversation_id = messages.conversation_id`.execute(
      harness.context.db,
    )
    expect(rows).toEqual([{ wait: 10 }])
    harness.clock.advance(11_000)
    expect(await phone.received()).toHaveLength(1)
  })

  test('tells what happened and nobody’s name, and what messages say only to whom wants that', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const own = browser()
    await own.subscribe(creator)
    expect((await settingsOf(creator)).push).toMatchObject({ here: true, others: 0 })
    await sale(creator, fan, 'A secret title')
    const writer = await connect(harness, fan)
    await writer.emit('chat message', messageOf(fan, creator, { content: 'Only for you' }) as never)
    const event = { from: fan.username, senderId: fan.id }
    await tell({ kind: 'message.received', person: creator.id, data: event })
    const first = await own.received()
    expect(first.map(({ payload }) => [payload.title, payload.path])).toEqual([
      ['New sale', '/dashboard/earnings'],
      ['New message', `/dashboard/chat/${fan.id}`],
    ])
    for (const word of ['secret title', fan.username, 'Only for you'])
      expect(JSON.stringify(first)).not.toContain(word)
    await set(creator, { showMessageText: true })
    await tell({ kind: 'message.received', person: creator.id, data: event })
    const { payload } = (await own.received()).at(-1) ?? {}
    expect(payload).toMatchObject({ title: fan.username, body: 'Only for you' })
    // At rest are neither the address nor the keys.
    const stored =
      JSON.stringify(await kept(creator)) + (await kept(creator))[0]?.sealed_subscription.toString()
    for (const word of [own.endpoint, own.keys.auth, own.keys.p256dh]) expect(stored).not.toContain(word)
    const { rows } = await sql<{
      key: Buffer
    }>`select sealed_key as key from lasting_keys where name = 'vapid'`.execute(harness.context.db)
    expect(rows[0]?.key.toString()).not.toContain('privateKey')
  })

  test('ends with the session, with a browser that is gone, and by its holder; the oldest of many is forgotten', async () => {
    const creator = await buildCreator(harness)
    const fan = await buildFan(harness)
    const session = { token: await buildSession(harness, creator.id) }
    const elsewhere = browser()
    await elsewhere.subscribe(session)
    await browser(`gone-${randomUUID()}`).subscribe(creator)
    await as(session).call(routes.logout, {})
    expect(await kept(creator)).toHaveLength(1)
    await sale(creator, fan)
    expect(await elsewhere.received()).toEqual([])
    expect(await kept(creator)).toEqual([])
    // A browser has one subscription, no matter who logs in.
    const shared = browser()
    await shared.subscribe(fan)
    await shared.subscribe(creator)
    expect([(await kept(fan)).length, (await kept(creator)).length]).toEqual([0, 1])
    await as(fan).call(routes.removePush, { body: { which: 'here' } })
    expect(await kept(creator)).toHaveLength(1)
    for (let more = 0; more < 22; more++)
      await browser().subscribe({ token: await buildSession(harness, creator.id) })
    expect(await kept(creator)).toHaveLength(20)
    expect((await settingsOf(creator)).push.others).toBe(20)
    await as(creator).call(routes.removePush, { body: { which: 'others' } })
    expect(await kept(creator)).toEqual([])
  })

  test('is tried again where the service is busy, and given up at last; a redirect leads nowhere', async () => {
    const waitingFor = async (person: string) => {
      const { rows } = await sql<{ seconds: number; tries: number }>`
        select extract(epoch from run_at - now())::int as seconds, (payload ->> 'tries')::int as tries
        from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
        join push_subscriptions as subscription on subscription.id::text = payload ->> 'subscriptionId'
        where identifier = 'notifications.push' and user_id = ${person}`.execute(harness.context.db)
      return rows
    }
    const fan = await buildFan(harness)
    for (const [name, jobs] of [
      ['busy', 1],
      ['down', 1],
      ['moved', 0],
    ] as const) {
      const creator = await buildCreator(harness)
      await browser(`${name}-${randomUUID()}`).subscribe(creator)
      await sale(creator, fan)
      await harness.runJobs()
      const jobsNow = await waitingFor(creator.id)
      expect(jobsNow, name).toHaveLength(jobs)
      if (name === 'busy') expect(jobsNow[0]?.seconds).toBeGreaterThan(100)
      for (let round = 0; round < 8; round++) {
        await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
          harness.context.db,
        )
        await harness.runJobs()
      }
      expect(await waitingFor(creator.id), name).toEqual([])
      expect(await kept(creator)).toHaveLength(1)
    }
  })

  test('waits for the end of quiet hours, and is dropped when it was read by then', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(23)
    const night = { ...creator, token: await buildSession(harness, creator.id) }
    const own = browser()
    await own.subscribe(night)
    for (let at = 0; at < 3; at++) await sale(creator, fan)
    await tell({ kind: 'password.changed', person: creator.id, data: {} })
    expect(
      (await own.received()).map(({ payload, urgency }) => [payload.kind, urgency, payload.renotify]),
    ).toEqual([['password.changed', 'high', true]])
    const morning = async () => {
      harness.clock.advance(9 * HOUR_MS)
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
        harness.context.db,
      )
      return (await own.received()).map(({ payload }) => payload.kind)
    }
    expect(await morning()).toEqual(['password.changed', 'sale.made'])
    advanceTo(23)
    const next = { token: await buildSession(harness, creator.id) }
    await own.subscribe(next)
    await sale(creator, fan)
    await as(next).call(routes.readNotifications, { body: {} })
    expect(await morning()).toEqual(['password.changed', 'sale.made'])
  })

  test.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com.evil.test/x',
    'https://evil.test/fcm.googleapis.com',
    'https://fcm.googleapis.com:8443/x',
    'https://someone@fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://localhost/x',
    'file:///etc/passwd',
    'https://push.apple.com/x',
    'https://fcm.googleapis.com/x',
  ])('takes no address that leads elsewhere: %s', async (endpoint) => {
    const person = await buildFan(harness)
    const { keys } = browser()
    const answer = await as(person).send('POST', '/users/notifications/push', { body: { endpoint, keys } })
    expect(answer.status).toBe(409)
    expect(await kept(person)).toEqual([])
  })
})
