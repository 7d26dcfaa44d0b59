import { sql } from 'kysely'
import { MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'
import type { Db } from '../../../db/client.ts'
import { after, type PageRequest, positionOf, skipOf } from '../../../db/cursor.ts'
import type { Audience } from '../../../viewer.ts'
import { sellable } from '../../media/data.ts'
import { countUnlocked } from '../../media/entitlements/data.ts'
import { visible } from '../../profiles/data.ts'
import { offered } from '../data.ts'
import type { OfferViewer } from './rules.ts'

/** Offers with what they are of; neither deleted ones nor anything of whom they are for. */
function selectOffers(db: Db) {
  return db
    .selectFrom('offers')
    .innerJoin('users as creator', 'creator.id', 'offers.creator_id')
    .leftJoin('subscription_plans as plan', 'plan.id', 'offers.plan_id')
    .leftJoin('bundles as bundle', 'bundle.id', 'offers.bundle_id')
    .leftJoin('offer_contents as kept', (join) =>
      join.on((eb) => eb('kept.offer_id', '=', eb.fn.coalesce('offers.plan_id', 'offers.bundle_id'))),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('offer_media')
          .innerJoin('media', 'media.id', 'offer_media.media_id')
          .whereRef('offer_media.offer_id', '=', 'offers.id')
          .where(sellable)
          .select([
            sql<number>`count(*) filter (where media.type = 'image')`.as('photos'),
            sql<number>`count(*) filter (where media.type = 'video')`.as('videos'),
            sql<number>`coalesce(sum(media.duration_seconds) filter (where media.type = 'video'), 0)::bigint`.as(
              'seconds',
            ),
            sql<number>`(case when bool_and(media.price_cents > 0) then sum(media.price_cents) else 0 end)::bigint`.as(
              'cents',
            ),
          ])
          .as('singles'),
      (join) => join.onTrue(),
    )
    .selectAll('offers')
    .select((eb) => [
      'plan.title as planTitle',
      'plan.price_cents as planCents',
      eb.fn.coalesce('plan.deleted_at', 'plan.retired_at').as('planDeletedAt'),
      'bundle.title as bundleTitle',
      'bundle.price_cents as bundleCents',
      // Singles are never paid for twice; of a bundle its creator says.
      eb.fn.coalesce('bundle.less_owned', eb('offers.plan_id', 'is', null)).as('lessOwned'),
      eb.fn.coalesce('bundle.deleted_at', 'bundle.retired_at').as('bundleDeletedAt'),
      'singles.cents as singlesCents',
      eb.fn.coalesce('kept.photos', 'singles.photos').as('photoCount'),
      eb.fn.coalesce('kept.videos', 'singles.videos').as('videoCount'),
      eb.fn.coalesce('kept.video_seconds', 'singles.seconds').as('videoSeconds'),
    ])
    .where('offers.deleted_at', 'is', null)
}

/** The ids of offers that anybody can take now; that all of what it gives is gone is left to an offer's page. */
export const offersOpenToAll = (db: Db, now: Date) =>
  db
    .selectFrom('offers')
    .select(['offers.id', 'offers.creator_id'])
    .where('available_to_all', '=', true)
    .where('ended_at', 'is', null)
    .where('offers.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where((eb) =>
      eb.or([eb('redemptions_allowed', '=', 0), eb('redemptions_taken', '<', eb.ref('redemptions_allowed'))]),
    )

export type OfferRow = NonNullable<Awaited<ReturnType<typeof findOffer>>>

/** An offer and how the viewer stands to it; undefined where they may not see its creator. */
export function findOffer(db: Db, offerId: string, audience: Audience) {
  const taken = sql`offer_redemptions where offer_id = offers.id and fan_id = ${audience.id}`
  return selectOffers(db)
    .leftJoin('profiles', 'profiles.user_id', 'creator.id')
    .select(['creator.username', 'creator.first_name', 'creator.is_creator', 'profiles.profile_image'])
    .select('creator.hidden_at as creatorHiddenAt')
    .select([
      sql<boolean>`exists (select from ${taken} and redeemed_at is not null)`.as('redeemed'),
      sql<boolean>`exists (select from ${taken} and released_at is null)`.as('reserved'),
      sql<boolean>`exists (select from offer_recipients where offer_id = offers.id and user_id = ${audience.id})`.as(
        'invited',
      ),
    ])
    .where('offers.id', '=', offerId)
    .where((eb) => eb.or([visible(audience), eb('offers.creator_id', '=', audience.id)]))
    .executeTakeFirst()
}

/** How this person (null: a visitor) stands to an offer, for `viewOf`. */
export async function findOfferViewer(
  db: Db,
  offer: OfferRow,
  items: OfferedItem[],
  id: string | null,
): Promise<OfferViewer> {
  const { redeemed, reserved, invited } = offer
  const given = offer.plan_id ? offer.planDeletedAt === null : !offer.bundleDeletedAt && items.length > 0
  const viewer = { loggedIn: id !== null, own: offer.creator_id === id, redeemed, reserved, invited, given }
  return { ...viewer, owns: id !== null && given && (await owns(db, offer, items, id)) }
}

/** With a trial, a fan who is past due could escape what is owed, so a subscription in any state but ended counts. */
async function owns(db: Db, offer: OfferRow, items: OfferedItem[], id: string): Promise<boolean> {
  if (offer.plan_id) {
    const live = await db
      .selectFrom('subscriptions')
      .select('id')
      .where('fan_id', '=', id)
      .where('plan_id', '=', offer.plan_id)
      .where('status', 'in', LIVE_STATUSES)
      .executeTakeFirst()
    return live !== undefined
  }
  const mediaIds = items.map((item) => item.id)
  return (await countUnlocked(db, id, mediaIds)) === mediaIds.length
}

export type OfferedItem = Awaited<ReturnType<typeof listOffered>>[number]

/** So many items of an offer are named; all are counted. */
export const ITEMS_SHOWN = 6

/**
 * The content of an offer now, in its order: of a subscription only the items that are named, as it may hold any
 * number.
 */
export function listOffered(
  db: Db,
  offer: { id: string; creator_id: string; plan_id: string | null; bundle_id: string | null },
) {
  const held = offer.plan_id
    ? sql<Held>`(select media_id, position from subscription_plan_media where plan_id = ${offer.plan_id})`
    : offer.bundle_id
      ? sql<Held>`(select media_id, position from bundle_media where bundle_id = ${offer.bundle_id})`
      : sql<Held>`(select media_id, position from offer_media where offer_id = ${offer.id})`
  return offered(db, offer.creator_id)
    .innerJoin(held.as('held'), 'held.media_id', 'media.id')
    .select(['media.type', 'media.title', 'media.thumbhash', 'media.width', 'media.height'])
    .select('media.version_id as versionId')
    .orderBy('held.position')
    .orderBy('media.id', 'desc')
    .limit(offer.plan_id ? ITEMS_SHOWN : MAX_MEDIA_SELECTED)
    .execute()
}
type Held = { media_id: string; position: number }

/** The singles of an offer, each in its current version, held as they are until the end. */
export async function holdSingles(db: Db, offerId: string) {
  const held = await db
    .selectFrom('media')
    .innerJoin('offer_media', 'offer_media.media_id', 'media.id')
    .select(['media.id as mediaId', 'media.version_id as versionId', 'media.title', 'offer_media.position'])
    .select('media.price_cents as priceCents')
    .where('offer_media.offer_id', '=', offerId)
    .where(sellable)
    .orderBy('media.id')
    .modifyEnd(sql`for share of media`)
    .execute()
  return held.sort((one, other) => one.position - other.position)
}

export type OwnOfferRow = Awaited<ReturnType<typeof listOwnOffers>>[number]

/** A creator's offers with whom they are for and what came of them, newest first, one row more than the page holds. */
export function listOwnOffers(
  db: Db,
  audience: Audience & { id: string },
  page: PageRequest & { offerId?: string },
) {
  const orders = sql`(
    select id from orders where offer_id = offers.id
    union select id from orders where subscription_id in (
      select subscription_id from orders where offer_id = offers.id and subscription_id is not null
    )
  )`
  let rows = selectOffers(db)
    .select((eb) => [
      sql<{ _id: string; username: string }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('_id', users.id, 'username', users.username) order by users.username), '[]')
        from offer_recipients join users on users.id = offer_recipients.user_id where offer_id = offers.id
          and ${visible(audience, 'users')}
      )`.as('recipients'),
      sql<number>`(
        select count(*) from offer_redemptions
        where offer_id = offers.id and redeemed_at is not null and released_at is null
      )`.as('redemptions'),
      sql<number>`(
        select coalesce(-sum(postings.amount_cents), 0)::bigint
        from journals join postings on postings.journal_id = journals.id
          join ledger_accounts on ledger_accounts.id = postings.account_id
        where journals.order_id in ${orders} and ledger_accounts.user_id = offers.creator_id
          and ledger_accounts.kind in ('creator_pending', 'creator_available', 'creator_reserve')
      )`.as('earnedCents'),
      sql<string>`${positionOf(eb.ref('offers.created_at'), eb.ref('offers.id'))}`.as('position'),
    ])
    .where('offers.creator_id', '=', audience.id)
    .orderBy('offers.created_at', 'desc')
    .orderBy('offers.id', 'desc')
    .limit(page.limit + 1)
    .offset(skipOf(page))
  const { cursor, offerId } = page
  if (offerId !== undefined) rows = rows.where('offers.id', '=', offerId)
  if (cursor !== undefined)
    rows = rows.where((eb) => after(cursor, eb.ref('offers.created_at'), eb.ref('offers.id')))
  return rows.execute()
}
