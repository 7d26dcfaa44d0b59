import { sql } from 'kysely'
import { type NotificationKind, type NotificationTopic, topicOf } from '../../../../contract/notifications.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { publish } from '../../../realtime/publish.ts'

const DAY_MS = 24 * 3600 * 1000
/** How long notifications are kept once they were read, and if they never were. */
const KEPT_DAYS = { read: 90, unread: 365 }
/** How many are forgotten in one transaction. */
const SWEEP_BATCH = 5000

/**
 * Marks these of an account's notifications as read, or all; tells its other devices. It is told of the next message,
 * whether or not it read the ones before.
 */
export async function markRead(
  tx: Tx,
  { userId, ids, now }: { userId: string; ids: readonly string[] | null; now: Date },
): Promise<void> {
  const read = await tx
    .updateTable('notifications')
    .set({
      read_at: now,
      once_key: sql<string | null>`case when kind <> 'message.received' then once_key end`,
    })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== null, (query) => query.where('id', '=', sql<string>`any(${ids}::uuid[])`))
    .executeTakeFirst()
  if (read.numUpdatedRows > 0n) await publish(tx, { name: 'notifications.read', people: [userId] })
}

/** States of a custom request of which people are told in place of the message that comes with them. */
const IN_MESSAGES = ['requested', 'delivered']

/**
 * Marks what an account was told of somebody's messages as read, since it reads the messages; with `readTo` also what it was
 * told in place of messages until then.
 */
export async function markMessagesRead(
  tx: Tx,
  {
    userId,
    senderId,
    readTo = null,
    now,
  }: { userId: string; senderId: string; readTo?: Date | null; now: Date },
): Promise<void> {
  const read = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('actor_id', '=', senderId)
    .where((eb) =>
      eb.or([
        eb('kind', '=', 'message.received'),
        eb('kind', '=', 'custom.changed')
          .and('created_at', '<=', readTo)
          .and(sql`data->>'state'`, 'in', IN_MESSAGES),
      ]),
    )
    .where('read_at', 'is', null)
    .executeTakeFirst()
  if (read.numUpdatedRows > 0n) await publish(tx, { name: 'notifications.read', people: [userId] })
}

/** Lets an account be told once more what it was told under this `once`. */
export async function allowRepeat(tx: Tx, { userId, once }: { userId: string; once: string }): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ once_key: null })
    .where('user_id', '=', userId)
    .where('once_key', '=', once)
    .execute()
}

/** People whom one signal names, of the 8,000 bytes that the database takes. */
const PER_SIGNAL = 150

/** Takes back what people were told under their `once`: it is read then, and may be told once more. */
export async function withdraw(tx: Tx, told: { person: string; once: string }[], now: Date): Promise<void> {
  const { rows } = await sql<{ person: string; unread: boolean }>`
    update notifications set read_at = coalesce(read_at, ${now}), once_key = null
    from unnest(${told.map(({ person }) => person)}::uuid[], ${told.map(({ once }) => once)}::text[])
      as given (person, once)
    where user_id = given.person and once_key = given.once
    returning user_id as person, old.read_at is null as unread`.execute(tx)
  const people = rows.filter(({ unread }) => unread).map(({ person }) => person)
  for (let at = 0; at < people.length; at += PER_SIGNAL)
    await publish(tx, { name: 'notifications.read', people: people.slice(at, at + PER_SIGNAL) })
}

/** Deletes what anybody was told of this topic, read or not. */
export async function deleteTopic(tx: Tx, topic: NotificationTopic): Promise<void> {
  const kinds = (Object.keys(topicOf) as NotificationKind[]).filter((kind) => topicOf[kind] === topic)
  await tx.deleteFrom('notifications').where('kind', 'in', kinds).execute()
}

/** Forgets old notifications, a batch at a time so that nobody waits for a long transaction. */
export async function sweepNotifications(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const old = [
    sql`read_at is not null and created_at < ${before(KEPT_DAYS.read)}`,
    sql`read_at is null and created_at < ${before(KEPT_DAYS.unread)}`,
  ]
  for (const condition of old) {
    let swept = SWEEP_BATCH
    while (swept === SWEEP_BATCH) {
      swept = await db.transaction().execute(async (tx) => {
        const { numAffectedRows = 0n } = await sql`
          delete from notifications where id in (
            select id from notifications where ${condition} order by created_at limit ${SWEEP_BATCH}
          )`.execute(tx)
        return Number(numAffectedRows)
      })
    }
  }
}
