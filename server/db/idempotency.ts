import { sql } from 'kysely'
import type { Vault } from '../crypto/vault.ts'
import type { Db, Tx } from './client.ts'

/** A call that came with an idempotency key; `requestHash` tells another call under the same key. */
export type KeyedCall = { userId: string; key: string; route: string; requestHash: string }

const PURPOSE = 'idempotent answer'

export type Answered = { status: number; response: unknown }

/** Holds the key of a call until the transaction ends; false while another call holds it. */
export async function holdKey(tx: Tx, { userId, key }: KeyedCall): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 0)) as held`.execute(tx)
  return rows[0]?.held ?? false
}

/** The answer that was given under the key: `reused` when it was to another call, null when there is none yet. */
export async function findAnswer(db: Db, call: KeyedCall, vault: Vault): Promise<Answered | 'reused' | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'response', 'sealed_response'])
    .where('user_id', '=', call.userId)
    .where('key', '=', call.key)
    .executeTakeFirst()
  if (!row) return null
  if (row.request_hash !== call.requestHash) return 'reused'
  const { status, sealed_response: sealed } = row
  return { status, response: sealed ? JSON.parse(vault.open(PURPOSE, ownerOf(call), sealed)) : row.response }
}

const ownerOf = ({ userId, key }: Pick<KeyedCall, 'userId' | 'key'>) => `${userId} ${key}`

/** Keeps the answer for a repetition of the call, `sealed` or as it is. Returns it, or the one kept meanwhile. */
export async function keepAnswer(
  tx: Tx,
  call: KeyedCall,
  { status, response }: Answered,
  { now, vault, sealed }: { now: Date; vault: Vault; sealed: boolean },
): Promise<Answered> {
  const text = JSON.stringify(response)
  const kept = await tx
    .insertInto('idempotency_keys')
    .values({
      user_id: call.userId,
      key: call.key,
      route: call.route,
      request_hash: call.requestHash,
      status,
      response: sealed ? null : text,
      sealed_response: sealed ? vault.seal(PURPOSE, ownerOf(call), text) : null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (kept) return { status, response }
  const first = await findAnswer(tx, call, vault)
  return first === null || first === 'reused' ? { status, response } : first
}

/** Seals every sealed answer with the newest secret; answers how many were sealed with another one. */
export async function resealAnswers(tx: Tx, vault: Vault): Promise<number> {
  const rows = await tx
    .selectFrom('idempotency_keys')
    .select(['user_id as userId', 'key', 'sealed_response as sealed'])
    .where('sealed_response', 'is not', null)
    .forUpdate()
    .execute()
  let resealed = 0
  for (const { sealed, ...call } of rows) {
    if (!sealed || vault.isCurrent(sealed)) continue
    const owner = ownerOf(call)
    await tx
      .updateTable('idempotency_keys')
      .set({ sealed_response: vault.seal(PURPOSE, owner, vault.open(PURPOSE, owner, sealed)) })
      .where('user_id', '=', call.userId)
      .where('key', '=', call.key)
      .execute()
    resealed += 1
  }
  return resealed
}
