import type { Route } from '../../contract/route.ts'
import type { Db, Tx } from '../db/client.ts'

/** What PostgreSQL asks to try again: a serialization failure, a deadlock. */
const RETRYABLE = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 3

/** Whether a route's handler runs in one transaction, which the server opens; otherwise it gets the pool. */
export const needsTransaction = (route: Route): boolean =>
  route.method !== 'GET' && route.transaction !== 'manual'

/** Works in a transaction, again when the database asks for another try. */
export async function inTransaction<Made>(db: Db, work: (tx: Tx) => Promise<Made>): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}
