import { blocksFiles, type TakedownGround, takedownReason } from '../../../../contract/takedowns.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { notify } from '../../notifications/actions.ts'
import { lockFilled } from '../library/actions.ts'
import { enqueueTagCount } from '../tags/actions.ts'
import { blockFiles, unblockFiles } from './blocked/actions.ts'

type Decision = { actorId: string; mediaId: string; reason: string; now: Date }

/** What the creator is told of why; of an item that is down stays what isn't given. */
type Takedown = Decision & {
  ground?: TakedownGround | undefined
  note?: string | undefined
  blockFile?: boolean | undefined
  /** The ground that the operator was shown; undefined where they didn't say. */
  shown?: TakedownGround | null | undefined
}

/**
 * Takes an item down, deleted or not, blocks its file from being uploaded again where that is wanted, records it, and
 * tells its creator why. Of one that is down it changes why, and the block; the first moment stays. Throws `media_not_found`,
 * and `takedown_changed` where the ground isn't the one that was shown.
 */
export async function quarantineMedia(db: Tx, takedown: Takedown): Promise<void> {
  const { actorId, mediaId, reason, now } = takedown
  const item = await lockAny(db, mediaId)
  // Else who took it for up would end the block of what another operator found illegal.
  if (takedown.shown !== undefined && takedown.shown !== item.quarantine_ground)
    throw new AppError('takedown_changed')
  const changed = item.quarantined_at !== null
  const ground = takedown.ground ?? (changed ? item.quarantine_ground : 'review')
  const note = takedown.note ?? item.quarantine_note
  await db
    .updateTable('media')
    .set({
      ...{ quarantined_at: item.quarantined_at ?? now, quarantined_by: actorId, quarantine_reason: reason },
      ...{ quarantine_ground: ground, quarantine_note: note },
    })
    .where('id', '=', mediaId)
    .execute()
  const isKept = changed && takedown.ground === undefined && takedown.blockFile === undefined
  const isBlocking = takedown.blockFile ?? (ground !== null && blocksFiles(ground))
  const blocked =
    isBlocking && !isKept ? await blockFiles(db, { mediaId, ground: ground ?? 'review', now }) : 0
  if (!isBlocking && !isKept) await unblockFiles(db, mediaId)
  const before = changed ? { groundBefore: item.quarantine_ground, noteBefore: item.quarantine_note } : {}
  await record(
    db,
    'media.quarantined',
    { creatorId: item.creator_id, ground, note, ...(isKept ? {} : { blocked }), ...before },
    takedown,
  )
  if (changed && item.quarantine_ground === ground && item.quarantine_note === note) return
  const told = { reason: takedownReason(ground, note), changed, deleted: item.deleted_at !== null }
  const data = { title: item.title || 'Untitled', mediaId, ...told }
  await notify(db, { kind: 'media.quarantined', person: item.creator_id, data }, { now })
}

/**
 * Takes a takedown back, records it, and tells its creator. Of an item that was erased with its creator's account it
 * ends the blocks. Throws `media_not_found`.
 */
export async function releaseMedia(db: Tx, release: Decision): Promise<void> {
  const { mediaId, now } = release
  await lockFilled(db, [mediaId])
  const item = await findLocked(db, mediaId)
  if (!item) {
    const unblocked = await unblockFiles(db, mediaId)
    if (unblocked === 0) throw new AppError('media_not_found')
    return record(db, 'media.released', { unblocked }, release)
  }
  if (!item.quarantined_at) return
  await db
    .updateTable('media')
    .set({
      ...{ quarantined_at: null, quarantined_by: null, quarantine_reason: '' },
      ...{ quarantine_ground: null, quarantine_note: '' },
    })
    .where('id', '=', mediaId)
    .execute()
  await unblockFiles(db, mediaId)
  await record(db, 'media.released', { creatorId: item.creator_id }, release)
  // Who deleted it meanwhile has nothing back.
  if (item.deleted_at) return
  const data = { title: item.title || 'Untitled', mediaId }
  await notify(db, { kind: 'media.released', person: item.creator_id, data }, { now })
}

async function lockAny(db: Tx, mediaId: string) {
  const item = await findLocked(db, mediaId)
  if (!item) throw new AppError('media_not_found')
  return item
}

const findLocked = (db: Tx, mediaId: string) =>
  db
    .selectFrom('media')
    .select(['creator_id', 'quarantined_at', 'quarantine_ground', 'quarantine_note', 'deleted_at', 'title'])
    .where('id', '=', mediaId)
    .forUpdate()
    .executeTakeFirst()

async function record(
  db: Tx,
  action: 'media.quarantined' | 'media.released',
  detail: Record<string, string | number | null>,
  { actorId, mediaId, reason, now }: Decision,
): Promise<void> {
  await writeAudit(db, { actorId, action, targetKind: 'media', targetId: mediaId, reason, detail, now })
  await enqueueTagCount(db, now)
}
