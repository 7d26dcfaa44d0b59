import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { notify } from '../../notifications/actions.ts'
import { lockFilled } from '../library/actions.ts'
import { enqueueTagCount } from '../tags/actions.ts'

type Takedown = { actorId: string; mediaId: string; reason: string; now: Date }

/** Takes an item down, deleted or not, and records it; once down it stays as it is. Throws `media_not_found`. */
export async function quarantineMedia(db: Tx, takedown: Takedown): Promise<void> {
  const { actorId, mediaId, reason, now } = takedown
  const item = await lockAny(db, mediaId)
  if (item.quarantined_at) return
  await db
    .updateTable('media')
    .set({ quarantined_at: now, quarantined_by: actorId, quarantine_reason: reason })
    .where('id', '=', mediaId)
    .execute()
  await record(db, 'media.quarantined', item.creator_id, takedown)
  const data = { title: item.title || 'Untitled', mediaId }
  await notify(db, { kind: 'media.quarantined', person: item.creator_id, data }, { now })
}

/** Takes a takedown back and records it. Throws `media_not_found`. */
export async function releaseMedia(db: Tx, takedown: Takedown): Promise<void> {
  await lockFilled(db, [takedown.mediaId])
  const item = await lockAny(db, takedown.mediaId)
  if (!item.quarantined_at) return
  await db
    .updateTable('media')
    .set({ quarantined_at: null, quarantined_by: null, quarantine_reason: '' })
    .where('id', '=', takedown.mediaId)
    .execute()
  await record(db, 'media.released', item.creator_id, takedown)
}

async function lockAny(db: Tx, mediaId: string) {
  const item = await db
    .selectFrom('media')
    .select(['creator_id', 'quarantined_at', 'title'])
    .where('id', '=', mediaId)
    .forUpdate()
    .executeTakeFirst()
  if (!item) throw new AppError('media_not_found')
  return item
}

async function record(
  db: Tx,
  action: 'media.quarantined' | 'media.released',
  creatorId: string,
  { actorId, mediaId, reason, now }: Takedown,
): Promise<void> {
  const detail = { creatorId }
  await writeAudit(db, { actorId, action, targetKind: 'media', targetId: mediaId, reason, detail, now })
  await enqueueTagCount(db, now)
}
