import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_UNANSWERED } from '../../../../../contract/constants.ts'
import { routes } from '../../../../../contract/index.ts'
import { buildFan, buildMedia, buildPlan, type Person } from '../../../../testing/builders.ts'
import * as chat from '../../../../testing/chat.ts'
import { messageOf, until } from '../../../../testing/chat.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { insertSale } from '../../../../testing/purchases.ts'
import type { ApiSocket } from '../../../../testing/socket.ts'

/** How many messages somebody may send without a reply. */
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(async () => {
  chat.closeSockets()
  await harness?.stop()
})

const connect = (person: Person) => chat.connect(harness, person)
const pair = () => chat.buildPair(harness)
const conversation = (person: Person, other: Person) => chat.conversation(harness, person, other)

/** Sends this many messages one by one; returns how many were stored, and why others were not. */
async function write(socket: ApiSocket, from: Person, to: Person, count: number) {
  const said: string[] = []
  for (let at = 0; at < count; at++) {
    const answer = await socket.emit('chat message', messageOf(from, to))
    said.push(answer.ok ? 'ok' : answer.code)
  }
  return { stored: said.filter((code) => code === 'ok').length, last: said.at(-1) }
}
const refused = { stored: MAX_UNANSWERED, last: 'unanswered' }
const endless = { stored: MAX_UNANSWERED + 1, last: 'ok' }

describe('a stranger', () => {
  test('writes no more than twenty messages until the other one does; the page says so', async () => {
    const { creator, fan } = await pair()
    const [own, theirs] = [await connect(fan), await connect(creator)]
    expect(await write(own, fan, creator, MAX_UNANSWERED + 1)).toEqual(refused)
    const { messages, refusal } = await conversation(fan, creator)
    expect([messages.length, refusal]).toEqual([
      MAX_UNANSWERED,
      { code: 'unanswered', error: expect.stringContaining('20 messages without a reply') },
    ])
    // Attachments, quotes, and deletions don't raise the limit.
    const mediaId = await buildMedia(harness, fan)
    const gone = messages[0]?._id ?? ''
    await harness.api.as(fan).call(routes.deleteMessage, { body: { messageId: gone } })
    for (const more of [{ attachments: [{ url: `/media/${mediaId}` }] }, { replyTo: messages[1]?._id }])
      expect(await own.emit('chat message', messageOf(fan, creator, more))).toMatchObject({
        ok: false,
        code: 'unanswered',
      })
    // The other one may reply, and reads the messages.
    expect((await conversation(creator, fan)).refusal).toBeNull()
    expect(await theirs.emit('chat message', messageOf(creator, fan))).toMatchObject({ ok: true })
    expect((await conversation(fan, creator)).refusal).toBeNull()
    expect(await write(own, fan, creator, MAX_UNANSWERED + 1)).toEqual(endless)
  })

  test('the twentieth is answered again however often it is sent', async () => {
    const { creator, fan } = await pair()
    const own = await connect(fan)
    await write(own, fan, creator, MAX_UNANSWERED - 1)
    const last = messageOf(fan, creator)
    for (let again = 0; again < 3; again++)
      expect(await own.emit('chat message', last)).toMatchObject({ ok: true, message: { position: 20 } })
    expect((await conversation(fan, creator)).messages).toHaveLength(MAX_UNANSWERED)
  })

  test.each([0, 5])('also by thirty devices at once, after %i messages', async (before) => {
    const { creator, fan } = await pair()
    const sockets = await Promise.all(Array.from({ length: 30 }, () => connect(fan)))
    const [first] = sockets
    if (first) await write(first, fan, creator, before)
    const answers = await Promise.all(
      sockets.map((socket) => socket.emit('chat message', messageOf(fan, creator))),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(MAX_UNANSWERED - before)
    expect((await conversation(creator, fan)).conversation).toMatchObject({ unread: MAX_UNANSWERED })
  })

  test('is a creator who writes to somebody who never bought from them, too', async () => {
    const { creator, fan } = await pair()
    expect(await write(await connect(creator), creator, fan, MAX_UNANSWERED + 1)).toEqual(refused)
  })
})

describe('who isn’t one', () => {
  test('somebody who bought, for both of the two', async () => {
    const { creator, fan } = await pair()
    await insertSale(harness, { buyer: fan, creator })
    expect(await write(await connect(fan), fan, creator, MAX_UNANSWERED + 1)).toEqual(endless)
    const other = await pair()
    await insertSale(harness, { buyer: other.fan, creator: other.creator })
    const theirs = await connect(other.creator)
    expect(await write(theirs, other.creator, other.fan, MAX_UNANSWERED + 1)).toEqual(endless)
  })

  test('a subscriber, whose welcome is no answer and doesn’t count', async () => {
    const { creator, fan } = await pair()
    const body = { audience: 'everyone' as const, welcomeMessage: 'So glad you’re here!' }
    await harness.api.as(creator).call(routes.setChatSettings, { body })
    const own = await connect(fan)
    expect(await write(own, fan, creator, MAX_UNANSWERED + 1)).toEqual(refused)
    const itemId = await buildPlan(harness, creator)
    const bought = { kind: 'subscription' as const, itemId, ...(await cardToken(harness)) }
    await harness.api.as(fan).call(routes.purchase, { body: bought })
    expect(await write(own, fan, creator, MAX_UNANSWERED + 1)).toEqual(endless)
    await harness.runJobs()
    const { messages } = await conversation(fan, creator)
    expect(messages.at(-1)?.content).toBe('So glad you’re here!')
    const counted = await harness.context.db
      .selectFrom('conversation_members')
      .select('written')
      .where('user_id', '=', creator.id)
      .executeTakeFirst()
    expect(counted).toEqual({ written: 0 })
  })

  test('a mass message reaches who has twenty unanswered ones, and counts for none', async () => {
    const { creator, fan } = await pair()
    await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
    const send = async () => {
      const api = harness.api.as(creator)
      const body = { content: 'News', audience: 'followers' as const }
      await api.call(routes.saveMassMessage, { body }, { idempotencyKey: randomUUID() })
      await harness.runJobs()
    }
    const own = await connect(creator)
    await send()
    expect(await write(own, creator, fan, MAX_UNANSWERED + 1)).toEqual(refused)
    await send()
    await until(async () => (await conversation(fan, creator)).messages.length === MAX_UNANSWERED + 2)
  })
})

test('a block goes before the limit, and a message that nobody gets counts for nothing', async () => {
  const { creator } = await pair()
  const fan = await buildFan(harness)
  const own = await connect(fan)
  expect(await write(own, fan, creator, 1)).toEqual({ stored: 1, last: 'ok' })
  await harness.api.as(creator).call(routes.block, { body: { blockedId: fan.id } })
  expect(await write(own, fan, creator, MAX_UNANSWERED)).toEqual({ stored: 0, last: 'recipient_unavailable' })
  await harness.api.as(creator).call(routes.unblock, { body: { blockedId: fan.id } })
  expect(await write(own, fan, creator, MAX_UNANSWERED)).toEqual({
    stored: MAX_UNANSWERED - 1,
    last: 'unanswered',
  })
})
