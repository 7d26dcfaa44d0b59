import { sql } from 'kysely'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import { daysAfter, type PlanPrices } from '../subscriptions/rules.ts'
import { listPaying } from './data.ts'
import { consequence } from './rules.ts'
import { tellLater } from './telling/actions.ts'

type Change = {
  planId: string
  /** What the plan costs from now on. */
  prices: PlanPrices
  ask: boolean
  /** Who subscribes, whom the caller has locked. */
  subscriptionIds: string[]
  now: Date
}

/**
 * Says what new prices of a plan mean for its subscribers, who are told after the commit. A lower one holds from their next
 * renewal on; a higher one is asked for, if anybody is asked, and holds once they agree, 30 days after they were told at the
 * earliest. It takes the place of what was asked before.
 */
export async function changePrice(db: Tx, change: Change): Promise<void> {
  const { prices, subscriptionIds, now } = change
  await closeOpen(db, change)
  const follow = (await listPaying(db, subscriptionIds)).flatMap(({ id: subscriptionId, ...row }) => {
    const paying = { months: row.nextMonths ?? row.months, cents: row.nextCents ?? row.price_cents }
    const follows = consequence(prices, paying, change)
    return follows ? [{ ...follows, subscriptionId, months: paying.months, before: paying.cents }] : []
  })
  const { lower, asked } = Object.groupBy(follow, ({ kind }) => kind)
  if (lower) {
    await passOn(db, lower, now)
    await tellLater(db, lower, { changeId: null, now })
  }
  if (asked) {
    const changeId = await open(db, change)
    await ask(db, changeId, asked, now)
    await tellLater(db, asked, { changeId, now })
  }
}

/** Who agreed to what is replaced, and wasn't charged it yet, pays as before. */
async function closeOpen(db: Tx, { planId, now }: Change): Promise<void> {
  const closed = await db
    .updateTable('price_changes')
    .set({ closed_at: now })
    .where('plan_id', '=', planId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!closed) return
  await db
    .updateTable('subscription_agreements')
    .set({ withdrawn_at: now })
    .where('price_change_id', '=', closed.id)
    .where('applied_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute()
}

async function open(db: Tx, { planId, prices, now }: Change): Promise<string> {
  const { id } = await db
    .insertInto('price_changes')
    .values({ plan_id: planId, price_cents: prices.price_cents, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Term = { subscriptionId: string; months: TermMonths; cents: number }

const rowsOf = (terms: Term[]) => sql`json_to_recordset(${JSON.stringify(terms)}::json) as term (
  "subscriptionId" uuid, months integer, cents integer)`

async function passOn(db: Tx, terms: Term[], now: Date): Promise<void> {
  await sql`
    insert into subscription_agreements (subscription_id, months, price_cents, effective_from, created_at)
    select "subscriptionId", months, cents, ${now}, ${now} from ${rowsOf(terms)}`.execute(db)
}

async function ask(db: Tx, changeId: string, terms: Term[], now: Date): Promise<void> {
  await sql`
    insert into price_change_notices (change_id, subscription_id, months, price_cents, effective_from)
    select ${changeId}::uuid, "subscriptionId", months, cents, ${daysAfter(now, PRICE_NOTICE_DAYS)}::timestamptz
    from ${rowsOf(terms)}`.execute(db)
}
