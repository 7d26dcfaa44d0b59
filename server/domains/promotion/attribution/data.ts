import { type RawBuilder, sql } from 'kysely'
import { ATTRIBUTION_DAYS } from '../../../../contract/promotion.ts'
import type { Db } from '../../../db/client.ts'
import type { PeopleAudience } from '../../../viewer.ts'
import { offersOpenToAll } from '../../commerce/offers/data.ts'
import { released } from '../../media/data.ts'
import { shown } from '../../profiles/data.ts'
import { findQueue } from '../schedule/data.ts'
import type { PostFigures } from './rules.ts'

/**
 * The post of a code, and where its link leads: to its offer, while that is open to everyone; undefined where the viewer
 * may not see its creator.
 */
export function findVisited(db: Db, code: string, audience: PeopleAudience, now: Date) {
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('forum_posts as post', 'post.id', 'item.post_id')
    .innerJoin('users', 'users.id', 'item.user_id')
    .leftJoin('media', (join) =>
      join
        .onRef('media.id', '=', 'post.media_id')
        .on('media.deleted_at', 'is', null)
        .on(released)
        .on('media.published', '=', true),
    )
    .leftJoin(offersOpenToAll(db, now).as('offer'), 'offer.id', 'post.offer_id')
    .select(['item.id', 'item.user_id', 'item.state', 'users.username', 'media.id as media_id'])
    .select('offer.id as offer_id')
    .where('item.code', '=', code)
    .where(shown(audience))
    .executeTakeFirst()
}

/** The person's last visit by any post of this creator. */
export function findLastVisit(db: Db, visitorId: string, creatorId: string) {
  return db
    .selectFrom('forum_visits as visit')
    .innerJoin('scheduled_posts as item', 'item.id', 'visit.item_id')
    .select(['visit.id', 'visit.item_id', 'visit.visited_at'])
    .where('visit.user_id', '=', visitorId)
    .where('item.user_id', '=', creatorId)
    .orderBy('visit.visited_at', 'desc')
    .orderBy('visit.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The creator's posts that went up in a period (`to` excluded), each with what it brought: what somebody did belongs to
 * the last post of the creator, of whatever period, that they came by before. Or only what went up of one post.
 */
export async function listFigures(
  db: Db,
  of: { creatorId: string; from: Date; to: Date; postId?: string },
): Promise<PostFigures[]> {
  const { creatorId, from, to, postId } = of
  const isOfPost = postId === undefined ? sql`` : sql`and post_id = ${postId}`
  const { time_zone: timeZone } = await findQueue(db, creatorId)
  const lastTouch = (person: string, moment: string): RawBuilder<unknown> => sql`(
    select visit.item_id from forum_visits as visit join scheduled_posts as touched on touched.id = visit.item_id
    where visit.user_id = ${sql.ref(person)} and touched.user_id = ${creatorId}
      and visit.visited_at <= ${sql.ref(moment)}
      and visit.visited_at >= ${sql.ref(moment)} - ${sql.lit(ATTRIBUTION_DAYS)} * interval '1 day'
    order by visit.visited_at desc, visit.id desc limit 1)`
  const isVisitor = (person: string) => sql`${sql.ref(person)} in (select user_id from visitors)`
  const { rows } = await sql<PostFigures>`
    with items as materialized (
      select id, subreddit_id, title, flair_id, flair_text, posted_at, created_at, removed_by, score
      from scheduled_posts
      where user_id = ${creatorId} and state = 'posted' and posted_at >= ${from} and posted_at < ${to} ${isOfPost}
    ), visits as materialized (
      select visit.id, item_id, user_id, visited_at, signed_up from forum_visits as visit
      where item_id in (select id from items)
    ), visited as (
      select item_id, count(*) filter (where user_id is null)
        + count(distinct (user_id, (visited_at at time zone 'UTC')::date)) filter (where user_id is not null) as count
      from visits group by item_id
    ), visitors as materialized (
      select distinct user_id from visits where user_id is not null
    ), signed_up as (
      select item_id, count(*) from (
        select (select ${sql.ref('last.item_id')} from forum_visits as last
            join scheduled_posts as touched on touched.id = last.item_id
          where last.user_id = visitors.user_id and last.signed_up and touched.user_id = ${creatorId}
          order by last.visited_at desc, last.id desc limit 1) as item_id
        from visitors where user_id in (select user_id from visits where signed_up)
        -- Of who is erased it isn't known anymore which visits were theirs.
        union all select item_id from visits where signed_up and user_id is null
      ) as each group by item_id
    ), followed as (
      select item_id, count(*) from (
        select ${lastTouch('follows.follower_id', 'follows.created_at')} as item_id from follows
        where following_id = ${creatorId} and ${isVisitor('follower_id')}
      ) as each group by item_id
    ), redeemed as (
      select item_id, count(*), count(*) filter (where type = 'freeTrial') as trials from (
        select ${lastTouch('offer_redemptions.fan_id', 'offer_redemptions.redeemed_at')} as item_id, offers.type
        from offer_redemptions join offers on offers.id = offer_id
        where offers.creator_id = ${creatorId} and redeemed_at is not null and ${isVisitor('offer_redemptions.fan_id')}
      ) as each group by item_id
    ), bought as materialized (
      select ${lastTouch('orders.buyer_id', 'orders.tried_at')} as item_id, subscription_id, ${netOf('orders')} as cents
      from orders
      where creator_id = ${creatorId} and status = 'paid' and kind <> 'donation' and coalesce(period, 1) = 1 and ${isVisitor('buyer_id')}
    ), sold as (
      select item_id, count(*) filter (where cents > 0), sum(cents)::bigint as cents from bought group by item_id
    ), renewed as (
      select item_id, count(*) filter (where net > 0), sum(net)::bigint as cents from (
        select bought.item_id, ${netOf('renewal')} as net
        from bought join orders as renewal on renewal.subscription_id = bought.subscription_id
        where renewal.period > 1 and renewal.status = 'paid'
      ) as each group by item_id
    )
    select items.id, subreddits.name as subreddit, items.title, items.score, 1 as posts, coalesce(removed_by not in ('author', 'deleted'), false)::integer as removed,
      coalesce(flair_text, (
        select flair ->> 'text' from subreddit_readings as reading
          cross join lateral jsonb_array_elements(case jsonb_typeof(reading.flair) when 'array' then reading.flair end) as flair
        where reading.subreddit_id = items.subreddit_id and flair ->> 'id' = items.flair_id limit 1
      ), items.flair_id) as flair,
      extract(hour from posted_at at time zone ${timeZone})::integer as hour,
      extract(dow from posted_at at time zone ${timeZone})::integer as weekday,
      coalesce(visited.count, 0) as visits, coalesce(signed_up.count, 0) as "signUps",
      coalesce(followed.count, 0) as follows, coalesce(redeemed.trials, 0) as trials,
      coalesce(redeemed.count, 0) as redemptions,
      coalesce(sold.count, 0) as sales, coalesce(sold.cents, 0) as "salesCents",
      coalesce(renewed.count, 0) as renewals, coalesce(renewed.cents, 0) as "renewalsCents"
    from items join subreddits on subreddits.id = items.subreddit_id
      left join visited on visited.item_id = items.id
      left join signed_up on signed_up.item_id = items.id
      left join followed on followed.item_id = items.id
      left join redeemed on redeemed.item_id = items.id
      left join sold on sold.item_id = items.id
      left join renewed on renewed.item_id = items.id
    order by items.id`.execute(db)
  return rows
}

/** The amount of a paid order that is left after refunds and chargebacks. */
function netOf(order: string): RawBuilder<number> {
  const of = (column: string) => sql.ref(`${order}.${column}`)
  return sql<number>`case when ${of('refunded_at')} is not null then 0 else greatest(0, ${of('amount_cents')}
    - coalesce((select sum(amount_cents) from refunds
        where payment_id = ${of('paid_by')} and status in ('refunded', 'voided')), 0)
    - coalesce((select sum(amount_cents) from disputes
        where payment_id = ${of('paid_by')} and status in ('open', 'lost')), 0)) end`
}
