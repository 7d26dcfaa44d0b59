import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { ZipFile } from 'yazl'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { notify } from '../../notifications/actions.ts'
import { collectOwnData, findRecentExports, isAnyTakenDown, listOwnFiles, sumKeptExports } from './data.ts'
import { exportExpiry, fits, mostCounted, QUOTA_WINDOW_MS, waitForQuota } from './rules.ts'

/** Where an export lies in the store. */
export function exportKey(userId: string, exportId: string): string {
  return `exports/${userId}/${exportId}.zip`
}

/** Any number of ours: holds the room for exports while one is given a part of it. */
const EXPORT_ROOM = 7_315_604_209

/**
 * Asks for an export, or returns the one that is being made: one at a time for each person. Throws `rate_limited` after
 * the day's exports, and `exports_full` while there is no room for another.
 */
export async function requestExport(
  db: Tx,
  context: Context,
  { userId, now }: { userId: string; now: Date },
) {
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const waiting = await db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  if (waiting) return waiting
  const recent = await findRecentExports(db, { userId, since: new Date(now.getTime() - QUOTA_WINDOW_MS) })
  const retryAfterSeconds = waitForQuota(recent, context.config.EXPORTS_A_DAY, now)
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds })
  const files = await listOwnFiles(db, userId)
  const wanted = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await sql`select pg_advisory_xact_lock(${EXPORT_ROOM})`.execute(db)
  const room = context.config.MAX_EXPORT_BYTES
  const kept = await sumKeptExports(db, mostCounted(room), now)
  if (!fits({ kept, wanted, room })) throw new AppError('exports_full')
  const made = await db
    .insertInto('data_exports')
    .values({
      user_id: userId,
      status: 'waiting',
      requested_at: now,
      expires_at: exportExpiry(now),
      kept_bytes: wanted,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await enqueue(db, 'account.export', { exportId: made.id })
  return made
}

/** Makes one export and mails that it is ready. Safe to run again; after the last failed attempt it is given up. */
export async function makeExport(
  context: Context,
  exportId: string,
  run: { lastAttempt: boolean },
): Promise<void> {
  const { db, log } = context
  const wanted = await db
    .selectFrom('data_exports')
    .select('user_id')
    .where('id', '=', exportId)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  if (!wanted) return
  const workspace = resolve(context.config.DATA_DIR, 'processing', exportId)
  try {
    await mkdir(workspace, { recursive: true })
    const path = join(workspace, 'export.zip')
    const mediaIds = await writeZip(context, wanted.user_id, path)
    const { size } = await stat(path)
    await context.storage.putFile(exportKey(wanted.user_id, exportId), path)
    if (await isAnyTakenDown(db, mediaIds)) throw new Error('an item was taken down while it was exported')
    await finishExport(context, { exportId, bytes: size, userId: wanted.user_id, mediaIds })
  } catch (error) {
    if (!run.lastAttempt) throw error
    log.error({ err: error, exportId }, 'an export could not be made')
    await db
      .transaction()
      .execute((tx) =>
        tx.updateTable('data_exports').set({ status: 'failed' }).where('id', '=', exportId).execute(),
      )
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

/** The person's export before this one ends, so that one copy of everything is kept. */
async function finishExport(
  context: Context,
  made: { exportId: string; bytes: number; userId: string; mediaIds: string[] },
): Promise<void> {
  const { exportId, bytes, userId, mediaIds } = made
  const now = context.clock.now()
  const ready = {
    ready_at: now,
    expires_at: exportExpiry(now),
    bytes,
    kept_bytes: bytes,
    media_ids: mediaIds,
  }
  await context.db.transaction().execute(async (db) => {
    await db
      .updateTable('data_exports')
      .set({ expires_at: now })
      .where('user_id', '=', userId)
      .where('id', '<>', exportId)
      .where('expires_at', '>', now)
      .execute()
    await db
      .updateTable('data_exports')
      .set({ status: 'ready', ...ready })
      .where('id', '=', exportId)
      .execute()
    await notify(db, { kind: 'export.ready', person: userId, data: {} }, { now })
  })
}

/** One JSON file for each subject, and the files themselves, which are compressed already. Answers the items that it holds. */
async function writeZip(context: Context, userId: string, path: string): Promise<string[]> {
  const { db, storage } = context
  const zip = new ZipFile()
  for (const [subject, rows] of await collectOwnData(db, userId))
    zip.addBuffer(Buffer.from(`${JSON.stringify(rows, null, 2)}\n`), `data/${subject}.json`)
  const files = await listOwnFiles(db, userId)
  for (const { key, name } of files) {
    if ((await storage.size(key)) === null) continue
    zip.addReadStreamLazy(`files/${name}`, { compress: false }, (opened) => {
      storage.read(key).then(
        (stream) =>
          stream ? opened(null, stream) : opened(new Error('a file went meanwhile'), Readable.from([])),
        (error: unknown) => opened(error, Readable.from([])),
      )
    })
  }
  const written = pipeline(zip.outputStream, createWriteStream(path))
  const failed = new Promise<never>((_resolve, reject) => zip.once('error', reject))
  zip.end()
  await Promise.race([written, failed])
  return [...new Set(files.flatMap(({ mediaId }) => mediaId ?? []))]
}

/** Removes the exports whose time is over, files first; their rows count for the day's quota as long as it lasts. */
export async function sweepExports(context: Context): Promise<void> {
  const { db, clock, storage } = context
  const now = clock.now()
  const over = await db
    .selectFrom('data_exports')
    .select(['id', 'user_id'])
    .where('expires_at', '<=', now)
    .execute()
  for (const { id, user_id } of over) {
    await storage.remove(exportKey(user_id, id))
    await db.transaction().execute((tx) =>
      tx
        .deleteFrom('data_exports')
        .where('id', '=', id)
        .where('requested_at', '<=', new Date(now.getTime() - QUOTA_WINDOW_MS))
        .execute(),
    )
  }
}
