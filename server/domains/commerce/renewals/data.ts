import { type RawBuilder, sql } from 'kysely'
import { UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import { LIVE_STATUSES, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import { offeredTerms } from '../subscriptions/data.ts'

/** Whether fan and creator of a subscription blocked each other, in whichever direction. */
export const isBlocked = sql<boolean>`exists (select from blocks where (blocker_id, blocked_id) in (
  (subscriptions.creator_id, subscriptions.fan_id), (subscriptions.fan_id, subscriptions.creator_id)))`.as(
  'blocked',
)

/** Whether a bank has taken back a payment of a subscription, however that ended. */
const isDisputed = sql<boolean>`exists (
  select from orders join disputes on disputes.payment_id = orders.paid_by where orders.subscription_id = subscriptions.id)`.as(
  'disputed',
)

const newestAgreed = (where: RawBuilder<boolean>) =>
  sql<{ months: TermMonths | null; price_cents: number | null }>`(
  select agreed.months, agreed.price_cents from subscription_agreements as agreed
  where agreed.subscription_id = subscriptions.id and agreed.applied_at is null and agreed.withdrawn_at is null
    and ${where}
  order by agreed.created_at desc, agreed.id desc limit 1
)`.as('ahead')

/** The terms agreed for the period after the present one, as `ahead`; no row means the subscription's own. */
export const agreedAhead = newestAgreed(sql`agreed.effective_from <= subscriptions.current_period_end`)

/** The terms agreed last for any period that is still to be charged, as `ahead`. */
export const agreedLast = newestAgreed(sql`true`)

/** The price in cents of the subscription's own term from its next renewal on, whatever other term was chosen. */
const keptCents = sql<number>`least(subscriptions.price_cents, (
  select min(agreed.price_cents) from subscription_agreements as agreed
  where agreed.subscription_id = subscriptions.id and agreed.applied_at is null and agreed.withdrawn_at is null
    and agreed.months = subscriptions.months and agreed.consented_at is null
))`.as('keptCents')

/** The open request for a higher price, as `asked`: until it is charged first, or another takes its place. */
export const askedPrice = sql<{
  askedCents: number | null
  askedMonths: TermMonths | null
  askedFrom: Date | null
  /** The change that asks. */
  change_id: string | null
  told_at: Date | null
  agreed_at: Date | null
  declined_at: Date | null
}>`(
  select notice.price_cents as "askedCents", notice.months as "askedMonths", notice.effective_from as "askedFrom",
    notice.change_id, notice.told_at, notice.agreed_at, notice.declined_at
  from price_change_notices as notice join price_changes as change on change.id = notice.change_id
  where notice.subscription_id = subscriptions.id and change.closed_at is null and not exists (
    select from subscription_agreements as agreed
    where agreed.price_change_id = change.id and agreed.subscription_id = notice.subscription_id
      and agreed.applied_at is not null
  )
)`.as('asked')

/**
 * Whether the next period can't be charged, as it would have a higher price that its fan declined, or was told of and
 * hasn't agreed to; beside `asked`.
 */
export const lacksConsent = sql<boolean>`coalesce(
  asked."askedFrom" <= subscriptions.current_period_end and asked.agreed_at is null
    and (asked.told_at is not null or asked.declined_at is not null), false)`.as('lacksConsent')

export type OwnSubscriptionRow = Awaited<ReturnType<typeof listOwnSubscriptions>>[number]

/** What is past due stands before what is newer: a card that pays it at once is asked for with its name on the first page. */
const listedAt = sql<Date>`(subscriptions.created_at
  + case subscriptions.status when 'past_due' then interval '1000 years' else interval '0' end)`

/** The subscriptions of a fan with what is sold and by whom, past due before newest, one row more than the page holds. */
export function listOwnSubscriptions(
  db: Db,
  fanId: string,
  { showing, ...page }: PageRequest & { showing: 'current' | 'ended' },
) {
  let rows = ownSubscriptions(db, fanId)
    .where('subscriptions.status', showing === 'current' ? 'in' : 'not in', LIVE_STATUSES)
    .orderBy(listedAt, 'desc')
    .orderBy('subscriptions.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  const { cursor } = page
  if (cursor !== undefined) rows = rows.where((eb) => after(cursor, listedAt, eb.ref('subscriptions.id')))
  return rows.execute()
}

/** All subscriptions of a fan that wait to be paid, the oldest first. */
export function listPastDue(db: Db, fanId: string) {
  return ownSubscriptions(db, fanId)
    .where('subscriptions.status', '=', 'past_due')
    .orderBy('subscriptions.created_at')
    .orderBy('subscriptions.id')
    .execute()
}

export type ReceiptRow = Awaited<ReturnType<typeof listReceipts>>[number]

/** The paid orders of a buyer with the payment that paid them, newest first, one row more than the page holds. */
export function listReceipts(db: Db, buyerId: string, page: PageRequest) {
  let rows = db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.paid_by')
    .innerJoin('users as creator', 'creator.id', 'orders.creator_id')
    .select([
      'orders.id',
      'orders.title',
      'orders.creator_id',
      'orders.amount_cents',
      'orders.kind',
      'orders.months',
      'orders.trial_days',
      'orders.full_cents',
      'orders.owned_items',
      'orders.dated_at',
      'payments.status',
      'payments.card_brand',
      'payments.card_last_four',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'creator.deletion_requested_at as creatorLeavingSince',
    ])
    .select(
      sql<boolean>`exists (
        select from disputes where payment_id = orders.paid_by and disputes.status in ('open', 'lost'))`.as(
        'byBank',
      ),
    )
    .select((eb) => sql<string>`${positionOf(eb.ref('orders.dated_at'), eb.ref('orders.id'))}`.as('position'))
    .where('orders.buyer_id', '=', buyerId)
    .where('orders.status', '=', 'paid')
    .orderBy('orders.dated_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  const { cursor } = page
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('orders.dated_at'), eb.ref('orders.id')))
  return rows.execute()
}

export type PendingRow = Awaited<ReturnType<typeof listPending>>[number]

/** A buyer's payments that are still being decided, newest first, at most 50. */
export function listPending(db: Db, buyerId: string) {
  return (
    db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .innerJoin('users as creator', 'creator.id', 'orders.creator_id')
      .select(['orders.id', 'orders.title', 'orders.kind', 'orders.creator_id', 'payments.amount_cents'])
      .select('orders.status as orderStatus')
      .select(['payments.status', 'payments.reason', 'payments.stored_card_id', 'payments.off_session'])
      .select(['payments.created_at'])
      .select([
        'creator.username as creatorUsername',
        'creator.hidden_at as creatorHiddenAt',
        'creator.deletion_requested_at as creatorLeavingSince',
      ])
      .where('payments.buyer_id', '=', buyerId)
      // In the text, as the planner takes the index of those undecided by it.
      .where(sql<boolean>`payments.status in ('created', 'submitting', 'held', 'unknown')`)
      .orderBy('payments.created_at', 'desc')
      .orderBy('payments.id', 'desc')
      .limit(50)
      .execute()
  )
}

/** One subscription of this fan, held until the transaction ends: a cancellation and a renewal come one after the other. */
export async function lockOwnSubscription(db: Tx, fanId: string, subscriptionId: string) {
  return ownSubscriptions(db, fanId)
    .where('subscriptions.id', '=', subscriptionId)
    .forUpdate('subscriptions')
    .executeTakeFirst()
}

function ownSubscriptions(db: Db, fanId: string) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .leftJoin('profiles', 'profiles.user_id', 'creator.id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .leftJoin('stored_cards as card', (join) =>
      join
        .onRef('card.id', '=', 'subscriptions.stored_card_id')
        .on('card.removed_at', 'is', null)
        .on('card.livemode', '=', sql<boolean>`installation_livemode()`),
    )
    .leftJoin('orders as owed', (join) =>
      join.onRef('owed.subscription_id', '=', 'subscriptions.id').on('owed.status', '=', 'open'),
    )
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(['owed.months as owedMonths', 'owed.amount_cents as owedCents'])
    .select(({ exists, selectFrom }) =>
      exists(
        // Also one for the same plan at another price: nothing else is charged until it is decided.
        selectFrom('payments')
          .innerJoin('orders as tried', 'tried.id', 'payments.order_id')
          .select('payments.id')
          .whereRef('tried.buyer_id', '=', 'subscriptions.fan_id')
          .where('tried.kind', '=', 'subscription')
          .whereRef('tried.item_id', '=', 'subscriptions.plan_id')
          .where('tried.status', '=', 'open')
          .where('payments.status', 'in', UNDECIDED_STATUSES),
      )
        .$castTo<boolean>()
        .as('isUndecided'),
    )
    .select(['askedCents', 'askedMonths', 'askedFrom', lacksConsent])
    .select(['asked.change_id', 'asked.told_at', 'asked.agreed_at', 'asked.declined_at'])
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents', 'plan.price_cents as planCents'])
    .select([keptCents, offeredTerms(sql`plan.id`), 'subscriptions.months', 'subscriptions.anchor_at'])
    .select([
      'subscriptions.id',
      'subscriptions.plan_id',
      'subscriptions.creator_id',
      'subscriptions.price_cents',
      'subscriptions.status',
      'subscriptions.current_period_end as expiration',
      'subscriptions.created_at',
      'subscriptions.ended_at',
      'plan.title',
      'plan.deleted_at as planDeletedAt',
      'plan.retired_at as planRetiredAt',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'creator.deletion_requested_at as creatorLeavingSince',
      'profiles.profile_image',
      'fan.hidden_at as fanHiddenAt',
      'card.brand as card_brand',
      'card.last_four as card_last_four',
    ])
    .select([isBlocked, isDisputed])
    .select((eb) => sql<string>`${positionOf(listedAt, eb.ref('subscriptions.id'))}`.as('position'))
    .where('subscriptions.fan_id', '=', fanId)
}
