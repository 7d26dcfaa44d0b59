import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { later } from '../rules.ts'
import { findTurns, listNext } from './data.ts'
import { type Line, pauseSeconds, turnsFrom } from './rules.ts'

const CANDIDATES = 20

/** The job that prepares the upload whose turn it is, or clears away what is left of this one when it was given up. */
export const enqueueProcessing = (tx: Tx, uploadId: string, when: { runAt?: Date; waitMs?: number } = {}) =>
  enqueue(tx, 'media.process', { uploadId }, { key: `media.process:${uploadId}`, ...when })

/** Until the transaction ends, nobody else changes how many uploads this person has or has waiting. */
export async function lockUploadsOf(tx: Tx, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${ownerId}`}, 0))`.execute(tx)
}

/** Puts a person's uploads into the line, in this order. */
export async function takeTurns(tx: Tx, ownerId: string, uploadIds: string[], line: Line): Promise<void> {
  await lockUploadsOf(tx, ownerId)
  const turns = turnsFrom(await findTurns(tx, ownerId, line), uploadIds.length)
  for (const [index, id] of uploadIds.entries()) {
    await tx
      .updateTable('uploads')
      .set({ line, turn: turns[index] ?? 0 })
      .where('id', '=', id)
      .execute()
    await enqueueProcessing(tx, id)
  }
}

/**
 * Lets `work` have the upload of the line whose turn it is, which no other process has meanwhile: it holds an
 * advisory lock that ends with the connection, so that it never outlives a killed process.
 */
export async function claimNext(
  db: Db,
  line: Line,
  now: Date,
  work: (uploadId: string) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    for (const id of await listNext(db, line, now, CANDIDATES)) {
      const key = sql`hashtextextended(${`media.process ${id}`}, 0)`
      const { rows } = await sql<{
        locked: boolean
      }>`select pg_try_advisory_lock(${key}) as locked`.execute(connection)
      if (!rows[0]?.locked) continue
      try {
        if (!(await start(db, id, now))) continue
        return await work(id)
      } finally {
        await sql`select pg_advisory_unlock(${key})`.execute(connection)
      }
    }
  })
}

/** Counts an attempt; false when the upload was decided or given up before it was claimed. */
async function start(db: Db, uploadId: string, now: Date): Promise<boolean> {
  const row = await db.transaction().execute((tx) =>
    tx
      .updateTable('uploads')
      .set((eb) => ({ started_at: now, attempts: eb('attempts', '+', 1), progress: 0, updated_at: now }))
      .where('id', '=', uploadId)
      .where('status', '=', 'processing')
      .returning('id')
      .executeTakeFirst(),
  )
  return row !== undefined
}

/** Puts an upload whose attempt failed back into the line, for after the pause that so many attempts make. */
export async function tryLater(
  db: Db,
  { id, attempts }: { id: string; attempts: number },
  now: Date,
): Promise<void> {
  await putBack(db, { id, attempts, notBefore: later(now, pauseSeconds(attempts)) }, now)
}

/** Puts an upload back into the line for when the disk or the store may be there again, at `notBefore`; the attempt counts as none. */
export async function waitForStorage(
  db: Db,
  { id, attempts }: { id: string; attempts: number },
  notBefore: Date,
  now: Date,
): Promise<void> {
  await putBack(db, { id, attempts: attempts - 1, notBefore }, now)
}

async function putBack(
  db: Db,
  { id, attempts, notBefore }: { id: string; attempts: number; notBefore: Date },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('uploads')
      .set({ started_at: null, attempts, not_before: notBefore, updated_at: now })
      .where('id', '=', id)
      .where('status', '=', 'processing')
      .execute()
    await enqueueProcessing(tx, id, { runAt: notBefore })
  })
}

/**
 * Sends the job of an upload again whose pause, by this process's clock, is not over: the queue goes by the database's,
 * so it waits there for as long as is left here.
 */
export async function keepWaiting(db: Db, uploadId: string, notBefore: Date, now: Date): Promise<void> {
  const waitMs = notBefore.getTime() - now.getTime()
  await db.transaction().execute((tx) => enqueueProcessing(tx, uploadId, { waitMs }))
}

/** Takes back the start of an attempt that was none: the upload waits where it stood. */
export async function giveBack(tx: Tx, uploadId: string): Promise<void> {
  await tx
    .updateTable('uploads')
    .set((eb) => ({ started_at: null, progress: 0, attempts: eb('attempts', '-', 1) }))
    .where('id', '=', uploadId)
    .where('status', '=', 'processing')
    .execute()
}

/** Sends a job for the next in line, if anybody waits. */
export async function passOn(db: Db, line: Line, now: Date): Promise<void> {
  const [next] = await listNext(db, line, now, 1)
  if (next) await db.transaction().execute((tx) => enqueueProcessing(tx, next))
}

/** Moves an upload to the line that it belongs to, once its bytes were looked at. */
export async function changeLine(
  db: Db,
  upload: { id: string; owner_id: string },
  line: Line,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await giveBack(tx, upload.id)
    await takeTurns(tx, upload.owner_id, [upload.id], line)
  })
}
