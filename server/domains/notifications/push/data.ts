import { sql } from 'kysely'
import { type NotificationKind, type NotificationTopic, topicOf } from '../../../../contract/notifications.ts'
import type { Db } from '../../../db/client.ts'
import { shown, TOLD } from '../inbox/data.ts'

/** The browsers of these accounts that are sent notifications now: their sessions have not ended. */
export function listSubscriptions(
  db: Db,
  people: string[],
  now: Date,
): Promise<{ id: string; userId: string }[]> {
  return db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .select(['push_subscriptions.id', 'push_subscriptions.user_id as userId'])
    .where('push_subscriptions.user_id', '=', sql<string>`any(${people}::uuid[])`)
    .where('sessions.expires_at', '>', now)
    .execute()
}

/** The browser with this address, of a session that has not ended. */
export function findSubscription(db: Db, endpointHash: string, now: Date) {
  return db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .select(['push_subscriptions.user_id as id', 'session_id as sessionId', 'sealed_subscription as sealed'])
    .where('endpoint_hash', '=', endpointHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
}

/** Whether the calling browser is sent notifications, and how many others of the account are. */
export async function countSubscriptions(
  db: Db,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<{ here: boolean; others: number }> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('session_id')
    .where('user_id', '=', id)
    .execute()
  const here = rows.some(({ session_id }) => session_id === sessionId)
  return { here, others: rows.length - (here ? 1 : 0) }
}

/** A browser and what it is to be told, unless that was read, isn't shown anymore, or its session has ended. */
export function findPush(
  db: Db,
  { subscriptionId, notificationId, now }: { subscriptionId: string; notificationId: string; now: Date },
) {
  return db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .innerJoin('notifications', 'notifications.user_id', 'push_subscriptions.user_id')
    .select(['endpoint_hash', 'sealed_subscription', 'push_subscriptions.user_id'])
    .leftJoin('users as actor', 'actor.id', 'notifications.actor_id')
    .select(TOLD)
    .select('actor_id')
    .where('push_subscriptions.id', '=', subscriptionId)
    .where('notifications.id', '=', notificationId)
    .where('read_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.hidden_at', 'is', null)
    .where(shown)
    .executeTakeFirst()
}

/** Whether its account is shown unread news of the same tag that is newer than this notification. */
export async function isFollowed(
  db: Db,
  { notificationId, topic }: { notificationId: string; topic: NotificationTopic },
): Promise<boolean> {
  const kinds = (Object.keys(topicOf) as NotificationKind[]).filter((kind) => topicOf[kind] === topic)
  const { rows } = await sql`
    select from notifications as this join notifications on notifications.user_id = this.user_id
      and (notifications.created_at, notifications.id) > (this.created_at, this.id)
    where this.id = ${notificationId} and notifications.read_at is null
      and notifications.kind = any(${kinds}::text[])
      and (${topic} <> 'messages' or notifications.actor_id is not distinct from this.actor_id)
      and ${shown}
    limit 1`.execute(db)
  return rows.length > 0
}

/** The newest unread message to an account; null when it isn't text. */
export async function findUnreadText(
  db: Db,
  { userId, senderId }: { userId: string; senderId: string },
): Promise<string | null> {
  const { rows } = await sql<{ content: string }>`
    select content from messages
      join conversation_members as me on me.conversation_id = messages.conversation_id and me.user_id = ${userId}
    where me.other_id = ${senderId} and sender_id = ${senderId} and deleted_at is null
      and messages.position > me.read_position
    order by messages.position desc limit 1`.execute(db)
  return rows[0]?.content || null
}
