import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../testing/builders.ts'
import * as chat from '../../testing/chat.ts'
import { messageOf, until } from '../../testing/chat.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { openSocket } from '../../testing/socket.ts'
import { conversationIdOf } from './data.ts'

/** Who is not heard, or not any longer, in calls and sockets. */
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
const conversation = (person: Person, other: Person, query: object = {}) =>
  chat.conversation(harness, person, other, query)

describe('what is refused', () => {
  test('a forged sender, a foreign conversation, bad input and what is too large; nothing is stored', async () => {
    const { creator, fan } = await pair()
    const socket = await connect(stranger)
    const code = async (event: object) => {
      const answer = await socket.emit('chat message', event as never)
      return answer.ok ? 'ok' : answer.code
    }
    expect(await code(messageOf(fan, creator))).toBe('not_yourself')
    expect(await code(messageOf(fan, creator, { senderId: stranger.id }))).toBe('conversation_not_found')
    for (const bad of [
      {},
      { message: null },
      'text',
      messageOf(stranger, creator, { content: 7 }),
      messageOf(stranger, creator, { content: 'x'.repeat(5001) }),
    ])
      expect(await code(bad as object)).toBe('invalid_input')
    expect(await code(messageOf(stranger, creator, { content: '   ' }))).toBe('message_empty')
    expect(await code(messageOf(stranger, creator, { price: '$5' }))).toBe('price_without_attachments')
    expect(
      await socket.emit('typing', { conversationId: conversationIdOf(fan.id, creator.id) }),
    ).toMatchObject({
      code: 'conversation_not_found',
    })
    socket.raw.emit('no event of ours', {})
    const large = await connect(stranger)
    const ended = new Promise((resolve) => large.raw.once('disconnect', resolve))
    large.raw.emit('chat message', { message: 'x'.repeat(65 * 1024) })
    await ended
    expect((await conversation(stranger, creator)).messages).toEqual([])
    expect((await conversation(fan, creator)).messages).toEqual([])
    expect(socket.raw.connected).toBe(true)
  })

  test('more than a hundred events at once, with the time after which they may be sent again', async () => {
    const { creator, fan } = await pair()
    const socket = await connect(fan)
    const answers = await Promise.all(
      Array.from({ length: 101 }, () =>
        socket.emit('chat message', messageOf(fan, creator, { content: '' })),
      ),
    )
    expect(answers.at(-1)).toMatchObject({ ok: false, code: 'rate_limited', retryAfter: 1 })
  })

  test('a handshake without a session, unverified, suspended, of another’s conversation, or from another origin', async () => {
    const open = (person: { token: string }, more = {}) => harness.api.as(person).socket(more)
    await expect(open({ token: 'nobody’s' })).rejects.toMatchObject({ code: 'not_authenticated' })
    await expect(harness.api.visitor().socket()).rejects.toMatchObject({ code: 'not_authenticated' })
    const unverified = await buildUser(harness, { verified: false })
    await expect(open(unverified)).rejects.toMatchObject({ code: 'email_unverified' })
    const theirs = conversationIdOf(fan.id, creator.id)
    for (const participantIds of [[fan.id, creator.id], [stranger.id, creator.id], []])
      await expect(open(stranger, { conversationId: theirs, participantIds })).rejects.toMatchObject({
        code: 'conversation_not_found',
      })
    const foreign = openSocket(
      harness.origin,
      { token: fan.token },
      { headers: { origin: 'https://evil.example' } },
    )
    await expect(foreign).rejects.toThrow()
  })

  test('who is blocked, either way, while connected', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    await own.emit('chat message', messageOf(fan, creator))
    await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
    expect(await own.emit('chat message', messageOf(fan, creator))).toMatchObject({
      code: 'recipient_unavailable',
    })
    expect(await theirs.emit('chat message', messageOf(creator, fan))).toMatchObject({
      code: 'recipient_blocked',
    })
    const typing = { conversationId: conversationIdOf(fan.id, creator.id) }
    expect(await own.emit('typing', typing)).toMatchObject({ ok: false })
    const { refusal, messages } = await conversation(fan, creator)
    expect([refusal?.code, messages.length]).toEqual(['recipient_unavailable', 1])
    expect(theirs.all('typing')).toEqual([])
  })

  test('whoever a block stops since they are no operator anymore, while connected', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const socket = await connect(operator)
    await harness.api.as(creator).call(routes.block, { body: { blockedId: operator.id } })
    expect(await socket.emit('chat message', messageOf(operator, creator))).toMatchObject({ ok: true })
    await harness.context.db.updateTable('users').set({ role: null }).where('id', '=', operator.id).execute()
    expect(await socket.emit('chat message', messageOf(operator, creator))).toMatchObject({
      code: 'recipient_unavailable',
    })
  })

  test('that it was read after a block, either way: only the reader’s own devices are told', async () => {
    for (const blockedByReader of [true, false]) {
      const { creator, fan } = await pair()
      const [own, theirs] = [await connect(fan), await connect(creator)]
      const answer = await own.emit('chat message', messageOf(fan, creator))
      const message = answer.ok ? answer.message : null
      const [blocker, blocked] = blockedByReader ? [creator, fan] : [fan, creator]
      await harness.api.as(blocker).call(routes.block, { body: { blockedId: blocked.id } })
      const read = { _id: message?._id ?? '', conversationId: message?.conversationId ?? '' }
      expect(await theirs.emit('markAsRead', read)).toEqual({ ok: true })
      await until(() => theirs.all('markAsRead').length > 0)
      // Events sent to them earlier arrive before this answer.
      await own.emit('typing', { conversationId: read.conversationId })
      expect(own.all('markAsRead')).toEqual([])
      const { conversation: seen, messages } = await conversation(fan, creator)
      expect([seen.otherReadPosition, seen.lastMessage?.isRead, messages[0]?.isRead]).toEqual([
        0,
        false,
        false,
      ])
      const { conversation: reader } = await conversation(creator, fan)
      expect([reader.readPosition, reader.unread]).toEqual([1, 0])
    }
  })

  test('who may begin to write to a creator is the creator’s setting; who was written to may answer', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    const set = (audience: 'followers' | 'subscribers' | 'chat') =>
      harness.api.as(creator).call(routes.setChatSettings, { body: { audience, welcomeMessage: '' } })
    const code = async () => {
      const answer = await own.emit('chat message', messageOf(fan, creator))
      return answer.ok ? 'ok' : answer.code
    }
    await set('followers')
    expect(await code()).toBe('followers_only')
    await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
    expect(await code()).toBe('ok')
    await set('subscribers')
    expect(await code()).toBe('subscribers_only')
    await set('chat')
    expect(await code()).toBe('chat_subscribers_only')
    expect((await theirs.emit('chat message', messageOf(creator, fan))).ok).toBe(true)
    expect(await code()).toBe('ok')
  })

  test('a session that ends ends its sockets, and no other', async () => {
    const person = await buildFan(harness)
    const token = await buildSession(harness, person.id)
    const [ending, staying] = [await connect(person), await connect({ ...person, token })]
    await harness.api.as(person).send('GET', '/users/logout')
    await until(() => !ending.raw.connected)
    expect(staying.raw.connected).toBe(true)
    const operator = await buildUser(harness, { role: 'superadmin' })
    const reauthenticated = await buildSession(harness, operator.id, {
      reauthenticatedAt: harness.clock.now(),
    })
    await harness.api
      .as({ token: reauthenticated })
      .call(routes.suspendPerson, { body: { userId: person.id, reason: 'Spam' } })
    await until(() => !staying.raw.connected)
    await expect(connect({ ...person, token })).rejects.toMatchObject({ code: 'not_authenticated' })
  })
})
