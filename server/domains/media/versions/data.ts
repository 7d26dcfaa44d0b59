import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { prepare } from '../../../db/prepare.ts'
import type { StoredVariant } from '../../../db/tables/media.ts'
import type { Audience } from '../../../viewer.ts'
import { released } from '../data.ts'
import { boughtVersion, pinnedByGrant, type TheirVersion, versionJson } from '../entitlements/data.ts'

/**
 * Whether a version is still needed: by an open order, a message, a mass message that is being sent, or anybody who has it
 * for good.
 */
export function pinned(versionId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${pinnedByGrant(versionId)} or exists (
    select from message_attachments where message_attachments.version_id = ${versionId} offset 0
  ) or exists (
    select from mass_message_attachments as held join mass_messages on mass_messages.id = held.mass_message_id
    where held.version_id = ${versionId} and mass_messages.status = 'sending' offset 0
  ) or exists (
    select from order_items join orders on orders.id = order_items.order_id
    where order_items.version_id = ${versionId} and orders.status = 'open'
    offset 0
  ))`
}

/** Every version of an item that this person may see, newest first: those they bought, and the current one if it is there. */
export async function listVersions(
  db: Db,
  { id, viewsAll }: Audience,
  item: { mediaId: string; seesCurrent: boolean },
) {
  return id === null ? [] : versions(db, { viewerId: id, viewsAll, ...item })
}

type VersionsOf = { viewerId: string; viewsAll: boolean; mediaId: string; seesCurrent: boolean }

const versions = prepare((db, { viewerId, viewsAll, mediaId, seesCurrent }: VersionsOf) => {
  const theirs = viewsAll ? sql<boolean>`false` : boughtVersion(viewerId, sql.ref<string>('version.id'))
  return db
    .selectFrom('media_versions as version')
    .innerJoin('media', 'media.id', 'version.media_id')
    .select(['version.id as versionId', 'version.created_at as addedAt'])
    .select(sql<boolean>`version.id = media.version_id`.as('current'))
    .select(sql<TheirVersion>`${versionJson}`.as('version'))
    .where('version.media_id', '=', mediaId)
    .where('version.purged_at', 'is', null)
    .where(
      sql<boolean>`${released} and ((version.id = media.version_id and ${sql.lit(seesCurrent)}) or ${theirs})`,
    )
    .orderBy('version.created_at', 'desc')
    .orderBy('version.id', 'desc')
})

/**
 * The versions that keep files below this prefix of the store: those in use, and those still needed after their item
 * was deleted.
 */
export async function listStoredBelow(db: Db, storageId: string): Promise<{ variants: StoredVariant[] }[]> {
  const { rows } = await sql<{ variants: StoredVariant[] }>`
    select variants from media_versions where storage_id = ${storageId} and purged_at is null
    union all
    select '[]'::jsonb from evidence_holds where storage_id = ${storageId}`.execute(db)
  return rows
}

/** Below which prefixes of the store a creator's files lie, of all versions but those that are held. */
export async function listStoredOf(db: Db, creatorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select version.storage_id as id from media_versions as version join media on media.id = version.media_id
    where media.creator_id = ${creatorId}
      and not exists (select from evidence_holds as held where held.storage_id = version.storage_id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const FINGERPRINT_LENGTH = 12

/**
 * Fingerprint of these versions of items, whatever their order: another item, or another file of one, changes it. What a
 * buyer was shown is compared by it with what they would buy.
 */
export function contentsVersion(versionIds: readonly string[]): string {
  return createHash('sha256')
    .update(versionIds.toSorted().join())
    .digest('base64url')
    .slice(0, FINGERPRINT_LENGTH)
}
