import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findQueue } from '../data.ts'

/** One change of somebody's queue at a time, so that no two take the same slot. */
export async function lockQueue(tx: Tx, userId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`forum queue ${userId}`}, 0))`.execute(tx)
  return findQueue(tx, userId)
}

type Queue = Awaited<ReturnType<typeof findQueue>>

/** Changes somebody's rhythm; what is undefined stays. */
export async function editQueue(
  tx: Tx,
  userId: string,
  change: { [Name in keyof Queue]?: Queue[Name] | undefined },
): Promise<void> {
  const queue = await lockQueue(tx, userId)
  await tx
    .insertInto('forum_queues')
    .values({ user_id: userId, ...queue })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  if (Object.values(change).every((value) => value === undefined)) return
  await tx.updateTable('forum_queues').set(change).where('user_id', '=', userId).execute()
}

/** Keeps an account from posting, or lets it post again at once. Throws `forum_account_not_found`. */
export async function stopAccount(
  tx: Tx,
  { userId, accountId, stopped }: { userId: string; accountId: string; stopped: boolean },
): Promise<void> {
  const changed = await tx
    .updateTable('forum_accounts')
    .set(stopped ? { stopped_by: 'person' } : { stopped_by: null, failures: 0 })
    .where('id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('forum_account_not_found')
}
