import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { released } from '../data.ts'
import { restorableAfter } from '../library/rules.ts'
import { pinned } from './data.ts'

/** How long what was taken down is preserved. */
const EVIDENCE_KEPT = sql`interval '1 year'`

type Version = { mediaId: string; versionId: string; storageId: string }

/**
 * Gives up at most `limit` versions that nobody has and no order may still grant: replaced ones, and those of items
 * that were deleted more than 30 days ago. Their files go by jobs of the same transaction. What is taken down stays as
 * it is. Returns how many there were.
 */
export async function purgeVersions(db: Db, now: Date, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<Version>`
      select media.id as "mediaId", version.id as "versionId", version.storage_id as "storageId"
      from (
        select id, media_id from media_versions where replaced_at is not null and purged_at is null
        union all
        select version_id, id from media
        where deleted_at is not null and deleted_at <= ${restorableAfter(now)} and purged_at is null
      ) as unused
      join media_versions as version on version.id = unused.id join media on media.id = unused.media_id
      where ${released} and not ${pinned(sql`version.id`)}
      order by media.id limit ${limit} for update of media skip locked`.execute(transaction)
    for (const version of rows) await purge(transaction, version, now)
    return rows.length
  })
}

/**
 * Holds the files of what was taken down of this creator, within the last year, from the erasure of their account. Waits
 * for takedowns that are under way.
 */
export async function holdEvidence(db: Tx, creatorId: string, now: Date): Promise<void> {
  await db.selectFrom('media').select('id').where('creator_id', '=', creatorId).forUpdate().execute()
  await sql`
    insert into evidence_holds (storage_id, media_id, keep_until)
    select version.storage_id, media.id, media.quarantined_at + ${EVIDENCE_KEPT}
    from media join media_versions as version on version.media_id = media.id
    where media.creator_id = ${creatorId} and version.purged_at is null
      and media.quarantined_at + ${EVIDENCE_KEPT} > ${now}
    on conflict do nothing`.execute(db)
}

/** Ends the holds that lasted long enough. Their files go by jobs of the same transaction. */
export async function endHolds(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const over = await transaction
      .deleteFrom('evidence_holds')
      .where('keep_until', '<=', now)
      .returning(['storage_id', 'media_id'])
      .execute()
    for (const { storage_id: storageId, media_id: mediaId } of over)
      await enqueue(transaction, 'media.remove-files', { mediaId, storageId, names: null })
  })
}

/** Gives a replaced version up at once when nobody has it; the caller holds the item. */
export async function retireVersion(db: Tx, version: Version, now: Date): Promise<void> {
  const { rows } = await sql`
    select from media where id = ${version.mediaId} and ${released}
      and not ${pinned(sql`${version.versionId}::uuid`)}`.execute(db)
  if (rows.length > 0) await purge(db, version, now)
}

/** An item that shows the version is purged with it. */
async function purge(db: Tx, { mediaId, versionId, storageId }: Version, now: Date): Promise<void> {
  const gone = { purged_at: now, variants: '[]', bytes: 0 }
  await db.updateTable('media_versions').set(gone).where('id', '=', versionId).execute()
  await db
    .updateTable('media')
    .set(gone)
    .where('id', '=', mediaId)
    .where('version_id', '=', versionId)
    .execute()
  await enqueue(db, 'media.remove-files', { mediaId, storageId, names: null })
}
