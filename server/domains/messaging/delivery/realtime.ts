import pLimit from 'p-limit'
import type { Signal } from '../../../../contract/realtime.ts'
import type { Context } from '../../../context.ts'
import type { Connection, Connections } from '../../../realtime/connections.ts'
import { findConversationsOf } from '../conversations/data.ts'
import { presentConversation } from '../conversations/present.ts'
import { conversationIdOf } from '../data.ts'
import { findAttachments, findMessages, type MessageRow } from '../messages/data.ts'
import { presentMessage } from '../messages/present.ts'
import { takeStored } from '../messages/storing/actions.ts'
import { findWatching } from '../presence/data.ts'

type MessageSignal = Extract<Signal, { messageId: string }>
type ManySignal = Extract<Signal, { messageIds: string[] }>
type Attachments = Awaited<ReturnType<typeof findAttachments>>
type Read = [MessageRow[], Awaited<ReturnType<typeof findConversationsOf>>]

/**
 * Sends what signals name to those of their people who are connected to this process, in the order of the signals. What
 * arrives while something is being read is read together afterwards.
 */
export function createDelivery(context: Context, connections: Connections): (signal: Signal) => void {
  let waiting: MessageSignal[] = []
  let working = false
  /** Who came or went, as they were last said to be. */
  let changed = new Map<string, boolean>()
  let emittingPresence = false

  return (signal) => {
    if (signal.name === 'typing') emitTyping(signal)
    else if (signal.name === 'presence') {
      changed.set(signal.userId, signal.online)
      if (!emittingPresence) void emitPresence()
    } else if ('messageIds' in signal) {
      for (const one of eachOf(signal)) queueSignal(one)
    } else if ('messageId' in signal) queueSignal(signal)
  }

  function queueSignal(signal: MessageSignal): void {
    if (signal.people.some((person) => connections.of(person).length > 0)) {
      waiting.push(signal)
      if (!working) void work()
    }
  }

  /** Each message of a signal of many whose person is connected here. */
  function eachOf({ name, senderId, messageIds, people }: ManySignal): MessageSignal[] {
    return people.flatMap((person, at) => {
      const messageId = messageIds[at]
      if (messageId === undefined || connections.of(person).length === 0) return []
      const conversationId = conversationIdOf(senderId, person)
      const one = name === 'messages.sent' ? ('message.sent' as const) : ('message.changed' as const)
      return [{ name: one, conversationId, messageId, people: [person] }]
    })
  }

  function emitTyping({ conversationId, userId, people }: Extract<Signal, { name: 'typing' }>): void {
    for (const connection of people.flatMap((person) => recipientsOf(person, conversationId)))
      connection.emit('typing', { conversationId, userId })
  }

  async function emitPresence(): Promise<void> {
    emittingPresence = true
    while (changed.size > 0) {
      const online = changed
      changed = new Map()
      const here = connections.all()
      try {
        for (const { conversationId, userId, at } of await findWatching(
          context.db,
          [...online.keys()],
          here,
        )) {
          const connection = here[at]
          if (connection && receives(connection, conversationId))
            connection.emit('presence', { conversationId, userId, online: online.get(userId) === true })
        }
      } catch (error) {
        // The next page of messages says it as well.
        context.log.warn({ err: error }, 'who came and went could not be told')
      }
    }
    emittingPresence = false
  }

  async function work(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const signals = waiting
      waiting = []
      try {
        await deliver(signals)
      } catch (error) {
        context.log.error({ err: error }, 'messages could not be delivered; their people connect again')
        const people = new Set(signals.flatMap((signal) => signal.people))
        for (const person of people) for (const connection of connections.of(person)) connection.interrupt()
      }
    }
    working = false
  }

  async function deliver(signals: MessageSignal[]): Promise<void> {
    const now = context.clock.now()
    const kept = await Promise.all(
      signals.map(({ name, messageId }) =>
        name === 'message.sent' ? takeStored(context.db, messageId) : null,
      ),
    )
    const others = signals.filter((_, at) => !kept[at])
    const [messages, conversations] = others.length > 0 ? await read(others) : NOTHING
    const messageOf = new Map(messages.map((message) => [message.id, message]))
    const attachmentsOf = createLookup((connection: Connection) => {
      const own = signals.filter(
        ({ name, people }) => name !== 'conversation.read' && people.includes(connection.viewer.id),
      )
      const ids = new Set(own.map(({ messageId }) => messageId))
      return findAttachments(
        context,
        connection,
        messages.filter(({ id }) => ids.has(id)),
        now,
      )
    })
    // Together, as whoever has many of them would hold up everybody behind them.
    const withMedia = signals.filter(
      ({ name, messageId }) => name !== 'conversation.read' && messageOf.get(messageId)?.attached,
    )
    await Promise.all(
      withMedia.flatMap(({ people, conversationId }) =>
        people.flatMap((person) => recipientsOf(person, conversationId).map(attachmentsOf)),
      ),
    )
    for (const [at, signal] of signals.entries()) {
      const message = kept[at]?.message ?? messageOf.get(signal.messageId)
      const people = kept[at]?.conversation ?? conversations.get(signal.conversationId)
      for (const person of signal.people) {
        const row = people?.get(person)
        if (!message || !row) continue
        const conversation = presentConversation(row)
        const read = { own: row.read_position, other: row.other_read_position }
        for (const connection of recipientsOf(person, signal.conversationId)) {
          if (signal.name === 'conversation.read') {
            const { id, position, sender_id, content, conversation_id } = message
            const now = { _id: id, position, senderId: sender_id, content, conversationId: conversation_id }
            connection.emit('markAsRead', { message: { ...now, isRead: true }, conversation })
            continue
          }
          const attachments = message.attached ? await attachmentsOf(connection) : NO_ATTACHMENTS
          connection.emit(signal.name === 'message.sent' ? 'chat message' : 'message changed', {
            message: presentMessage(message, { viewerId: person, read, attachments }),
            conversation,
          })
        }
      }
    }
  }

  /** What these signals name, as it is now. */
  function read(signals: MessageSignal[]): Promise<Read> {
    return Promise.all([
      findMessages(context.db, [...new Set(signals.map(({ messageId }) => messageId))]),
      findConversationsOf(context.db, [...new Set(signals.map(({ conversationId }) => conversationId))]),
    ])
  }

  function recipientsOf(person: string, conversationId: string): Connection[] {
    return connections.of(person).filter((connection) => receives(connection, conversationId))
  }
}

function receives(connection: Connection, conversationId: string): boolean {
  return connection.conversationId === null || connection.conversationId === conversationId
}

/** Look-ups under way at once, of the connections to the database that calls need as well. */
const MAX_LOOKUPS = 5

const NOTHING: Read = [[], new Map()]
const NO_ATTACHMENTS: Attachments = new Map<string, never[]>()

/** Asks once for all connections to which the same links are sent. */
function createLookup(find: (connection: Connection) => Promise<Attachments>) {
  const limit = pLimit(MAX_LOOKUPS)
  const known = new Map<string, Promise<Attachments>>()
  return (connection: Connection): Promise<Attachments> => {
    const { companion, audience } = connection
    const key = `${companion.key} ${audience.place.country} ${audience.place.region}`
    const found = known.get(key) ?? limit(() => find(connection))
    known.set(key, found)
    return found
  }
}
