import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { tell } from '../../actions.ts'
import { erasureDue } from '../../rules.ts'

/**
 * Hides the person at once, ends every session and promises erasure; asking again changes nothing and tells nobody.
 * Returns until when logging in takes it back. Throws `last_superadmin`: somebody must be left who can run the site.
 */
export async function requestDeletion(db: Tx, { userId, now }: { userId: string; now: Date }): Promise<Date> {
  await keepOneSuperadmin(db, userId)
  const account = await db
    .updateTable('users')
    .set((eb) => ({ hidden_at: eb.fn.coalesce('hidden_at', eb.val(now)) }))
    .where('id', '=', userId)
    .returning('is_creator')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  // The row of the user is locked, so who asks second finds the first request.
  const before = await db
    .selectFrom('account_deletions')
    .select('due_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (before) return before.due_at
  const dueAt = erasureDue(now)
  await db
    .insertInto('account_deletions')
    .values({ user_id: userId, requested_at: now, due_at: dueAt })
    .execute()
  const erasedBy = dueAt.toISOString().slice(0, 10)
  await tell(db, { kind: 'deletion.requested', person: userId, data: { erasedBy } })
  if (account.is_creator) await enqueue(db, 'account.tell-buyers', { creatorId: userId })
  return dueAt
}

/** All superadmins are locked in one order, so that two of them can't leave at the same moment. */
async function keepOneSuperadmin(db: Tx, userId: string): Promise<void> {
  const superadmins = await db
    .selectFrom('users')
    .select(['id', 'hidden_at', 'email_verified_at'])
    .where('role', '=', 'superadmin')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (!superadmins.some(({ id }) => id === userId)) return
  const others = superadmins.filter(
    ({ id, hidden_at, email_verified_at }) =>
      id !== userId && hidden_at === null && email_verified_at !== null,
  )
  if (others.length === 0) throw new AppError('last_superadmin')
}

/**
 * Takes a deletion back because its owner logged in. Returns whether the account may be used: false once erasure has
 * started. Accounts that nobody asked to delete are left as they are.
 */
export async function undoDeletion(db: Tx, userId: string): Promise<boolean> {
  const request = await db
    .selectFrom('account_deletions')
    .select(['requested_at', 'started_at'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!request) return true
  if (request.started_at) return false
  await db.deleteFrom('account_deletions').where('user_id', '=', userId).execute()
  // Hidden for another reason since, it stays hidden.
  await db
    .updateTable('users')
    .set({ hidden_at: null })
    .where('id', '=', userId)
    .where('hidden_at', '=', request.requested_at)
    .execute()
  await tell(db, { kind: 'deletion.undone', person: userId, data: {} })
  return true
}
