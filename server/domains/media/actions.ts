import type { Tx } from '../../db/client.ts'

export type Grant = {
  userId: string
  kind: 'single' | 'bundle' | 'subscription'
  purchaseId: string
  /** The item of a single; a bundle grants `mediaIds`, what it holds at this moment. */
  itemId: string
  mediaIds: string[]
  /** Required for `subscription`, which grants whatever its plan holds at any time until `validUntil`. */
  subscription?: { subscriptionId: string; planId: string; validUntil: Date }
  now: Date
}

/** Unlocks what was paid for. The same purchase grants once, however often it is said. */
export async function grantPurchase(db: Tx, grant: Grant): Promise<void> {
  const { userId, kind, purchaseId, subscription, now } = grant
  const entitlement = await db
    .insertInto('entitlements')
    .values({
      user_id: userId,
      kind,
      purchase_id: purchaseId,
      subscription_id: subscription?.subscriptionId ?? null,
      plan_id: subscription?.planId ?? null,
      valid_until: subscription?.validUntil ?? null,
      granted_at: now,
    })
    .onConflict((conflict) => conflict.column('purchase_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!entitlement || kind === 'subscription') return
  const mediaIds = new Set(kind === 'single' ? [grant.itemId] : grant.mediaIds)
  if (mediaIds.size === 0) return
  await db
    .insertInto('entitlement_media')
    .values(
      [...mediaIds].map((media_id) => ({
        user_id: userId,
        media_id,
        entitlement_id: entitlement.id,
        granted_at: now,
      })),
    )
    .execute()
}

/** Ends what buyers hold of a creator whose account is erased. */
export async function eraseGrants(tx: Tx, creatorId: string): Promise<void> {
  await tx
    .deleteFrom('entitlement_media')
    .using('media')
    .whereRef('media.id', '=', 'entitlement_media.media_id')
    .where('media.creator_id', '=', creatorId)
    .execute()
}
