import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { daysAfter } from '../../subscriptions/rules.ts'
import { lockRenewals } from '../charging/data.ts'
import { LAST_DAY } from '../charging/rules.ts'
import { TOLD_AGAIN_DAYS } from './rules.ts'

/**
 * Subscriptions that nothing is charged for until they end unpaid, and whose fans weren't told since the latest of the days
 * on which they are to be; nobody else holds them.
 */
export function lockUntold(db: Tx, now: Date, limit: number) {
  return lockRenewals(db, (rows) =>
    rows
      .where('subscriptions.status', '=', 'past_due')
      .where('subscriptions.current_period_end', '>', daysAfter(now, -LAST_DAY))
      .where('subscriptions.current_period_end', '<=', daysAfter(now, -Math.min(...TOLD_AGAIN_DAYS)))
      .where(sql<boolean>`renewal_due_at >= ${dayOfUnpaid(LAST_DAY)}`)
      .where(({ or }) =>
        or(
          TOLD_AGAIN_DAYS.map(
            (days) => sql<boolean>`${dayOfUnpaid(days)} <= ${now}
              and (reminded_at is null or reminded_at < ${dayOfUnpaid(days)})`,
          ),
        ),
      )
      .orderBy('subscriptions.current_period_end')
      .limit(limit)
      .skipLocked(),
  )
}

/** So many days of 24 hours after the end of what was paid. */
const dayOfUnpaid = (days: number) =>
  sql<Date>`subscriptions.current_period_end + ${sql.lit(`${days * 24} hours`)}::interval`
