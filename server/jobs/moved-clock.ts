import { sql } from 'kysely'
import type { Tx } from '../db/client.ts'

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
