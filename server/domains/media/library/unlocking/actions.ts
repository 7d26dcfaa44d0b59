import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findUnlockable } from './data.ts'

export type Unlock = { operatorId: string; customerId: string; mediaId: string; reason: string; now: Date }

/**
 * Gives a person an item for good, by the operator's hand, and records it. What a subscription lends is not had yet.
 * Throws `user_not_found`, `media_not_found`, `already_unlocked` for what they own or were given.
 */
export async function unlockMedia(db: Tx, unlock: Unlock): Promise<void> {
  const { operatorId, customerId, mediaId, reason, now } = unlock
  // Held, so that of parallel unlocks one finds what the other gave.
  const customer = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', customerId)
    .where('hidden_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!customer) throw new AppError('user_not_found')
  const item = await findUnlockable(db, mediaId, customerId)
  if (!item) throw new AppError('media_not_found')
  if (item.has) throw new AppError('already_unlocked')
  const { id } = await db
    .insertInto('entitlements')
    .values({ user_id: customerId, kind: 'manual', granted_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('entitlement_media')
    .values({ user_id: customerId, media_id: mediaId, entitlement_id: id, granted_at: now })
    .execute()
  await writeAudit(db, {
    actorId: operatorId,
    action: 'media.unlocked',
    targetKind: 'media',
    targetId: mediaId,
    reason,
    detail: { customerId },
    now,
  })
}
