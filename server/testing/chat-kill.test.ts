import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { conversationIdOf } from '../domains/messaging/data.ts'
import { buildCreator, buildFan } from './builders.ts'
import { openChatClient } from './chat-clients.ts'
import { type Harness, startHarness } from './harness.ts'
import { startUnreliableProxy } from './unreliable-proxy.ts'
import { FROM_OUTSIDE, prepareVictims, type Victims } from './victims.ts'

const MESSAGES_EACH = 1000
const KILLS = 3
const MAX_LIFE_MS = 1500

let harness: Harness
let victims: Victims
beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
})
afterAll(async () => {
  await victims?.dispose()
  await harness?.stop()
})

test(`${2 * MESSAGES_EACH} messages through cuts and ${KILLS} killed servers: none lost, doubled or out of order`, async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness, { discoverable: true })]
  let victim = victims.start(FROM_OUTSIDE)
  // The same cuts in every run.
  let seed = 7315604
  const random = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  const proxy = await startUnreliableProxy({ maxLifeMs: MAX_LIFE_MS, random })
  proxy.leadTo(await victim.address)
  const id = conversationIdOf(creator.id, fan.id)
  const clients = {
    creator: openChatClient(proxy.origin, { id, person: creator, other: fan }),
    fan: openChatClient(proxy.origin, { id, person: fan, other: creator }),
  }
  let sent = 0
  const write = async (name: 'creator' | 'fan') => {
    for (let at = 0; at < MESSAGES_EACH; at++) {
      await clients[name].send(`${name} ${at}`)
      sent++
    }
  }
  const writing = Promise.all([write('creator'), write('fan')])
  for (let kill = 1; kill <= KILLS; kill++) {
    await vi.waitUntil(() => sent >= (kill * 2 * MESSAGES_EACH) / (KILLS + 1), {
      timeout: 120_000,
      interval: 5,
    })
    victim.kill()
    await victim.ended
    victim = victims.start(FROM_OUTSIDE)
    proxy.leadTo(await victim.address)
  }
  await writing
  const stored = await harness.context.db
    .selectFrom('messages')
    .select(['content', 'position'])
    .where('conversation_id', '=', id)
    .orderBy('position')
    .execute()
  for (const name of ['creator', 'fan'] as const)
    expect(stored.map(({ content }) => content).filter((text) => text.startsWith(name))).toEqual(
      Array.from({ length: MESSAGES_EACH }, (_, at) => `${name} ${at}`),
    )
  expect(stored.map(({ position }) => position)).toEqual(
    Array.from({ length: 2 * MESSAGES_EACH }, (_, at) => at + 1),
  )
  // Both people have all of it, in the same order, and no connection brought anything twice or late.
  for (const client of Object.values(clients)) {
    await vi.waitUntil(() => client.messages().length === stored.length, { timeout: 30_000, interval: 20 })
    expect(client.messages().map(({ content }) => content)).toEqual(stored.map(({ content }) => content))
    expect(client.faults()).toEqual([])
    client.close()
  }
  expect(proxy.cuts()).toBeGreaterThan(KILLS)
  await proxy.close()
}, 240_000)
