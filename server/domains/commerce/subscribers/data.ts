import { sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import { fansOf } from '../../profiles/data.ts'
import { askedPrice, isBlocked, lacksConsent } from '../renewals/data.ts'

export type SubscriberRow = Awaited<ReturnType<typeof listSubscribers>>[number]

/** As the indexes of a creator's subscribers say it. */
const SHOWN = {
  current: sql<boolean>`subscriptions.status in ('trialing', 'active', 'past_due', 'canceled')`,
  ended: sql<boolean>`subscriptions.status = 'expired'`,
}

/** A creator's subscribers with what they subscribe to, newest first, one row more than the page holds. */
export function listSubscribers(
  db: Db,
  creatorId: string,
  { showing, search, ...page }: PageRequest & { showing: 'current' | 'ended'; search: string },
) {
  const { cursor } = page
  let rows = subscribers(db)
    .where('subscriptions.creator_id', '=', creatorId)
    .where(SHOWN[showing])
    .orderBy('subscriptions.created_at', 'desc')
    .orderBy('subscriptions.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if (search !== '')
    rows = rows
      .where('fan.hidden_at', 'is', null)
      .where(sql`lower(fan.username)`, 'like', `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('subscriptions.created_at'), eb.ref('subscriptions.id')))
  return rows.execute()
}

/** One subscription with its fan. */
export function findSubscriber(db: Db, id: string) {
  return subscribers(db).where('subscriptions.id', '=', id).executeTakeFirstOrThrow()
}

function subscribers(db: Db) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .select(['subscriptions.id', 'subscriptions.plan_id', 'subscriptions.fan_id'])
    .select(['subscriptions.price_cents', 'subscriptions.months'])
    .select(['subscriptions.status', 'subscriptions.created_at', 'subscriptions.ended_at'])
    .select(['subscriptions.current_period_end as expiration', 'plan.title'])
    .select([
      'fan.username as fanUsername',
      'fan.hidden_at as fanHiddenAt',
      'fan.deletion_requested_at as fanLeavingSince',
    ])
    .select(isBlocked)
    .select((eb) =>
      sql<string>`${positionOf(eb.ref('subscriptions.created_at'), eb.ref('subscriptions.id'))}`.as(
        'position',
      ),
    )
}

/** The plan under this id, on sale or retired, and its creator; undefined if there is none, or its creator is gone. */
export function findPlan(db: Db, planId: string) {
  return db
    .selectFrom('subscription_plans as plan')
    .innerJoin('users as creator', 'creator.id', 'plan.creator_id')
    .select(['plan.id', 'plan.title', 'plan.price_cents', 'plan.retired_at'])
    .select(['plan.creator_id', 'creator.username'])
    .where('plan.id', '=', planId)
    .where('plan.deleted_at', 'is', null)
    .where('creator.hidden_at', 'is', null)
    .executeTakeFirst()
}

/** A person as a creator's fan, whose account stays as it is until the transaction ends. */
export function lockFan(db: Tx, personId: string, creatorId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'hidden_at', 'email_verified_at'])
    .select(sql<boolean>`id in ${fansOf(creatorId)}`.as('isFan'))
    .select(
      sql<boolean>`exists (select from blocks where (blocker_id, blocked_id) in (
        (users.id, ${creatorId}::uuid), (${creatorId}::uuid, users.id)))`.as('blocked'),
    )
    .where('id', '=', personId)
    .forShare()
    .executeTakeFirst()
}

/** The live subscription of a fan to a plan, held until the transaction ends: a renewal comes before it or after it. */
export function lockLive(db: Tx, fanId: string, planId: string) {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'status', 'anchor_at', 'extended_months', 'current_period_end'])
    .where('fan_id', '=', fanId)
    .where('plan_id', '=', planId)
    .where(SHOWN.current)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether a payment for another period of this subscription may still move money. */
export async function isRenewing(db: Tx, subscriptionId: string): Promise<boolean> {
  const payment = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select('payments.id')
    .where('orders.subscription_id', '=', subscriptionId)
    .where('orders.status', '=', 'open')
    .where('payments.status', 'in', UNDECIDED_STATUSES)
    .executeTakeFirst()
  return payment !== undefined
}

/** Whether the next period of this subscription isn't charged, as its fan declined the price that it would have. */
export async function isDeclined(db: Tx, subscriptionId: string): Promise<boolean> {
  const declined = await db
    .selectFrom('subscriptions')
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(lacksConsent)
    .where('id', '=', subscriptionId)
    .where('asked.declined_at', 'is not', null)
    .executeTakeFirst()
  return declined?.lacksConsent ?? false
}
