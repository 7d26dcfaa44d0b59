import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { grant } from '../../entitlements/actions.ts'
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
  const auditId = await writeAudit(db, {
    actorId: operatorId,
    action: 'media.unlocked',
    targetKind: 'media',
    targetId: mediaId,
    reason,
    detail: { customerId },
    now,
  })
  await grant(db, {
    userId: customerId,
    source: { kind: 'manual', id: auditId },
    gives: { media: [{ mediaId, versionId: item.versionId }] },
    now,
  })
}
