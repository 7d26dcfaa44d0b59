import { sql } from 'kysely'
import type { Signer } from '../../../../crypto/signer.ts'
import type { Db } from '../../../../db/client.ts'
import type { Audience, Companion } from '../../../../viewer.ts'
import { FEED_COLUMNS, freeForAll, owned, released, viewable, watermarked } from '../../data.ts'
import { boughtVersion, type TheirVersion, theirVersion, versionJson } from '../../entitlements/data.ts'
import { type FeedItem, linksFor, presentFeedItem } from '../../present.ts'

export type SentItem = { messageId: string; item: FeedItem }

/**
 * Attachments of these messages, in order, as this viewer may see them: if they were granted, in the version that was
 * sent, whatever the owner did since; of a deleted item, else in another version that is theirs; else as anywhere else.
 */
export async function listSentMedia(
  db: Db,
  audience: Audience & { id: string },
  request: { messageIds: string[]; signer: Signer; companion: Companion; now: Date },
): Promise<SentItem[]> {
  const { messageIds, now } = request
  const sentVersion = sql.ref<string>('message_attachments.version_id')
  const rows = await db
    .selectFrom('message_attachments')
    .innerJoin('media', 'media.id', 'message_attachments.media_id')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, 'creator.username', 'media.quarantined_at', 'message_attachments.message_id'])
    .select([viewable(audience, now).as('viewable'), owned(audience, now).as('owned')])
    .select([watermarked(audience).as('watermarked'), freeForAll.as('free')])
    .select(
      sql<TheirVersion | null>`coalesce((
        select ${versionJson} from media_versions as version
        where version.id = ${sentVersion} and ${released} and ${boughtVersion(audience.id, sentVersion)}
      ), case when media.deleted_at is not null then ${theirVersion(audience.id)} end)`.as('their_version'),
    )
    .where('message_attachments.message_id', '=', sql<string>`any(${messageIds}::uuid[])`)
    .orderBy('message_attachments.message_id')
    .orderBy('message_attachments.place')
    .execute()
  const links = linksFor(request.signer, request.companion, now)
  return rows.map((row) => {
    const item = presentFeedItem(row, links)
    return { messageId: row.message_id, item: row.free ? { ...item, free: true } : item }
  })
}

/**
 * Attachments of these messages, in order and in the versions that were sent, for operators who decide a report of
 * one.
 */
export async function listReportedMedia(
  db: Db,
  request: { messageIds: string[]; signer: Signer; companion: Companion; now: Date },
): Promise<SentItem[]> {
  const no = sql<boolean>`false`
  const rows = await db
    .selectFrom('message_attachments')
    .innerJoin('media', 'media.id', 'message_attachments.media_id')
    .innerJoin('media_versions as version', 'version.id', 'message_attachments.version_id')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, 'creator.username', 'media.quarantined_at', 'message_attachments.message_id'])
    .select([no.as('viewable'), no.as('owned'), no.as('watermarked')])
    .select(sql<TheirVersion | null>`case when ${released} then ${versionJson} end`.as('their_version'))
    .where('message_attachments.message_id', '=', sql<string>`any(${request.messageIds}::uuid[])`)
    .orderBy('message_attachments.message_id')
    .orderBy('message_attachments.place')
    .execute()
  const links = linksFor(request.signer, request.companion, request.now)
  return rows.map((row) => ({ messageId: row.message_id, item: presentFeedItem(row, links) }))
}

/** These items of a creator's own as that creator sees them, by their ids. */
export async function findOwnItems(
  db: Db,
  audience: Audience & { id: string },
  request: { mediaIds: string[]; signer: Signer; companion: Companion; now: Date },
): Promise<Map<string, FeedItem>> {
  const { mediaIds, now } = request
  const rows = await db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, 'creator.username', 'media.quarantined_at'])
    .select([viewable(audience, now).as('viewable'), owned(audience, now).as('owned')])
    .select(sql<boolean>`false`.as('watermarked'))
    .select(sql<TheirVersion | null>`null`.as('their_version'))
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('media.creator_id', '=', audience.id)
    .execute()
  const links = linksFor(request.signer, request.companion, now)
  return new Map(rows.map((row) => [row.id, presentFeedItem(row, links)]))
}
