import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Signal } from '../../../../contract/realtime.ts'
import type { Context } from '../../../context.ts'
import type { Connection, Connections } from '../../../realtime/connections.ts'
import { createTurns } from '../../../realtime/turns.ts'
import { type ConversationRow, findConversationsOf } from '../conversations/data.ts'
import { presentConversation } from '../conversations/present.ts'
import { conversationIdOf } from '../data.ts'
import { findAttachments, findMessages, type MessageRow } from '../messages/data.ts'
import { presentMessage } from '../messages/present.ts'
import { listenStored, type Stored, takeStored } from '../messages/storing/actions.ts'
import { findPartners, findWatching } from '../presence/data.ts'

type MessageSignal = Extract<Signal, { messageId: string }>
type ManySignal = Extract<Signal, { messageIds: string[] }>
type Attachments = Awaited<ReturnType<typeof findAttachments>>
/** A message, and its conversation as each of its people sees it, by id; undefined if they are gone. */
type Read = { message: MessageRow | undefined; conversation: Map<string, ConversationRow> | undefined }
type Reading = PromiseWithResolvers<Read> & { signal: MessageSignal }

/** Conversations whose last delivered position is known here. */
const MAX_KNOWN = 10_000
/** Messages delivered here before their signal arrived: more than are stored before a lost connection is noticed. */
const MAX_SENT_DIRECTLY = 100_000
/** Concurrent look-ups; calls need the same database connections. */
const MAX_LOOKUPS = 5

/**
 * Delivers signals to their people who are connected to this process, in order for each conversation. What arrives during a
 * read is read together with the next batch.
 */
export function createDelivery(context: Context, connections: Connections): (signal: Signal) => void {
  const turns = createTurns()
  const limit = pLimit(MAX_LOOKUPS)
  let waiting: Reading[] = []
  let reading = false
  /** The position of a conversation's newest message delivered here. */
  const delivered = new LRUCache<string, number>({ max: MAX_KNOWN })
  /** Messages delivered before their signal arrived. */
  const sentDirectly = new Set<string>()
  /** Latest presence of each person who came or went. */
  let changed = new Map<string, boolean>()
  let emittingPresence = false

  listenStored(context.db, deliverStored)

  return (signal) => {
    if (signal.name === 'typing') emitTyping(signal)
    else if (signal.name === 'conversations.changed') emitChanged(signal.people)
    else if (signal.name === 'presence' && signal.people.length > 0) void emitGone(signal)
    else if (signal.name === 'presence') {
      changed.set(signal.userId, signal.online)
      if (!emittingPresence) void emitPresence()
    } else if ('messageIds' in signal) {
      for (const one of eachOf(signal)) queueSignal(one)
    } else if ('messageId' in signal) queueSignal(signal)
  }

  function queueSignal(signal: MessageSignal): void {
    const { name, conversationId, messageId, people } = signal
    const stored = name === 'message.sent' ? takeStored(context.db, messageId) : null
    if (name === 'message.sent' && sentDirectly.delete(messageId)) return
    // Connections opened from here on load the current state themselves; what was missed before may still be on its way.
    const recipients = new Set(people.flatMap((person) => recipientsOf(person, conversationId)))
    if (recipients.size === 0) return
    const found = stored?.then((kept) => kept ?? read(signal)) ?? read(signal)
    // It may fail before its turn comes.
    found.catch(() => {})
    void turns.take(conversationId, () => deliver(signal, recipients, found))
  }

  /**
   * Delivers a message that this process stored without waiting for its signal, if all earlier messages of its conversation
   * were delivered here.
   */
  function deliverStored({ message, conversation }: Stored): void {
    const { id, conversation_id: conversationId, position } = message
    const people = [...conversation.keys()]
    const follows = (delivered.get(conversationId) ?? 0) === position - 1 && !turns.isBusy(conversationId)
    if (!follows || people.every((person) => connections.of(person).length === 0)) return
    noteSent(id)
    try {
      emit(
        { name: 'message.sent', conversationId, messageId: id, people },
        { message, conversation },
        () => NO_ATTACHMENTS,
      )
    } catch (error) {
      interrupt(people, error)
    }
  }

  /** Not in an LRUCache: one that becomes empty clears the room for all its items, at nearly every message. */
  function noteSent(id: string): void {
    sentDirectly.add(id)
    const [oldest] = sentDirectly
    if (oldest !== undefined && sentDirectly.size > MAX_SENT_DIRECTLY) sentDirectly.delete(oldest)
  }

  function interrupt(people: string[], error: unknown): void {
    context.log.error({ err: error }, 'a message could not be delivered; its people connect again')
    for (const person of people) for (const connection of connections.of(person)) connection.interrupt()
  }

  /** A batch signal's messages whose recipients are connected here. */
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

  function emitChanged(people: string[]): void {
    for (const person of people)
      for (const connection of connections.of(person))
        if (connection.conversationId === null) connection.emit('conversations changed', {})
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
        // The next page of messages has it too.
        context.log.warn({ err: error }, 'who came and went could not be told')
      }
    }
    emittingPresence = false
  }

  /** Shows somebody as gone to people who can't see them anymore. Who isn't there anyway can't go, and nothing tells of a block. */
  async function emitGone({ userId, people }: Extract<Signal, { name: 'presence' }>): Promise<void> {
    const here = people.filter((person) => connections.of(person).length > 0)
    try {
      for (const { user_id, conversation_id: conversationId } of await findPartners(context.db, userId, here))
        for (const connection of recipientsOf(user_id, conversationId))
          connection.emit('presence', { conversationId, userId, online: false })
    } catch (error) {
      context.log.warn({ err: error }, 'who can’t be seen anymore could not be told')
    }
  }

  async function deliver(
    signal: MessageSignal,
    recipients: Set<Connection>,
    found: Promise<Read>,
  ): Promise<void> {
    const { name, people } = signal
    try {
      const { message, conversation } = await found
      if (!message || !conversation) return
      const withMedia = message.attached && name !== 'conversation.read'
      const attachments = withMedia ? await attachmentsFor([...recipients], message) : null
      const linksFor = (connection: Connection) =>
        attachments ? attachments.get(connection) : recipients.has(connection) ? NO_ATTACHMENTS : undefined
      emit(signal, { message, conversation }, linksFor)
    } catch (error) {
      interrupt(people, error)
    }
  }

  /** Links for each of these connections, created once for all that share the same ones. */
  async function attachmentsFor(
    recipients: Connection[],
    message: MessageRow,
  ): Promise<Map<Connection, Attachments>> {
    const now = context.clock.now()
    const known = new Map<string, Promise<Attachments>>()
    const found = recipients.map(async (connection) => {
      const { companion, audience } = connection
      const key = `${companion.key} ${audience.place.country} ${audience.place.region}`
      const links = known.get(key) ?? limit(() => findAttachments(context, connection, [message], now))
      known.set(key, links)
      return [connection, await links] as const
    })
    return new Map(await Promise.all(found))
  }

  /** Sends a message to those of its people's connections that there are links for, be it none. */
  function emit(
    { name, conversationId, people }: MessageSignal,
    { message, conversation }: Stored,
    linksFor: (connection: Connection) => Attachments | undefined,
  ): void {
    for (const person of people) {
      const row = conversation.get(person)
      if (!row) continue
      const shown = presentConversation(row)
      const read = { own: row.read_position, other: row.other_read_position }
      for (const connection of recipientsOf(person, conversationId)) {
        const links = linksFor(connection)
        if (!links) continue
        if (name === 'conversation.read') {
          const { id, position, sender_id, content, conversation_id } = message
          const now = { _id: id, position, senderId: sender_id, content, conversationId: conversation_id }
          connection.emit('markAsRead', { message: { ...now, isRead: true }, conversation: shown })
          continue
        }
        connection.emit(name === 'message.sent' ? 'chat message' : 'message changed', {
          message: presentMessage(message, { viewerId: person, read, attachments: links }),
          conversation: shown,
        })
      }
    }
    if (name === 'message.sent') delivered.set(conversationId, message.position)
  }

  /** Reads the current state of what a signal names. */
  function read(signal: MessageSignal): Promise<Read> {
    const one = { signal, ...Promise.withResolvers<Read>() }
    waiting.push(one)
    if (!reading) void readWaiting()
    return one.promise
  }

  async function readWaiting(): Promise<void> {
    reading = true
    while (waiting.length > 0) {
      const asked = waiting
      waiting = []
      try {
        const [messages, conversations] = await Promise.all([
          findMessages(context.db, [...new Set(asked.map(({ signal }) => signal.messageId))]),
          findConversationsOf(context.db, [...new Set(asked.map(({ signal }) => signal.conversationId))]),
        ])
        const byId = new Map(messages.map((message) => [message.id, message]))
        for (const { signal, resolve } of asked)
          resolve({
            message: byId.get(signal.messageId),
            conversation: conversations.get(signal.conversationId),
          })
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    reading = false
  }

  function recipientsOf(person: string, conversationId: string): Connection[] {
    return connections.of(person).filter((connection) => receives(connection, conversationId))
  }
}

function receives(connection: Connection, conversationId: string): boolean {
  return connection.conversationId === null || connection.conversationId === conversationId
}

const NO_ATTACHMENTS: Attachments = new Map<string, never[]>()
