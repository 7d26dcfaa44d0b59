import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Audience } from '../../../viewer.ts'
import { sellable } from '../../media/data.ts'
import { boughtItem, ownedMediaIds, unlockedMediaIds } from '../../media/entitlements/data.ts'
import { visible } from '../../profiles/data.ts'
import { wasSold } from '../data.ts'

export type BundleRow = Awaited<ReturnType<typeof findBundles>>[number]

/** One bundle or all of a creator's, oldest first, with media, counts and which of it the viewer already has. */
export async function findBundles(
  db: Db,
  which: { bundleId: string } | { creatorId: string },
  audience: Audience & { id: string },
  now: Date,
) {
  const rows = await selectBundles(db, which, audience).execute()
  const owned = await ownedMediaIds(
    db,
    audience.id,
    rows.flatMap((row) => row.mediaIds),
    now,
  )
  const buyable = rows.filter((row) => row.creator_id !== audience.id)
  const kept = await unlockedMediaIds(
    db,
    audience.id,
    buyable.flatMap((row) => row.mediaIds),
  )
  return rows.map((row) => ({
    ...row,
    ownedCount: row.mediaIds.filter((id) => owned.has(id)).length,
    /** Of those the ones that stay theirs; its creator buys none. */
    keptCount: row.mediaIds.filter((id) => kept.has(id)).length,
  }))
}

const isBought = (buyerId: string) => boughtItem(buyerId, 'bundle', sql.ref('bundle.id'))

function selectBundles(
  db: Db,
  which: { bundleId: string } | { creatorId: string },
  audience: Audience & { id: string },
) {
  const bundles = db
    .selectFrom('bundles as bundle')
    .innerJoin('users as creator', 'creator.id', 'bundle.creator_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('bundle_media as held')
          .innerJoin('media', 'media.id', 'held.media_id')
          .whereRef('held.bundle_id', '=', 'bundle.id')
          .where(sellable)
          .select([
            sql<string[]>`coalesce(array_agg(media.id order by held.position), '{}')`.as('mediaIds'),
            sql<string[]>`coalesce(array_agg(media.version_id), '{}')`.as('versionIds'),
            sql<number>`count(*) filter (where media.type = 'image')`.as('photoCount'),
            sql<number>`count(*) filter (where media.type = 'video')`.as('videoCount'),
            sql<number>`coalesce(sum(media.duration_seconds) filter (where media.type = 'video'), 0)::bigint`.as(
              'videoSeconds',
            ),
          ])
          .as('content'),
      (join) => join.onTrue(),
    )
    .select([
      'bundle.id',
      'bundle.creator_id',
      'bundle.title',
      'bundle.price_cents',
      'bundle.less_owned',
      'bundle.description',
      'bundle.cover_media_id',
      'bundle.retired_at',
      sql<boolean>`bundle.creator_id = ${audience.id}::uuid and not ${wasSold('bundle', sql`bundle.id`)}`.as(
        'deletable',
      ),
      'content.mediaIds',
      'content.versionIds',
      'content.photoCount',
      'content.videoCount',
      'content.videoSeconds',
      isBought(audience.id).as('purchased'),
    ])
    .where('bundle.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('bundle.retired_at', 'is', null),
        eb('bundle.creator_id', '=', audience.id),
        isBought(audience.id),
      ]),
    )
    .where((eb) => eb.or([visible(audience), eb('bundle.creator_id', '=', audience.id)]))
    .orderBy('bundle.created_at')
    .orderBy('bundle.id')
  if ('bundleId' in which) return bundles.where('bundle.id', '=', which.bundleId)
  return bundles.where('bundle.creator_id', '=', which.creatorId)
}

/**
 * The items of a bundle, each in its current version, locked until the end of the transaction: what an order would
 * agree on.
 */
export function holdBundleContents(db: Db, bundleId: string) {
  return db
    .selectFrom('media')
    .innerJoin('bundle_media', 'bundle_media.media_id', 'media.id')
    .select(['media.id as mediaId', 'media.version_id as versionId', 'bundle_media.position'])
    .where('bundle_media.bundle_id', '=', bundleId)
    .where(sellable)
    .orderBy('media.id')
    .modifyEnd(sql`for share of media`)
    .execute()
}
