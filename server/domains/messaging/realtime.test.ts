import { sql } from 'kysely'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { announce } from '../../realtime/publish.ts'
import { LISTENER } from '../../realtime/subscriber.ts'
import { buildFan, buildMedia, type Person } from '../../testing/builders.ts'
import * as chat from '../../testing/chat.ts'
import { closeSockets, connect, conversation, until } from '../../testing/chat.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { underWay, waitingForLocks } from '../../testing/locks.ts'
import { emailsTo } from '../../testing/security.ts'
import { type ApiSocket, openSocket } from '../../testing/socket.ts'
import { conversationIdOf } from './data.ts'

/** Two web processes on one database, with people on different ones. */
let one: Harness
let other: Harness
beforeAll(async () => {
  one = await startHarness({ rateLimits: true })
  other = await startHarness({ rateLimits: true, beside: one })
})
afterAll(async () => {
  closeSockets()
  await other?.stop()
  await one?.stop()
})

const pair = () => chat.buildPair(one)
const customer = () => chat.buildCustomer(one)
const messageOf = (sender: Person, recipient: Person, content = 'Hello there') =>
  chat.messageOf(sender, recipient, { content })

/** Has somebody come whom this person wrote to, and answers who: once they hear of it they heard what came before, too. */
async function hearsOfAnother(person: Person, socket: ApiSocket): Promise<string> {
  const { creator } = await pair()
  const sent = messageOf(person, creator)
  await socket.emit('chat message', sent)
  const another = await connect(other, creator)
  await until(() => socket.all('presence').some(({ userId }) => userId === creator.id))
  // What was told together with it comes before this answer.
  await socket.emit('typing', { conversationId: sent.message.conversationId })
  another.close()
  return creator.id
}

describe('people at different processes', () => {
  test('hear each other’s messages once, in one order', async () => {
    const { creator, fan } = await customer()
    const [own, theirs] = [await connect(one, fan), await connect(other, creator)]
    const send = (socket: ApiSocket, from: Person, to: Person) =>
      Array.from({ length: 30 }, (_, at) => socket.emit('chat message', messageOf(from, to, `${at}`)))
    await Promise.all([...send(own, fan, creator), ...send(theirs, creator, fan)])
    await until(() => [own, theirs].every((socket) => socket.all('chat message').length >= 60))
    for (const socket of [own, theirs])
      expect(socket.all('chat message').map(({ message }) => message.position)).toEqual(
        Array.from({ length: 60 }, (_, at) => at + 1),
      )
  })

  test('see each other write, come and go; strangers and the blocked see nothing', async () => {
    const { creator, fan } = await pair()
    const someone = await buildFan(one, { discoverable: true })
    const stranger = await connect(other, someone)
    const own = await connect(one, fan)
    await own.emit('chat message', messageOf(fan, creator))
    expect((await conversation(one, fan, creator)).online).toBe(false)
    const theirs = await connect(other, creator)
    await until(() => own.all('presence').length > 0)
    expect((await conversation(one, fan, creator)).online).toBe(true)
    // Someone without a conversation with them can't see it.
    const curious = await buildFan(one)
    expect((await conversation(one, curious, creator)).online).toBe(false)
    const { conversationId } = messageOf(fan, creator).message
    await own.emit('typing', { conversationId })
    await until(() => theirs.all('typing').length > 0)
    expect(theirs.all('typing')).toEqual([{ conversationId, userId: fan.id }])
    theirs.close()
    await until(() => own.all('presence').length > 1)
    expect(own.all('presence').map(({ userId, online }) => [userId, online])).toEqual([
      [creator.id, true],
      [creator.id, false],
    ])
    await other.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    const back = await connect(other, creator)
    await until(async () =>
      (await other.context.db.selectFrom('online_people').selectAll().execute()).some(
        ({ user_id }) => user_id === creator.id,
      ),
    )
    expect((await conversation(one, fan, creator)).online).toBe(false)
    const known = await hearsOfAnother(fan, own)
    expect(own.all('presence').slice(2)).toMatchObject([{ userId: known, online: true }])
    const alone = await hearsOfAnother(someone, stranger)
    expect(stranger.received.map(({ name }) => name)).toEqual(['chat message', 'presence'])
    expect(stranger.all('presence')).toMatchObject([{ userId: alone }])
    back.close()
  })

  test('who is blocked sees the other go at once, as if they had left, and neither sees more of it', async () => {
    const { creator, fan } = await pair()
    const own = await connect(one, fan)
    await own.emit('chat message', messageOf(fan, creator))
    const theirs = await connect(other, creator)
    await until(() => own.all('presence').length === 1)
    await other.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    await until(() => own.all('presence').length === 2 && theirs.all('presence').length > 0)
    const { conversationId } = messageOf(fan, creator).message
    expect(own.all('presence')[1]).toEqual({ conversationId, userId: creator.id, online: false })
    expect(theirs.all('presence').at(-1)).toEqual({ conversationId, userId: fan.id, online: false })
    // Other tabs of the one who blocks ask what may be written now; the other person isn't told.
    await until(() => theirs.all('conversations changed').length === 1)
    expect(own.all('conversations changed')).toEqual([])
    theirs.close()
    await until(async () =>
      (await other.context.db.selectFrom('online_people').selectAll().execute()).every(
        ({ user_id }) => user_id !== creator.id,
      ),
    )
    const known = await hearsOfAnother(fan, own)
    expect(own.all('presence').slice(2)).toMatchObject([{ userId: known, online: true }])
  })

  test('a session that ends at one ends its sockets at the other', async () => {
    const { fan } = await pair()
    const socket = await connect(other, fan)
    await one.api.as(fan).send('GET', '/users/logout')
    await until(() => !socket.raw.connected)
  })

  test('are counted together: a hundred and twenty messages a minute', async () => {
    const { creator, fan } = await customer()
    const [here, there] = [await connect(one, fan), await connect(other, fan)]
    const codes: string[] = []
    const send = (at: number) => (at % 2 === 0 ? here : there).emit('chat message', messageOf(fan, creator))
    // At once, so that the minute isn't over before the last of them.
    const first = await Promise.all(Array.from({ length: 120 }, (_, at) => send(at)))
    expect(first.every(({ ok }) => ok)).toBe(true)
    for (let at = 0; at < 4; at++) {
      const answer = await send(at)
      if (!answer.ok) codes.push(`${answer.code} ${(answer.retryAfter ?? 0) > 0}`)
    }
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'rate_limited true'))
    // Over the limit, further messages cost no look-up of permissions; those of the first two over it may not be done yet.
    await until(async () => (await underWay(one.context.db, 'chat_settings')) === 0)
    await one.context.db.transaction().execute(async (tx) => {
      await sql`lock table chat_settings in access exclusive mode`.execute(tx)
      expect(await here.emit('chat message', messageOf(fan, creator))).toMatchObject({ code: 'rate_limited' })
      expect(await waitingForLocks(one.context.db, 'chat_settings')).toBe(0)
    })
  })
})

describe('people at one process', () => {
  test('have heard a message before its sender is told that it is stored, each once', async () => {
    const { creator, fan } = await customer()
    const [own, theirs] = [await connect(one, fan), await connect(one, creator)]
    await own.emit('chat message', messageOf(fan, creator, 'first'))
    await until(() => own.all('chat message').length > 0)
    const ids = own.all('chat message').map(({ message }) => message._id)
    for (let at = 0; at < 20; at++) {
      const answer = await own.emit('chat message', messageOf(fan, creator, `${at}`))
      if (answer.ok && answer.message) ids.push(answer.message._id)
      expect(own.all('chat message').map(({ message }) => message._id)).toEqual(ids)
    }
    // Later events of this process come after all earlier ones.
    const elsewhere = await connect(other, creator)
    expect(await elsewhere.emit('chat message', messageOf(creator, fan, 'last'))).toMatchObject({ ok: true })
    for (const socket of [own, theirs]) {
      await until(() => socket.all('chat message').some(({ message }) => message.content === 'last'))
      expect(socket.all('chat message').map(({ message }) => message.position)).toEqual(
        Array.from({ length: 22 }, (_, at) => at + 1),
      )
    }
  })

  test('don’t wait for what somebody else’s message is looked up for', async () => {
    const [first, second] = [await customer(), await customer()]
    // A process to which none of the two was connected doesn't know the conversation's position.
    const before = await connect(other, second.fan)
    await before.emit('chat message', messageOf(second.fan, second.creator))
    const held = await connect(one, first.fan)
    const photo = await buildMedia(one, first.fan)
    const sent = await held.emit(
      'chat message',
      chat.messageOf(first.fan, first.creator, { attachments: [{ url: `/media/${photo}` }] }),
    )
    const { _id: messageId = '', conversationId = '' } = (sent.ok && sent.message) || {}
    const [own, theirs] = [await connect(one, second.fan), await connect(one, second.creator)]
    await one.context.db.transaction().execute(async (tx) => {
      await sql`lock table media_versions in access exclusive mode`.execute(tx)
      await announce(one.context.db, {
        name: 'message.changed',
        conversationId,
        messageId,
        people: [first.fan.id],
      })
      await until(async () => (await waitingForLocks(one.context.db)) > 0)
      await own.emit('chat message', messageOf(second.fan, second.creator, 'now'))
      await until(() => theirs.all('chat message').some(({ message }) => message.content === 'now'))
    })
    await until(() => held.all('message changed').length > 0)
  })
})

describe('what can break', () => {
  test('the connection that listens: sockets are interrupted, come back, and nothing is missing', async () => {
    const { creator, fan } = await pair()
    const own = await connect(one, fan)
    const theirs = await openSocket(other.origin, { token: creator.token }, { reconnection: true })
    const reasons: string[] = []
    theirs.raw.on('disconnect', (reason) => reasons.push(reason))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${LISTENER} and datname = current_database()`.execute(one.context.db)
    const sent = messageOf(fan, creator)
    const cut = await own.emit('chat message', sent).catch(() => null)
    await until(() => reasons.length > 0 && theirs.raw.connected && !own.raw.connected)
    expect(reasons).toEqual(['transport close'])
    // Whether or not it was stored before the cut: after a retry it exists once.
    const again = await connect(one, fan)
    const stored = await again.emit('chat message', sent)
    expect(stored).toMatchObject({ ok: true, message: { position: 1, content: 'Hello there' } })
    if (cut) expect(cut).toEqual(stored)
    const missed = await conversation(other, creator, fan)
    expect(missed.messages.map(({ _id }) => _id)).toEqual([stored.ok && stored.message?._id])
    expect(missed.conversation).toMatchObject({ revision: 1, unread: 1 })
    // Later events arrive once.
    await again.emit('chat message', messageOf(fan, creator, 'Heard'))
    await until(() => theirs.all('chat message').some(({ message }) => message.content === 'Heard'))
    expect(theirs.all('chat message').filter(({ message }) => message.content === 'Heard')).toHaveLength(1)
    theirs.close()
  })

  test('a server that stops acknowledges what it stored, and its people are no longer online', async () => {
    const third = await startHarness({ beside: one })
    const { creator, fan } = await customer()
    const own = await connect(third, fan)
    await own.emit('chat message', messageOf(fan, creator))
    const answers = Array.from({ length: 20 }, (_, at) =>
      own.emit('chat message', messageOf(fan, creator, `${at}`)).catch(() => null),
    )
    await until(async () => (await conversation(one, creator, fan)).messages.length > 3)
    await third.stop()
    const acknowledged = (await Promise.all(answers)).filter((answer) => answer?.ok).length
    const { messages, online } = await conversation(one, creator, fan)
    // The first one was acknowledged before.
    expect(messages.length).toBeGreaterThanOrEqual(acknowledged + 1)
    expect(new Set(messages.map(({ content }) => content)).size).toBe(messages.length)
    expect(online).toBe(false)
  })
})

test('an external API client that sends the documented fields alone can write, hear and mark as read', async () => {
  const { creator, fan } = await pair()
  const conversationId = conversationIdOf(fan.id, creator.id)
  const open = async (person: Person) => {
    const socket = io(one.origin, {
      path: '/socket.io',
      forceNew: true,
      auth: {
        token: person.token,
        // Ids ignore case.
        conversationId: conversationId.toUpperCase(),
        participantIds: [fan.id, creator.id],
      },
    })
    const received: [string, { message: object; conversation: object }][] = []
    // Presence events can come at any time.
    socket.onAny((name, event) => name !== 'presence' && received.push([name, event]))
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    })
    return { socket, received }
  }
  const [own, theirs] = [await open(fan), await open(creator)]
  const message = { senderId: fan.id, content: 'Plain', conversationId, attachments: [] }
  own.socket.emit('chat message', { message, conversation: { _id: conversationId } })
  await until(() => theirs.received.length > 0)
  const [name, event] = theirs.received[0] ?? []
  const conversation = {
    _id: conversationId,
    participants: expect.arrayContaining(
      [fan, creator].map(({ id, username }) => expect.objectContaining({ _id: id, username })),
    ),
    lastMessage: { senderId: fan.id, content: 'Plain' },
  }
  const said = { senderId: fan.id, content: 'Plain', conversationId }
  expect(name).toBe('chat message')
  expect(event).toMatchObject({ message: { ...said, isRead: false, attachments: [] }, conversation })
  const stored = event?.message as { _id: string } | undefined
  const upper = conversationId.toUpperCase()
  theirs.socket.emit('typing', { conversationId: upper })
  await until(() => own.received.some(([eventName]) => eventName === 'typing'))
  const read = { ...event?.message, _id: stored?._id.toUpperCase(), conversationId: upper }
  theirs.socket.emit('markAsRead', read)
  await until(() => own.received.some(([eventName]) => eventName === 'markAsRead'))
  // Whether the other one had come online by then is random.
  const heard = own.received.filter(([eventName]) => eventName !== 'presence')
  expect(heard).toMatchObject([
    ['chat message', {}],
    ['typing', { conversationId, userId: creator.id }],
    ['markAsRead', { message: { ...said, isRead: true }, conversation }],
  ])
  for (const { socket } of [own, theirs]) socket.close()
})

describe('an email about messages that stay unread', () => {
  const later = async () => {
    one.clock.advance(11 * 60 * 1000)
    await one.runJobs()
  }

  test('comes once until they are read, without their text, whatever is open', async () => {
    const { creator, fan } = await pair()
    const own = await connect(one, fan)
    const write = () => own.emit('chat message', messageOf(fan, creator, 'A secret'))
    await write()
    await write()
    await one.runJobs()
    expect(await emailsTo(one, creator.email)).toEqual([])
    await later()
    await later()
    const [mail, ...others] = (await emailsTo(one, creator.email)) as { subject: string; text: string }[]
    expect(others).toEqual([])
    expect(mail?.subject).toContain(fan.username)
    expect(JSON.stringify(mail)).not.toContain('A secret')
    await write()
    await later()
    expect(await emailsTo(one, creator.email)).toHaveLength(1)

    const theirs = await connect(one, creator)
    const newest = (await conversation(one, creator, fan)).messages.at(-1)
    const read = { _id: newest?._id ?? '', conversationId: newest?.conversationId ?? '' }
    await theirs.emit('markAsRead', read)
    // An open tab doesn't mean that somebody looks at it.
    await write()
    await later()
    await later()
    expect(await emailsTo(one, creator.email)).toHaveLength(2)
  })
})
