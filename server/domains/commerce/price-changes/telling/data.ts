import { sql } from 'kysely'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { daysAfter } from '../../subscriptions/rules.ts'

type Told = {
  id: string
  fan_id: string
  anchor_at: Date
  current_period_end: Date
  title: string
  creator: string
  months: TermMonths
  price_cents: number
  effective_from: Date
}

const TOLD = sql`subscriptions.id, subscriptions.fan_id, anchor_at, current_period_end, plan.title,
  users.username as creator`
const SOLD = sql`join subscription_plans as plan on plan.id = subscriptions.plan_id
  join users on users.id = subscriptions.creator_id`

/** Those of these subscriptions that have yet to be renewed at the lower price of an edit. */
export async function listLowered(db: Tx, ids: string[], editedAt: Date): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select ${TOLD}, agreed.months, agreed.price_cents, agreed.effective_from
    from subscriptions ${SOLD} join subscription_agreements as agreed on agreed.subscription_id = subscriptions.id
    where subscriptions.id = any(${ids}::uuid[]) and subscriptions.status in ('active', 'past_due')
      and agreed.created_at = ${editedAt} and agreed.consented_at is null
      and agreed.applied_at is null and agreed.withdrawn_at is null`.execute(db)
  return rows
}

/** Notes that the fans of these subscriptions are told now of a change that is open, unless they were, or have answered. */
export async function noteTold(
  db: Tx,
  { changeId, ids, now }: { changeId: string; ids: string[]; now: Date },
): Promise<Told[]> {
  // Renewals and answers come before it or after it.
  await sql`select from subscriptions where id = any(${ids}::uuid[]) order by id for update`.execute(db)
  const { rows } = await sql<Told>`
    update price_change_notices as notice
    set told_at = ${now}, effective_from = ${daysAfter(now, PRICE_NOTICE_DAYS)}
    from price_changes as change, subscriptions ${SOLD}
    where notice.change_id = ${changeId} and notice.subscription_id = any(${ids}::uuid[])
      and notice.told_at is null and notice.agreed_at is null and notice.declined_at is null
      and change.id = notice.change_id and change.closed_at is null
      and subscriptions.id = notice.subscription_id and subscriptions.status in ('active', 'past_due')
    returning ${TOLD}, notice.months, notice.price_cents, notice.effective_from`.execute(db)
  return rows
}
