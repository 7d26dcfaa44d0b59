import { sql } from 'kysely'
import type { Signal } from '../../contract/realtime.ts'
import type { Db, Tx } from '../db/client.ts'

/** The channel of the database through which web processes signal one another. */
export const CHANNEL = 'fanfare_realtime'

/**
 * Tells every web process something once the caller's transaction commits, and nobody if it doesn't
 * (docs/decisions/043-realtime.md). Signals of one transaction arrive in their order, those of several in the order of
 * the commits.
 */
export async function publish(tx: Tx, signal: Signal): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(signal)})`.execute(tx)
}

/** `publish` for each of these, in their order. */
export async function publishEach(tx: Tx, signals: Signal[]): Promise<void> {
  if (signals.length === 0) return
  const texts = signals.map((signal) => JSON.stringify(signal))
  await sql`select pg_notify(${CHANNEL}, signal) from unnest(${texts}::text[]) as signal`.execute(tx)
}

/** Tells every web process something that nobody minds missing, at once. */
export async function announce(db: Db, signal: Signal): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(signal)})`.execute(db)
}
