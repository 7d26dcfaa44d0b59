import { sql } from 'kysely'
import type { Signer } from '../../../../crypto/signer.ts'
import type { Db } from '../../../../db/client.ts'
import type { Audience, Companion } from '../../../../viewer.ts'
import { visible } from '../../../profiles/data.ts'
import { FEED_COLUMNS, owned, released, viewable, watermarked } from '../../data.ts'
import { theirVersion } from '../../entitlements/data.ts'
import { type FeedItem, linksFor, presentFeedItem } from '../../present.ts'

/**
 * These items by their ids as covers for this viewer, locked ones without a link. What is deleted, private or taken down
 * is none; nor, but for its owner, what isn't published; nor, of a creator who is hidden from this viewer, what isn't theirs.
 */
export async function findCovers(
  db: Db,
  audience: Audience,
  request: { mediaIds: string[]; signer: Signer; companion: Companion; now: Date },
): Promise<Map<string, FeedItem>> {
  const { mediaIds, now } = request
  if (mediaIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, 'creator.username'])
    .select([viewable(audience, now).as('viewable'), owned(audience, now).as('owned')])
    .select([watermarked(audience).as('watermarked'), theirVersion(audience.id).as('their_version')])
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('media.deleted_at', 'is', null)
    .where(released)
    .where((eb) => eb.not('media.direct_only'))
    .where((eb) => eb.or([eb('media.published', '=', true), eb('media.creator_id', '=', audience.id)]))
    .where((eb) => eb.or([visible(audience), owned(audience, now)]))
    .execute()
  const links = linksFor(request.signer, request.companion, now)
  return new Map(rows.map((row) => [row.id, presentFeedItem(row, links)]))
}
