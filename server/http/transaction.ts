import type { Route } from '../../contract/route.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/client.ts'
import type { Answered } from '../db/idempotency.ts'
import { answerOnce, answerOnceAfter, requestHash } from './idempotency.ts'

/** The key of a repeated call. */
type Call = {
  /** The route's name in the contract. */
  name: string
  route: Route
  body: unknown
  /** The caller; null for a visitor. */
  viewerId: string | null
  idempotencyKey: string | null
  now: Date
}

/**
 * Runs a call in one transaction, or on the pool if its route needs none. A repeated call with the same idempotency key gets
 * the first answer, which is stored in the same transaction, or after those that the call opens by itself.
 * @throws AppError `request_in_flight`, or `idempotency_key_reused` when the key belongs to another call
 */
export async function answerInTransaction(
  { db, vault, checkpoint }: Pick<Context, 'db' | 'vault' | 'checkpoint'>,
  { name, route, body, viewerId, idempotencyKey, now }: Call,
  answer: (db: Db | Tx) => Promise<Answered>,
): Promise<Answered> {
  const keyed =
    idempotencyKey && viewerId
      ? { userId: viewerId, key: idempotencyKey, route: name, requestHash: requestHash(name, body) }
      : null
  const keeping = { now, vault, sealed: route.idempotent === 'sealed' }
  if (!needsTransaction(route))
    return keyed ? answerOnceAfter(db, keyed, keeping, () => answer(db)) : answer(db)
  const answered = await db.transaction().execute(async (tx) => {
    const first = keyed ? await answerOnce(tx, keyed, keeping, () => answer(tx)) : await answer(tx)
    await checkpoint('call.before-commit')
    return first
  })
  await checkpoint('call.committed')
  return answered
}

/** A handler that only reads gets the pool, and so does one that opens its own transactions. */
const needsTransaction = (route: Route): boolean => route.method !== 'GET' && route.transaction !== 'manual'
