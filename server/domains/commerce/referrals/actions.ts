import type { CommissionReading } from '../../../../contract/commissions.ts'
import type { Tx } from '../../../db/client.ts'
import { findReferrals } from './data.ts'
import { commissionsOf } from './rules.ts'

/** Fixes what an order pays its referrers once it is captured, out of the fee that was agreed with it. */
export async function agreeCommissions(
  db: Tx,
  order: {
    id: string
    buyer_id: string
    creator_id: string
    amount_cents: number
    fee_basis_points: number
  },
  reading: CommissionReading,
  now: Date,
): Promise<void> {
  const referrals = await findReferrals(db, [order.buyer_id, order.creator_id])
  const commissions = commissionsOf(
    {
      buyerId: order.buyer_id,
      sellerId: order.creator_id,
      buyer: referrals.get(order.buyer_id) ?? null,
      seller: referrals.get(order.creator_id) ?? null,
      grossCents: order.amount_cents,
      feeBasisPoints: order.fee_basis_points,
    },
    reading,
    now,
  )
  if (commissions.length === 0) return
  await db
    .insertInto('order_commissions')
    .values(
      commissions.map(({ referrerId, side, sharedCodeId, cents }) => ({
        order_id: order.id,
        referrer_id: referrerId,
        side,
        shared_code_id: sharedCodeId,
        cents,
      })),
    )
    .execute()
}
