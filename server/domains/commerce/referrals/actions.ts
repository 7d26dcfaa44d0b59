import { sql } from 'kysely'
import type { CommissionReading } from '../../../../contract/commissions.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { postCommissionsCanceled } from '../ledger/actions.ts'
import { findReferrals, lockAgreed } from './data.ts'
import { commissionsOf, withheldReason } from './rules.ts'

type Agreed = {
  id: string
  buyer_id: string
  creator_id: string
  amount_cents: number
  fee_basis_points: number
}

/** Fixes what orders pay their referrers once they are captured, out of the fee that was agreed with each. */
export async function agreeCommissions(
  db: Tx,
  orders: Agreed[],
  reading: CommissionReading,
  now: Date,
): Promise<void> {
  const people = [...new Set(orders.flatMap(({ buyer_id, creator_id }) => [buyer_id, creator_id]))]
  const referrals = await findReferrals(db, people)
  const rows = orders.flatMap((order) =>
    commissionsOf(
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
    ).map(({ referrerId, side, sharedCodeId, cents }) => ({
      order_id: order.id,
      referrer_id: referrerId,
      side,
      shared_code_id: sharedCodeId,
      cents,
    })),
  )
  if (rows.length > 0) await db.insertInto('order_commissions').values(rows).execute()
}

/**
 * The commissions that these orders pay as they are captured. What was agreed with somebody who is suspended or leaving by
 * now is withheld, and stays with the platform's fee.
 */
export async function payableCommissions(db: Tx, orderIds: string[], now: Date) {
  const agreed = await lockAgreed(db, orderIds)
  const withheld = agreed.flatMap((each) => {
    const reason = withheldReason(each)
    return reason ? [{ order_id: each.orderId, referrer_id: each.referrerId, reason, withheld_at: now }] : []
  })
  if (withheld.length > 0) await db.insertInto('commissions_withheld').values(withheld).execute()
  return agreed.filter((each) => withheldReason(each) === null)
}

/**
 * Cancels what a person earned as a referrer and that is still pending, as for spam, fake accounts and deception; the
 * audit log says why. Returns how many commissions, and their cents. Throws `user_not_found` and `no_commissions`.
 */
export async function cancelCommissions(
  db: Tx,
  { username, actorId, reason, now }: { username: string; actorId: string; reason: string; now: Date },
): Promise<{ count: number; cents: number }> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where(sql<string>`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  if (!person) throw new AppError('user_not_found')
  const canceled = await postCommissionsCanceled(db, { referrerId: person.id, now })
  if (canceled.count === 0) throw new AppError('no_commissions')
  const target = { targetKind: 'user' as const, targetId: person.id }
  await writeAudit(db, { actorId, action: 'commissions.canceled', ...target, reason, detail: canceled, now })
  return canceled
}
