import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { buildCreator, buildFan, type Person } from '../../testing/builders.ts'
import * as chat from '../../testing/chat.ts'
import { messageOf, until } from '../../testing/chat.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { waitingForLocks } from '../../testing/locks.ts'
import type { ApiSocket } from '../../testing/socket.ts'
import { lockConversation } from './conversations/actions.ts'
import { conversationIdOf } from './data.ts'

/** Conversations through calls and sockets, by two people and a stranger. */
let harness: Harness
let creator: Person
let fan: Person
let stranger: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  stranger = await buildFan(harness)
})
afterAll(async () => {
  chat.closeSockets()
  await harness?.stop()
})

const connect = (person: Person, to?: Person) => chat.connect(harness, person, to)
const pair = () => chat.buildPair(harness)
const customer = () => chat.buildCustomer(harness)
const conversation = (person: Person, other: Person, query: object = {}) =>
  chat.conversation(harness, person, other, query)

describe('a conversation', () => {
  test('that somebody holds keeps one of the connections to the database, however many write into it', async () => {
    const { creator, fan } = await customer()
    const sockets = await Promise.all(Array.from({ length: 30 }, () => connect(fan)))
    const [own] = sockets as [ApiSocket]
    const first = await own.emit('chat message', messageOf(fan, creator))
    const replyTo = first.ok ? first.message?._id : ''
    const { db } = harness.context
    const held = await db.transaction().execute(async (tx) => {
      await lockConversation(tx, conversationIdOf(fan.id, creator.id))
      const answers = sockets.map((socket) =>
        socket.emit('chat message', messageOf(fan, creator, { replyTo })),
      )
      await until(async () => (await waitingForLocks(db, 'insert into conversations')) > 0)
      expect(await harness.api.as(stranger).call(routes.unread, { query: {} })).toEqual({ items: [] })
      expect(await waitingForLocks(db, 'insert into conversations')).toBe(1)
      return { answers }
    })
    const positions = (await Promise.all(held.answers)).map((answer) => answer.ok && answer.message?.position)
    expect(positions.toSorted((a, b) => Number(a) - Number(b))).toEqual(sockets.map((_, at) => at + 2))
  })

  test('begins with the first message, reaches every socket of both once, and nobody else', async () => {
    const [own, ownToo, theirs, others] = await Promise.all([
      connect(fan),
      connect(fan, creator),
      connect(creator),
      connect(stranger),
    ])
    const before = await conversation(fan, creator)
    expect([before.messages, before.refusal, before.conversation.revision]).toEqual([[], null, 0])
    const sent = messageOf(fan, creator)
    const answer = await own.emit('chat message', sent)
    expect(answer).toMatchObject({
      ok: true,
      message: { content: 'Hello there', position: 1, isRead: false },
    })
    await until(() => [own, ownToo, theirs].every((socket) => socket.all('chat message').length > 0))
    for (const socket of [own, ownToo, theirs])
      expect(socket.all('chat message').map(({ message }) => message.content)).toEqual(['Hello there'])
    expect(own.all('chat message')[0]?.message.clientMessageId).toBe(sent.message.clientMessageId)
    // The client-side id is visible only to the sender.
    expect(theirs.all('chat message')[0]?.message.clientMessageId).toBeNull()
    expect(theirs.all('chat message')[0]?.conversation).toMatchObject({ unread: 1, revision: 1 })
    expect(others.received).toEqual([])
    const { items } = await harness.api.as(creator).call(routes.unread, { query: {} })
    expect(items).toEqual([{ _id: conversationIdOf(fan.id, creator.id) }])
  })

  test('is read by one, which both are told and the badge forgets', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const answer = await own.emit('chat message', messageOf(fan, creator))
    const message = answer.ok ? answer.message : null
    const read = { _id: message?._id ?? '', conversationId: message?.conversationId ?? '' }
    expect(await theirs.emit('markAsRead', read)).toEqual({ ok: true })
    await until(() => own.all('markAsRead').length > 0 && theirs.all('markAsRead').length > 0)
    expect(own.all('markAsRead')[0]).toMatchObject({
      message: { _id: message?._id },
      conversation: { otherReadPosition: 1, lastMessage: { isRead: true } },
    })
    expect((await harness.api.as(creator).call(routes.unread, { query: {} })).items).toEqual([])
    expect((await conversation(fan, creator)).messages[0]?.isRead).toBe(true)
    // A stranger can't mark somebody else's message.
    const foreign = await (await connect(stranger)).emit('markAsRead', read)
    expect(foreign).toMatchObject({ ok: false, code: 'message_not_found' })
  })

  test('is read in pages that keep their place, and by what changed since', async () => {
    const { creator, fan } = await pair()
    const own = await connect(fan)
    for (let at = 1; at <= 7; at++)
      expect((await own.emit('chat message', messageOf(fan, creator, { content: `${at}` }))).ok).toBe(true)
    const texts = async (query: object) => {
      const { messages, hasMore } = await conversation(creator, fan, query)
      return [messages.map(({ content }) => content).join(''), hasMore]
    }
    expect(await texts({ limit: 3 })).toEqual(['567', true])
    expect(await texts({ limit: 3, before: 5 })).toEqual(['234', true])
    expect(await texts({ limit: 3, before: 2 })).toEqual(['1', false])
    expect(await texts({ limit: 3, after: 2 })).toEqual(['345', true])
    const { messages, conversation: known } = await conversation(fan, creator)
    await harness.api
      .as(fan)
      .call(routes.editMessage, { body: { messageId: messages[1]?._id ?? '', content: 'two' } })
    expect(await texts({ since: known.revision })).toEqual(['two', false])
    expect(await texts({ since: known.revision + 1 })).toEqual(['', false])
    const found = await harness.api.as(creator).call(routes.searchMessages, {
      query: { recipientId: fan.id, filter: 'TW' },
    })
    expect(found.items.map(({ content }) => content)).toEqual(['two'])
  })

  test('is searched in any script, whatever the case of a letter is at its place', async () => {
    const { creator, fan } = await pair()
    const own = await connect(fan)
    for (const content of ['ΟΔΟΣ 7', 'İzmir'])
      expect((await own.emit('chat message', messageOf(fan, creator, { content }))).ok).toBe(true)
    const finds = async (filter: string) => {
      const query = { recipientId: fan.id, filter }
      const { items } = await harness.api.as(creator).call(routes.searchMessages, { query })
      return items.map(({ content }) => content)
    }
    for (const content of ['ΟΔΟΣ 7', 'İzmir']) expect(await finds(content)).toEqual([content])
  })

  test('opens at what is unread, which goes down by what is read and by nothing else', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const sent: { _id: string; conversationId: string }[] = []
    const say = async (socket: ApiSocket, from: Person, to: Person, content: string) => {
      const answer = await socket.emit('chat message', messageOf(from, to, { content }))
      if (answer.ok && answer.message) sent.push(answer.message)
    }
    // The creator replies on another device, which marks nothing as read.
    for (const at of [1, 2]) await say(own, fan, creator, `${at}`)
    for (const at of [3, 4, 5]) await say(theirs, creator, fan, `${at}`)
    for (const at of [6, 7, 8, 9]) await say(own, fan, creator, `${at}`)
    const opened = async (query: object) => {
      const page = await conversation(creator, fan, query)
      const texts = page.messages.map(({ content }) => content).join('')
      return [texts, page.hasMore, page.hasNewer, page.conversation.unread]
    }
    const read = async (at: number) =>
      expect(await theirs.emit('markAsRead', sent[at - 1] as (typeof sent)[number])).toEqual({ ok: true })
    expect(await opened({ from: 'unread', limit: 2 })).toEqual(['12', false, true, 6])
    await read(2)
    expect(await opened({ from: 'unread', limit: 2 })).toEqual(['4567', true, true, 4])
    // A deleted message is no longer unread, and nobody is taken to it.
    const gone = { messageId: sent[5]?._id ?? '' }
    await harness.api.as(fan).call(routes.deleteMessage, { body: gone })
    expect(await opened({ from: 'unread', limit: 2 })).toEqual(['578', true, true, 3])
    await read(8)
    expect(await opened({ from: 'unread', limit: 2 })).toEqual(['789', true, false, 1])
    await read(7)
    expect((await conversation(creator, fan)).conversation).toMatchObject({ readPosition: 8, unread: 1 })
    await read(9)
    expect(await opened({ from: 'unread', limit: 2 })).toEqual(['89', true, false, 0])
    expect(await opened({ from: 'newest', limit: 2 })).toEqual(['89', true, false, 0])
  })

  test('is listed for both, found by name, and counts for no badge while muted', async () => {
    const { creator, fan } = await pair()
    await (await connect(fan)).emit('chat message', messageOf(fan, creator))
    const api = harness.api.as(creator)
    const list = (query: object) => api.call(routes.conversations, { query })
    expect((await list({ filter: fan.username })).conversations).toMatchObject([
      { unread: 1, lastMessage: { content: 'Hello there' }, muted: false },
    ])
    expect((await list({ filter: 'nobody' })).conversations).toEqual([])
    const [tab, theirs] = [await connect(creator), await connect(fan)]
    await api.call(routes.muteConversation, { body: { recipientId: fan.id, muted: true } })
    // The creator's other windows read it again; the other person isn't told.
    await until(() => tab.all('conversations changed').length === 1)
    expect(theirs.all('conversations changed')).toEqual([])
    expect((await list({ showing: 'unread' })).conversations).toMatchObject([{ muted: true }])
    expect((await api.call(routes.unread, { query: {} })).items).toEqual([])
    const others = await harness.api
      .as(stranger)
      .call(routes.conversations, { query: { filter: fan.username } })
    expect(others.conversations).toEqual([])
  })
})

describe('exactly once, in order', () => {
  test('the same message sent 50 times at once is one', async () => {
    const { creator, fan } = await pair()
    const tabs = await Promise.all(Array.from({ length: 10 }, () => connect(fan)))
    const theirs = await connect(creator)
    const sent = messageOf(fan, creator)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => tabs[at % 10]?.emit('chat message', sent)),
    )
    const ids = new Set(answers.map((answer) => (answer?.ok ? answer.message?._id : answer?.code)))
    expect(ids.size).toBe(1)
    await theirs.emit('typing', { conversationId: sent.message.conversationId })
    await until(() => theirs.all('chat message').length > 0)
    const after = await conversation(creator, fan)
    expect([after.messages.length, after.conversation.revision, after.conversation.unread]).toEqual([1, 1, 1])
    expect(theirs.all('chat message')).toHaveLength(1)
    // The same client-side id in another conversation is a different message.
    const elsewhere = messageOf(fan, await buildCreator(harness), {
      clientMessageId: sent.message.clientMessageId,
    })
    expect(await tabs[0]?.emit('chat message', elsewhere)).toMatchObject({
      ok: false,
      code: 'idempotency_key_reused',
    })
  })

  test('both write at once: every position once, no revision left out, and all hear the same order', async () => {
    const { creator, fan } = await customer()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const send = (socket: ApiSocket, from: Person, to: Person) =>
      Array.from({ length: 40 }, (_, at) =>
        socket.emit('chat message', messageOf(from, to, { content: `${from.id} ${at}` })),
      )
    await Promise.all([...send(own, fan, creator), ...send(theirs, creator, fan)])
    await until(() => [own, theirs].every((socket) => socket.all('chat message').length >= 80))
    const orders = [own, theirs].map((socket) =>
      socket.all('chat message').map(({ message }) => message.position),
    )
    expect(orders[0]).toEqual(Array.from({ length: 80 }, (_, at) => at + 1))
    expect(orders[1]).toEqual(orders[0])
    // One person's messages are in the order in which they sent them.
    const written = own.all('chat message').map(({ message }) => message.content)
    for (const person of [fan, creator])
      expect(written.filter((text) => text.startsWith(person.id))).toEqual(
        Array.from({ length: 40 }, (_, at) => `${person.id} ${at}`),
      )
  })

  test('the first messages of both at the same moment begin one conversation', async () => {
    for (let round = 0; round < 25; round++) {
      const { creator, fan } = await pair()
      const [own, theirs] = [await connect(fan), await connect(creator)]
      const answers = await Promise.all([
        own.emit('chat message', messageOf(fan, creator)),
        theirs.emit('chat message', messageOf(creator, fan)),
      ])
      expect(answers.map(({ ok }) => ok)).toEqual([true, true])
      expect((await conversation(fan, creator)).conversation.revision).toBe(2)
    }
  })

  test('reading while the other writes leaves exactly what came after unread', async () => {
    const { creator, fan } = await customer()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    await own.emit('chat message', messageOf(fan, creator))
    for (let round = 0; round < 15; round++) {
      const newest = (await conversation(creator, fan)).messages.at(-1)
      const read = { _id: newest?._id ?? '', conversationId: newest?.conversationId ?? '' }
      await Promise.all([
        theirs.emit('markAsRead', read),
        own.emit('chat message', messageOf(fan, creator)),
        own.emit('chat message', messageOf(fan, creator)),
      ])
      const { conversation: now } = await conversation(creator, fan)
      expect([now.readPosition, now.unread]).toEqual([newest?.position, 2])
    }
  })
})
