import { sql } from 'kysely'
import type { Kind } from '../../../../../contract/orders.ts'
import type { Db } from '../../../../db/client.ts'
import { listGiven, listGrants } from '../../../media/entitlements/data.ts'
import { findOrderBalances } from '../../ledger/data.ts'
import { listAttempts, listGivenBack } from '../../payments/operator/data.ts'
import { findDispute } from '../data.ts'
import { paidForSince } from '../rules.ts'

const SEEN = [
  'seen.first_at',
  'seen.first_network',
  'seen.last_at',
  'seen.last_network',
  'seen.days',
] as const

export type Evidence = NonNullable<Awaited<ReturnType<typeof findEvidence>>>

/** The facts about a disputed payment: purchase, consent, charge, views, account, and earlier purchases. */
export async function findEvidence(db: Db, disputeId: string) {
  const dispute = await findDispute(db, disputeId)
  if (!dispute) return null
  const order = await db
    .selectFrom('orders')
    .innerJoin('users as buyer', 'buyer.id', 'orders.buyer_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'orders.subscription_id')
    .select(['kind', 'title', 'amount_cents', 'period', 'orders.months', 'paid_at', 'orders.created_at'])
    .select(['terms_version', 'consented_at', 'consent_network', 'orders.buyer_id', 'orders.livemode'])
    .select(['buyer.username', 'buyer.email', 'buyer.created_at as joinedAt', 'buyer.email_verified_at'])
    .select(['buyer.age_confirmed_at', 'subscriptions.status as subscriptionStatus'])
    .select(['subscriptions.ended_at as subscriptionEndedAt', 'subscriptions.plan_id as planId'])
    .select('subscriptions.id as subscriptionId')
    .leftJoin('custom_requests as request', (join) =>
      join.onRef('request.id', '=', 'orders.item_id').on('orders.kind', '=', 'custom'),
    )
    .select(['request.message as requestMessage', 'request.delivered_at as deliveredAt'])
    .select('request.delivery_days as deliveryDays')
    .select(
      sql<Date | null>`(select min(started_at) from account_deletions where user_id in (orders.buyer_id, orders.creator_id))`.as(
        'erasedAt',
      ),
    )
    .where('orders.id', '=', dispute.order_id)
    .executeTakeFirstOrThrow()
  const since = paidForSince(order)
  const sold = sql<{ media_id: string | null; position: number }>`
    unnest(${await listSold(db, dispute.order_id, order.kind)}::uuid[]) with ordinality`
  const items = await db
    .selectFrom(sold.as<'sold'>(sql`sold (media_id, position)`))
    .leftJoin('media', 'media.id', 'sold.media_id')
    .leftJoin('media_deliveries as seen', (join) =>
      join
        .onRef('seen.media_id', '=', 'sold.media_id')
        .on('seen.user_id', '=', order.buyer_id)
        // What was seen before was by another purchase, which the bank isn't asking about.
        .on('seen.last_at', '>=', since),
    )
    .select(['media.title', 'media.type', ...SEEN])
    .orderBy('sold.position')
    .execute()
  const lent = order.planId
    ? await db
        .selectFrom('media_deliveries as seen')
        .innerJoin('subscription_plan_media as held', 'held.media_id', 'seen.media_id')
        .innerJoin('media', 'media.id', 'seen.media_id')
        .select(['media.title', 'media.type', ...SEEN])
        .where('held.plan_id', '=', order.planId)
        .where('seen.user_id', '=', order.buyer_id)
        .where('seen.last_at', '>=', since)
        .orderBy('seen.last_at', 'desc')
        .limit(50)
        .execute()
    : []
  const grants = await listGrants(db, { id: dispute.order_id, subscriptionId: order.subscriptionId })
  const earlier = await findEarlier(db, order)
  const attempts = await listAttempts(db, dispute.order_id)
  const { refunds } = await listGivenBack(db, dispute.order_id)
  return { dispute, order, since, items, lent, grants, earlier, attempts, refunds }
}

/** The items that were agreed on; of a custom request, which is agreed in words, those that were delivered. */
async function listSold(db: Db, orderId: string, kind: Kind): Promise<(string | null)[]> {
  if (kind === 'custom') return listGiven(db, orderId)
  const rows = await db
    .selectFrom('order_items')
    .select('media_id')
    .where('order_id', '=', orderId)
    .orderBy('position')
    .limit(200)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

/**
 * What the buyer paid for before, less what was given back of it; nothing that a bank was ever asked about, and of a live
 * order nothing that the sandbox made.
 */
async function findEarlier(db: Db, order: { buyer_id: string; livemode: boolean; created_at: Date }) {
  const paid = await db
    .selectFrom('orders')
    .select(['id', 'amount_cents', 'created_at'])
    .where('buyer_id', '=', order.buyer_id)
    .where('livemode', '=', order.livemode)
    .where('status', '=', 'paid')
    .where('refunded_at', 'is', null)
    .where('created_at', '<', order.created_at)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('disputes').select('disputes.id').whereRef('order_id', '=', 'orders.id'))),
    )
    .orderBy('created_at')
    .execute()
  const balances = await findOrderBalances(
    db,
    paid.map(({ id }) => id),
  )
  const cents = paid.map(({ id, amount_cents }) => amount_cents - (balances.get(id)?.returnedCents ?? 0))
  return {
    count: paid.length,
    cents: cents.reduce((sum, one) => sum + one, 0),
    first: paid[0]?.created_at ?? null,
  }
}
