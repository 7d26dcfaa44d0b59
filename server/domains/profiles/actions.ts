import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'

/**
 * Follows, or stops following; returns whether they follow now. One person's toggles run one after the other, so
 * each answer is true when it is given. Throws `follow_yourself`, and `user_not_found` for nobody or someone hidden.
 */
export async function toggleFollow(
  db: Db,
  { userId, followingId, now }: { userId: string; followingId: string; now: Date },
): Promise<boolean> {
  if (userId === followingId) throw new AppError('follow_yourself')
  await db.selectFrom('profiles').select('user_id').where('user_id', '=', userId).forUpdate().execute()
  const ended = await db
    .deleteFrom('follows')
    .where('follower_id', '=', userId)
    .where('following_id', '=', followingId)
    .returning('following_id')
    .executeTakeFirst()
  if (ended) return false
  const followed = await db
    .insertInto('follows')
    .columns(['follower_id', 'following_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([eb.val(userId).as('follower_id'), 'id', eb.val(now).as('created_at')])
        .where('id', '=', followingId)
        .where('hidden_at', 'is', null),
    )
    .returning('following_id')
    .executeTakeFirst()
  if (!followed) throw new AppError('user_not_found')
  return true
}
