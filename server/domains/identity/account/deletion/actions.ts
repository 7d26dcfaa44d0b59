import type { Tx } from '../../../../db/client.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { publish } from '../../../../realtime/publish.ts'
import { tell } from '../../actions.ts'
import { keepRoleManager } from '../../roles/actions.ts'
import { erasureDue } from '../../rules.ts'

/**
 * Hides the person at once, ends every session and promises erasure; asking again changes nothing and tells nobody.
 * Returns until when logging in takes it back. Throws `last_superadmin`: somebody must be left who can run the site.
 */
export async function requestDeletion(db: Tx, { userId, now }: { userId: string; now: Date }): Promise<Date> {
  await keepRoleManager(db, userId)
  const account = await db
    .updateTable('users')
    .set((eb) => ({ deletion_requested_at: eb.fn.coalesce('deletion_requested_at', eb.val(now)) }))
    .where('id', '=', userId)
    .returning('is_creator')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await publish(db, { name: 'sessions.ended', people: [userId] })
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

/**
 * Takes a deletion back because its owner logged in. `underWay` once erasure has started: the account can't be used.
 * Accounts that nobody asked to delete (`none`) are left as they are.
 */
export async function undoDeletion(db: Tx, userId: string): Promise<'none' | 'undone' | 'underWay'> {
  const request = await db
    .selectFrom('account_deletions')
    .select('started_at')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!request) return 'none'
  if (request.started_at) return 'underWay'
  await db.deleteFrom('account_deletions').where('user_id', '=', userId).execute()
  await db.updateTable('users').set({ deletion_requested_at: null }).where('id', '=', userId).execute()
  await tell(db, { kind: 'deletion.undone', person: userId, data: {} })
  return 'undone'
}

/** From here on logging in takes nothing back; false when it just did. */
export async function beginErasure(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('account_deletions')
    .set((eb) => ({ started_at: eb.fn.coalesce('started_at', eb.val(now)) }))
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends an erasure: the account's row stays for the money records that name it, and says nothing about anybody; no
 * password opens it.
 */
export async function endErasure(
  tx: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email: `${userId}@deleted.invalid`,
      username: `deleted-${userId}`,
      first_name: 'Deleted User',
      last_name: '',
      reddit_username: '',
      recognizable: false,
      password_hash: passwordHash,
      role: null,
      suspended_at: null,
      suspended_by: null,
      suspension_reason: null,
      email_verified_at: null,
      referral_code: `deleted-${userId}`,
      referred_by: null,
      referred_by_shared: null,
      age_confirmed_at: null,
      age_approved_at: null,
    })
    .where('id', '=', userId)
    .execute()
  await tx.updateTable('account_deletions').set({ erased_at: now }).where('user_id', '=', userId).execute()
}
