import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import {
  type MediaRefusal,
  type Processed,
  ProcessingStopped,
  StorageFailed,
} from '../../../ports/video/port.ts'
import { isBlocked } from '../quarantine/blocked/data.ts'
import { listStoredBelow } from '../versions/data.ts'
import { discardExpired, failUpload, noteProgress } from './actions.ts'
import { assembleChunks, ChunkLost } from './chunks/jobs.ts'
import { findUpload } from './data.ts'
import { publishUpload } from './publishing/actions.ts'
import { chunksPrefix, later, sourceKey, waitedSeconds, wholePrefix } from './rules.ts'
import {
  changeLine,
  claimNext,
  giveBack,
  keepWaiting,
  passOn,
  tryLater,
  waitForStorage,
} from './turns/actions.ts'
import { LINES, type Line, lineOf, lineOfOpened, MAX_ATTEMPTS, storagePauseSeconds } from './turns/rules.ts'

const PROGRESS_EVERY_MS = 1000
const SWEEP_BATCH = 200

/** Everything that one upload is made of, before and after it is media. */
function placesOf(context: Context, uploadId: string) {
  return {
    parts: sourceKey(uploadId, null),
    whole: wholePrefix(uploadId),
    chunks: chunksPrefix(uploadId),
    media: `media/${uploadId}`,
    workspace: resolve(context.config.DATA_DIR, 'processing', uploadId),
  }
}

/** The lines of which this process prepares an upload at the moment: one of each, so that none waits for another. */
const busy = new WeakMap<Context['db'], Set<Line>>()

/**
 * Prepares the upload whose turn it is in the line of this one, and sends a job for the next. Does nothing while this
 * process has one of that line at work, which does that at its end. Safe to run again after a crash at any point. Of an upload that was decided or given up it clears away what is left.
 */
export async function processUpload(context: Context, uploadId: string): Promise<void> {
  const { db, clock } = context
  const asked = await findUpload(db, uploadId)
  if (asked?.status !== 'processing') {
    await clearAway(context, uploadId)
    // A process that was killed may have prepared another upload by this job.
    return wake(context)
  }
  const now = clock.now()
  const { line, not_before: notBefore } = asked
  // Else its job would be used up, where the database's clock is ahead of ours.
  if (notBefore && notBefore > now) await keepWaiting(db, uploadId, notBefore, now)
  const atWork = busy.get(db) ?? new Set<Line>()
  busy.set(db, atWork)
  if (atWork.has(line)) return
  atWork.add(line)
  let claimed = false
  try {
    await claimNext(db, line, now, async (next) => {
      claimed = true
      await processClaimed(context, next)
    })
  } finally {
    atWork.delete(line)
    // Else other processes have all that waits, and pass on themselves. All lines, as an upload that changed to
    // another one can be claimed there only now.
    if (claimed) await wake(context)
  }
}

async function wake({ db, clock }: Context): Promise<void> {
  for (const line of LINES) await passOn(db, line, clock.now())
}

/**
 * Validates one upload and makes its variants. What an earlier run left is removed first, and upload and media item
 * change together. The last failed attempt refuses the file; the stop of the server is none, and neither is a disk or a
 * store that fails, for as long as an upload may wait.
 */
async function processClaimed(context: Context, uploadId: string): Promise<void> {
  const { db, clock, storage, log } = context
  const places = placesOf(context, uploadId)
  const upload = await findUpload(db, uploadId)
  if (!upload) return clearAway(context, uploadId)
  const refuse = (refusal: Parameters<typeof failUpload>[2]) =>
    db.transaction().execute((tx) => failUpload(tx, uploadId, refusal, clock.now()))
  try {
    await stored(storage.removeAll(places.media))
    await stored(assembleChunks(context, upload))
    // Its hash is there once its parts are one file. It is asked again when it becomes media.
    const sha256 = upload.sha256 ?? (await findUpload(db, uploadId))?.sha256
    const isRefused = sha256 != null && (await isBlocked(db, sha256))
    const outcome = isRefused ? BLOCKED : await prepare(context, upload)
    if (outcome === 'elsewhere') return
    if (outcome.ok) await publishUpload(db, uploadId, outcome.media, clock.now())
    else await refuse(outcome.refusal)
  } catch (error) {
    if (error instanceof ProcessingStopped) {
      log.info({ uploadId }, 'an upload will be processed after the next start')
      return db.transaction().execute((tx) => giveBack(tx, uploadId))
    }
    log.error({ err: error, uploadId }, 'upload could not be processed')
    const now = clock.now()
    if (error instanceof StorageFailed) {
      const notBefore = later(now, storagePauseSeconds(waitedSeconds(upload.expires_at, now)))
      if (notBefore < upload.expires_at) return waitForStorage(db, upload, notBefore, now)
      await refuse('media_not_prepared')
    } else if (upload.attempts < MAX_ATTEMPTS) return tryLater(db, upload, now)
    else await refuse('media_not_prepared')
  } finally {
    await rm(places.workspace, { recursive: true, force: true })
  }
  await clearAway(context, uploadId)
}

/** Failures of the store or the disk, which say nothing about the file. */
const stored = <Done>(work: Promise<Done>): Promise<Done> =>
  work.catch((error: unknown) => {
    throw error instanceof ChunkLost ? error : new StorageFailed('the store failed', { cause: error })
  })

type Outcome = { ok: true; media: Processed } | { ok: false; refusal: MediaRefusal }

/** What of a blocked file comes in place of an outcome: nothing is made of it. */
const BLOCKED = { ok: false, refusal: 'media_blocked' } as const

/** Makes the variants and moves them into the store; `elsewhere` when name and size put the file into the wrong line. */
async function prepare(
  context: Context,
  upload: NonNullable<Awaited<ReturnType<typeof findUpload>>>,
): Promise<Outcome | 'elsewhere'> {
  const { db, storage, processor } = context
  const uploadId = upload.id
  const places = placesOf(context, uploadId)
  await stored(rm(places.workspace, { recursive: true, force: true }))
  await stored(mkdir(places.workspace, { recursive: true }))
  const file = await stored(storage.localPath(sourceKey(uploadId, upload.sending)))
  // A disk that isn't mounted has no bytes either, and may have them at the next attempt.
  if (!file) throw new Error('the bytes of an upload are not in the store')
  const progress = progressOf(context, uploadId)
  try {
    const moving = await processor.isMoving(file.path)
    const line = lineOfOpened(upload, moving)
    if (line !== upload.line) {
      await changeLine(db, upload, line)
      return 'elsewhere'
    }
    const leaving = new AbortController()
    const work = processor.process({
      path: file.path,
      outDir: places.workspace,
      onProgress: progress.report,
      onLength: (seconds) => {
        if (line === 'short_video' && lineOf(upload, moving, seconds) === 'long_video') leaving.abort()
      },
      signal: leaving.signal,
    })
    const outcome = await work.catch((error: unknown) => {
      if (leaving.signal.aborted && error instanceof ProcessingStopped) return 'too long' as const
      throw error
    })
    if (outcome === 'too long') {
      await progress.settled()
      await changeLine(db, upload, 'long_video')
      return 'elsewhere'
    }
    if (outcome.ok) {
      for (const variant of outcome.media.variants)
        await stored(storage.putFile(`${places.media}/${variant.name}`, variant.path))
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
  await storage.removeAll(places.whole)
  await storage.remove(places.parts)
}

/**
 * Gives up uploads that nobody finished and forgets those that failed, once their time is over; and wakes the line,
 * should the job that prepared it have been given up.
 */
export async function sweepUploads(context: Context): Promise<void> {
  await wake(context)
  let found: number
  do {
    found = await discardExpired(context.db, context.clock.now(), SWEEP_BATCH)
  } while (found === SWEEP_BATCH)
}
