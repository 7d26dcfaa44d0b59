import { randomUUID } from 'node:crypto'
import type { Delivery } from '../../../contract/notifications.ts'
import type { Tx } from '../../db/client.ts'
import { sweepServer } from '../../db/sweep.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { ATTEMPT_WINDOW_MS } from './reauthentication/rules.ts'

/** Has notifications, which stand above this domain, tell an account something or mail a link, after the commit. */
export async function tell(db: Tx, message: Delivery['message']): Promise<void> {
  await enqueue(db, 'notifications.send', { id: randomUUID(), message, unlisted: true })
}

/** Remembers that the person said to be 18 or older; the first time counts. */
export async function confirmAge(db: Tx, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await db
    .updateTable('users')
    .set({ age_confirmed_at: now })
    .where('id', '=', userId)
    .where('age_confirmed_at', 'is', null)
    .execute()
}

/** Whether the operator vouches for the person's age: since this moment, or with null not at all. False: no such account. */
export async function setAgeApproval(
  db: Tx,
  { userId, approvedAt }: { userId: string; approvedAt: Date | null },
): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ age_approved_at: approvedAt })
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Forgets what is past use: sessions, links, changes of email, challenges, answers kept for a repeated key, counted
 * attempts. `systemNow` is what the limiter's rows end by: it counts by the system's clock.
 */
export async function sweep(db: Tx, { now, systemNow }: { now: Date; systemNow: Date }): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('email_confirmations').where('expires_at', '<=', now).execute()
  await db.deleteFrom('email_changes').where('expires_at', '<=', now).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  await db.deleteFrom('authentication_challenges').where('expires_at', '<=', now).execute()
  const longAgo = new Date(now.getTime() - ATTEMPT_WINDOW_MS)
  await db.deleteFrom('authentication_attempts').where('made_at', '<=', longAgo).execute()
  await sweepServer(db, { now, systemNow })
}
