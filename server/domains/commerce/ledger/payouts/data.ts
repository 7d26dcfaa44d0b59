import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'

/**
 * The orders whose commission was given back or disputed since a payout was set aside, oldest first. What another payout
 * that came back gave for them says nothing of this one. Both hold the referrer while they post, so that of two the later
 * one has the later id.
 */
export async function listGivenBackSince(
  db: Db,
  { payoutId, referrerId }: { payoutId: string; referrerId: string },
): Promise<{ orderId: string; isGivenBack: boolean }[]> {
  const { rows } = await sql<{ orderId: string; isGivenBack: boolean }>`
    select given.order_id as "orderId", bool_or(given.kind <> 'dispute_opened') as "isGivenBack"
    from journals as payout
      join journals as given on given.id > payout.id and given.kind in ('refund', 'dispute_opened', 'dispute_lost')
        and given.source_type <> 'release'
      join order_commissions as agreed on agreed.order_id = given.order_id and agreed.referrer_id = ${referrerId}
    where payout.source_type = 'payout' and payout.source_id = ${payoutId} and payout.kind = 'payout'
    group by given.order_id order by given.order_id`.execute(db)
  return rows
}
