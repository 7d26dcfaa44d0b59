import { type RawBuilder, sql } from 'kysely'
import { MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'
import type { Db } from '../../../db/client.ts'
import type { Audience } from '../../../viewer.ts'
import { sellable } from '../../media/data.ts'
import { visible } from '../../profiles/data.ts'
import { wasSold } from '../data.ts'
import type { PlanPrices } from './rules.ts'

/** The terms that the plan of this id is sold for beside one month, shortest first. */
export const offeredTerms = (planId: RawBuilder<unknown>) =>
  sql<PlanPrices['terms']>`(
    select coalesce(jsonb_agg(jsonb_build_object('months', months, 'discountPercent', discount_percent) order by months), '[]')
    from subscription_plan_terms where plan_id = ${planId}
  )`.as('terms')

export type PlanRow = Awaited<ReturnType<typeof findPlans>>[number]

/**
 * The items of a plan: the chosen ones in their order, or the newest of all locked media, as many as can be chosen.
 */
const heldIds = sql<string[]>`array(
  (
    select media.id from subscription_plan_media as held join media on media.id = held.media_id
    where held.plan_id = plan.id and not plan.includes_all and ${sellable}
    order by held.position limit ${sql.lit(MAX_MEDIA_SELECTED)}
  ) union all (
    select media.id from subscription_plan_media as held join media on media.id = held.media_id
    where held.plan_id = plan.id and plan.includes_all and ${sellable}
    order by held.media_created_at desc, held.media_id desc limit ${sql.lit(MAX_MEDIA_SELECTED)}
  )
)`

/** The items that its creator excluded from a plan; nobody else sees that. */
const excludedIds = (viewerId: string | null) => sql<string[]>`array(
  select out.media_id from subscription_plan_exclusions as out join media on media.id = out.media_id
  where out.plan_id = plan.id and plan.creator_id = ${viewerId}::uuid and ${sellable}
  order by out.media_id desc limit ${sql.lit(MAX_MEDIA_SELECTED)}
)`

/**
 * Plans with their media, counts and the viewing fan's own access, in one query; oldest first. Exactly one of
 * `planId`, `creatorId` and `fanId` says which: `fanId` means every plan that this fan has or had.
 */
export async function findPlans(
  db: Db,
  which: { planId: string } | { creatorId: string } | { fanId: string; planIds: string[] },
  audience: Audience,
) {
  let plans = db
    .selectFrom('subscription_plans as plan')
    .innerJoin('users as creator', 'creator.id', 'plan.creator_id')
    .leftJoin('offer_contents as content', 'content.offer_id', 'plan.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('subscriptions')
          .whereRef('subscriptions.plan_id', '=', 'plan.id')
          .where('subscriptions.fan_id', '=', audience.id)
          .select(['subscriptions.status', 'subscriptions.current_period_end as expiration'])
          .orderBy((order) => order('subscriptions.status', 'in', LIVE_STATUSES), 'desc')
          .orderBy('subscriptions.created_at', 'desc')
          .limit(1)
          .as('own'),
      (join) => join.onTrue(),
    )
    .select([
      'plan.id',
      'plan.creator_id',
      'plan.title',
      'plan.price_cents',
      'plan.chat_enabled',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'creator.deletion_requested_at as creatorLeavingSince',
      'plan.includes_all',
      'plan.description',
      'plan.cover_media_id',
      'plan.retired_at',
      'own.status',
      'own.expiration',
    ])
    .select((eb) => [
      eb.fn.coalesce('content.photos', sql<number>`0`).as('photoCount'),
      eb.fn.coalesce('content.videos', sql<number>`0`).as('videoCount'),
      eb.fn.coalesce('content.video_seconds', sql<number>`0`).as('videoSeconds'),
      heldIds.as('mediaIds'),
      offeredTerms(sql`plan.id`),
      sql<boolean>`plan.creator_id = ${audience.id}::uuid and not ${wasSold('subscription', sql`plan.id`)}`.as(
        'deletable',
      ),
      excludedIds(audience.id).as('excludedMediaIds'),
    ])
    .orderBy('plan.created_at')
    .orderBy('plan.id')
  if ('fanId' in which) {
    plans = plans.where('own.status', 'is not', null)
    if (which.planIds.length > 0) plans = plans.where('plan.id', 'in', which.planIds)
    return plans.execute()
  }
  plans = plans
    .where('plan.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('plan.retired_at', 'is', null),
        eb('plan.creator_id', '=', audience.id),
        eb('own.status', 'in', LIVE_STATUSES),
      ]),
    )
    .where((eb) => eb.or([visible(audience), eb('plan.creator_id', '=', audience.id)]))
  if ('planId' in which) return plans.where('plan.id', '=', which.planId).execute()
  return plans.where('plan.creator_id', '=', which.creatorId).execute()
}

/** The creator of this plan; undefined if there is none. */
export function findSeller(db: Db, planId: string) {
  return db
    .selectFrom('subscription_plans')
    .select('creator_id')
    .where('id', '=', planId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The fan and the creator of this subscription; undefined if there is none. */
export function findParties(db: Db, subscriptionId: string) {
  return db
    .selectFrom('subscriptions')
    .select(['fan_id', 'creator_id'])
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
}
