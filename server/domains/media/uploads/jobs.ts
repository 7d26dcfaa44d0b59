import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import type { MediaRefusal, Processed } from '../../../ports/video/port.ts'
import { listStoredBelow } from '../versions/data.ts'
import { discardExpired, failUpload, noteProgress } from './actions.ts'
import { assembleChunks } from './chunks/jobs.ts'
import { findUpload } from './data.ts'
import { publishUpload } from './publishing/actions.ts'
import { chunksPrefix, sourceKey } from './rules.ts'

const PROGRESS_EVERY_MS = 1000
const SWEEP_BATCH = 200

/** Everything that one upload is made of, before and after it is media. */
function placesOf(context: Context, uploadId: string) {
  return {
    source: sourceKey(uploadId),
    chunks: chunksPrefix(uploadId),
    media: `media/${uploadId}`,
    workspace: resolve(context.config.DATA_DIR, 'processing', uploadId),
  }
}

/**
 * Validates one upload and makes its variants. Safe to run again after a crash at any point: what an earlier run left is
 * removed first, and upload and media item change together. The last failed attempt refuses the file.
 */
export async function processUpload(
  context: Context,
  uploadId: string,
  run: { lastAttempt: boolean },
): Promise<void> {
  const { db, clock, storage, log } = context
  const places = placesOf(context, uploadId)
  const upload = await findUpload(db, uploadId)
  if (upload?.status === 'processing') {
    try {
      await storage.removeAll(places.media)
      await assembleChunks(context, upload)
      const outcome = await prepare(context, uploadId)
      if (outcome.ok) await publishUpload(db, uploadId, outcome.media, clock.now())
      else await db.transaction().execute((tx) => failUpload(tx, uploadId, outcome.refusal, clock.now()))
    } catch (error) {
      if (!run.lastAttempt) throw error
      log.error({ err: error, uploadId }, 'upload could not be processed')
      await db.transaction().execute((tx) => failUpload(tx, uploadId, 'media_unreadable', clock.now()))
    } finally {
      await rm(places.workspace, { recursive: true, force: true })
    }
  }
  await clearAway(context, uploadId)
}

type Outcome = { ok: true; media: Processed } | { ok: false; refusal: MediaRefusal }

/** Makes the variants and moves them into the store. */
async function prepare(context: Context, uploadId: string): Promise<Outcome> {
  const { storage, processor } = context
  const places = placesOf(context, uploadId)
  await rm(places.workspace, { recursive: true, force: true })
  await mkdir(places.workspace, { recursive: true })
  const file = await storage.localPath(places.source)
  if (!file) return { ok: false, refusal: 'media_unreadable' }
  const progress = progressOf(context, uploadId)
  try {
    const outcome = await processor.process({
      path: file.path,
      outDir: places.workspace,
      onProgress: progress.report,
    })
    if (outcome.ok) {
      for (const variant of outcome.media.variants)
        await storage.putFile(`${places.media}/${variant.name}`, variant.path)
    }
    return outcome
  } finally {
    await file.release()
    await progress.settled()
  }
}

/** Writes progress down at most once a second, one write at a time. */
function progressOf(context: Context, uploadId: string) {
  const { db, clock, log } = context
  let writing: Promise<void> | null = null
  let lastAt = 0
  return {
    report(percent: number) {
      const now = clock.now()
      if (writing || now.getTime() - lastAt < PROGRESS_EVERY_MS) return
      lastAt = now.getTime()
      const progress = Math.min(99, Math.max(0, Math.floor(percent)))
      writing = db
        .transaction()
        .execute((tx) => noteProgress(tx, uploadId, progress, now))
        .catch((error: unknown) => log.warn({ err: error, uploadId }, 'progress was not noted'))
        .finally(() => {
          writing = null
        })
    },
    settled: async () => writing,
  }
}

/** Removes what an upload leaves behind: its bytes once it is decided, and variants that no item shows. */
async function clearAway(context: Context, uploadId: string): Promise<void> {
  const { db, storage } = context
  const places = placesOf(context, uploadId)
  const upload = await findUpload(db, uploadId)
  if (upload && upload.status !== 'ready' && upload.status !== 'failed') return
  await rm(places.workspace, { recursive: true, force: true })
  if ((await listStoredBelow(db, uploadId)).length === 0) await storage.removeAll(places.media)
  await storage.removeAll(places.chunks)
  await storage.remove(places.source)
}

/** Gives up uploads that nobody finished and forgets those that failed, once their time is over. */
export async function sweepUploads(context: Context): Promise<void> {
  let found: number
  do {
    found = await discardExpired(context.db, context.clock.now(), SWEEP_BATCH)
  } while (found === SWEEP_BATCH)
}
