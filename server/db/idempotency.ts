import { sql } from 'kysely'
import type { Tx } from './client.ts'

/** A call that came with an idempotency key; `requestHash` tells another call under the same key. */
export type KeyedCall = { userId: string; key: string; route: string; requestHash: string }

export type Answered = { status: number; response: unknown }

/**
 * Holds the key until the transaction ends, and finds the answer that was given under it: `in_flight` while another
 * call holds it, `reused` when it was another call, null when this one is the first.
 */
export async function findAnswer(tx: Tx, call: KeyedCall): Promise<Answered | 'in_flight' | 'reused' | null> {
  const lock = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${call.userId} ${call.key}`}, 0)) as held`.execute(
    tx,
  )
  if (!lock.rows[0]?.held) return 'in_flight'
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'response'])
    .where('user_id', '=', call.userId)
    .where('key', '=', call.key)
    .executeTakeFirst()
  if (!row) return null
  if (row.request_hash !== call.requestHash) return 'reused'
  return { status: row.status, response: row.response }
}

/** Keeps the answer for a repetition of the call. */
export async function keepAnswer(
  tx: Tx,
  call: KeyedCall,
  { status, response }: Answered,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('idempotency_keys')
    .values({
      user_id: call.userId,
      key: call.key,
      route: call.route,
      request_hash: call.requestHash,
      status,
      response: JSON.stringify(response),
      created_at: now,
    })
    .execute()
}
