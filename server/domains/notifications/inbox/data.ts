import { sql } from 'kysely'
import type { z } from 'zod'
import { MAX_UNREAD_COUNTED, type UnreadCount } from '../../../../contract/routes/notifications/inbox.ts'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, rowsFor } from '../../../db/cursor.ts'
import { NAMING_CREATORS } from '../rules.ts'

const isBlocked = sql<boolean>`exists (
  select from blocks where (blocker_id, blocked_id) in (
    (notifications.user_id, notifications.actor_id), (notifications.actor_id, notifications.user_id)
  ) offset 0
)`

/** Leaves out acts of people who are suspended, leaving, or blocked by or from the account. */
export const shown = sql<boolean>`(notifications.actor_id is null
  or notifications.kind = any(${NAMING_CREATORS}::text[])
  or exists (select from users as actor where actor.id = notifications.actor_id and actor.hidden_at is null offset 0)
    and not ${isBlocked})`

/** What a notification says, and whether whom it names is there for its account. Of a query that joins `actor`. */
export const TOLD = [
  'notifications.id',
  'notifications.kind',
  'notifications.data',
  'actor.username as actor',
  'actor.deletion_requested_at as leavingSince',
  sql<boolean>`(actor.suspended_at is not null or ${isBlocked})`.as('isApart'),
] as const

const notifications = (db: Db, userId: string) =>
  db
    .selectFrom('notifications')
    .leftJoin('users as actor', 'actor.id', 'notifications.actor_id')
    .select(TOLD)
    .select(['notifications.created_at', 'read_at'])
    .where('notifications.user_id', '=', userId)
    .where(shown)

export type NotificationRow = Awaited<ReturnType<ReturnType<typeof notifications>['execute']>>[number]

/** One row more than the page of what an account was told, newest first. */
export function listNotifications(db: Db, userId: string, page: PageRequest) {
  return notifications(db, userId)
    .select(
      sql<string>`${positionOf(sql.ref('notifications.created_at'), sql.ref('notifications.id'))}`.as(
        'position',
      ),
    )
    .$if(page.cursor !== undefined, (query) =>
      query.where((eb) =>
        after(page.cursor ?? '', eb.ref('notifications.created_at'), eb.ref('notifications.id')),
      ),
    )
    .orderBy('notifications.created_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(rowsFor(page))
    .execute()
}

/** All that an account was told and is shown, oldest first. */
export const listAll = (db: Db, userId: string) =>
  notifications(db, userId).orderBy('notifications.created_at').orderBy('notifications.id').execute()

/** One notification of this account; undefined if it is somebody else's, or not shown. */
export function findNotification(db: Db, { id, userId }: { id: string; userId: string }) {
  return notifications(db, userId).where('notifications.id', '=', id).executeTakeFirst()
}

/** How many notifications an account hasn't read, up to a limit, and its newest one. */
export async function findUnread(db: Db, userId: string): Promise<z.input<typeof UnreadCount>> {
  const own = sql`notifications where user_id = ${userId} and ${shown}`
  const { rows } = await sql<z.input<typeof UnreadCount>>`
    select
      (select count(*)::int from (
        select from ${own} and read_at is null limit ${MAX_UNREAD_COUNTED}
      ) as unread) as unread,
      (select id from ${own} order by created_at desc, id desc limit 1) as "newestId"`.execute(db)
  return rows[0] ?? { unread: 0, newestId: null }
}
