import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { conversationIdOf } from '../domains/messaging/data.ts'
import { buildCreator, buildFan } from './builders.ts'
import { openChatClient } from './chat-clients.ts'
import { type Harness, startHarness } from './harness.ts'
import { startUnreliableProxy } from './unreliable-proxy.ts'
import { FROM_OUTSIDE, prepareVictims, type Victims } from './victims.ts'

/** The whole run of the figures: 10,000 messages and ten kills. */
const MESSAGES_EACH = Number(process.env.CHAT_MESSAGES ?? 600) / 2
const KILLS = Number(process.env.CHAT_KILLS ?? 2)
const MAX_LIFE_MS = 1500
const PATIENCE_MS = 120_000
/** Within which a connection knows what it missed. */
const CAUGHT_UP_MS = 2000

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

// The same cuts in every run.
let seed = 7315604
const random = () => {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

/** A web process behind a line that breaks, which is killed and started again. */
async function startPlace() {
  const proxy = await startUnreliableProxy({ maxLifeMs: MAX_LIFE_MS, random })
  let victim = victims.start(FROM_OUTSIDE)
  proxy.leadTo(await victim.address)
  return {
    proxy,
    async kill() {
      victim.kill()
      await victim.ended
      victim = victims.start(FROM_OUTSIDE)
      proxy.leadTo(await victim.address)
    },
  }
}

test.each([1, 2])(
  `${2 * MESSAGES_EACH} messages through cuts and ${KILLS} kills at %i web processes: none lost, doubled or out of order`,
  async (processes) => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness, { discoverable: true })]
    const places = await Promise.all(Array.from({ length: processes }, startPlace))
    const [first, last] = [places[0] as Place, places[processes - 1] as Place]
    const id = conversationIdOf(creator.id, fan.id)
    const clients = {
      creator: openChatClient(first.proxy.origin, { id, person: creator, other: fan }),
      fan: openChatClient(last.proxy.origin, { id, person: fan, other: creator }),
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
      const due = (kill * 2 * MESSAGES_EACH) / (KILLS + 1)
      await vi.waitUntil(() => sent >= due, { timeout: PATIENCE_MS, interval: 5 })
      await places[kill % processes]?.kill()
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
    const positions = Array.from({ length: 2 * MESSAGES_EACH }, (_, at) => at + 1)
    expect(stored.map(({ position }) => position)).toEqual(positions)
    // Both people have all of it, in the same order, and no connection brought anything twice or late.
    for (const client of Object.values(clients)) {
      await vi.waitUntil(() => client.messages().length === stored.length, {
        timeout: PATIENCE_MS,
        interval: 20,
      })
      expect(client.messages().map(({ content }) => content)).toEqual(stored.map(({ content }) => content))
      expect(client.faults()).toEqual([])
      const catchUps = client.catchUps().toSorted((a, b) => a - b)
      expect(catchUps.length).toBeGreaterThan(KILLS)
      expect(catchUps.at(-1)).toBeLessThan(CAUGHT_UP_MS)
      client.close()
    }
    for (const { proxy } of places) {
      expect(proxy.cuts()).toBeGreaterThan(KILLS)
      await proxy.close()
    }
  },
  1_800_000,
)

type Place = Awaited<ReturnType<typeof startPlace>>
