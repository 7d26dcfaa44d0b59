import { type Selectable, sql } from 'kysely'
import { LIVE_STATUSES, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import type { CommerceTables } from '../../../db/tables/commerce.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { revoke } from '../../media/entitlements/actions.ts'
import { tellOfSubscriptions } from '../sellers/actions.ts'
import { daysAfter, graceBegan, monthsLater, periodEnd } from './rules.ts'

/**
 * Begins a subscription whose first period is paid; returns its id and the end of that period. The database refuses
 * a second live one of the same fan and plan (`subscriptions_one_live`).
 */
export async function startSubscription(
  db: Tx,
  subscription: {
    planId: string
    /** The order that was paid for the first period. */
    orderId: string
    fanId: string
    creatorId: string
    /** What each period costs from now on, or after the trial that was paid for, and how many months it lasts. */
    priceCents: number
    months: TermMonths
    trialDays: number | null
    storedCardId: string | null
    networkTransactionId: string | null
    now: Date
  },
): Promise<{ id: string; currentPeriodEnd: Date }> {
  const { now, trialDays, months } = subscription
  const anchorAt = trialDays === null ? now : daysAfter(now, trialDays)
  const currentPeriodEnd = trialDays === null ? periodEnd(anchorAt, months) : anchorAt
  const { id } = await db
    .insertInto('subscriptions')
    .values({
      plan_id: subscription.planId,
      fan_id: subscription.fanId,
      creator_id: subscription.creatorId,
      price_cents: subscription.priceCents,
      status: 'active',
      months,
      anchor_at: anchorAt,
      current_period_end: currentPeriodEnd,
      renewal_due_at: currentPeriodEnd,
      stored_card_id: subscription.storedCardId,
      network_transaction_id: subscription.networkTransactionId,
      created_at: subscription.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('orders')
    .set({ subscription_id: id, period: 1 })
    .where('id', '=', subscription.orderId)
    .execute()
  await enqueue(db, 'messages.welcome', { subscriptionId: id })
  return { id, currentPeriodEnd }
}

/** Begins a free trial, which ends by itself; returns its id and its end. Refused as `startSubscription` is. */
export async function startTrial(
  db: Tx,
  trial: { planId: string; fanId: string; creatorId: string; priceCents: number; days: number; now: Date },
): Promise<{ id: string; currentPeriodEnd: Date }> {
  const currentPeriodEnd = daysAfter(trial.now, trial.days)
  const { id } = await db
    .insertInto('subscriptions')
    .values({
      plan_id: trial.planId,
      fan_id: trial.fanId,
      creator_id: trial.creatorId,
      price_cents: trial.priceCents,
      status: 'trialing',
      anchor_at: currentPeriodEnd,
      current_period_end: currentPeriodEnd,
      created_at: trial.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(db, 'messages.welcome', { subscriptionId: id })
  return { id, currentPeriodEnd }
}

type Live = Pick<
  Selectable<CommerceTables['subscriptions']>,
  'id' | 'anchor_at' | 'extended_months' | 'current_period_end'
>

/** Makes a free trial, which the caller has locked, so many days longer; returns its new end. */
export async function addTrialDays(db: Tx, trial: Live, days: number): Promise<Date> {
  const currentPeriodEnd = daysAfter(trial.current_period_end, days)
  await db
    .updateTable('subscriptions')
    .set({ anchor_at: currentPeriodEnd, extended_months: 0, current_period_end: currentPeriodEnd })
    .where('id', '=', trial.id)
    .where('status', '=', 'trialing')
    .execute()
  return currentPeriodEnd
}

/** Makes a live subscription, which the caller has locked, so many months longer without a charge; returns its new end. */
export async function addFreeMonths(db: Tx, subscription: Live, months: number): Promise<Date> {
  const currentPeriodEnd = monthsLater(scheduleOf(subscription), months)
  await db
    .updateTable('subscriptions')
    .set({
      extended_months: subscription.extended_months + months,
      current_period_end: currentPeriodEnd,
      // Null stays null: what doesn't renew.
      renewal_due_at: sql<Date>`case when renewal_due_at is not null then ${currentPeriodEnd}::timestamptz end`,
      reminded_at: null,
    })
    .where('id', '=', subscription.id)
    .execute()
  return currentPeriodEnd
}

const scheduleOf = ({ anchor_at, current_period_end }: Pick<Live, 'anchor_at' | 'current_period_end'>) => ({
  anchorAt: anchor_at,
  currentPeriodEnd: current_period_end,
})

/**
 * Adds the period that this order paid to its subscription, which has the order's terms and is paid by the given card
 * from now on; returns what it is called, how long the period lasts, and when it ends. The caller has locked it.
 */
export async function renewSubscription(
  db: Tx,
  renewal: {
    subscriptionId: string
    orderId: string
    storedCardId: string | null
    networkTransactionId: string | null
    now: Date
  },
): Promise<{ title: string; months: TermMonths; currentPeriodEnd: Date }> {
  const { subscriptionId, storedCardId, networkTransactionId, now } = renewal
  const before = await db
    .selectFrom('subscriptions')
    .innerJoin('orders', 'orders.subscription_id', 'subscriptions.id')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .select(['anchor_at', 'current_period_end', 'orders.months', 'orders.amount_cents', 'stored_card_id'])
    .select(['network_transaction_id', 'plan.title'])
    .where('subscriptions.id', '=', subscriptionId)
    .where('orders.id', '=', renewal.orderId)
    .executeTakeFirstOrThrow()
  const { title, months } = before
  const currentPeriodEnd = monthsLater(scheduleOf(before), months)
  const isNewCard = storedCardId !== null && storedCardId !== before.stored_card_id
  await db
    .updateTable('subscriptions')
    .set({
      status: 'active',
      price_cents: before.amount_cents,
      months,
      current_period_end: currentPeriodEnd,
      renewal_due_at: currentPeriodEnd,
      reminded_at: null,
      ...(isNewCard ? { stored_card_id: storedCardId } : {}),
      // What the card was first charged by is named to its network from then on.
      ...(isNewCard || before.network_transaction_id === null
        ? { network_transaction_id: networkTransactionId }
        : {}),
    })
    .where('id', '=', subscriptionId)
    .where('status', 'in', ['active', 'past_due'])
    .returning('id')
    .executeTakeFirstOrThrow()
  await applyAgreement(db, subscriptionId, { periodStart: before.current_period_end, now })
  return { title, months, currentPeriodEnd }
}

/** What was agreed on for a period that is paid now is over, with what it took the place of. */
async function applyAgreement(
  db: Tx,
  subscriptionId: string,
  { periodStart, now }: { periodStart: Date; now: Date },
): Promise<void> {
  await sql`
    update subscription_agreements as agreed set applied_at = ${now}
    from (
      select created_at, id from subscription_agreements
      where subscription_id = ${subscriptionId} and applied_at is null and withdrawn_at is null
        and effective_from <= ${periodStart}
      order by created_at desc, id desc limit 1
    ) as applied
    where agreed.subscription_id = ${subscriptionId} and agreed.applied_at is null and agreed.withdrawn_at is null
      and (agreed.created_at, agreed.id) <= (applied.created_at, applied.id)`.execute(db)
}

/**
 * Ends canceled subscriptions and trials whose time is over: all of them, or one fan's. The others are renewed, or ended
 * by their renewal; those that it did not come to within their grace are past due, so that their fans may pay themselves.
 */
export async function expireSubscriptions(db: Tx, now: Date, fanId?: string): Promise<void> {
  let due = db
    .selectFrom('subscriptions')
    .select('id')
    .where('status', 'in', ['canceled', 'trialing'])
    .where('current_period_end', '<=', now)
    .orderBy('id')
    .forUpdate()
  if (fanId !== undefined) due = due.where('fan_id', '=', fanId)
  const ended = await due.execute()
  const ids = ended.map(({ id }) => id)
  await endSubscriptions(db, ids, 'void', now)
  await tellOfSubscriptions(db, ids, 'ended', now)
  let missed = db
    .updateTable('subscriptions')
    .set({ status: 'past_due' })
    .where('status', '=', 'active')
    .where('current_period_end', '<=', graceBegan(now))
  if (fanId !== undefined) missed = missed.where('fan_id', '=', fanId)
  await missed.execute()
}

/** Ends subscriptions with their access; nobody pays their open orders any more, so what is still charged is given back. */
export async function endSubscriptions(
  db: Tx,
  ids: string[],
  orderStatus: 'void' | 'uncollectible',
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('subscriptions')
    .set({ status: 'expired', ended_at: now, renewal_due_at: null })
    .where('id', 'in', ids)
    .where('status', 'in', LIVE_STATUSES)
    .execute()
  await db
    .updateTable('orders')
    .set({ status: orderStatus, closed_at: now })
    .where('subscription_id', 'in', ids)
    .where('status', '=', 'open')
    .execute()
  await revoke(db, 'subscription', ids, now)
}
