import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../../../context.ts'
import type { StoredVariant } from '../../../../db/tables/media.ts'
import { ProcessingStopped } from '../../../../ports/video/port.ts'
import { endPoster } from '../../library/actions.ts'
import { listStoredBelow } from '../../versions/data.ts'
import { enqueueAgain, swapPoster } from './actions.ts'
import { findFiles, videoOf } from './data.ts'

type Frame = { mediaId: string; seconds: number; label: string }

/** Makes the frame at `seconds` of a video its poster; when it can't be, that is written down for its owner. */
export async function takePoster(
  context: Context,
  frame: Frame,
  { lastAttempt }: { lastAttempt: boolean },
): Promise<void> {
  let taken = false
  try {
    taken = await tryPoster(context, frame)
  } catch (error) {
    // No fault of the frame: it is made after the next start.
    if (error instanceof ProcessingStopped)
      return context.db.transaction().execute((tx) => enqueueAgain(tx, frame, context.clock.now()))
    if (lastAttempt) await context.db.transaction().execute((tx) => endPoster(tx, frame, 'failed'))
    throw error
  }
  if (!taken) await context.db.transaction().execute((tx) => endPoster(tx, frame, 'failed'))
}

/**
 * The new poster has names of its own, so that the old one is shown until it is whole. False when the frame can't be
 * read, or the item was deleted or taken down, or its file replaced meanwhile. Safe to run again after a crash at any point.
 */
async function tryPoster(context: Context, { mediaId, seconds, label }: Frame): Promise<boolean> {
  const { db, storage, processor, config, log } = context
  const item = await findFiles(db, mediaId)
  const video = item && videoOf(item.variants)
  const file = video && (await storage.localPath(`media/${item.storage_id}/${video.name}`))
  if (!file) return false
  const workspace = resolve(config.DATA_DIR, 'processing', `${mediaId}-${label}`)
  try {
    await rm(workspace, { recursive: true, force: true })
    await mkdir(workspace, { recursive: true })
    const made = await processor.poster({ path: file.path, seconds, outDir: workspace })
    if (!made.ok) {
      log.warn({ mediaId, refusal: made.refusal }, 'no poster could be taken')
      return false
    }
    const variants: StoredVariant[] = []
    for (const { path, ...variant } of made.variants) {
      // The same names on every attempt, so that an interrupted one leaves nothing behind.
      const name = variant.name.replace(/^poster-([0-9a-f]{8}-)?/, `poster-${label}-`)
      await storage.putFile(`media/${item.storage_id}/${name}`, path)
      variants.push({ ...variant, name })
    }
    const poster = { label, storageId: item.storage_id, variants, thumbhash: made.thumbhash }
    if (await swapPoster(db, mediaId, poster)) return true
    for (const { name } of variants) await storage.remove(`media/${item.storage_id}/${name}`)
    return false
  } finally {
    await file.release()
    await rm(workspace, { recursive: true, force: true })
  }
}

/**
 * Removes files that no version has anymore: everything below `storageId` (`names` null), or these names of it. What a
 * version has at this moment stays in any case.
 */
export async function removeFiles(
  { db, storage }: Context,
  { storageId, names }: { storageId: string; names: string[] | null },
): Promise<void> {
  const versions = await listStoredBelow(db, storageId)
  if (versions.length === 0) return storage.removeAll(`media/${storageId}`)
  const kept = new Set(versions.flatMap(({ variants }) => variants.map(({ name }) => name)))
  for (const name of names ?? []) if (!kept.has(name)) await storage.remove(`media/${storageId}/${name}`)
}
