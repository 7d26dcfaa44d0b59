import { type Selectable, sql } from 'kysely'
import {
  LIVE_STATUSES,
  type SubscriptionStatus,
  type TermMonths,
} from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import type { SubscriptionTables } from '../../../db/tables/commerce/subscriptions.ts'
import { AppError, violates } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { revoke } from '../../media/entitlements/actions.ts'
import { notifyEach } from '../../notifications/actions.ts'
import { holdOnSale } from '../data.ts'
import { isBlocked } from '../renewals/data.ts'
import { tellOfSubscriptions } from '../sellers/actions.ts'
import { daysAfter, graceCutoff, monthsLater, periodEnd } from './rules.ts'

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
    /** The price of each period from now on, or after the trial that was paid for, and its number of months. */
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

/**
 * Begins a free trial, which ends by itself; returns its id and its end. Refused as `startSubscription` is. Throws
 * `item_not_found` for a plan that is deleted or retired at this moment.
 */
export async function startTrial(
  db: Tx,
  trial: { planId: string; fanId: string; creatorId: string; priceCents: number; days: number; now: Date },
): Promise<{ id: string; currentPeriodEnd: Date }> {
  if (!(await holdOnSale(db, 'subscription_plans', trial.planId))) throw new AppError('item_not_found')
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
  Selectable<SubscriptionTables['subscriptions']>,
  'id' | 'anchor_at' | 'extended_months' | 'current_period_end'
>

/** Makes a free trial, which the caller has locked, so many days longer; returns its new end. */
export async function addTrialDays(db: Tx, trial: Live, days: number): Promise<Date> {
  const currentPeriodEnd = daysAfter(trial.current_period_end, days)
  await db
    .updateTable('subscriptions')
    .set({ anchor_at: currentPeriodEnd, extended_months: 0, current_period_end: currentPeriodEnd })
    .set({ reminded_at: null })
    .where('id', '=', trial.id)
    .where('status', '=', 'trialing')
    .execute()
  return currentPeriodEnd
}

/**
 * Makes a live subscription, which the caller has locked, so many months longer without a charge; returns its new end. The
 * renewal that would have been charged before is void: the next one is placed after them, at what is agreed by then.
 */
export async function addFreeMonths(db: Tx, subscription: Live, months: number, now: Date): Promise<Date> {
  await closeRenewals(db, [subscription.id], 'void', now)
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

type Renewal = {
  subscriptionId: string
  orderId: string
  /** The card that pays from now on; null for the present one. */
  storedCardId: string | null
  networkTransactionId: string | null
}

/**
 * Adds to each subscription the period that its order paid, and gives it the order's terms; returns what each is called,
 * how long the period lasts, and when it ends. The caller has locked them.
 */
export async function renewSubscriptions(
  db: Tx,
  renewals: Renewal[],
  now: Date,
): Promise<Map<string, { title: string; months: TermMonths; currentPeriodEnd: Date }>> {
  const paidFor = new Map(renewals.map((renewal) => [renewal.orderId, renewal]))
  const before = await db
    .selectFrom('subscriptions')
    .innerJoin('orders', 'orders.subscription_id', 'subscriptions.id')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .select(['anchor_at', 'current_period_end', 'orders.months', 'orders.amount_cents', 'stored_card_id'])
    .select(['subscriptions.id', 'orders.id as orderId', 'network_transaction_id', 'plan.title'])
    .where('orders.id', '=', sql<string>`any(${[...paidFor.keys()]}::uuid[])`)
    .execute()
  const renewed = before.map((row) => {
    const { storedCardId = null, networkTransactionId = null } = paidFor.get(row.orderId) ?? {}
    const isNewCard = storedCardId !== null && storedCardId !== row.stored_card_id
    return {
      ...row,
      currentPeriodEnd: monthsLater(scheduleOf(row), row.months),
      cardId: isNewCard ? storedCardId : row.stored_card_id,
      // The card's first charge is named to its network from then on.
      networkId:
        isNewCard || row.network_transaction_id === null ? networkTransactionId : row.network_transaction_id,
    }
  })
  const updated = await sql`
    update subscriptions set status = 'active', price_cents = renewed.cents, months = renewed.months,
      current_period_end = renewed.ends, renewal_due_at = renewed.ends,
      reminded_at = null, stored_card_id = renewed.card, network_transaction_id = renewed.network,
      card_chosen_at = case when stored_card_id is distinct from renewed.card then ${now} else card_chosen_at end
    from unnest(
      ${renewed.map(({ id }) => id)}::uuid[], ${renewed.map((row) => row.amount_cents)}::integer[],
      ${renewed.map(({ months }) => months)}::integer[], ${renewed.map((row) => row.currentPeriodEnd)}::timestamptz[],
      ${renewed.map(({ cardId }) => cardId)}::uuid[], ${renewed.map(({ networkId }) => networkId)}::text[]
    ) as renewed (id, cents, months, ends, card, network)
    where subscriptions.id = renewed.id and status in ('active', 'past_due')
    returning subscriptions.id`.execute(db)
  if (updated.rows.length !== renewals.length)
    throw new Error('a subscription that was paid is not renewable')
  await applyAgreements(db, renewed, now)
  return new Map(
    renewed.map(({ id, title, months, currentPeriodEnd }) => [id, { title, months, currentPeriodEnd }]),
  )
}

/**
 * Closes agreements for periods that are paid now, with those that they replaced. An agreement that a period's order doesn't
 * have applies to the period after it.
 */
async function applyAgreements(
  db: Tx,
  renewed: { id: string; current_period_end: Date; months: TermMonths; amount_cents: number }[],
  now: Date,
): Promise<void> {
  await sql`
    update subscription_agreements as agreed set applied_at = ${now}
    from (
      select distinct on (latest.subscription_id) latest.subscription_id, latest.created_at, latest.id
      from unnest(
        ${renewed.map(({ id }) => id)}::uuid[], ${renewed.map((row) => row.current_period_end)}::timestamptz[],
        ${renewed.map(({ months }) => months)}::integer[], ${renewed.map((row) => row.amount_cents)}::integer[]
      ) as renewed (id, period_start, months, cents)
      join subscription_agreements as latest on latest.subscription_id = renewed.id and latest.applied_at is null
        and latest.withdrawn_at is null and latest.effective_from <= renewed.period_start
        and latest.months = renewed.months and latest.price_cents = renewed.cents
      order by latest.subscription_id, latest.created_at desc, latest.id desc
    ) as applied
    where agreed.subscription_id = applied.subscription_id and agreed.applied_at is null
      and agreed.withdrawn_at is null and (agreed.created_at, agreed.id) <= (applied.created_at, applied.id)`.execute(
    db,
  )
}

/** So many end in one transaction. */
const AT_ONCE = 500

/**
 * Ends canceled subscriptions and trials whose time is over, and tells both sides: one fan's, or 500 of all, the earliest
 * first; returns how many. The others are renewed, or ended by their renewal; those that it did not come to within their grace
 * are past due, so that their fans may pay themselves.
 */
export async function expireSubscriptions(db: Tx, now: Date, fanId?: string): Promise<number> {
  const due = db
    .selectFrom('subscriptions')
    .select(['id', 'status'])
    .where('status', 'in', ['canceled', 'trialing'])
    .where('current_period_end', '<=', now)
    .forUpdate()
  const ended = await (fanId === undefined
    ? due.orderBy('current_period_end').limit(AT_ONCE).skipLocked()
    : due.where('fan_id', '=', fanId).orderBy('id')
  ).execute()
  const ids = ended.map(({ id }) => id)
  await endSubscriptions(db, ids, 'void', now)
  await tellOfSubscriptions(db, ids, 'ended', now)
  await tellFans(db, ended, now)
  let missed = db
    .updateTable('subscriptions')
    .set({ status: 'past_due' })
    .where('status', '=', 'active')
    .where('current_period_end', '<=', graceCutoff(now))
  if (fanId !== undefined) missed = missed.where('fan_id', '=', fanId)
  await missed.execute()
  return ended.length
}

/** Tells fans that a free trial or a canceled subscription is over, and where they can subscribe again. */
async function tellFans(
  db: Tx,
  ended: { id: string; status: SubscriptionStatus }[],
  now: Date,
): Promise<void> {
  if (ended.length === 0) return
  const trials = new Set(ended.filter(({ status }) => status === 'trialing').map(({ id }) => id))
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .select(['subscriptions.id', 'subscriptions.fan_id', 'plan.title', 'plan.retired_at', 'plan.deleted_at'])
    .select(['creator.username as creator', 'subscriptions.creator_id', 'creator.hidden_at', isBlocked])
    .where('subscriptions.id', '=', sql<string>`any(${ended.map(({ id }) => id)}::uuid[])`)
    // A person who is leaving knows that all of it ends.
    .where('fan.hidden_at', 'is', null)
    .execute()
  const events = rows.map(({ id, fan_id: person, title, creator, ...row }) => {
    const isOnSale =
      row.retired_at === null && row.deleted_at === null && row.hidden_at === null && !row.blocked
    const over = { free: trials.has(id), creator: isOnSale ? creator : null }
    const creatorId = isOnSale ? row.creator_id : null
    const data = { title, unpaid: false, price: false, noCard: false, over, creatorId }
    return { event: { kind: 'subscription.ended' as const, person, data }, once: `subscription.ended ${id}` }
  })
  await notifyEach(db, events, { now })
}

/** Ends subscriptions with their access and the renewals that are owed. */
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
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', 'in', LIVE_STATUSES)
    .execute()
  await closeRenewals(db, ids, orderStatus, now)
  await revoke(db, 'subscription', ids, now)
}

/**
 * Gives a subscription that a dispute ended at this moment, and whose grant is given again, what is left of its paid period; it
 * isn't renewed anymore. One whose fan has got another one of the plan meanwhile, such as a free trial, stays ended.
 */
export async function reopenSubscription(
  db: Tx,
  { subscriptionId, endedAt, now }: { subscriptionId: string; endedAt: Date; now: Date },
): Promise<void> {
  await sql`savepoint reopening`.execute(db)
  try {
    await db
      .updateTable('subscriptions')
      .set({ status: 'canceled', ended_at: null })
      .where('id', '=', subscriptionId)
      .where('status', '=', 'expired')
      .where('ended_at', '=', endedAt)
      .where('current_period_end', '>', now)
      .execute()
  } catch (error) {
    if (!violates(error, 'subscriptions_one_live')) throw error
    await sql`rollback to savepoint reopening`.execute(db)
  }
  await sql`release savepoint reopening`.execute(db)
}

/** Nobody pays the open orders of these subscriptions anymore: what is still charged for them is given back. */
async function closeRenewals(
  db: Tx,
  subscriptionIds: string[],
  status: 'void' | 'uncollectible',
  now: Date,
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ status, closed_at: now })
    .where('subscription_id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .where('status', '=', 'open')
    .execute()
}
