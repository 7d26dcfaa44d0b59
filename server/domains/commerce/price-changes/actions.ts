import { sql } from 'kysely'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
<<<<<<< HEAD
import { notify } from '../../notifications/actions.ts'
import { daysAfter, firstRenewal, type PlanPrices } from '../subscriptions/rules.ts'
import { closeOpen, tellKept } from './closing/actions.ts'
=======
import { daysAfter, type PlanPrices } from '../subscriptions/rules.ts'
>>>>>>> s24/prices
import { listPaying } from './data.ts'
import { consequence } from './rules.ts'
import { tellLater } from './telling/actions.ts'

type Change = {
  planId: string
  /** What the plan costs from now on. */
  prices: PlanPrices
  ask: boolean
  /** What is asked already stays asked, as it costs the same. */
  keepsOpen: boolean
  /** Who subscribes, whom the caller has locked. */
  subscriptionIds: string[]
  now: Date
}

/**
<<<<<<< HEAD
 * Tells subscribers what new prices of their plan mean for them. A lower one holds from their next renewal on; a higher
 * one is asked for, if anybody is asked, and holds once they agree, 30 days after the notice at the earliest. It takes the
 * place of what was asked before: who declined that is canceled, and whom nothing else is said is told that they go on.
 */
export async function changePrice(db: Tx, change: Change): Promise<void> {
  const { declined, kept } = change.keepsOpen ? { declined: [], kept: [] } : await closeOpen(db, change)
  const subscriptionIds = change.subscriptionIds.filter((id) => !declined.includes(id))
  if (subscriptionIds.length === 0) return
  const ask = change.ask && !change.keepsOpen
  const told = new Set<string>()
  let changeId: string | null = null
  for (const row of await listPaying(db, subscriptionIds)) {
    const { nextMonths, nextCents } = row
    const paying = { months: nextMonths ?? row.months, cents: nextCents ?? row.price_cents }
    const follows = consequence(change.prices, paying, { ask })
    if (!follows) continue
    const term = { subscriptionId: row.id, months: paying.months, cents: follows.cents }
    if (follows.kind === 'lower') await passOn(db, term, change.now)
    else {
      changeId ??= await open(db, change)
      await askFor(db, changeId, term, change.now)
    }
    await tell(db, change, row, { ...term, kind: follows.kind, before: paying.cents })
    told.add(row.id)
=======
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
>>>>>>> s24/prices
  }
  await tellKept(
    db,
    change,
    kept.filter(({ id }) => !told.has(id)),
  )
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

<<<<<<< HEAD
async function askFor(
  db: Tx,
  changeId: string,
  { subscriptionId, months, cents }: Term,
  now: Date,
): Promise<void> {
  await db
    .insertInto('price_change_notices')
    .values({
      change_id: changeId,
      subscription_id: subscriptionId,
      months,
      price_cents: cents,
      effective_from: daysAfter(now, PRICE_NOTICE_DAYS),
    })
    .execute()
}

async function tell(
  db: Tx,
  { title, creator, now }: Change,
  row: Awaited<ReturnType<typeof listPaying>>[number],
  { kind, months, cents, before }: Term & { kind: 'lower' | 'asked'; before: number },
): Promise<void> {
  const schedule = { anchorAt: row.anchor_at, currentPeriodEnd: row.current_period_end }
  const from = kind === 'lower' ? now : daysAfter(now, PRICE_NOTICE_DAYS)
  const on = firstRenewal(schedule, months, from).toISOString().slice(0, 10)
  const amounts = { before: formatMoney(before), amount: formatMoney(cents), months }
  await notify(
    db,
    {
      kind: 'subscription.price-changed',
      person: row.fan_id,
      data: { state: kind, title, creator, ...amounts, on },
    },
    { now },
  )
=======
async function ask(db: Tx, changeId: string, terms: Term[], now: Date): Promise<void> {
  await sql`
    insert into price_change_notices (change_id, subscription_id, months, price_cents, effective_from)
    select ${changeId}::uuid, "subscriptionId", months, cents, ${daysAfter(now, PRICE_NOTICE_DAYS)}::timestamptz
    from ${rowsOf(terms)}`.execute(db)
>>>>>>> s24/prices
}
