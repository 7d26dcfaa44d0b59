import type { Tx } from './client.ts'

const KEPT_ANSWERS_MS = 7 * 24 * 3600 * 1000

/**
 * Forgets what the server keeps for itself and is past use: answers for a repeated key, counted calls. The limiter
 * counts by the system's clock, so its rows end by `systemNow`.
 */
export async function sweepServer(tx: Tx, { now, systemNow }: { now: Date; systemNow: Date }): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_ANSWERS_MS)
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', oldest).execute()
  await tx.deleteFrom('rate_limits').where('expire', '<', systemNow.getTime()).execute()
}
