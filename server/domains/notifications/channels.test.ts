import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { UNSUBSCRIBE_INVALID } from '../../../contract/unsubscribe-links.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../testing/builders.ts'
import { channels, HOUR_MS } from '../../testing/channels.ts'
import { connect, messageOf, until } from '../../testing/chat.ts'
import { waitingForLocks } from '../../testing/locks.ts'
import { emailsTo, leave } from '../../testing/security.ts'
import { openSocket } from '../../testing/socket.ts'
import { forgetPerson } from './actions.ts'

/** Two of the channels of notifications: the app and digests. */

const DAY_MS = 24 * HOUR_MS

const scene = channels()
const { as, list, tell, sale, settingsOf, set, inNewYork, advanceTo, browser } = scene
const unread = async (person: Person) => (await as(person).call(routes.unreadNotifications, {})).unread
const digests = () =>
  scene.harness.server.jobs['notifications.digests']({}, { attempt: 1, lastAttempt: false })

describe('the list', () => {
  test('shows what one was told, live on each device, and counts what is unread', async () => {
    const [creator, fan, stranger] = [
      await buildCreator(scene.harness),
      await buildFan(scene.harness),
      await buildFan(scene.harness),
    ]
    const second = { ...creator, token: await buildSession(scene.harness, creator.id) }
    const [phone, desk, other] = [
      await connect(scene.harness, creator),
      await connect(scene.harness, second),
      await connect(scene.harness, stranger),
    ]
    const scoped = await connect(scene.harness, creator, stranger)
    await until(async () => {
      const { rows } = await sql`select from online_people where user_id = ${creator.id}`.execute(
        scene.harness.context.db,
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
    const newestId = items[0]?._id
    expect(phone.all('notification').at(-1)).toMatchObject({ unread: 2, newestId })
    expect(items[1]?.event.data).toEqual({ from: fan.username, fromId: fan.id })
    // Somebody else names its id, and nothing is read.
    await as(stranger).call(routes.readNotifications, { body: { notificationIds: [items[0]?._id ?? ''] } })
    expect(await unread(creator)).toBe(2)
    await as(creator).call(routes.readNotifications, { body: { notificationIds: [items[0]?._id ?? ''] } })
    await until(() => desk.all('notifications read').some(({ unread }) => unread === 1))
    await as(second).call(routes.readNotifications, { body: {} })
    await until(() => phone.all('notifications read').some(({ unread }) => unread === 0))
    expect(await as(creator).call(routes.unreadNotifications, {})).toEqual({ unread: 0, newestId })
    expect(
      [...other.received, ...scoped.received].filter(({ name }) => name.startsWith('notification')),
    ).toEqual([])
    // Following again tells nothing new.
    for (let time = 0; time < 2; time++)
      await as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
    expect((await list(creator)).items).toHaveLength(2)
  })

  test('has nobody connected who isn’t told: who was told without a signal asks for it once they are', async () => {
    const { db } = scene.harness.context
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const recorded = db.selectFrom('online_people').where('user_id', '=', creator.id).select('user_id')
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = db.transaction().execute(async (tx) => {
      await sql`lock table online_people in share mode`.execute(tx)
      held.resolve()
      await free.promise
    })
    await held.promise
    let connected = false
    const connecting = connect(scene.harness, creator).finally(() => {
      connected = true
    })
    await until(async () => connected || (await waitingForLocks(db, 'online_people')) > 0)
    await sale(creator, fan)
    const before = [connected, await recorded.execute()]
    free.resolve()
    await holding
    expect(before).toEqual([false, []])
    const desk = await connecting
    expect(await recorded.execute()).toHaveLength(1)
    expect(await unread(creator)).toBe(1)
    await sale(creator, fan)
    await until(() => desk.all('notification').length === 1)
    expect(desk.all('notification')[0]?.unread).toBe(2)
  })

  test('comes in pages, tells nothing of people who are leaving or blocked, and forgets', async () => {
    const [creator, fan, gone] = [
      await buildCreator(scene.harness),
      await buildFan(scene.harness),
      await buildFan(scene.harness),
    ]
    for (let at = 0; at < 5; at++) await sale(creator, fan, `Photo ${at}`)
    await sale(creator, gone, 'By someone who is leaving')
    await leave(scene.harness, gone)
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
    scene.harness.clock.advance(91 * DAY_MS)
    const renewed = { ...creator, token: await buildSession(scene.harness, creator.id) }
    await scene.harness.server.jobs['notifications.sweep']({}, { attempt: 1, lastAttempt: false })
    expect((await list(renewed)).items.map(({ read }) => read)).toEqual([false, false])
  })

  test('keeps what one paid, without the seller’s name, while a block keeps the two apart', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const bought = {
      title: 'A photo',
      amount: '$4',
      items: 1,
      card: 'Visa 1111',
      on: '2030-01-01',
      renews: null,
    }
    const data = { ...bought, seller: creator.username, fromId: creator.id }
    await tell({ kind: 'purchase.receipt', person: fan.id, data })
    const sellers = async () =>
      (await list(fan)).items.map(({ event: { data } }) => 'seller' in data && [data.seller, data.fromId])
    expect(await sellers()).toEqual([[creator.username, creator.id]])
    await as(fan).call(routes.block, { body: { blockedId: creator.id } })
    expect([await sellers(), await unread(fan)]).toEqual([[['Unavailable account', null]], 1])
    await as(fan).call(routes.unblock, { body: { blockedId: creator.id } })
    await leave(scene.harness, creator)
    expect([await sellers(), await unread(fan)]).toEqual([[['Deleted User', null]], 1])
  })

  test('of messages is read with the messages', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const [writer, reader] = [await connect(scene.harness, fan), await connect(scene.harness, creator)]
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
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    advanceTo(12)
    // The digest of a Monday is a week’s as well, which the first one here must not be.
    if (inNewYork({ weekday: 'short' }) === 'Sun') advanceTo(12)
    for (let at = 0; at < 3; at++) await sale(creator, fan)
    await as({ token: await buildSession(scene.harness, fan.id) }).call(routes.toggleFollow, {
      body: { followingId: creator.id },
    })
    await digests()
    expect(await emailsTo(scene.harness, creator.email)).toEqual([])
    advanceTo(10)
    await Promise.all([digests(), digests(), digests()])
    const mails = await emailsTo(scene.harness, creator.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['What’s new on Fanfare'])
    expect(mails[0]?.text).toContain('• 3 sales')
    expect(mails[0]?.text).not.toContain(fan.username)
    // The next days have nothing new, and a week's digest brings the follower.
    for (let day = 0; day < 8; day++) {
      advanceTo(10)
      await digests()
      await digests()
    }
    const later = await emailsTo(scene.harness, creator.email)
    expect(later).toHaveLength(2)
    expect(later[0]?.text).toContain('• 1 new follower')
    expect(later[0]?.text).not.toContain('sales')
  })

  test('of a day comes at nine where the browser that first connected is, also what waited by then', async () => {
    advanceTo(12)
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const connectFrom = async (timeZone: unknown) =>
      (await openSocket(scene.harness.origin, { token: creator.token, timeZone })).close()
    const zone = async () => (await settingsOf(creator)).timeZone
    const digestAt = async () => {
      const { next_digest_at } = await scene.harness.context.db
        .selectFrom('notification_settings')
        .select('next_digest_at')
        .where('user_id', '=', creator.id)
        .executeTakeFirstOrThrow()
      return (timeZone: string) =>
        next_digest_at?.toLocaleTimeString('en-US', { timeZone, timeStyle: 'short' }).replace(/\s/, ' ')
    }
    await sale(creator, fan)
    expect((await digestAt())('America/New_York')).toBe('9:00 AM')
    // An unknown or invalid time zone is ignored.
    for (const unknown of ['Nowhere/At_All', '+05:00', 7, null]) await connectFrom(unknown)
    expect(await zone()).toBeNull()
    await connectFrom('Asia/Calcutta')
    await connectFrom('Europe/Berlin')
    expect(await zone()).toBe('Asia/Kolkata')
    expect((await digestAt())('Asia/Kolkata')).toBe('9:00 AM')
    await set(creator, { timeZone: 'Europe/Berlin' })
    expect((await digestAt())('Europe/Berlin')).toBe('9:00 AM')
  })

  test('of a digest that was claimed before the process died goes out, and not what was read meanwhile', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    await sale(creator, fan)
    advanceTo(10)
    // The claim is committed with the job; nobody has worked it yet, as when the process ends here.
    await digests()
    await digests()
    const renewed = { ...creator, token: await buildSession(scene.harness, creator.id) }
    await sale(creator, fan, 'Told after the claim')
    expect(await emailsTo(scene.harness, creator.email)).toHaveLength(1)
    advanceTo(10)
    await digests()
    await as(renewed).call(routes.readNotifications, { body: {} })
    expect(await emailsTo(scene.harness, creator.email)).toHaveLength(1)
  })

  test('waits for the end of quiet hours, unless the account may depend on it', async () => {
    const person = await buildFan(scene.harness)
    await set(person, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(23)
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    await tell({ kind: 'subscription.extended', person: person.id, data })
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    const subjects = async () =>
      (await emailsTo(scene.harness, person.email)).map(({ subject }) => subject.split(' · ')[0])
    expect(await subjects()).toEqual(['Your password was changed'])
    scene.harness.clock.advance(9 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      scene.harness.context.db,
    )
    expect(await subjects()).toEqual(['Free time on “Patrons”', 'Your password was changed'])
  })

  /** Makes due what the server's clock has reached; the queue goes by the database's. */
  const advance = async (hours: number) => {
    scene.harness.clock.advance(hours * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      scene.harness.context.db,
    )
  }

  test('that was left to a later hour, or told before quiet hours were set, waits for their end too', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const count = async () => (await emailsTo(scene.harness, creator.email)).length
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
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const count = async () => (await emailsTo(scene.harness, creator.email)).length
    await sale(creator, fan)
    advanceTo(10)
    await digests()
    const renewed = { ...creator, token: await buildSession(scene.harness, creator.id) }
    await set(renewed, { quietHours: { from: 9 * 60, to: 12 * 60 }, timeZone: 'America/New_York' })
    expect(await count()).toBe(0)
    await advance(3)
    expect(await count()).toBe(1)
  })

  test('right away becomes part of a day’s digest where that is chosen before it went out', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const choose = (email: 'now' | 'daily') =>
      as(creator).call(routes.setNotificationTopic, { body: { topic: 'sales', email } })
    await choose('now')
    await sale(creator, fan)
    await choose('daily')
    expect(await emailsTo(scene.harness, creator.email)).toEqual([])
    advanceTo(10)
    await digests()
    const [digest, ...others] = await emailsTo(scene.harness, creator.email)
    expect(digest?.text).toContain('• 1 sale')
    expect(others).toEqual([])
  })

  test('stays as it was chosen where a change says nothing of a topic', async () => {
    const [fresh, chosen] = [await buildFan(scene.harness), await buildFan(scene.harness)]
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
      await buildCreator(scene.harness),
      await buildFan(scene.harness),
      await buildFan(scene.harness),
    ]
    await set(creator, {
      quietHours: { from: 22 * 60, to: 7 * 60 },
      timeZone: 'America/New_York',
      showMessageText: true,
    })
    advanceTo(23)
    const night = { ...creator, token: await buildSession(scene.harness, creator.id) }
    const own = browser()
    await own.subscribe(night)
    const data = { from: blocked.username, senderId: blocked.id }
    await tell({ kind: 'message.received', person: creator.id, data })
    await sale(creator, blocked)
    await sale(creator, fan)
    await as(night).call(routes.block, { body: { blockedId: blocked.id } })
    scene.harness.clock.advance(11 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
      scene.harness.context.db,
    )
    await digests()
    expect((await own.received()).map(({ payload }) => payload.kind)).toEqual(['sale.made'])
    const mails = await emailsTo(scene.harness, creator.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['What’s new on Fanfare'])
    expect(mails[0]?.text).toContain('• 1 sale\n')
    // Of somebody who leaves before the next digest nothing is told.
    await sale(creator, fan)
    await leave(scene.harness, fan)
    advanceTo(10)
    await digests()
    expect(await emailsTo(scene.harness, creator.email)).toHaveLength(1)
  })

  test('is ended by its link without a login, of its topic alone, and by no other link', async () => {
    const person = await buildFan(scene.harness)
    const data = { title: 'Patrons', creator: 'ada', until: '2030-01-01', renews: true }
    const gift = () => tell({ kind: 'subscription.extended', person: person.id, data })
    await gift()
    const [mail] = await emailsTo(scene.harness, person.email)
    const token = /\/unsubscribe\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const click = (path: string, method = 'POST') =>
      fetch(`${scene.harness.origin}/api/notifications/unsubscribe/${path}`, {
        method,
        redirect: 'manual',
        ...(method === 'POST'
          ? {
              body: 'List-Unsubscribe=One-Click',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            }
          : {}),
      })
    const stranger = await buildFan(scene.harness)
    const forged = [
      token.replace(person.id, stranger.id),
      token.replace('gifts', 'messages'),
      token.replace('gifts', 'security'),
      `${token}x`,
      `${token}.x`,
      'nonsense',
      '%00',
    ]
    for (const wrong of forged) expect((await click(wrong)).status, wrong).toBe(404)
    const long = await click('x'.repeat(201))
    expect([long.status, (await long.json()).error]).toEqual([400, UNSUBSCRIBE_INVALID])
    for (const wrong of ['%E0%A4%A', '%']) expect((await click(wrong)).status, wrong).toBe(400)
    const looked = await click(token, 'GET')
    expect([looked.status, looked.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`])
    const emailOf = async (topic: string) =>
      (await settingsOf(person)).topics.find((one) => one.topic === topic)?.email
    expect(await emailOf('gifts')).toBe('now')
    for (let time = 0; time < 2; time++) expect((await click(token)).status).toBe(200)
    expect([await emailOf('gifts'), await emailOf('messages')]).toEqual(['off', 'now'])
    await gift()
    expect(await emailsTo(scene.harness, person.email)).toHaveLength(1)
    // Required emails have no such link.
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    expect((await emailsTo(scene.harness, person.email))[0]?.text).not.toContain('nsubscribe')
  })

  test('that waits when who it names is erased isn’t sent, and brings nothing back', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    await as(creator).call(routes.setNotificationTopic, { body: { topic: 'sales', email: 'now' } })
    await sale(creator, fan)
    await scene.harness.context.db.transaction().execute((tx) => forgetPerson(tx, fan.id))
    expect(await emailsTo(scene.harness, creator.email)).toEqual([])
    expect((await list(creator)).items).toEqual([])
  })
})
