import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Signal } from '../../../../../contract/realtime.ts'
import type { Db } from '../../../../db/client.ts'
import { compileOnce } from '../../../../db/prepare.ts'
import { AppError, violates } from '../../../../errors.ts'
import { CHANNEL } from '../../../../realtime/publish.ts'
import { createTurns, type Turns } from '../../../../realtime/turns.ts'
import { type ConversationRow, conversationOf, type MemberRow, reaches } from '../../conversations/data.ts'
import { nextReminder, remindAt, remindDueLater, remindedBy } from '../../reminders/actions.ts'
import type { MessageRow } from '../data.ts'

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
  /** Whether the sender wrote it personally, which lets the other person reply. */
  wrote: boolean
  now: Date
}

/** How long a statement runs alone, in milliseconds: one that takes longer waits for a lock, and others go beside it. */
const ALONE_MS = 20

/** How long a shared statement waits for a lock before its messages are stored alone. */
const MAX_LOCK_WAIT = '2s'

/** Most concurrent statements, as long as they hold fewer than `FEW` messages together. */
const MAX_AT_ONCE = 3
const FEW = 8

/** Most messages per statement. */
const MAX_TOGETHER = 64

/** Most messages stored alone concurrently; calls need the same database connections. */
const MAX_ALONE = 5

/** The unique key of each client's message ids. */
export const NAMED_ONCE = 'messages_sender_id_client_message_id_key'

/** The key of the messages’ own ids. */
export const STORED_ONCE = 'messages_pkey'

const LONG_AGO = new Date(0)

/** Stored messages kept until their signal arrives; without a listener none ever does. */
const MAX_KEPT = 500

/** A stored message, and its conversation as each of the two people sees it afterward, by their ids. */
export type Stored = { message: MessageRow; conversation: Map<string, ConversationRow> }

type Waiting = PromiseWithResolvers<Stored> & { message: NewMessage }
type Queue = {
  waiting: Waiting[]
  /** Running statements, their messages, and those of the one that still runs alone. */
  working: { statements: number; messages: number; alone: Waiting[] | null }
  kept: Map<string, Promise<Stored | null>>
  /** Conversations with a message being stored; the next ones wait for it. */
  busy: Set<string>
  /** A job waits that reminds of all messages until this one’s reminder is due. */
  remindedUntil: Date
  alone: LimitFunction
  /** Those with messages that couldn’t be stored with others’; more of theirs wait, as these may for the sender’s account. */
  senders: Turns
  onStored: (stored: Stored) => void
}

const queueOf = new WeakMap<Db, Queue>()

function queueAt(db: Db): Queue {
  const queue = queueOf.get(db) ?? {
    waiting: [],
    working: { statements: 0, messages: 0, alone: null },
    kept: new Map(),
    busy: new Set(),
    remindedUntil: LONG_AGO,
    alone: pLimit(MAX_ALONE),
    senders: createTurns(),
    onStored: () => {},
  }
  queueOf.set(db, queue)
  return queue
}

/**
 * Stores a message without attachments or a quote. Messages that arrive together, or during a write, share a statement, one
 * per conversation, because the next position depends on the last. A message that can’t be stored fails alone, a duplicate
 * with `idempotency_key_reused`; a locked conversation delays only its own messages. Fails by `STORED_ONCE` where it is stored
 * and the connection broke before the answer.
 */
export function storeTogether(db: Db, message: NewMessage): Promise<Stored> {
  const queue = queueAt(db)
  const waiting = { message, ...Promise.withResolvers<Stored>() }
  queue.waiting.push(waiting)
  keep(queue, message.id, waiting.promise)
  // Messages of the same turn of the event loop go together.
  setImmediate(() => pump(db, queue))
  return waiting.promise
}

function keep({ kept }: Queue, messageId: string, stored: Promise<Stored>): void {
  kept.set(
    messageId,
    stored.catch(() => null),
  )
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest)
}

/**
 * A message as `storeTogether` stored it here, so that its signal's handler needn't read it; once. Null if another process
 * stored it, or it is no longer kept.
 */
export function takeStored(db: Db, messageId: string): Promise<Stored | null> | null {
  const { kept } = queueAt(db)
  const stored = kept.get(messageId) ?? null
  kept.delete(messageId)
  return stored
}

/** Reports each message that `storeTogether` stored here, before its sender gets an answer. */
export function listenStored(db: Db, onStored: (stored: Stored) => void): void {
  queueAt(db).onStored = onStored
}

/**
 * One statement at a time: what arrives meanwhile shares the next one, as one more statement costs far more than one more
 * message. While one of few messages waits for a lock, others run beside it.
 */
function pump(db: Db, queue: Queue): void {
  const { working } = queue
  while (
    !working.alone &&
    (working.statements === 0 || (working.statements < MAX_AT_ONCE && working.messages < FEW))
  ) {
    const batch = nextBatch(queue)
    if (batch.length === 0) return
    working.statements += 1
    working.messages += batch.length
    working.alone = batch
    const letOthersGo = () => {
      if (working.alone === batch) working.alone = null
      pump(db, queue)
    }
    const timer = setTimeout(letOthersGo, ALONE_MS)
    void storeBatch(db, queue, batch).then(() => {
      clearTimeout(timer)
      working.statements -= 1
      working.messages -= batch.length
      letOthersGo()
    })
  }
}

/** Takes the next statement's messages out of the queue. */
function nextBatch(queue: Queue): Waiting[] {
  const names = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  for (const one of queue.waiting) {
    const { conversationId, senderId, clientMessageId, id } = one.message
    const name = `${senderId} ${clientMessageId ?? id}`
    const isHeld = queue.busy.has(conversationId) || queue.senders.isBusy(senderId)
    const goes = batch.length < MAX_TOGETHER && !isHeld && !names.has(name)
    if (goes) {
      queue.busy.add(conversationId)
      names.add(name)
    }
    ;(goes ? batch : rest).push(one)
  }
  queue.waiting = rest
  return batch
}

async function storeBatch(db: Db, queue: Queue, batch: Waiting[], again = false): Promise<void> {
  const messages = batch.map(({ message }) => message)
  try {
    const remindedUntil = remindedUntilFor(queue, messages)
    const stored = await insertMessages(db, messages, { shared: true, remindedUntil })
    noteReminders(queue, messages, stored)
    const rows = new Map(stored.map((row) => [row.id, row]))
    for (const one of batch) {
      const row = rows.get(one.message.id)
      if (row && !row.people) void storeAlone(db, queue, one)
      else settle(queue, one, row)
    }
  } catch (error) {
    // Another process stored one of them in the meantime; the second try leaves it out.
    if (!again && violates(error, NAMED_ONCE)) return storeBatch(db, queue, batch, true)
    // A sender whose account is locked takes one place however many messages of theirs wait for it.
    for (const one of batch)
      void queue.senders
        .take(one.message.senderId, () => storeAlone(db, queue, one))
        .then(() => pump(db, queue))
  }
}

/** Nothing is known after a clock was set back, which no message would reach for long. */
function remindedUntilFor({ remindedUntil }: Queue, messages: NewMessage[]): Date {
  const last = Math.max(...messages.map(({ now }) => now.getTime()))
  return remindedUntil > remindedBy(new Date(last)) ? LONG_AGO : remindedUntil
}

/** The job that this statement enqueued reminds of the first of its messages at least. */
function noteReminders(queue: Queue, messages: NewMessage[], [row]: Row[]): void {
  if (!row?.reminders) return
  const first = Math.min(...messages.map(({ now }) => now.getTime()))
  queue.remindedUntil = remindedBy(new Date(first))
}

function settle(queue: Queue, { message, resolve, reject }: Waiting, row: Row | undefined): void {
  queue.busy.delete(message.conversationId)
  if (!row?.people) reject(new AppError('idempotency_key_reused'))
  else {
    const stored = storedOf(message, row)
    queue.onStored(stored)
    resolve(stored)
  }
}

/** In a transaction of its own, which restarts after a deadlock; other conversations continue in the meantime. */
function storeAlone(db: Db, queue: Queue, one: Waiting): Promise<void> {
  return queue.alone(async () => {
    try {
      const [row] = await db.transaction().execute((tx) => insertMessages(tx, [one.message]))
      settle(queue, one, row)
    } catch (error) {
      queue.busy.delete(one.message.conversationId)
      one.reject(error)
    }
    pump(db, queue)
  })
}

/**
 * Stores messages of different conversations in one statement, which is its own transaction if none is open: conversations,
 * messages, memberships, signals, and reminders. Returns the result of each, in no particular order; a duplicate client-side
 * id is left out. If it is `shared`, messages of locked conversations aren't stored, and come without `people`; it fails
 * when it waits too long for other locks. Unless it `reminds`, nobody is reminded of them.
 */
export async function insertMessages(
  db: Db,
  messages: NewMessage[],
  { shared = false, remindedUntil = LONG_AGO, reminds = true } = {},
): Promise<Row[]> {
  const given = messages.map((message) => {
    const { id, conversationId, senderId, recipientId } = message
    const [low, high] = [senderId, recipientId].sort()
    const people = [senderId, recipientId]
    const signal: Signal = { name: 'message.sent', conversationId, messageId: id, people }
    return { ...message, content: contentOf(message), low, high, signal: JSON.stringify(signal) }
  })
  const { rows } = await db.executeQuery(
    storing(db, {
      given: JSON.stringify(given),
      shared,
      remindedUntil,
      reminds,
    }),
  )
  return rows
}

type Storing = { given: string; shared: boolean; remindedUntil: Date; reminds: boolean }

const storing = compileOnce((db, { given, shared, remindedUntil, reminds }: Storing) => ({
  compile: () =>
    sql<Row>`
      with given as materialized (
        select * from jsonb_to_recordset(${given}::jsonb) as message (
          id uuid, "conversationId" uuid, low uuid, high uuid, "senderId" uuid, "recipientId" uuid, "clientMessageId" uuid,
          content text, "replyTo" uuid, "priceCents" int, wrote boolean, now timestamptz, signal text
        )
        where not exists (
          select from messages where sender_id = "senderId" and client_message_id = "clientMessageId" offset 0
        ) ${shared ? LIMITED : sql``}
      ), goes as materialized (
        select given.* from given ${shared ? FREE : sql``}
      ), conversation as (
        insert into conversations (id, low_id, high_id, revision, last_message_id, created_at)
        -- In one order, so that statements that begin conversations wait for each other in turn.
        select "conversationId", low, high, 1, id, now from goes order by "conversationId"
        on conflict (id) do update
          set revision = conversations.revision + 1, last_message_id = excluded.last_message_id
        returning id, revision
      ), message as (
        insert into messages (id, conversation_id, position, revision, sender_id, client_message_id, content, created_at,
          reply_to, price_cents)
        select goes.id, conversation.id, revision, revision, "senderId", "clientMessageId", content, now, "replyTo",
          "priceCents"
        from goes join conversation on conversation.id = goes."conversationId"
      ), members as (
        insert into conversation_members (conversation_id, user_id, other_id, last_at, unread, wrote, written, remind_at)
        select conversation.id, place.user_id, place.other_id, now, place.unread, place.wrote,
          place.wrote::int, case when place.unread > 0 then ${reminds ? remindAt(sql`now`) : sql`null::timestamptz`} end
        from goes join conversation on conversation.id = goes."conversationId"
          cross join lateral (values
            ("senderId", "recipientId", 0, goes.wrote), ("recipientId", "senderId", 1, false)
          ) as place (user_id, other_id, unread, wrote)
        on conflict (conversation_id, user_id) do update set
          last_at = excluded.last_at,
          unread = conversation_members.unread + excluded.unread,
          wrote = conversation_members.wrote or excluded.wrote,
          written = conversation_members.written + excluded.written,
          remind_at = ${nextReminder(sql`conversation_members`, sql`excluded`)}
        returning conversation_id, user_id, other_id, unread, read_position, shown_position, muted_at, new.remind_at,
          new.remind_at is distinct from old.remind_at as reminds
      ), people as (
        select conversation_id, json_agg(person) as people from members cross join lateral (
          select members.user_id, unread, read_position, shown_position, muted_at is not null as muted, username, is_creator,
            profile_image, ${reaches(sql.ref('members.other_id'))} as reached
          from users left join profiles on profiles.user_id = users.id
          where users.id = members.user_id offset 0
        ) as person
        group by conversation_id
      )
      select given.id, conversation.revision, people.people,
        case when people.people is not null then pg_notify(${CHANNEL}, given.signal)::text end,
        ${remindDueLater(
          sql`select remind_at from members where reminds and remind_at > ${remindedUntil}::timestamptz`,
        )} as reminders
      from given left join conversation on conversation.id = given."conversationId"
        left join people on people.conversation_id = conversation.id`.compile(db),
}))

/** Limits this statement's waiting for locks; asked once, by what it reads first. */
const LIMITED = sql`and (select set_config('lock_timeout', ${sql.lit(MAX_LOCK_WAIT)}, true)) is not null`

/** Messages whose conversation isn't locked, which this locks, or hasn't started. */
const FREE = sql`
  left join lateral (
    select id from conversations where id = given."conversationId" for no key update skip locked
  ) as held on true
  where held.id is not null
    or not exists (select from conversations where id = given."conversationId" offset 0)`

type StoredRow = {
  id: string
  revision: number
  people: Omit<MemberRow, 'conversation_id' | 'revision' | 'last'>[]
}

/** `reminders` is the same in all rows of a statement: how many jobs it enqueued. */
type Row = (StoredRow | { id: string; revision: null; people: null }) & { reminders: number }

/** The database doesn't accept half of a surrogate pair. */
const contentOf = ({ content }: NewMessage) => content.toWellFormed()

function storedOf(message: NewMessage, { id, revision, people }: StoredRow): Stored {
  const { conversationId: conversation_id, senderId: sender_id, now } = message
  const content = contentOf(message)
  const last = {
    id,
    sender_id,
    content,
    created_at: now.toISOString(),
    position: revision,
    attachments: 0,
    request: null,
    tip: null,
  }
  return {
    message: {
      id,
      conversation_id,
      position: revision,
      revision,
      sender_id,
      client_message_id: message.clientMessageId,
      content,
      created_at: now,
      edited_at: null,
      deleted_at: null,
      price_cents: message.priceCents,
      mass_message_id: null,
      reply: null,
      reactions: [],
      attached: false,
      bought: false,
      request: null,
      tip: null,
    },
    conversation: conversationOf(people.map((person) => ({ ...person, conversation_id, revision, last }))),
  }
}
