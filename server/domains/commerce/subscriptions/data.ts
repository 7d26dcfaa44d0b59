import { sql } from 'kysely'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'
import type { Db } from '../../../db/client.ts'
import type { Audience } from '../../../viewer.ts'
import { visible } from '../../profiles/data.ts'

export type PlanRow = Awaited<ReturnType<typeof findPlans>>[number]

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
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('subscription_plan_media as held')
          .innerJoin('media', 'media.id', 'held.media_id')
          .whereRef('held.plan_id', '=', 'plan.id')
          .where('media.deleted_at', 'is', null)
          .where('media.quarantined_at', 'is', null)
          .where((media) => media.not('media.direct_only'))
          .select([
            sql<string[]>`coalesce(array_agg(media.id order by held.position), '{}')`.as('mediaIds'),
            sql<number>`count(*) filter (where media.type = 'image')`.as('photoCount'),
            sql<number>`count(*) filter (where media.type = 'video')`.as('videoCount'),
            sql<number>`coalesce(sum(media.duration_seconds) filter (where media.type = 'video'), 0)::bigint`.as(
              'videoSeconds',
            ),
          ])
          .as('content'),
      (join) => join.onTrue(),
    )
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
      'content.mediaIds',
      'content.photoCount',
      'content.videoCount',
      'content.videoSeconds',
      'own.status',
      'own.expiration',
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
    .where((eb) => eb.or([visible(audience), eb('plan.creator_id', '=', audience.id)]))
  if ('planId' in which) return plans.where('plan.id', '=', which.planId).execute()
  return plans.where('plan.creator_id', '=', which.creatorId).execute()
}
