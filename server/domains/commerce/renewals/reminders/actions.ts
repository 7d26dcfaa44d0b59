import { formatMoney } from '../../../../../contract/money.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { notify } from '../../../notifications/actions.ts'
import { remindedUntil } from '../charging/rules.ts'
import { agreedAhead, askedPrice, isBlocked, lacksConsent } from '../data.ts'
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
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(['ahead.price_cents as nextCents', 'ahead.months as nextMonths'])
    .select(['askedCents', 'asked.declined_at', 'creator.username as creator', lacksConsent])
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
    if (row.lacksConsent) {
      if (row.declined_at === null) await callLast(db, row, { amount, on, now })
      continue
    }
    const data = { title: row.title, amount, on, months: row.nextMonths ?? row.months }
    await notify(
      db,
      { kind: 'subscription.renewing', person: row.fan_id, data },
      { now, once: `subscription.renewing ${row.id} ${on}` },
    )
  }
}

type Unanswered = {
  id: string
  fan_id: string
  title: string
  creator: string
  askedCents: number | null
  nextMonths: TermMonths | null
  months: TermMonths
}

/** What ends because nobody answered is announced in place of a renewal, while it can still be answered. */
async function callLast(
  db: Tx,
  row: Unanswered,
  { amount, on, now }: { amount: string; on: string; now: Date },
): Promise<void> {
  const { title, creator } = row
  const asked = { amount: formatMoney(row.askedCents ?? 0), months: row.nextMonths ?? row.months }
  await notify(
    db,
    {
      kind: 'subscription.price-changed',
      person: row.fan_id,
      data: { state: 'lastCall', title, creator, before: amount, ...asked, on },
    },
    { now, once: `subscription.last-call ${row.id} ${on}` },
  )
}
