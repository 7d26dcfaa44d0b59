import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { emailContext, sendEmail } from '../../identity/emails/actions.ts'
import { collectOwnData, listOwnFiles } from './data.ts'
import { exportExpiry } from './rules.ts'

/** Where an export lies in the store. */
export function exportKey(userId: string, exportId: string): string {
  return `exports/${userId}/${exportId}.zip`
}

/** Asks for an export, or returns the one that is being made: one at a time for each person. */
export async function requestExport(db: Tx, { userId, now }: { userId: string; now: Date }) {
  const made = await db
    .insertInto('data_exports')
    .values({ user_id: userId, status: 'waiting', requested_at: now, expires_at: exportExpiry(now) })
    .onConflict((conflict) => conflict.column('user_id').where('status', '=', 'waiting').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made) {
    await enqueue(db, 'account.export', { exportId: made.id })
    return made
  }
  return db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
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
    .innerJoin('users', 'users.id', 'data_exports.user_id')
    .select(['data_exports.user_id', 'users.email'])
    .where('data_exports.id', '=', exportId)
    .where('data_exports.status', '=', 'waiting')
    .executeTakeFirst()
  if (!wanted) return
  const workspace = resolve(context.config.DATA_DIR, 'processing', exportId)
  try {
    await mkdir(workspace, { recursive: true })
    const path = join(workspace, 'export.zip')
    await writeZip(context, wanted.user_id, path)
    const { size } = await stat(path)
    await context.storage.putFile(exportKey(wanted.user_id, exportId), path)
    await finishExport(context, { exportId, bytes: size, email: wanted.email })
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

async function finishExport(
  context: Context,
  { exportId, bytes, email }: { exportId: string; bytes: number; email: string },
): Promise<void> {
  const now = context.clock.now()
  await context.db.transaction().execute(async (db) => {
    await db
      .updateTable('data_exports')
      .set({ status: 'ready', bytes, ready_at: now, expires_at: exportExpiry(now) })
      .where('id', '=', exportId)
      .execute()
    await sendEmail(db, {
      to: email,
      site: emailContext(context),
      message: {
        subject: 'Your data is ready',
        paragraphs: ['Everything we hold of your account is ready to be downloaded for 7 days.'],
        action: { label: 'Download it', path: '/dashboard/privacy' },
      },
    })
  })
}

/** One JSON file for each subject, and the files themselves, which are compressed already. */
async function writeZip(context: Context, userId: string, path: string): Promise<void> {
  const { db, storage } = context
  const zip = new ZipFile()
  for (const [subject, rows] of await collectOwnData(db, userId))
    zip.addBuffer(Buffer.from(`${JSON.stringify(rows, null, 2)}\n`), `data/${subject}.json`)
  for (const { key, name } of await listOwnFiles(db, userId)) {
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
}

/** Removes the exports whose time is over, files first. */
export async function sweepExports(context: Context): Promise<void> {
  const { db, clock, storage } = context
  const over = await db
    .selectFrom('data_exports')
    .select(['id', 'user_id'])
    .where('expires_at', '<=', clock.now())
    .execute()
  for (const { id, user_id } of over) {
    await storage.remove(exportKey(user_id, id))
    await db.transaction().execute((tx) => tx.deleteFrom('data_exports').where('id', '=', id).execute())
  }
}
