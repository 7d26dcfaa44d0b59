import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { shown } from '../data.ts'

/** Whether one person follows another. */
export async function isFollowing(
  db: Db,
  { userId, followingId }: { userId: string; followingId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('follows')
    .select('follower_id')
    .where('follower_id', '=', userId)
    .where('following_id', '=', followingId)
    .executeTakeFirst()
  return row !== undefined
}

/** One row more than the page of whom a person follows, newest first, without people whose profile they may not see. */
export function listFollowing(db: Db, audience: PeopleAudience & { id: string }, page: PageRequest) {
  return db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.following_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.is_creator', 'profiles.profile_image'])
    .select(
      sql<string>`${positionOf(sql.ref('follows.created_at'), sql.ref('follows.following_id'))}`.as(
        'position',
      ),
    )
    .where('follows.follower_id', '=', audience.id)
    .where(shown(audience))
    .$if(page.cursor !== undefined, (query) =>
      query.where((eb) =>
        after(page.cursor ?? '', eb.ref('follows.created_at'), eb.ref('follows.following_id')),
      ),
    )
    .orderBy('follows.created_at', 'desc')
    .orderBy('follows.following_id', 'desc')
    .offset(skipOf(page))
    .limit(page.limit + 1)
    .execute()
}
