import { sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { owedOf } from '../../price-changes/rules.ts'
import { agreedAhead, askedPrice, isBlocked, lacksConsent } from '../data.ts'
import type { LastAttempt } from './rules.ts'

export type DueRow = Awaited<ReturnType<typeof lockDue>>[number]

const renewing = (db: Tx) =>
  db
    .selectFrom('subscriptions')
    .select('subscriptions.id')
    .where('subscriptions.status', 'in', ['active', 'past_due'])
    .forUpdate()

/**
 * The chosen ones of the subscriptions that renew, with all that their next charge needs, held until the transaction ends.
 * They are locked first, as one statement that did both would join to what is locked now the cards of before.
 */
export async function lockRenewals(
  db: Tx,
  choose: (rows: ReturnType<typeof renewing>) => ReturnType<typeof renewing>,
) {
  const locked = await choose(renewing(db)).execute()
  if (locked.length === 0) return []
  return db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .leftJoin('stored_cards as card', (join) =>
      join
        .onRef('card.id', '=', 'subscriptions.stored_card_id')
        .on('card.removed_at', 'is', null)
        .on('card.livemode', '=', sql<boolean>`installation_livemode()`),
    )
    .select([
      'subscriptions.id',
      'subscriptions.plan_id',
      'subscriptions.fan_id',
      'subscriptions.creator_id',
      'subscriptions.price_cents',
      'subscriptions.months',
      'subscriptions.status',
      'subscriptions.current_period_end as expiration',
      'card.id as stored_card_id',
      'subscriptions.network_transaction_id',
      'card.customer_profile_id',
      'card.payment_profile_id',
      'plan.title',
      'plan.deleted_at as planDeletedAt',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'fan.email',
      'fan.hidden_at as fanHiddenAt',
    ])
    .select(isBlocked)
    .where('subscriptions.id', '=', sql<string>`any(${locked.map(({ id }) => id)}::uuid[])`)
    .orderBy('subscriptions.renewal_due_at')
    .execute()
}

/** Subscriptions whose charge, or next look at it, is due, and that nobody else holds, of all fans or one; or this one, due or not. */
export function lockDue(
  db: Tx,
  now: Date,
  { limit, fanId, only }: { limit: number; fanId?: string | undefined; only?: string },
) {
  return lockRenewals(db, (rows) => {
    const ofFan = fanId === undefined ? rows : rows.where('subscriptions.fan_id', '=', fanId)
    if (only !== undefined) return ofFan.where('subscriptions.id', '=', only)
    return ofFan
      .where('subscriptions.renewal_due_at', '<=', now)
      .orderBy('subscriptions.renewal_due_at')
      .limit(limit)
      .skipLocked()
  })
}

/** The past-due subscription of this fan to a plan. */
export function lockPastDue(db: Tx, { fanId, planId }: { fanId: string; planId: string }) {
  return lockRenewals(db, (rows) =>
    rows
      .where('subscriptions.fan_id', '=', fanId)
      .where('subscriptions.plan_id', '=', planId)
      .where('subscriptions.status', '=', 'past_due'),
  )
}

/** The state of a subscription's next period. */
export type Attempts = {
  /** The order that is owed, at the price that it was made with. */
  open: { id: string; months: TermMonths; cents: number } | null
  /** The terms that replace the subscription's own from that period on. */
  next: { months: TermMonths; cents: number } | null
  /** Its price is one that the fan agreed to. */
  agreed: boolean
  last: (LastAttempt & { cents: number }) | null
}

/**
 * The open renewal of each of these subscriptions, what is agreed on in place of its terms, and the latest attempt to pay
 * it by the subscription's own card. While an attempt by any other card is under way, also of a new order for the same
 * plan, that is the one.
 */
export async function findAttempts(db: Db, subscriptionIds: string[]): Promise<Map<string, Attempts>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscriptions')
    .leftJoin('orders', (join) =>
      join.onRef('orders.subscription_id', '=', 'subscriptions.id').on('orders.status', '=', 'open'),
    )
    .leftJoin('stored_cards as card', 'card.id', 'subscriptions.stored_card_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('payments')
          .innerJoin('orders as tried', 'tried.id', 'payments.order_id')
          .select(['payments.status', 'reason', 'decline_class', 'off_session', 'payments.created_at as at'])
          .select('payments.amount_cents as cents')
          .whereRef('tried.buyer_id', '=', 'subscriptions.fan_id')
          .where('tried.kind', '=', 'subscription')
          .whereRef('tried.item_id', '=', 'subscriptions.plan_id')
          .where('tried.status', '=', 'open')
          .where((or) =>
            or.or([
              or('payments.status', 'in', UNDECIDED_STATUSES),
              or.and([
                or('payments.order_id', '=', or.ref('orders.id')),
                or('payments.stored_card_id', '=', or.ref('card.id')),
                // A decline says nothing of a card that has paid, or was stored again, since then.
                or('payments.decided_at', '>=', or.ref('card.used_at')),
              ]),
            ]),
          )
          .orderBy((order) => order('payments.status', 'in', UNDECIDED_STATUSES), 'desc')
          .orderBy('payments.created_at', 'desc')
          .orderBy('payments.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .select(['orders.id', 'orders.months', 'orders.amount_cents', 'subscriptions.id as subscriptionId'])
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents', lacksConsent])
    .select(['last.status', 'last.reason', 'last.decline_class', 'last.off_session', 'last.at', 'last.cents'])
    .where('subscriptions.id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ subscriptionId, status, reason, decline_class, off_session, at, cents, ...row }) => [
      subscriptionId,
      {
        open:
          row.id && row.months && row.amount_cents
            ? { id: row.id, months: row.months, cents: row.amount_cents }
            : null,
        next: row.nextMonths && row.nextCents ? { months: row.nextMonths, cents: row.nextCents } : null,
        agreed: !row.lacksConsent,
        last:
          status && at && cents
            ? { status, reason, declineClass: decline_class, offSession: off_session ?? false, at, cents }
            : null,
      },
    ]),
  )
}

/** A due subscription with the price and the months of the period that it owes. */
export function owing(row: DueRow, attempts: Attempts | undefined): DueRow {
  const { open, next } = attempts ?? {}
  const agreed = { nextMonths: next?.months ?? null, nextCents: next?.cents ?? null }
  const placed = { owedMonths: open?.months ?? null, owedCents: open?.cents ?? null }
  const { months, cents } = owedOf({ ...row, ...agreed, ...placed })
  return { ...row, months, price_cents: cents }
}

/** The subscriptions of a fan that wait to be paid. */
export async function findPastDue(db: Db, fanId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fanId)
    .where('status', '=', 'past_due')
    .execute()
  return rows.map(({ id }) => id)
}

/** How many of these subscriptions go on, as what they owed is paid. */
export async function countRenewed(db: Db, subscriptionIds: string[]): Promise<number> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .where('status', '=', 'active')
    .execute()
  return rows.length
}
