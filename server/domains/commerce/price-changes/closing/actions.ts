import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import { UNDECIDED_STATUSES } from '../../../../../contract/orders.ts'
import type { Tx } from '../../../../db/client.ts'
import { LATER } from '../../../../jobs/enqueue.ts'
import { notifyEach } from '../../../notifications/actions.ts'
import { agreedLast } from '../../renewals/data.ts'
import { tellOfSubscriptions } from '../../sellers/actions.ts'
import type { PlanPrices } from '../../subscriptions/rules.ts'
import { consequence, payingOf } from '../rules.ts'
import { needsCard } from '../telling/data.ts'

type Closing = {
  planId: string
  title: string
  creator: string
  creatorId: string
  /** The plan's prices from now on. */
  prices: PlanPrices
  /** The subscribers, whom the caller has locked. */
  subscriptionIds: string[]
  now: Date
}

type Asked = Awaited<ReturnType<typeof listAsked>>[number]

/**
 * Closes the open price change of a plan, if there is one. Who agreed, and isn't charged it yet, pays as before, like who
 * said nothing: these are `kept`, to be told. The subscriptions of who declined are canceled and told: their ids. Who is
 * being charged what they agreed to stays with it.
 */
export async function closeOpen(db: Tx, closing: Closing): Promise<{ declined: string[]; kept: Asked[] }> {
  const { planId, now } = closing
  const closed = await db
    .updateTable('price_changes')
    .set({ closed_at: now })
    .where('plan_id', '=', planId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!closed) return { declined: [], kept: [] }
  const charged = await listCharged(db, closed.id)
  await withdraw(db, closed.id, { except: charged, now })
  const subscriptionIds = closing.subscriptionIds.filter((id) => !charged.includes(id))
  const asked = await listAsked(db, closed.id, subscriptionIds)
  const [declined, kept] = [true, false].map((no) =>
    asked.filter(({ declined_at }) => (declined_at !== null) === no),
  ) as [Asked[], Asked[]]
  await cancelDeclined(db, closing, declined)
  await remindAnew(
    db,
    kept.map(({ id }) => id),
  )
  return { declined: declined.map(({ id }) => id), kept }
}

/**
 * Subscribers who are being charged the price they agreed to by this change, or might have been: the outcome isn't
 * known yet.
 */
async function listCharged(db: Tx, changeId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('price_change_notices as notice')
    .innerJoin('orders', 'orders.subscription_id', 'notice.subscription_id')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('notice.subscription_id as id')
    .where('notice.change_id', '=', changeId)
    .where('notice.agreed_at', 'is not', null)
    .where('orders.status', '=', 'open')
    .whereRef('orders.amount_cents', '=', 'notice.price_cents')
    .where('payments.status', 'in', UNDECIDED_STATUSES)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes back that others agreed, and the renewals that they owe at that price: the next attempt is one at their own. */
async function withdraw(
  db: Tx,
  changeId: string,
  { except, now }: { except: string[]; now: Date },
): Promise<void> {
  await sql`
    with withdrawn as (
      update subscription_agreements set withdrawn_at = ${now}
      where price_change_id = ${changeId} and subscription_id <> all(${except}::uuid[])
        and applied_at is null and withdrawn_at is null
      returning subscription_id, months, price_cents
    )
    update orders set status = 'void', closed_at = ${now} from withdrawn
    where orders.subscription_id = withdrawn.subscription_id and orders.status = 'open'
      and orders.months = withdrawn.months and orders.amount_cents = withdrawn.price_cents`.execute(db)
}

/**
 * Tells subscribers who knew that they were asked for a higher price, or had agreed, and now aren't asked, that their
 * subscription continues as before.
 */
export async function tellKept(db: Tx, closing: Closing, kept: Asked[]): Promise<void> {
  const heard = kept.filter(({ told_at, agreed_at }) => told_at !== null || agreed_at !== null)
  await tellEach(db, closing, heard, 'kept')
}

/** They were told that nothing more is charged, so going on takes a word of theirs: to resume. */
async function cancelDeclined(db: Tx, closing: Closing, declined: Asked[]): Promise<void> {
  const ids = declined.map(({ id }) => id)
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled' })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  await tellOfSubscriptions(db, ids, 'canceled', closing.now)
  await tellEach(db, closing, declined, 'ending')
}

/** Subscribers who were told that their subscription ends unless they agree are told that it renews. */
async function remindAnew(db: Tx, ids: string[]): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ reminded_at: null })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

async function tellEach(
  db: Tx,
  { title, creator, creatorId, prices, now }: Closing,
  asked: Asked[],
  state: 'kept' | 'ending',
): Promise<void> {
  if (asked.length === 0) return
  const events = asked.map((row) => {
    const { months, cents } = payingOf(row)
    const lower = consequence(prices, { months, cents }, { ask: false })
    const amount = formatMoney(lower?.cents ?? cents)
    const data = {
      ...{ state, title, creator, creatorId, before: formatMoney(row.askedCents), amount, months },
      on: row.current_period_end.toISOString().slice(0, 10),
      needsCard: row.needsCard,
    }
    return { event: { kind: 'subscription.price-changed' as const, person: row.fan_id, data }, once: null }
  })
  await notifyEach(db, events, { now, priority: LATER })
}

/** Which of these subscribers were asked for a price that they haven't been charged yet, and what they pay without it. */
function listAsked(db: Tx, changeId: string, subscriptionIds: string[]) {
  return db
    .selectFrom('price_change_notices as notice')
    .innerJoin('subscriptions', 'subscriptions.id', 'notice.subscription_id')
    .leftJoinLateral(agreedLast, (join) => join.onTrue())
    .select(['subscriptions.id', 'fan_id', 'subscriptions.months', 'subscriptions.price_cents'])
    .select(['current_period_end', 'notice.price_cents as askedCents', needsCard.as('needsCard')])
    .select(['told_at', 'agreed_at', 'declined_at'])
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents'])
    .where('change_id', '=', changeId)
    .where('subscriptions.id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('subscription_agreements as agreed')
            .select('agreed.id')
            .whereRef('agreed.subscription_id', '=', 'notice.subscription_id')
            .where('agreed.price_change_id', '=', changeId)
            .where('agreed.applied_at', 'is not', null),
        ),
      ),
    )
    .orderBy('subscriptions.id')
    .execute()
}
