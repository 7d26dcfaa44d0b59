import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { routes } from '../../contract/index.ts'
import { conversationIdOf } from '../domains/messaging/data.ts'
import { buildCreator, buildFan, buildSession, type Person } from './builders.ts'
import type { Harness } from './harness.ts'
import { insertSale } from './purchases.ts'
import type { ApiSocket } from './socket.ts'

const opened: ApiSocket[] = []

/** Closes what `connect` opened. */
export function closeSockets(): void {
  for (const socket of opened.splice(0)) socket.close()
}

/** A socket of this person for all of their conversations, or for the one with `to`. */
export async function connect(harness: Harness, person: Person, to?: Person): Promise<ApiSocket> {
  const pair = to && {
    conversationId: conversationIdOf(person.id, to.id),
    participantIds: [person.id, to.id],
  }
  const socket = await harness.api.as(person).socket(pair)
  opened.push(socket)
  return socket
}

/** A creator and a fan who find each other. */
export async function buildPair(harness: Harness): Promise<{ creator: Person; fan: Person }> {
  return { creator: await buildCreator(harness), fan: await buildFan(harness, { discoverable: true }) }
}

/** The same after the fan bought something, so that either writes as much as they like. */
export async function buildCustomer(harness: Harness): Promise<{ creator: Person; fan: Person }> {
  const { creator, fan } = await buildPair(harness)
  await insertSale(harness, { buyer: fan, creator })
  return { creator, fan }
}

/** What a client emits to send a message. */
export function messageOf(sender: Person, recipient: Person, more: object = {}) {
  const conversationId = conversationIdOf(sender.id, recipient.id)
  return {
    message: {
      senderId: sender.id,
      content: 'Hello there',
      conversationId,
      clientMessageId: randomUUID(),
      ...more,
    },
    conversation: { _id: conversationId, participants: [{ _id: sender.id }, { _id: recipient.id }] },
  }
}

/** The conversation with somebody, as the first person reads it. */
export const conversation = (harness: Harness, person: Person, other: Person, query: object = {}) =>
  harness.api.as(person).call(routes.messages, { query: { recipientId: other.id, ...query } })

/** What the file of the newest message with somebody holds, as this person opens it. */
export async function newestFile(harness: Harness, person: Person, other: Person): Promise<string> {
  const api = harness.api.as({ token: await buildSession(harness, person.id) })
  const { messages } = await api.call(routes.messages, { query: { recipientId: other.id } })
  return (await api.fetch(messages.at(-1)?.attachments[0]?.url ?? '/files/none')).text()
}

/** Waits for what sockets bring. */
export const until = (holds: () => boolean | Promise<boolean>) =>
  vi.waitUntil(holds, { timeout: 150_000, interval: 10 })
