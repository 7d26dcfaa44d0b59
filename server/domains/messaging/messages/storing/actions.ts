import { sql } from 'kysely'
import type { Signal } from '../../../../../contract/realtime.ts'
import type { Db } from '../../../../db/client.ts'
import { CHANNEL } from '../../../../realtime/publish.ts'
import { nextReminder, remindAt, remindLater } from '../../reminders/actions.ts'

/** A message that may be stored. */
export type NewMessage = {
  id: string
  conversationId: string
  senderId: string
  recipientId: string
  clientMessageId: string | null
  content: string
  replyTo: string | null
  priceCents: number | null
  /** Whether the sender wrote it themselves, which lets the other person answer. */
  wrote: boolean
  now: Date
}

/** Messages that one statement stores at most. */
const MAX_TOGETHER = 64

type Waiting = PromiseWithResolvers<number> & { message: NewMessage }
type Queue = { waiting: Waiting[]; working: boolean }

const queueOf = new WeakMap<Db, Queue>()

/**
 * Stores a message with all that arrive while others are being stored, each commit for many; returns its position. One of
 * a conversation at a time, as the next one’s position follows from it. A message that can’t be stored fails alone.
 */
export function storeTogether(db: Db, message: NewMessage): Promise<number> {
  const queue = queueOf.get(db) ?? { waiting: [], working: false }
  queueOf.set(db, queue)
  const waiting = { message, ...Promise.withResolvers<number>() }
  queue.waiting.push(waiting)
  // What arrives in the same turn of the event loop goes together.
  setImmediate(() => void pump(db, queue))
  return waiting.promise
}

/** One statement at a time: what a statement costs by itself is far more than what one more message costs it. */
async function pump(db: Db, queue: Queue): Promise<void> {
  if (queue.working) return
  queue.working = true
  while (queue.waiting.length > 0) {
    const conversations = new Set<string>()
    const batch: Waiting[] = []
    const rest: Waiting[] = []
    for (const one of queue.waiting) {
      const { conversationId } = one.message
      const goes = batch.length < MAX_TOGETHER && !conversations.has(conversationId)
      if (goes) conversations.add(conversationId)
      ;(goes ? batch : rest).push(one)
    }
    queue.waiting = rest
    await storeBatch(db, batch)
  }
  queue.working = false
}

async function storeBatch(db: Db, batch: Waiting[]): Promise<void> {
  const messages = batch.map(({ message }) => message)
  try {
    const positions = await insertMessages(db, messages)
    for (const { message, resolve } of batch) resolve(positions.get(message.id) ?? 0)
  } catch {
    for (const one of batch) await storeAlone(db, one)
  }
}

/** In a transaction, which starts over after a deadlock. */
async function storeAlone(db: Db, { message, resolve, reject }: Waiting): Promise<void> {
  try {
    const positions = await db.transaction().execute((tx) => insertMessages(tx, [message]))
    resolve(positions.get(message.id) ?? 0)
  } catch (error) {
    reject(error)
  }
}

/**
 * Stores messages of different conversations by one statement, which is a transaction of its own where none is open: the
 * conversations that come to be or go on, the messages, the places of their people, the signals, and the reminders.
 * Returns their positions by their ids.
 */
export async function insertMessages(db: Db, messages: NewMessage[]): Promise<Map<string, number>> {
  const given = messages.map((message) => {
    const { id, conversationId, senderId, recipientId } = message
    const [low, high] = [senderId, recipientId].sort()
    const people = [senderId, recipientId]
    const signal: Signal = { name: 'message.sent', conversationId, messageId: id, people }
    // Half of a character pair is no text that the database takes.
    const content = message.content.toWellFormed()
    return { ...message, content, low, high, signal: JSON.stringify(signal) }
  })
  const { rows } = await sql<Stored>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as message (
        id uuid, "conversationId" uuid, low uuid, high uuid, "senderId" uuid, "recipientId" uuid, "clientMessageId" uuid,
        content text, "replyTo" uuid, "priceCents" int, wrote boolean, now timestamptz, signal text
      )
    ), conversation as (
      insert into conversations (id, low_id, high_id, revision, last_message_id, created_at)
      -- In one order everywhere, so that statements wait for each other in turn.
      select "conversationId", low, high, 1, id, now from given order by "conversationId"
      on conflict (id) do update
        set revision = conversations.revision + 1, last_message_id = excluded.last_message_id
      returning id, revision
    ), message as (
      insert into messages (id, conversation_id, position, revision, sender_id, client_message_id, content, created_at,
        reply_to, price_cents)
      select given.id, conversation.id, revision, revision, "senderId", "clientMessageId", content, now, "replyTo",
        "priceCents"
      from given join conversation on conversation.id = given."conversationId"
    ), members as (
      insert into conversation_members (conversation_id, user_id, other_id, last_at, unread, wrote, remind_at)
      select conversation.id, place.user_id, place.other_id, now, place.unread, place.wrote,
        case when place.unread > 0 then ${remindAt(sql`now`)} end
      from given join conversation on conversation.id = given."conversationId"
        cross join lateral (values
          ("senderId", "recipientId", 0, given.wrote), ("recipientId", "senderId", 1, false)
        ) as place (user_id, other_id, unread, wrote)
      on conflict (conversation_id, user_id) do update set
        last_at = excluded.last_at,
        unread = conversation_members.unread + excluded.unread,
        wrote = conversation_members.wrote or excluded.wrote,
        remind_at = ${nextReminder(sql`conversation_members`, sql`excluded`)}
      returning conversation_id, user_id, new.remind_at, new.remind_at is distinct from old.remind_at as reminds
    )
    select given.id, conversation.revision as position, pg_notify(${CHANNEL}, given.signal), ${remindLater(sql`
      select conversation_id, user_id, remind_at from members where reminds`)} as reminders
    from given join conversation on conversation.id = given."conversationId"`.execute(db)
  return new Map(rows.map(({ id, position }) => [id, position]))
}

type Stored = { id: string; position: number }
