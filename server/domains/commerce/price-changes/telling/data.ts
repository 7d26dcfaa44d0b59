import { sql } from 'kysely'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { daysAfter } from '../../subscriptions/rules.ts'

export type Untold = {
  id: string
  fan_id: string
  creator_id: string
  anchor_at: Date
  current_period_end: Date
  /** When its fan was last told of a price of it. */
  price_told_at: Date | null
  title: string
  creator: string
  months: TermMonths
  price_cents: number
  /** The last price in cents that the subscriber was told, if it differs from the edit's. */
  before: number | null
  effective_from: Date
  needsCard: boolean
}

/** Whether the next charge of a subscription needs another card: it has none, or the charge of the last period failed. */
export const needsCard = sql<boolean>`(subscriptions.stored_card_id is null or subscriptions.status = 'past_due')`

const UNTOLD = sql`subscriptions.id, subscriptions.fan_id, subscriptions.creator_id, anchor_at, current_period_end, price_told_at, plan.title,
  users.username as creator, ${needsCard} as "needsCard"`
const SOLD = sql`join subscription_plans as plan on plan.id = subscriptions.plan_id
  join users on users.id = subscriptions.creator_id`

/** Holds these subscriptions until the transaction ends: renewals, answers and edits come before it or after it. */
export async function lockEach(db: Tx, ids: string[]): Promise<void> {
  await sql`select from subscriptions where id = any(${ids}::uuid[]) order by id for update`.execute(db)
}

/**
 * Those of these subscriptions that have yet to be renewed at the lower price of an edit and weren't told of a price since;
 * of several lower prices the newest.
 */
export async function listLowered(db: Tx, ids: string[], editedAt: Date): Promise<Untold[]> {
  const ahead = (agreed: string) =>
    sql`${sql.ref(`${agreed}.subscription_id`)} = subscriptions.id and ${sql.ref(`${agreed}.consented_at`)} is null
      and ${sql.ref(`${agreed}.applied_at`)} is null and ${sql.ref(`${agreed}.withdrawn_at`)} is null`
  const { rows } = await sql<Untold>`
    select ${UNTOLD}, agreed.months, agreed.price_cents, agreed.effective_from,
      coalesce((
        select told.price_cents from subscription_agreements as told
        where ${ahead('told')} and told.months = agreed.months and told.created_at < agreed.created_at
          and told.created_at <= price_told_at order by told.created_at desc, told.id desc limit 1
      ), case when agreed.months = subscriptions.months then subscriptions.price_cents end) as before
    from subscriptions ${SOLD} join subscription_agreements as agreed on ${ahead('agreed')}
    where subscriptions.id = any(${ids}::uuid[]) and subscriptions.status in ('active', 'past_due')
      and agreed.created_at = ${editedAt} and (price_told_at > ${editedAt}) is not true
      and not exists (
        select from subscription_agreements as newer where ${ahead('newer')} and newer.created_at > ${editedAt}
      )`.execute(db)
  return rows
}

/**
 * The newest lower price that a subscription has yet to be renewed at, if its fan wasn't told of a price since: of when it
 * is, and what was agreed before it.
 */
export async function findUntoldLower(
  db: Tx,
  subscriptionId: string,
): Promise<{ editedAt: Date; before: number } | undefined> {
  const { rows } = await sql<{ editedAt: Date; before: number }>`
    select ahead.created_at as "editedAt", coalesce(ahead.before, subscriptions.price_cents) as before
    from subscriptions join (
      select *, lag(price_cents) over (order by created_at, id) as before from subscription_agreements
      where subscription_id = ${subscriptionId} and applied_at is null and withdrawn_at is null
    ) as ahead on ahead.subscription_id = subscriptions.id
    where ahead.consented_at is null and (price_told_at > ahead.created_at) is not true
    order by ahead.created_at desc, ahead.id desc limit 1`.execute(db)
  return rows[0]
}

/** Those of these subscriptions whose fans weren't told of a change that is open, nor have answered it. */
export async function listAsked(db: Tx, ids: string[], changeId: string): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    select ${UNTOLD}, notice.months, notice.price_cents, notice.effective_from, null as before
    from price_change_notices as notice join price_changes as change on change.id = notice.change_id
      join subscriptions on subscriptions.id = notice.subscription_id ${SOLD}
    where notice.change_id = ${changeId} and notice.subscription_id = any(${ids}::uuid[])
      and notice.told_at is null and notice.agreed_at is null and notice.declined_at is null
      and change.closed_at is null and subscriptions.status in ('active', 'past_due')`.execute(db)
  return rows
}

/** Notes that the fans of these subscriptions are told now; returns when the notice, which begins now, has passed. */
export async function noteTold(db: Tx, ids: string[], changeId: string | null, now: Date): Promise<Date> {
  const effectiveFrom = daysAfter(now, PRICE_NOTICE_DAYS)
  await sql`update subscriptions set price_told_at = ${now} where id = any(${ids}::uuid[])`.execute(db)
  await sql`
    update price_change_notices set told_at = ${now}, effective_from = ${effectiveFrom}
    where change_id = ${changeId} and subscription_id = any(${ids}::uuid[])`.execute(db)
  return effectiveFrom
}
