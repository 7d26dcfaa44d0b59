import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { definitions, type JobName } from '../jobs/catalogue.ts'
import { enqueue, enqueueRuns } from '../jobs/enqueue.ts'

type Shared = Pick<Context, 'db' | 'clock' | 'log'>

/** How long another process may take to learn that the clock was moved, in milliseconds. */
const FOLLOW_MS = 500

/**
 * Moves the clock of every process on this database forward; this one's at once. What comes by itself from time to time
 * is done next, as some of it would have been by then; only some of it where `isDone` says so.
 */
export async function moveClock(
  { db, clock }: Shared,
  milliseconds: number,
  isDone: (name: JobName) => boolean = () => true,
): Promise<void> {
  const offset = await db.transaction().execute(async (tx) => {
    const { clock_offset_ms: before } = await tx
      .selectFrom('installation')
      .select('clock_offset_ms')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const moved = Math.max(before, clock.offset()) + milliseconds
    await noteClockOffset(tx, moved)
    return moved
  })
  catchUp(clock, offset)
  await askFor(
    db,
    definitions.flatMap(([name, { cron }]) => (cron && isDone(name) ? [name] : [])),
  )
}

/**
 * Has the workers do these now. What has a row already is asked for by itself: a transaction that holds several of those
 * deadlocks with a lane that ends several jobs at once, and the lane then takes minutes to try again.
 */
async function askFor(db: Shared['db'], names: JobName[]): Promise<void> {
  const { rows } = await sql<{ key: JobName }>`
    select key from graphile_worker.jobs where key = any(${names})`.execute(db)
  const queued = new Set(rows.map(({ key }) => key))
  const others = names.filter((name) => !queued.has(name))
  // Each statement wakes a worker of every lane, so one statement does for all of them.
  await db.transaction().execute((tx) => enqueueRuns(tx, others))
  for (const name of queued) await db.transaction().execute((tx) => enqueue(tx, name, {}))
}

/** Goes to where the clock was moved to, before the last stop or by another process; it only ever goes forward. */
export async function followClock(context: Shared): Promise<{ stop(): Promise<void> }> {
  await readClock(context)
  let reading = Promise.resolve()
  const timer = setInterval(() => {
    reading = reading
      .then(() => readClock(context))
      .catch((error: unknown) => {
        context.log.warn({ err: error }, 'the sandbox clock could not be read')
      })
  }, FOLLOW_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await reading
    },
  }
}

/** Goes to where the clock of this database was moved to; never back. */
export async function readClock({ db, clock }: Pick<Shared, 'db' | 'clock'>): Promise<void> {
  const { clock_offset_ms: offset } = await db
    .selectFrom('installation')
    .select('clock_offset_ms')
    .executeTakeFirstOrThrow()
  catchUp(clock, offset)
}

function catchUp(clock: Context['clock'], offset: number): void {
  if (offset > clock.offset()) clock.advance(offset - clock.offset())
}

/**
 * Writes down how far our clock is ahead of the system's, by which the queue goes, and brings every waiting job as much
 * nearer as the clock was moved since it was last written down.
 */
export async function noteClockOffset(tx: Tx, offsetMs: number): Promise<void> {
  const { clock_offset_ms: before } = await tx
    .selectFrom('installation')
    .select('clock_offset_ms')
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before === offsetMs) return
  await tx.updateTable('installation').set({ clock_offset_ms: offsetMs }).execute()
  await sql`
    select graphile_worker.reschedule_jobs(
      array[id], run_at := run_at - ${offsetMs - before} * interval '1 millisecond')
    from graphile_worker.jobs where locked_at is null`.execute(tx)
}
