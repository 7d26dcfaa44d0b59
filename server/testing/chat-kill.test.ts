import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { conversationIdOf } from '../domains/messaging/data.ts'
import { LISTENER } from '../realtime/subscriber.ts'
import { buildMedia } from './builders.ts'
import { buildCustomer } from './chat.ts'
import { openChatClient } from './chat-clients.ts'
import { type Harness, startHarness } from './harness.ts'
import { startUnreliableProxy } from './unreliable-proxy.ts'
import { FROM_OUTSIDE, prepareVictims, type Victims } from './victims.ts'

/** A longer run takes `CHAT_MESSAGES=10000 CHAT_KILLS=10` (docs/security.md). */
const MESSAGES_EACH = Number(process.env.CHAT_MESSAGES ?? 600) / 2
const KILLS = Number(process.env.CHAT_KILLS ?? 2)
/** How often all connections that listen for events are broken for each kill. */
const BREAKS = 5
const MAX_LIFE_MS = 1500
const PATIENCE_MS = 300_000

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

/** A web process behind an unreliable connection, which is killed and started again. */
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

/** Ends the connections through which web processes hear what others stored; what comes until they listen again is lost. */
async function breakListeners(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${LISTENER} and datname = current_database()`.execute(harness.context.db)
}

test.each([1, 2])(
  `${2 * MESSAGES_EACH} messages through cuts, broken listeners, and ${KILLS} kills at %i web processes: none lost, doubled or out of order`,
  async (processes) => {
    const { creator, fan } = await buildCustomer(harness)
    const mediaOf = { creator: await buildMedia(harness, creator), fan: await buildMedia(harness, fan) }
    const places = await Promise.all(Array.from({ length: processes }, startPlace))
    const [first, last] = [places[0] as Place, places[processes - 1] as Place]
    const id = conversationIdOf(creator.id, fan.id)
    const clients = {
      creator: openChatClient(first.proxy.origin, { id, person: creator, other: fan }),
      fan: openChatClient(last.proxy.origin, { id, person: fan, other: creator }),
    }
    let sent = 0
    const answered = new Map<string, string>()
    const write = async (name: 'creator' | 'fan') => {
      for (let at = 0; at < MESSAGES_EACH; at++) {
        const content = `${name} ${at}`
        const before = at % 3 === 1 ? clients[name].messages().at(-1) : undefined
        if (before) answered.set(content, before._id)
        const mediaIds = at % 3 === 2 ? [mediaOf[name]] : []
        await clients[name].send(content, { mediaIds, replyTo: before?._id })
        sent++
      }
    }
    const writing = Promise.all([write('creator'), write('fan')])
    for (let kill = 1; kill <= KILLS * BREAKS; kill++) {
      const due = (kill * 2 * MESSAGES_EACH) / (KILLS * BREAKS + 1)
      await vi.waitUntil(() => sent >= due, { timeout: PATIENCE_MS, interval: 5 })
      if (kill % BREAKS === 0) await places[(kill / BREAKS) % processes]?.kill()
      await breakListeners()
    }
    await writing
    const stored = await harness.context.db
      .selectFrom('messages')
      .select(['id', 'content', 'position', 'reply_to'])
      .where('conversation_id', '=', id)
      .orderBy('position')
      .execute()
    for (const name of ['creator', 'fan'] as const)
      expect(stored.map(({ content }) => content).filter((text) => text.startsWith(name))).toEqual(
        Array.from({ length: MESSAGES_EACH }, (_, at) => `${name} ${at}`),
      )
    // Attachments and replies arrived with their message, and the other person got them once.
    const isPicture = ({ content }: { content: string }) => Number(content.split(' ')[1]) % 3 === 2
    const withPicture = stored.filter(isPicture).map(({ id: messageId }) => messageId)
    const { db } = harness.context
    const attachments = await db
      .selectFrom('message_attachments')
      .innerJoin('messages', 'messages.id', 'message_id')
      .select('message_id')
      .where('conversation_id', '=', id)
      .orderBy('position')
      .execute()
    expect(attachments.map(({ message_id }) => message_id)).toEqual(withPicture)
    const granted = await db
      .selectFrom('entitlements')
      .select('source_id')
      .where('source_kind', '=', 'message')
      .where('user_id', 'in', [creator.id, fan.id])
      .execute()
    expect(granted.map(({ source_id }) => source_id).toSorted()).toEqual(withPicture.toSorted())
    const replies = stored.flatMap(({ content, reply_to }) => (reply_to ? [[content, reply_to]] : []))
    expect(new Map(replies as [string, string][])).toEqual(answered)
    expect(answered.size).toBeGreaterThan(MESSAGES_EACH / 3)
    const positions = Array.from({ length: 2 * MESSAGES_EACH }, (_, at) => at + 1)
    expect(stored.map(({ position }) => position)).toEqual(positions)
    // Both people have all messages, in the same order, and no connection delivered one twice or late.
    for (const client of Object.values(clients)) {
      await vi.waitUntil(() => client.messages().length === stored.length, {
        timeout: PATIENCE_MS,
        interval: 20,
      })
      expect(client.messages().map(({ content }) => content)).toEqual(stored.map(({ content }) => content))
      const shown = client.messages().filter(({ attachments: media }) => media.length > 0)
      expect(shown.map(({ _id }) => _id)).toEqual(withPicture)
      expect(client.faults()).toEqual([])
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
