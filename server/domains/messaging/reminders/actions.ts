import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { countEnqueued, enqueue, LATER, queueTime } from '../../../jobs/enqueue.ts'
import { notify, notifyEach } from '../../notifications/actions.ts'
import { allowRepeat, markMessagesRead, withdraw } from '../../notifications/inbox/actions.ts'
import { findFirstUnread } from '../messages/data.ts'

/** How long a message stays unread before its notification. */
const REMIND_AFTER_MS = 10 * 1000
/** How long before the email as well. */
const MAIL_AFTER_MS = 10 * 60 * 1000
/** Most reminders of one job, which a stop waits for. */
const MAX_DUE = 50
/** How long a reminder that failed waits. */
const RETRY_MS = 60 * 1000
/** How long those wait whose places are locked at that moment, as by another message. */
const HELD_MS = 1000

/** The database's code for having waited too long for a lock. */
const LOCK_NOT_AVAILABLE = '55P03'

type Reminded = { conversationId: string; userId: string }

const after = (time: RawBuilder<unknown>, ms: number) =>
  sql<Date>`${time} + ${sql.lit(ms)} * interval '1 millisecond'`

/** When the reminder of a message written then is due. */
export const remindAt = (writtenAt: RawBuilder<unknown>): RawBuilder<Date> =>
  after(writtenAt, REMIND_AFTER_MS)

/** When the job that such a message enqueues has reminded of it. */
export const remindedBy = (writtenAt: Date): Date =>
  new Date((Math.floor((writtenAt.getTime() + REMIND_AFTER_MS) / 1000) + 1) * 1000)

/**
 * A person's `remind_at` in a conversation after a message: unchanged, unless the message is for them and no reminder waits
 * or was sent since they last read the messages or what they were told of them. `place` is their row, `added` the row of
 * the message.
 */
export const nextReminder = (
  place: RawBuilder<unknown>,
  added: RawBuilder<unknown>,
): RawBuilder<Date | null> =>
  sql`case when ${added}.remind_at is not null and ${place}.muted_at is null
      and (${place}.reminded_position is distinct from ${place}.read_position or not exists (
        select from notifications where notifications.user_id = ${place}.user_id
          and once_key = 'message.received ' || ${place}.conversation_id || ' ' || ${place}.read_position offset 0
      ))
    then least(${place}.remind_at, ${added}.remind_at) else ${place}.remind_at end`

/**
 * SQL that enqueues the job for reminders that a statement sets, in the second after the last of them: one however many
 * there are, as enqueuing costs as much as storing a message. `set` selects remind_at. Without a key: who enqueues one that
 * others share would wait for what they wait for, and it would keep its time although this one is later.
 */
export function remindDueLater(set: RawBuilder<unknown>): RawBuilder<number> {
  return countEnqueued(
    'messages.remind-due',
    sql`
      select '{}'::json as payload, due.at as run_at, null::text as key
      from (select date_trunc('second', max(remind_at)) + interval '1 second' as at from (${set}) as each) as due
      where due.at is not null`,
  )
}

/**
 * SQL that enqueues a check at `remind_at` of whether people have read their messages, of each by itself. `due` selects
 * conversation_id, user_id, and remind_at.
 */
function remindLater(due: RawBuilder<unknown>): RawBuilder<number> {
  return countEnqueued(
    'messages.remind',
    sql`
      select json_build_object('conversationId', conversation_id, 'userId', user_id) as payload,
        'messages.remind ' || conversation_id || ' ' || user_id as key, remind_at as run_at
      from (${due}) as due`,
  )
}

/** The same as in `nextReminder`. */
const onceOf = ({ conversationId, readPosition }: { conversationId: string; readPosition: number }) =>
  `message.received ${conversationId} ${readPosition}`

/** Withdraws the notification of a conversation, so that the next message is announced although they read nothing. */
export async function forgetReminder(
  tx: Tx,
  { conversationId, userId, now }: Reminded & { now: Date },
): Promise<void> {
  const place = await tx
    .updateTable('conversation_members')
    .set({ reminded_position: null })
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', userId)
    .returning(['other_id', 'read_position'])
    .executeTakeFirst()
  if (!place) return
  await markMessagesRead(tx, { userId, senderId: place.other_id, now })
  await allowRepeat(tx, { userId, once: onceOf({ conversationId, readPosition: place.read_position }) })
}

/**
 * Reminds those whose reminders are due, the longest due first, and has another job do the rest. One who can’t be reminded
 * is tried again a minute later, and keeps nobody waiting.
 */
export async function remindDue(context: Context): Promise<void> {
  const { db, clock, log } = context
  // The queue started this by its own clock, which this process's may be behind.
  const dueBy = sql<Date>`greatest(${clock.now()}::timestamptz, ${queueTime})`
  const waiting = db.selectFrom('conversation_members').where('remind_at', '<=', dueBy)
  const due = await waiting
    .select(['conversation_id as conversationId', 'user_id as userId', dueBy.as('dueBy')])
    .orderBy('remind_at')
    .limit(MAX_DUE)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  let isMore = due.length === MAX_DUE
  for (const { dueBy, ...one } of due)
    try {
      await remind(context, one, { dueBy })
    } catch (error) {
      log.error({ err: error, ...one }, 'a person could not be reminded of messages')
      await db.transaction().execute((tx) => putOff(tx, one, dueBy))
      // Others may have to wait for the same lock, and a stop would wait for them all.
      isMore ||= (error as { code?: string }).code === LOCK_NOT_AVAILABLE
      if (isMore) break
    }
  const left = await waiting.select('user_id').limit(1).execute()
  if (left.length === 0) return
  const options = isMore ? {} : { waitMs: HELD_MS }
  await db.transaction().execute((tx) => enqueue(tx, 'messages.remind-due', {}, options))
}

/**
 * Lets a reminder that was due wait for a minute: the oldest ones are first in each job, and would fill it. One whose place
 * is locked stays due, as jobs leave it out anyway.
 */
async function putOff(tx: Tx, { conversationId, userId }: Reminded, dueBy: Date): Promise<void> {
  const place = await tx
    .selectFrom('conversation_members')
    .select('user_id')
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', userId)
    .where('remind_at', '<=', dueBy)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!place) return
  await tx
    .updateTable('conversation_members')
    .set({ remind_at: new Date(dueBy.getTime() + RETRY_MS) })
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Notifies a person of unread messages, once until they read on; not if they were read or muted. With `dueBy` only if their
 * reminder still waits, and was due by then.
 */
export async function remind(
  context: Context,
  { conversationId, userId }: Reminded,
  { dueBy }: { dueBy?: Date } = {},
): Promise<void> {
  const now = context.clock.now()
  const until = dueBy ?? now
  await context.db.transaction().execute(async (tx) => {
    // Whoever's account is held by something else is tried again later: others wait for this job's place.
    await sql`set local lock_timeout = '1s'`.execute(tx)
    // Messages from here on schedule a reminder of their own.
    const place = await tx
      .updateTable('conversation_members')
      .set({ remind_at: null })
      .where('conversation_id', '=', conversationId)
      .where('user_id', '=', userId)
      .$if(dueBy !== undefined, (query) => query.where('remind_at', '<=', until))
      .returning(['other_id', 'read_position', 'unread', 'muted_at'])
      .returning(['reminded_position', sql<Date | null>`old.remind_at`.as('due')])
      .executeTakeFirst()
    if (!place || place.unread === 0 || place.muted_at) return
    const first = await findFirstUnread(tx, conversationId, userId)
    const due = first && new Date(first.created_at.getTime() + REMIND_AFTER_MS)
    // Messages that came after the last read have their own time to be read, unless a clock was ahead when they came.
    const isLater = due && place.due && due > place.due
    if (isLater && due.getTime() <= until.getTime() + REMIND_AFTER_MS)
      return remindAgain(tx, { conversationId, userId }, due)
    const sender = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('id', '=', place.other_id)
      .where('hidden_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('blocks')
              .select('blocker_id')
              .where('blocker_id', '=', userId)
              .whereRef('blocked_id', '=', 'users.id'),
          ),
        ),
      )
      .executeTakeFirst()
    if (!sender) return
    // The read position identifies the notification until they read on.
    const once = onceOf({ conversationId, readPosition: place.read_position })
    // Without a reminder that waited, this is for a mass message.
    if (place.due) {
      await tx
        .updateTable('conversation_members')
        .set({ reminded_position: place.read_position })
        .where('conversation_id', '=', conversationId)
        .where('user_id', '=', userId)
        .execute()
      // What they were told of a mass message gives way to this one.
      if (place.reminded_position !== place.read_position) await withdraw(tx, [{ person: userId, once }], now)
    }
    const data = { from: sender.username, senderId: sender.id }
    await notify(
      tx,
      { kind: 'message.received', person: userId, data },
      { now, once, mailAt: mailAfter(now) },
    )
  })
}

async function remindAgain(tx: Tx, { conversationId, userId }: Reminded, due: Date): Promise<void> {
  await tx
    .updateTable('conversation_members')
    .set({ remind_at: due })
    .where('conversation_id', '=', conversationId)
    .where('user_id', '=', userId)
    .execute()
  const set = sql`select ${due}::timestamptz as remind_at`
  await sql`select ${remindDueLater(set)}`.execute(tx)
}

const mailAfter = (remindedAt: Date) => new Date(remindedAt.getTime() + MAIL_AFTER_MS - REMIND_AFTER_MS)

/** Schedules a check of whether people have read a batch of a mass message. */
export async function remindManyLater(
  tx: Tx,
  { massMessageId, messageIds, now }: { massMessageId: string; messageIds: string[]; now: Date },
): Promise<void> {
  const [from, to] = [messageIds.toSorted()[0], messageIds.toSorted().at(-1)]
  if (!from || !to) return
  const runAt = new Date(now.getTime() + REMIND_AFTER_MS)
  await enqueue(tx, 'messages.remind-many', { massMessageId, from, to }, { runAt })
}

type Batch = { massMessageId: string; from: string; to: string }

/**
 * Notifies people of a batch of a mass message, like `remind`. People with an unread notification of the same creator's
 * messages get no second one, also when the job runs again; a later message to them alone replaces this one.
 */
export async function remindMany(context: Context, batch: Batch): Promise<void> {
  const began = performance.now()
  await context.db.transaction().execute((tx) => remindBatch(tx, batch, context.clock.now()))
  // Leave half of the time to chats.
  await wait(performance.now() - began)
}

async function remindBatch(tx: Tx, { massMessageId, from, to }: Batch, now: Date): Promise<void> {
  // Locked, so that an unsending either came first or withdraws this notification.
  const mass = await tx
    .selectFrom('mass_messages')
    .innerJoin('users as creator', 'creator.id', 'mass_messages.creator_id')
    .select(['creator.id', 'creator.username'])
    .where('mass_messages.id', '=', massMessageId)
    // One that stopped on its way stays with those who have it.
    .where('status', 'not in', ['unsending', 'unsent'])
    .where('creator.hidden_at', 'is', null)
    .forShare('mass_messages')
    .executeTakeFirst()
  if (!mass) return
  const sent = await tx
    .selectFrom('messages')
    .select('id')
    .where('mass_message_id', '=', massMessageId)
    .where('id', '>=', from)
    .where('id', '<=', to)
    .execute()
  const due = sql`
    from messages join conversation_members as me
      on me.conversation_id = messages.conversation_id and me.user_id <> messages.sender_id
    where messages.id = any(${sent.map(({ id }) => id)}::uuid[]) and messages.deleted_at is null
      and messages.position > me.read_position and me.muted_at is null
      and not exists (
        select from blocks where blocker_id = me.user_id and blocked_id = messages.sender_id offset 0
      )`
  const { rows } = await sql<Reminded & { readPosition: number | null }>`
    with held as materialized (
      select me.conversation_id, me.user_id, me.read_position ${due} order by me.user_id for share of me skip locked
    )
    select me.conversation_id as "conversationId", me.user_id as "userId", (
        select read_position from held where held.conversation_id = me.conversation_id
      ) as "readPosition" ${due}`.execute(tx)
  const [held, busy] = [rows.filter(isHeld), rows.filter((row) => !isHeld(row))]
  // People whose rows are locked right now would block all others, so each of them gets a check of their own.
  const busyPlaces = sql`
    select conversation_id, user_id, ${now}::timestamptz as remind_at
    from unnest(
      ${busy.map(({ conversationId }) => conversationId)}::uuid[], ${busy.map(({ userId }) => userId)}::uuid[]
    ) as busy (conversation_id, user_id)`
  if (busy.length > 0) await sql`select ${remindLater(busyPlaces)}`.execute(tx)
  const data = { from: mass.username, senderId: mass.id }
  const events = held.map(({ userId: person, ...place }) => ({
    event: { kind: 'message.received' as const, person, data },
    once: onceOf(place),
  }))
  await notifyEach(tx, events, { now, mailAt: mailAfter(now), priority: LATER })
}

const isHeld = (row: { readPosition: number | null }): row is Reminded & { readPosition: number } =>
  row.readPosition !== null

/** `forgetReminder` for memberships whose `reminded_position` the caller has set to null. */
export async function forgetReminders(
  tx: Tx,
  places: { conversationId: string; userId: string; readPosition: number }[],
  now: Date,
): Promise<void> {
  const told = places.map(({ userId, ...place }) => ({ person: userId, once: onceOf(place) }))
  await withdraw(tx, told, now)
}
