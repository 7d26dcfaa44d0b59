import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { notify } from '../../notifications/actions.ts'
import { findProfile, shown } from '../data.ts'

/**
 * Follows, or stops following; returns whether they follow now. One person's toggles run one after the other, so
 * each answer is true when it is given. Throws `follow_yourself`, `follow_blocked` for whom they blocked, and
 * `user_not_found` for who isn't shown to them or who blocked them, operators included.
 */
export async function toggleFollow(
  db: Tx,
  follower: PeopleAudience & { id: string; username: string },
  { followingId, now }: { followingId: string; now: Date },
): Promise<boolean> {
  const userId = follower.id
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
        .where(shown(follower))
        // Operators see who is suspended, and don't follow them.
        .where('hidden_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('blocks')
                .select('blocker_id')
                .where(({ or, and }) =>
                  or([
                    and({ blocker_id: userId, blocked_id: followingId }),
                    and({ blocker_id: followingId, blocked_id: userId }),
                  ]),
                ),
            ),
          ),
        ),
    )
    .returning('following_id')
    .executeTakeFirst()
  if (followed) {
    await tellCreator(db, follower, { followingId, now })
    return true
  }
  const person = await findProfile(db, { id: followingId }, follower)
  throw new AppError(person?.blocked ? 'follow_blocked' : 'user_not_found')
}

/** A creator is notified of each follower once, however often they follow again. */
async function tellCreator(
  db: Tx,
  { id, username }: { id: string; username: string },
  { followingId, now }: { followingId: string; now: Date },
): Promise<void> {
  const creator = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', followingId)
    .where('is_creator', '=', true)
    .executeTakeFirst()
  if (!creator) return
  const data = { from: username, fromId: id }
  const once = `follower.added ${id}`
  await notify(db, { kind: 'follower.added', person: followingId, data }, { now, once })
}
