import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import type { TermMonths } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { LATER } from '../../../../jobs/enqueue.ts'
import { notify, notifyEach } from '../../../notifications/actions.ts'
import { remindedUntil } from '../charging/rules.ts'
import { agreedAhead, askedPrice, isBlocked, lacksConsent } from '../data.ts'
import { isRenewable, type Renewable } from '../rules.ts'

/** At most so many in one run; the next one comes within minutes. */
const BATCH = 500

/**
 * Tells fans of the renewals of the next days, once for each period, and of free trials that end then. What won't renew is not
 * announced.
 */
export async function remindOfRenewals(db: Tx, now: Date): Promise<void> {
  await remindOfTrials(db, now)
  const rows = await lockToRemind(db)
    .where('subscriptions.current_period_end', '<=', remindedUntil(now))
    .where('subscriptions.current_period_end', '>', now)
    .orderBy('subscriptions.current_period_end')
    .limit(BATCH)
    .skipLocked()
    .execute()
  await markReminded(db, rows, now)
  const reminders = rows.flatMap((row) => reminderOf(row) ?? [])
  for (const kind of ['subscription.renewing', 'subscription.price-changed'])
    await notifyEach(
      db,
      reminders.filter(({ event }) => event.kind === kind),
      { now, priority: LATER },
    )
}

/**
 * Tells a fan that no card was kept for their subscription, unless it has one, doesn't renew, or the notice of its renewal
 * says so: that was sent, or is due.
 */
export async function tellNoneKept(db: Tx, subscriptionId: string, now: Date): Promise<void> {
  const row = await lockToRemind(db)
    .where('subscriptions.id', '=', subscriptionId)
    .where('subscriptions.current_period_end', '>', remindedUntil(now))
    .where('card.id', 'is', null)
    .executeTakeFirst()
  const reminder = row && reminderOf(row)
  if (reminder?.event.kind !== 'subscription.renewing') return
  await notify(db, reminder.event, { now, once: `${reminder.once} none kept` })
}

/** Subscriptions whose fans weren't told of the next renewal yet, with all that is told, held until the transaction ends. */
function lockToRemind(db: Tx) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .leftJoin('stored_cards as card', (join) =>
      join
        .onRef('card.id', '=', 'subscriptions.stored_card_id')
        .on('card.removed_at', 'is', null)
        .on('card.livemode', '=', sql<boolean>`installation_livemode()`),
    )
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .select('card.id as cardId')
    .select(['subscriptions.id', 'subscriptions.fan_id', 'subscriptions.creator_id', 'plan.title'])
    .select(['subscriptions.price_cents', 'subscriptions.months'])
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(['ahead.price_cents as nextCents', 'ahead.months as nextMonths'])
    .select(['askedCents', 'asked.declined_at', 'creator.username as creator', lacksConsent])
    .select(['subscriptions.current_period_end as expiration', 'plan.deleted_at as planDeletedAt'])
    .select(['creator.hidden_at as creatorHiddenAt', 'fan.hidden_at as fanHiddenAt'])
    .select(isBlocked)
    .where('subscriptions.status', '=', 'active')
    .where('subscriptions.reminded_at', 'is', null)
    .forUpdate('subscriptions')
}

/** Notes that the fans of these subscriptions are told now what comes next. */
export async function markReminded(db: Tx, rows: { id: string }[], now: Date): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ reminded_at: now })
    .where('id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .execute()
}

/** Tells fans of free trials that end within days, once for each end, and what a month costs after that. */
async function remindOfTrials(db: Tx, now: Date): Promise<void> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .select(['subscriptions.id', 'subscriptions.fan_id', 'subscriptions.creator_id'])
    .select(['plan.title', 'creator.username as creator'])
    .select(['plan.price_cents', 'plan.retired_at', 'plan.deleted_at as planDeletedAt'])
    .select(['creator.hidden_at as creatorHiddenAt', 'fan.hidden_at as fanHiddenAt'])
    .select(['subscriptions.current_period_end as expiration', isBlocked])
    .where('subscriptions.status', '=', 'trialing')
    .where('subscriptions.reminded_at', 'is', null)
    .where('subscriptions.current_period_end', '<=', remindedUntil(now))
    .where('subscriptions.current_period_end', '>', now)
    .orderBy('subscriptions.current_period_end')
    .limit(BATCH)
    .forUpdate('subscriptions')
    .skipLocked()
    .execute()
  await markReminded(db, rows, now)
  const reminders = rows.filter(isRenewable).map((row) => {
    const on = row.expiration.toISOString().slice(0, 10)
    const amount = row.retired_at === null ? formatMoney(row.price_cents) : null
    const data = { title: row.title, creator: row.creator, creatorId: row.creator_id, on, amount }
    const event = { kind: 'subscription.ending' as const, person: row.fan_id, data }
    return { event, once: `subscription.ending ${row.id} ${on}` }
  })
  await notifyEach(db, reminders, { now })
}

type Due = Renewable & {
  id: string
  fan_id: string
  creator_id: string
  title: string
  creator: string
  expiration: Date
  price_cents: number
  months: TermMonths
  nextCents: number | null
  nextMonths: TermMonths | null
  askedCents: number | null
  declined_at: Date | null
  lacksConsent: boolean
  /** The card that it would be charged to; null once there is none. */
  cardId: string | null
}

/**
 * The notice to a fan about a period that comes next; null if there is none. A subscription that ends because nobody
 * answered is announced in place of a renewal, while it can still be answered.
 */
function reminderOf(row: Due): Parameters<typeof notifyEach>[1][number] | null {
  if (!isRenewable(row)) return null
  const { id, fan_id: person, title, creator, creator_id: creatorId } = row
  const on = row.expiration.toISOString().slice(0, 10)
  const amount = formatMoney(row.nextCents ?? row.price_cents)
  const months = row.nextMonths ?? row.months
  if (!row.lacksConsent) {
    const data = { title, amount, on, months, noCard: row.cardId === null }
    const event = { kind: 'subscription.renewing' as const, person, data }
    return { event, once: `subscription.renewing ${id} ${on}` }
  }
  if (row.declined_at !== null) return null
  const asked = { amount: formatMoney(row.askedCents ?? 0), months, on }
  const data = { state: 'lastCall' as const, title, creator, creatorId, before: amount, ...asked }
  const event = { kind: 'subscription.price-changed' as const, person, data }
  return { event, once: `subscription.last-call ${id} ${on}` }
}
