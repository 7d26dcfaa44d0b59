import type { ErrorCode } from '../../../../../contract/errors.ts'
import { isDiscount } from '../../../../../contract/offers.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import type { Audience } from '../../../../viewer.ts'
import { grant, takeGrantTurn } from '../../../media/entitlements/actions.ts'
import { unlockedMediaIds } from '../../../media/entitlements/data.ts'
import { hasBlocked } from '../../../profiles/data.ts'
import { holdBundleContents } from '../../bundles/data.ts'
import { holdOnSale } from '../../data.ts'
import { tellOfSubscriptions } from '../../sellers/actions.ts'
import { expireSubscriptions, startTrial } from '../../subscriptions/actions.ts'
import { findOffer, findOfferViewer, holdSingles, listOffered, type OfferRow } from '../data.ts'
import { redeemRefusal, viewOf } from '../rules.ts'

type Redemption = { offerId: string; fanId: string; now: Date }

/**
 * Takes one redemption of an offer for an order; the order's end redeems or releases it, by a trigger. The database
 * refuses what `redemptionRefusal` names.
 */
export async function reserveRedemption(
  db: Tx,
  { offerId, fanId, orderId, now }: Redemption & { orderId: string },
): Promise<void> {
  await db
    .insertInto('offer_redemptions')
    .values({ offer_id: offerId, fan_id: fanId, order_id: orderId, reserved_at: now })
    .execute()
}

/** Why the database refused a redemption: who comes at the same time is told what they would be told later. Else null. */
export function redemptionRefusal(error: unknown): ErrorCode | null {
  if (violates(error, 'offers_redemptions_left')) return 'offer_used_up'
  if (violates(error, 'offers_open')) return 'offer_expired'
  if (violates(error, 'offer_redemptions_once')) return 'offer_redeemed'
  return violates(error, 'subscriptions_one_live') ? 'already_subscribed' : null
}

/**
 * Redeems a free offer: the fan gets what it gives now, once. Throws `offer_not_found`, `offer_has_price` for a discount,
 * and what `redeemRefusal` says.
 */
export async function redeemOffer(
  db: Tx,
  redemption: { offerId: string; fan: Audience & { id: string }; publishingOpen: boolean; now: Date },
): Promise<void> {
  const { offerId, fan, publishingOpen, now } = redemption
  await takeGrantTurn(db, fan.id)
  await expireSubscriptions(db, now, fan.id)
  const offer = await findOffer(db, offerId, fan)
  // Operators see what somebody suspended offers, and get none of it.
  if (!offer || offer.creatorHiddenAt || (await hasBlocked(db, offer.creator_id, fan.id)))
    throw new AppError('offer_not_found')
  if (isDiscount(offer.type)) throw new AppError('offer_has_price')
  const viewer = await findOfferViewer(db, offer, await listOffered(db, offer), fan.id)
  const refused = redeemRefusal(viewOf(offer, viewer, now), offer.type)
  if (refused) throw new AppError(refused)
  if (await hasBlocked(db, fan.id, offer.creator_id)) throw new AppError('seller_blocked')
  if (!publishingOpen) throw new AppError('publishing_closed')
  try {
    const { id } = await db
      .insertInto('offer_redemptions')
      .values({ offer_id: offerId, fan_id: fan.id, reserved_at: now, redeemed_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await give(db, offer, { redemptionId: id, fanId: fan.id, now })
  } catch (error) {
    const taken = redemptionRefusal(error)
    throw taken ? new AppError(taken) : error
  }
}

/** A trial is a subscription that doesn't renew; everything else is given for good, by the redemption. */
async function give(
  db: Tx,
  offer: OfferRow,
  { redemptionId, fanId, now }: { redemptionId: string; fanId: string; now: Date },
): Promise<void> {
  const { plan_id: planId, subscription_days: days, bundle_id: bundleId } = offer
  if (planId !== null && days !== null) {
    const { creator_id: creatorId, planCents } = offer
    const trial = await startTrial(db, { planId, fanId, creatorId, priceCents: planCents ?? 0, days, now })
    const source = { kind: 'subscription', id: trial.id } as const
    await grant(db, { userId: fanId, source, gives: { planId, validUntil: trial.currentPeriodEnd }, now })
    await tellOfSubscriptions(db, [trial.id], 'began', now)
    return
  }
  if (bundleId !== null && !(await holdOnSale(db, 'bundles', bundleId))) throw new AppError('item_not_found')
  const held =
    bundleId === null ? await missingSingles(db, offer.id, fanId) : await holdBundleContents(db, bundleId)
  if (held.length === 0) throw new AppError('item_not_found')
  const media = held.map(({ mediaId, versionId }) => ({ mediaId, versionId }))
  await grant(db, { userId: fanId, source: { kind: 'offer', id: redemptionId }, gives: { media }, now })
}

/** The singles of an offer that a fan doesn't have yet: what was bought before goes with its own refund. */
async function missingSingles(db: Tx, offerId: string, fanId: string) {
  const held = await holdSingles(db, offerId)
  const mediaIds = held.map(({ mediaId }) => mediaId)
  const owned = await unlockedMediaIds(db, fanId, mediaIds)
  return held.filter(({ mediaId }) => !owned.has(mediaId))
}
