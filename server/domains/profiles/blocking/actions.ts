import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { publish, publishEach } from '../../../realtime/publish.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { isReachable, isShown } from '../data.ts'
import { isCorrespondent } from './data.ts'
import type { PlaceBlock } from './rules.ts'

/**
 * Blocks a person; doing it again changes nothing. Neither follows the other anymore. Throws `block_yourself`, and
 * `user_not_found` for who isn't shown to them, and whom they never wrote with; a creator may block anybody whose name they know.
 */
export async function block(
  db: Tx,
  audience: PeopleAudience & { id: string },
  { blockedId, now }: { blockedId: string; now: Date },
): Promise<void> {
  const userId = audience.id
  if (userId === blockedId) throw new AppError('block_yourself')
  const found = audience.isCreator ? isReachable : isShown
  // Whoever wrote to them can be blocked, even where that one isn't shown to them, or blocked them before.
  if (!(await found(db, blockedId, audience)) && !(await isCorrespondent(db, userId, blockedId)))
    throw new AppError('user_not_found')
  // A new follow locks its profile row first, so none can be added at the same time as the block.
  await db
    .selectFrom('profiles')
    .select('user_id')
    .where('user_id', 'in', [userId, blockedId])
    .orderBy('user_id')
    .forUpdate()
    .execute()
  await db
    .insertInto('blocks')
    .values({ blocker_id: userId, blocked_id: blockedId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('follows')
    .where((eb) =>
      eb.or([
        eb.and({ follower_id: userId, following_id: blockedId }),
        eb.and({ follower_id: blockedId, following_id: userId }),
      ]),
    )
    .execute()
  // Neither sees the other come or go from now on: who is shown as online would stay so.
  await publishEach(db, [
    { name: 'visibility.changed', userId, people: [blockedId] },
    { name: 'visibility.changed', userId: blockedId, people: [userId] },
    // What the one who blocks shows in other tabs; nothing tells the other of it.
    { name: 'conversations.changed', people: [userId] },
  ])
}

/** Ends a block; that there is none is fine. */
export async function unblock(
  db: Tx,
  { userId, blockedId }: { userId: string; blockedId: string },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', userId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  // Both may write again, and see each other come and go: what shows their conversation is asked for anew.
  if (numDeletedRows > 0n) await publish(db, { name: 'conversations.changed', people: [userId, blockedId] })
}

/** Replaces the places from which a creator can't be seen. */
export async function replaceGeoBlock(db: Tx, creatorId: string, places: PlaceBlock[]): Promise<void> {
  // Two saves at once come one after the other.
  await db.selectFrom('profiles').select('user_id').where('user_id', '=', creatorId).forUpdate().execute()
  await db.deleteFrom('geo_blocks').where('creator_id', '=', creatorId).execute()
  await publish(db, { name: 'visibility.changed', userId: creatorId, people: [] })
  if (places.length === 0) return
  await db
    .insertInto('geo_blocks')
    .values(places.map((place) => ({ creator_id: creatorId, ...place })))
    .execute()
}
