import { formatMoney } from '../../../../../contract/money.ts'
import type { Tx } from '../../../../db/client.ts'
import { notify } from '../../../notifications/actions.ts'
import { remindedUntil } from '../charging/rules.ts'
import { agreedAhead, isBlocked } from '../data.ts'
import { isRenewable } from '../rules.ts'

/** At most so many in one run; the next one comes within minutes. */
const BATCH = 500

/** Tells fans of the renewals of the next days, once for each period. What won't renew is not announced. */
export async function remindOfRenewals(db: Tx, now: Date): Promise<void> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .select(['subscriptions.id', 'subscriptions.fan_id', 'plan.title'])
    .select(['subscriptions.price_cents', 'subscriptions.months'])
    .select(['ahead.price_cents as nextCents', 'ahead.months as nextMonths'])
    .select(['subscriptions.current_period_end as expiration', 'plan.deleted_at as planDeletedAt'])
    .select(['creator.hidden_at as creatorHiddenAt', 'fan.hidden_at as fanHiddenAt'])
    .select(isBlocked)
    .where('subscriptions.status', '=', 'active')
    .where('subscriptions.reminded_at', 'is', null)
    .where('subscriptions.current_period_end', '<=', remindedUntil(now))
    .where('subscriptions.current_period_end', '>', now)
    .orderBy('subscriptions.current_period_end')
    .limit(BATCH)
    .forUpdate('subscriptions')
    .skipLocked()
    .execute()
  for (const row of rows) {
    await db.updateTable('subscriptions').set({ reminded_at: now }).where('id', '=', row.id).execute()
    if (!isRenewable(row)) continue
    const on = row.expiration.toISOString().slice(0, 10)
    const amount = formatMoney(row.nextCents ?? row.price_cents)
    const data = { title: row.title, amount, on, months: row.nextMonths ?? row.months }
    await notify(
      db,
      { kind: 'subscription.renewing', person: row.fan_id, data },
      { now, once: `subscription.renewing ${row.id} ${on}` },
    )
  }
}
