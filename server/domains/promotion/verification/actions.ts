import type { Body } from '../../../../contract/route.ts'
import type { verificationRoutes } from '../../../../contract/routes/promotion/verification.ts'
import type { Context } from '../../../context.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { notify } from '../../notifications/actions.ts'
import { findByNames } from '../subreddits/data.ts'
import { findReminders } from './data.ts'

type Change = Omit<Body<typeof verificationRoutes.updateVerification>, 'userId' | 'srName'>

/** The subreddit of this name; throws `subreddit_not_found`. */
export async function requireSubreddit(db: Db, name: string): Promise<{ id: string; name: string }> {
  const [subreddit] = await findByNames(db, [name])
  if (!subreddit) throw new AppError('subreddit_not_found')
  return subreddit
}

/**
 * Keeps what somebody says of their verification in a subreddit, or an operator of theirs; what isn’t named stays. Throws
 * `reminder_in_past` and `subreddit_not_found`.
 */
export async function updateRecord(
  tx: Tx,
  {
    userId,
    actorId = userId,
    name,
    change,
    now,
  }: { userId: string; actorId?: string; name: string; change: Change; now: Date },
): Promise<{ subredditId: string }> {
  const subreddit = await requireSubreddit(tx, name)
  const { remindOn, notes, status, confirmed, checked } = change
  if (remindOn && !isFuture(remindOn, now)) throw new AppError('reminder_in_past')
  const set = {
    ...(notes === undefined ? {} : { notes }),
    ...(status === undefined ? {} : { status }),
    ...(confirmed === undefined ? {} : { confirmed }),
    ...(checked === undefined ? {} : { checked: [...new Set(checked)] }),
    ...(remindOn === undefined ? {} : { remind_on: remindOn }),
    changed_at: now,
  }
  try {
    await tx
      .insertInto('verifications')
      .values({
        user_id: userId,
        subreddit_id: subreddit.id,
        sort_name: subreddit.name.toLowerCase(),
        status: 'todo',
        confirmed: 'pending',
        ...set,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'subreddit_id']).doUpdateSet(set))
      .execute()
  } catch (error) {
    // An operator removed it just now.
    const isGone = violates(error, 'verifications_subreddit_id_fkey')
    throw isGone ? new AppError('subreddit_not_found') : error
  }
  if (actorId !== userId)
    await writeAudit(tx, {
      actorId,
      action: 'verification.edited',
      targetKind: 'user',
      targetId: userId,
      reason: 'Edited a creator’s verification.',
      detail: { subreddit: subreddit.name },
      now,
    })
  return { subredditId: subreddit.id }
}

/** Whether a day is to come anywhere on earth, and within two years. */
function isFuture(day: string, now: Date): boolean {
  const start = Date.parse(`${day}T00:00:00Z`)
  const ahead = start - now.getTime()
  return ahead > -12 * 3_600_000 && ahead < 2 * 366 * 86_400_000
}

/** Removes somebody’s record; throws `subreddit_not_found` where there is none. */
export async function removeRecord(tx: Tx, userId: string, name: string): Promise<void> {
  const subreddit = await requireSubreddit(tx, name)
  const gone = await tx
    .deleteFrom('verifications')
    .where('user_id', '=', userId)
    .where('subreddit_id', '=', subreddit.id)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw new AppError('subreddit_not_found')
}

const BATCH = 500

/** Reminds everybody whose day has come, once each. */
export async function remindOfVerifications({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  for (const due of await findReminders(db, now, BATCH))
    await db.transaction().execute(async (tx) => {
      const taken = await tx
        .updateTable('verifications')
        .set({ remind_on: null })
        .where('user_id', '=', due.user_id)
        .where('subreddit_id', '=', due.subreddit_id)
        .where('remind_on', 'is not', null)
        .executeTakeFirst()
      if (taken.numUpdatedRows === 0n) return
      await notify(
        tx,
        { kind: 'verification.reminder', person: due.user_id, data: { subreddit: due.name } },
        { now },
      )
    })
}
