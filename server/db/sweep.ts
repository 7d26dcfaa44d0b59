import { sql } from 'kysely'
import type { Tx } from './client.ts'

const KEPT_ANSWERS_MS = 7 * 24 * 3600 * 1000

/** Forgets what the server keeps for itself and is past use: answers for a repeated key, counted calls. */
export async function sweepServer(tx: Tx, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_ANSWERS_MS)
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', oldest).execute()
  // The limiter counts by the system's clock, so its rows end by the database's.
  await sql`delete from rate_limits where expire < extract(epoch from now()) * 1000`.execute(tx)
}
