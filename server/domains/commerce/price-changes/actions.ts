import { formatMoney } from '../../../../contract/money.ts'
import { PRICE_NOTICE_DAYS } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import { notify } from '../../notifications/actions.ts'
import { daysAfter, firstRenewal, type PlanPrices } from '../subscriptions/rules.ts'
import { closeOpen, tellKept } from './closing/actions.ts'
import { listPaying } from './data.ts'
import { consequence } from './rules.ts'

type Change = {
  planId: string
  title: string
  creator: string
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

type Term = { subscriptionId: string; months: Change['prices']['terms'][number]['months']; cents: number }

async function passOn(db: Tx, { subscriptionId, months, cents }: Term, now: Date): Promise<void> {
  await db
    .insertInto('subscription_agreements')
    .values({
      subscription_id: subscriptionId,
      months,
      price_cents: cents,
      effective_from: now,
      created_at: now,
    })
    .execute()
}

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
}
