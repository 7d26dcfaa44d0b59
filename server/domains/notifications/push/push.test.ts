import { createECDH, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession } from '../../../testing/builders.ts'
import { channels, HOUR_MS } from '../../../testing/channels.ts'
import { connect, messageOf } from '../../../testing/chat.ts'
import { decryptPush } from '../../../testing/push-browser.ts'
import { emailsTo } from '../../../testing/security.ts'

const scene = channels()
const { as, list, tell, sale, settingsOf, set, advanceTo, browser, kept } = scene

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
    const [person, phone] = [await buildFan(scene.harness), browser()]
    await phone.subscribe(person)
    await tell({ kind: 'password.changed', person: person.id, data: {} })
    expect((await phone.received()).map(({ payload }) => payload.title)).toEqual([
      'Your password was changed',
    ])
  })

  test('of another reason for a takedown doesn’t say that something was taken down', async () => {
    const [creator, phone] = [await buildCreator(scene.harness), browser()]
    await phone.subscribe(creator)
    const titles = []
    for (const changed of [false, true]) {
      const data = { title: 'A lake', mediaId: randomUUID(), reason: '', changed, deleted: false }
      await tell({ kind: 'media.quarantined', person: creator.id, data })
      titles.push((await phone.received()).at(-1)?.payload.title)
    }
    expect(titles).toEqual(['One of your items was taken down', 'The decision on one of your items changed'])
  })

  test('of a message comes in seconds, once until they are read, though a tab is open; not when read or muted', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const phone = browser()
    await phone.subscribe(creator)
    const [writer, desk] = [await connect(scene.harness, fan), await connect(scene.harness, creator)]
    const write = async () => {
      const sent = await writer.emit('chat message', messageOf(fan, creator) as never)
      const { _id = '', conversationId = '' } = (sent.ok && sent.message) || {}
      return { _id, conversationId }
    }
    const waiting = async () => {
      const { rows } = await sql`
        select from conversation_members where user_id = ${creator.id} and remind_at is not null`.execute(
        scene.harness.context.db,
      )
      return rows.length
    }
    // A push service keeps the newest of a sender.
    const came = new Set<string | undefined>()
    const pushes = async (seconds: number) => {
      scene.harness.clock.advance(seconds * 1000)
      for (const { payload } of await phone.received()) came.add(payload.id)
      return came.size
    }
    await desk.emit('markAsRead', await write())
    expect(await pushes(11)).toBe(0)
    for (let count = 0; count < 3; count++) await write()
    expect([await waiting(), await pushes(1)]).toEqual([1, 0])
    expect(await pushes(10)).toBe(1)
    expect(await emailsTo(scene.harness, creator.email)).toEqual([])
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
    expect(await emailsTo(scene.harness, creator.email)).toEqual([])
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
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const phone = browser()
    await phone.subscribe(creator)
    const [writer, desk] = [await connect(scene.harness, fan), await connect(scene.harness, creator)]
    const write = async () => {
      const sent = await writer.emit('chat message', messageOf(fan, creator) as never)
      const { _id = '', conversationId = '' } = (sent.ok && sent.message) || {}
      return { _id, conversationId }
    }
    const first = await write()
    await desk.emit('markAsRead', first)
    scene.harness.clock.advance(9000)
    const second = await write()
    const due = { conversationId: first.conversationId, userId: creator.id }
    await scene.harness.server.jobs['messages.remind'](due, { attempt: 1, lastAttempt: false })
    expect((await list(creator)).items).toEqual([])
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from remind_at - created_at)::float8 as wait
      from conversation_members join messages on messages.id = ${second._id}
      where user_id = ${creator.id} and conversation_members.conversation_id = messages.conversation_id`.execute(
      scene.harness.context.db,
    )
    expect(rows).toEqual([{ wait: 10 }])
    scene.harness.clock.advance(11_000)
    expect(await phone.received()).toHaveLength(1)
  })

  test('tells what happened and nobody’s name, and what messages say only to whom wants that', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const own = browser()
    await own.subscribe(creator)
    expect((await settingsOf(creator)).push).toMatchObject({ here: true, others: 0 })
    await sale(creator, fan, 'A secret title')
    const writer = await connect(scene.harness, fan)
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
    }>`select sealed_key as key from lasting_keys where name = 'vapid'`.execute(scene.harness.context.db)
    expect(rows[0]?.key.toString()).not.toContain('privateKey')
  })

  test('has one topic for each sender and browser, by which no push service recognizes either', async () => {
    const [creator, other] = [await buildFan(scene.harness), await buildFan(scene.harness)]
    const [one, two] = [await buildFan(scene.harness), await buildFan(scene.harness)]
    const [phone, tablet] = [browser(), browser()]
    await phone.subscribe(one)
    await tablet.subscribe(two)
    for (const { id: person } of [one, two])
      for (const { username: from, id: senderId } of [creator, other, creator])
        await tell({ kind: 'message.received', person, data: { from, senderId } })
    const topics = [...(await phone.received()), ...(await tablet.received())].map(({ topic }) => topic)
    expect(new Set(topics).size).toBe(4)
    expect(topics).toHaveLength(4)
    for (const { id } of [creator, other])
      expect(topics.join(' ')).not.toContain(id.replaceAll('-', '').slice(-12))
  })

  test('ends with the session, with a browser that is gone, and by its holder; the oldest of many is forgotten', async () => {
    const creator = await buildCreator(scene.harness)
    const fan = await buildFan(scene.harness)
    const session = { token: await buildSession(scene.harness, creator.id) }
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
      await browser().subscribe({ token: await buildSession(scene.harness, creator.id) })
    expect(await kept(creator)).toHaveLength(20)
    expect((await settingsOf(creator)).push.others).toBe(20)
    await as(creator).call(routes.removePush, { body: { which: 'others' } })
    expect(await kept(creator)).toEqual([])
  })

  test('follows a browser to its new address, which who knows its secrets alone may name, as long as it is logged in', async () => {
    const creator = await buildCreator(scene.harness)
    const session = { token: await buildSession(scene.harness, creator.id) }
    const [phone, next, stranger] = [browser(), browser(), browser()]
    await phone.subscribe(session)
    const replace = async (
      before: { endpoint: string; keys: { p256dh: string; auth: string } },
      { endpoint, keys } = next,
    ) => {
      const body = {
        before: { endpoint: before.endpoint, keys: before.keys },
        subscription: { endpoint, keys },
      }
      return (await scene.harness.api.visitor().send('POST', '/notifications/push/replace', { body })).status
    }
    const tell = () => scene.tell({ kind: 'password.changed', person: creator.id, data: {} })
    expect(await replace({ ...phone, keys: stranger.keys }, stranger)).toBe(409)
    expect(await replace(stranger)).toBe(409)
    expect(await replace(phone, { ...next, endpoint: 'https://evil.test/x' })).toBe(409)
    await tell()
    expect((await phone.received()).length).toBe(1)
    expect(await replace(phone)).toBe(200)
    await tell()
    expect([await phone.received(), await next.received(), await stranger.received()]).toMatchObject([
      [{}],
      [{ payload: { kind: 'password.changed' } }],
      [],
    ])
    expect(await kept(creator)).toHaveLength(1)
    // What it was reached by before is nobody’s anymore.
    expect(await replace(phone, stranger)).toBe(409)
    scene.harness.clock.advance(400 * 24 * HOUR_MS)
    expect(await replace(next, stranger)).toBe(409)
  })

  test('is tried again where the service is busy, and given up at last; a redirect leads nowhere', async () => {
    const waitingFor = async (person: string) => {
      const { rows } = await sql<{ seconds: number; tries: number }>`
        select extract(epoch from run_at - now())::int as seconds, (payload ->> 'tries')::int as tries
        from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
        join push_subscriptions as subscription on subscription.id::text = payload ->> 'subscriptionId'
        where identifier = 'notifications.push' and user_id = ${person}`.execute(scene.harness.context.db)
      return rows
    }
    const fan = await buildFan(scene.harness)
    for (const [name, jobs] of [
      ['busy', 1],
      ['down', 1],
      ['moved', 0],
    ] as const) {
      const creator = await buildCreator(scene.harness)
      await browser(`${name}-${randomUUID()}`).subscribe(creator)
      await sale(creator, fan)
      await scene.harness.runJobs()
      const jobsNow = await waitingFor(creator.id)
      expect(jobsNow, name).toHaveLength(jobs)
      if (name === 'busy') expect(jobsNow[0]?.seconds).toBeGreaterThan(100)
      for (let round = 0; round < 8; round++) {
        await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
          scene.harness.context.db,
        )
        await scene.harness.runJobs()
      }
      expect(await waitingFor(creator.id), name).toEqual([])
      expect(await kept(creator)).toHaveLength(1)
    }
  })

  test('waits for the end of quiet hours, and is dropped when it was read by then', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(23)
    const night = { ...creator, token: await buildSession(scene.harness, creator.id) }
    const own = browser()
    await own.subscribe(night)
    for (let at = 0; at < 3; at++) await sale(creator, fan)
    await tell({ kind: 'password.changed', person: creator.id, data: {} })
    expect(
      (await own.received()).map(({ payload, urgency }) => [payload.kind, urgency, payload.renotify]),
    ).toEqual([['password.changed', 'high', true]])
    const morning = async () => {
      scene.harness.clock.advance(9 * HOUR_MS)
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
        scene.harness.context.db,
      )
      return (await own.received()).map(({ payload }) => payload.kind)
    }
    expect(await morning()).toEqual(['password.changed', 'sale.made'])
    advanceTo(23)
    const next = { token: await buildSession(scene.harness, creator.id) }
    await own.subscribe(next)
    await sale(creator, fan)
    await as(next).call(routes.readNotifications, { body: {} })
    expect(await morning()).toEqual(['password.changed', 'sale.made'])
  })

  test('waits as well where quiet hours begin before it is sent, or are made longer meanwhile', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(21)
    const evening = { ...creator, token: await buildSession(scene.harness, creator.id) }
    const own = browser()
    await own.subscribe(evening)
    // Nobody works meanwhile, as while a mass message's many are told.
    for (let at = 0; at < 2; at++) await sale(creator, fan)
    await tell({
      kind: 'message.received',
      person: creator.id,
      data: { from: fan.username, senderId: fan.id },
    })
    await tell({ kind: 'password.changed', person: creator.id, data: {} })
    scene.harness.clock.advance(2 * HOUR_MS)
    const hour = async (more: number) => {
      scene.harness.clock.advance(more * HOUR_MS)
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
        scene.harness.context.db,
      )
      return (await own.received()).map(({ payload }) => payload.kind)
    }
    expect(await hour(0)).toEqual(['password.changed'])
    await set(evening, { quietHours: { from: 22 * 60, to: 9 * 60 } })
    expect(await hour(9)).toEqual(['password.changed'])
    expect((await hour(2)).toSorted()).toEqual(['message.received', 'password.changed', 'sale.made'])
  })

  test('that a busy service took no earlier waits for the end of quiet hours, unless newer news waits', async () => {
    const [creator, fan] = [await buildCreator(scene.harness), await buildFan(scene.harness)]
    const { db } = scene.harness.context
    await set(creator, { quietHours: { from: 22 * 60, to: 7 * 60 }, timeZone: 'America/New_York' })
    advanceTo(21)
    const evening = { ...creator, token: await buildSession(scene.harness, creator.id) }
    await browser(`busy-${randomUUID()}`).subscribe(evening)
    const waiting = async () => {
      await scene.harness.runJobs()
      const { rows } = await sql<{ tries: number; key: string | null }>`
        select (payload ->> 'tries')::int as tries, job.key from graphile_worker._private_jobs as job
        join push_subscriptions as subscription on subscription.id::text = payload ->> 'subscriptionId'
        where user_id = ${creator.id} order by tries`.execute(db)
      return rows.map(({ tries, key }) => [tries, key !== null])
    }
    await sale(creator, fan)
    expect(await waiting()).toEqual([[2, false]])
    scene.harness.clock.advance(2 * HOUR_MS)
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(db)
    expect(await waiting()).toEqual([[2, true]])
    const endWaiting = () =>
      sql`update graphile_worker._private_jobs set key = null, run_at = now() where run_at > now()`.execute(
        db,
      )
    await endWaiting()
    // News by somebody who isn’t shown anymore is none.
    const blocked = await buildFan(scene.harness)
    await sale(creator, blocked)
    await as(creator).call(routes.block, { body: { blockedId: blocked.id } })
    expect(await waiting()).toEqual([[2, true]])
    await endWaiting()
    await sale(creator, fan)
    expect(await waiting()).toEqual([[1, true]])
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
    const person = await buildFan(scene.harness)
    const { keys } = browser()
    const answer = await as(person).send('POST', '/users/notifications/push', { body: { endpoint, keys } })
    expect(answer.status).toBe(409)
    expect(await kept(person)).toEqual([])
  })
})
