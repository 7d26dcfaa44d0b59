import { afterEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildMedia, buildSession, type Person } from '../../../testing/builders.ts'
import { closeSockets, connect, conversation, messageOf } from '../../../testing/chat.ts'
import { customRequests } from '../../../testing/custom-requests.ts'

const { scene, ask, askAndPay, deliver } = customRequests()
afterEach(closeSockets)

/** What this person was told once nobody could still be about to read their messages. */
async function told({ id }: Person): Promise<string[]> {
  const { harness } = scene
  harness.clock.advance(11_000)
  await harness.runJobs()
  const api = harness.api.as({ token: await buildSession(harness, id) })
  const { items } = await api.call(routes.notifications, { query: {} })
  return items.map(({ event }) => event.kind)
}

test('a request is told as that and not as a message as well, which one beside it is', async () => {
  const { harness, creator, fan } = scene
  await ask()
  expect(await told(creator)).toEqual(['custom.changed'])
  const socket = await connect(harness, fan)
  expect(await socket.emit('chat message', messageOf(fan, creator))).toMatchObject({ ok: true })
  expect(await told(creator)).toEqual(['message.received', 'custom.changed'])
})

test('what delivers a request is told as that alone', async () => {
  const { harness, creator, fan } = scene
  const requestId = await askAndPay()
  const before = await told(fan)
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({ status: 200 })
  expect(await told(fan)).toEqual(['custom.changed', ...before])
})

test('that it was delivered leads to what was delivered, and the list of conversations says what its newest message is', async () => {
  const { harness, creator, fan } = scene
  const api = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
  const newest = async () => {
    const { conversations } = await (await api(fan)).call(routes.conversations, { query: {} })
    return conversations[0]?.lastMessage
  }
  const requestId = await askAndPay()
  expect(await newest()).toMatchObject({ senderId: fan.id, request: 'requested' })
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({ status: 200 })
  const delivered = await newest()
  expect(delivered).toMatchObject({ senderId: creator.id, request: 'delivered' })
  const { items } = await (await api(fan)).call(routes.notifications, { query: {} })
  expect(items[0]?.event.data).toMatchObject({ state: 'delivered', messageId: delivered?._id })
  const socket = await connect(harness, fan)
  expect(await socket.emit('chat message', messageOf(fan, creator))).toMatchObject({ ok: true })
  expect(await newest()).toMatchObject({ request: null })
})

test('who reads the request, or what delivers it, has read what they were told of it, and of nothing later', async () => {
  const { harness, creator, fan } = scene
  const unread = async ({ id }: Person) => {
    const api = harness.api.as({ token: await buildSession(harness, id) })
    const { items } = await api.call(routes.notifications, { query: {} })
    return items.flatMap(({ event, read }) =>
      event.kind === 'custom.changed' && !read ? [event.data.state] : [],
    )
  }
  const read = async (reader: Person, other: Person) => {
    const { messages } = await conversation(harness, reader, other)
    const last = messages.at(-1)
    const socket = await connect(harness, reader)
    return async () => {
      const seen = { _id: last?._id ?? '', conversationId: last?.conversationId ?? '' }
      expect(await socket.emit('markAsRead', seen)).toMatchObject({ ok: true })
    }
  }
  const requestId = await askAndPay()
  expect(await unread(creator)).toEqual(['requested'])
  const socket = await connect(harness, creator)
  expect(await socket.emit('chat message', messageOf(creator, fan))).toMatchObject({ ok: true })
  const readWritten = await read(fan, creator)
  await (await read(creator, fan))()
  expect(await unread(creator)).toEqual([])

  harness.clock.advance(1000)
  expect(await deliver(requestId, [await buildMedia(harness, creator)])).toMatchObject({ status: 200 })
  await readWritten()
  expect(await unread(fan)).toEqual(['delivered', 'accepted'])
  await (await read(fan, creator))()
  expect(await unread(fan)).toEqual(['accepted'])
})
