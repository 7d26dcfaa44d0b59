import { sql } from 'kysely'
import type { NotificationKind } from '../../../../contract/notifications.ts'
import type { Db } from '../../../db/client.ts'
import { shown } from '../inbox/data.ts'

/** How much of each kind a digest tells of that is still unread and shown, the most recent kind first. */
export function listDigest(
  db: Db,
  { userId, deliveryId }: { userId: string; deliveryId: string },
): Promise<{ kind: NotificationKind; count: number }[]> {
  return db
    .selectFrom('notifications')
    .select(['kind', sql<number>`count(*)::int`.as('count')])
    .where('mailed_by', '=', deliveryId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where(shown)
    .groupBy('kind')
    .orderBy(sql`max(created_at)`, 'desc')
    .execute()
}

/** People whose digest is due, the longest waiting first. */
export async function listDue(db: Db, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_settings')
    .select('user_id')
    .where('next_digest_at', '<=', now)
    .orderBy('next_digest_at')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
