import type { Db } from '../../../db/client.ts'

/** More than this are not shown: nobody reads them, and all but the own one can be ended at once. */
const MAX_LISTED = 100

/** The live sessions of a person, the last seen first. */
export function listSessions(db: Db, { userId, now }: { userId: string; now: Date }) {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
}
