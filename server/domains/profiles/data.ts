import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../db/cursor.ts'

/** A person's profile by id or by username (whatever its case), or null when there is none or it is hidden. */
export async function findProfile(db: Db, by: { id: string } | { username: string }) {
  const row = await db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'username', 'first_name', 'is_creator'])
    .select(['bio', 'menu', 'limits', 'links', 'profile_image', 'profile_hero_image'])
    .where((eb) =>
      'id' in by ? eb('users.id', '=', by.id) : eb(sql`lower(username)`, '=', by.username.toLowerCase()),
    )
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** How many photos and videos a profile shows, locked ones included. */
export async function countShownMedia(
  db: Db,
  creatorId: string,
): Promise<{ photoCount: number; videoCount: number }> {
  const { photoCount, videoCount } = await db
    .selectFrom('media')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('type', '=', 'image').as('photoCount'),
      eb.fn.countAll<number>().filterWhere('type', '=', 'video').as('videoCount'),
    ])
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .where('direct_only', '=', false)
    .executeTakeFirstOrThrow()
  return { photoCount, videoCount }
}

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

/** One row more than the page of whom a person follows, newest first, without people who are hidden. */
export function listFollowing(db: Db, userId: string, page: PageRequest) {
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
    .where('follows.follower_id', '=', userId)
    .where('users.hidden_at', 'is', null)
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
