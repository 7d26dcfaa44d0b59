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
import { findWatching, isOnline } from '../presence/data.ts'

type MessageSignal = Extract<Signal, { messageId: string }>
type ManySignal = Extract<Signal, { messageIds: string[] }>
type TypingSignal = Extract<Signal, { name: 'typing' }>
type VisibilitySignal = Extract<Signal, { name: 'visibility.changed' }>
type Attachments = Awaited<ReturnType<typeof findAttachments>>
/** A message, and its conversation as each of its people sees it, by id; undefined if they are gone. */
type Read = { message: MessageRow | undefined; conversation: Map<string, ConversationRow> | undefined }
type Reading = PromiseWithResolvers<Read> & { signal: MessageSignal }

/** Conversations whose last delivered position is known here. */
const MAX_KNOWN = 10_000
/** Messages delivered here before their signal arrived: more than are stored before a lost connection is noticed. */
const MAX_SENT_DIRECTLY = 100_000
/** People who went offline not long ago: where that couldn't be told, as of a block meanwhile, they may still be shown as online. */
const LEFT = { max: 100_000, ttl: 60_000 }
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
  /** Latest changes of who may see whom. */
  let visibility: VisibilitySignal[] = []
  /** Who left lately, and the connections that were told. */
  const left = new LRUCache<string, WeakSet<Connection>>(LEFT)
  let emittingPresence = false

  listenStored(context.db, deliverStored)

  return (signal) => {
    if (signal.name === 'typing') void emitTyping(signal)
    else if (signal.name === 'conversations.changed') emitChanged(signal.people)
    else if (signal.name === 'presence') {
      changed.set(signal.userId, signal.online)
      if (!signal.online) left.set(signal.userId, new WeakSet())
      if (!emittingPresence) void emitPresence()
    } else if (signal.name === 'visibility.changed') {
      visibility.push(signal)
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

  async function emitTyping({ conversationId, userId, people }: TypingSignal): Promise<void> {
    const here = people.flatMap((person) => recipientsOf(person, conversationId))
    const before = delivered.get(conversationId)
    try {
      // What was being typed may have been delivered meanwhile.
      for (const { at, sees } of await findWatching(context.db, [userId], here))
        if (sees && delivered.get(conversationId) === before)
          here[at]?.emit('typing', { conversationId, userId })
    } catch (error) {
      context.log.warn({ err: error }, 'who is typing could not be told')
    }
  }

  function emitChanged(people: string[]): void {
    for (const person of people)
      for (const connection of connections.of(person))
        if (connection.conversationId === null) connection.emit('conversations changed', {})
  }

  /** One after the other: what was read before a block must not be told after what came of it. */
  async function emitPresence(): Promise<void> {
    emittingPresence = true
    while (changed.size > 0 || visibility.length > 0) {
      const [online, seen] = [changed, visibility]
      changed = new Map()
      visibility = []
      try {
        await emitOnline(online, connections.all(), { toAll: false })
        for (const signal of seen) await emitVisibility(signal)
      } catch (error) {
        // The next page of messages has it too.
        context.log.warn({ err: error }, 'who came and went could not be told')
      }
    }
    emittingPresence = false
  }

  /** Shows somebody as there, or as gone to people who can't see them anymore. */
  async function emitVisibility({ userId, people }: VisibilitySignal): Promise<void> {
    const theirs = people.length > 0 ? people.flatMap((person) => connections.of(person)) : connections.all()
    if (theirs.length === 0) return
    const online = await isOnline(context.db, userId)
    const told = left.get(userId)
    // Who isn't there anyway can't go, and nothing tells of a block.
    const here = theirs.filter((connection) => online || told?.has(connection) === false)
    await emitOnline(new Map([[userId, online]]), here, { toAll: true })
  }

  async function emitOnline(
    online: Map<string, boolean>,
    here: Connection[],
    { toAll }: { toAll: boolean },
  ): Promise<void> {
    const watching = await findWatching(context.db, [...online.keys()], here)
    for (const { conversationId, userId, at, sees } of watching) {
      const connection = here[at]
      if (!connection || !receives(connection, conversationId) || !(sees || toAll)) continue
      const isThere = online.get(userId) === true
      connection.emit('presence', { conversationId, userId, online: sees && isThere })
      if (!isThere) left.get(userId)?.add(connection)
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
