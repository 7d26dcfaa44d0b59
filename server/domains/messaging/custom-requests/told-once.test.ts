import { afterEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildMedia, buildSession, type Person } from '../../../testing/builders.ts'
import { closeSockets, connect, messageOf } from '../../../testing/chat.ts'
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
