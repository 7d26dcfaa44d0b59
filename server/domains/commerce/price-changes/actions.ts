import { sql } from 'kysely'
import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import { daysAfter, type PlanPrices } from '../subscriptions/rules.ts'
import { closeOpen, tellKept } from './closing/actions.ts'
import { holdPrices, listPaying } from './data.ts'
import { consequence, type Paying, payingOf } from './rules.ts'
import { tellLater } from './telling/actions.ts'

type Change = {
  planId: string
  title: string
  /** The username and id of who sells it. */
  creator: string
  creatorId: string
  /** The plan's prices from now on. */
  prices: PlanPrices
  ask: boolean
  /** Requests for the same price stay as they are. */
  keepsOpen: boolean
  /** The subscribers, whom the caller has locked. */
  subscriptionIds: string[]
  now: Date
}

/**
 * Says what new prices of a plan mean for its subscribers, who are told after the commit. A lower one holds from their next
 * renewal on; a higher one is asked for, if anybody is asked, and holds once they agree, 30 days after they were told at the
 * earliest. It takes the place of what was asked before: who declined that is canceled, and whom nothing else is said is
 * told that they go on.
 */
export async function changePrice(db: Tx, change: Change): Promise<void> {
  const { prices, keepsOpen, now } = change
  const { declined, kept } = keepsOpen ? { declined: [], kept: [] } : await closeOpen(db, change)
  const canceled = new Set(declined)
  const going = change.subscriptionIds.filter((id) => !canceled.has(id))
  const follow = (await listPaying(db, going)).flatMap(({ id: subscriptionId, ...row }) => {
    const paying = payingOf(row)
    const follows = consequence(prices, paying, { ask: change.ask && !keepsOpen })
    return follows ? [{ ...follows, subscriptionId, months: paying.months, before: paying.cents }] : []
  })
  const { lower, asked } = Object.groupBy(follow, ({ kind }) => kind)
  if (lower) {
    await passOn(db, lower, now)
    await tellLater(db, lower, { changeId: null, now })
  }
  if (asked) {
    const changeId = await open(db, change)
    await askFor(db, changeId, asked, now)
    await tellLater(db, asked, { changeId, now })
  }
  const told = new Set(follow.map(({ subscriptionId }) => subscriptionId))
  await tellKept(
    db,
    change,
    kept.filter(({ id }) => !told.has(id)),
  )
}

/**
 * Passes on a price that fell while no edit reached this subscriber, as they had canceled, or their first payment was
 * undecided. The caller has locked the subscription, which renews from now on.
 */
export async function passOnMissed(
  db: Tx,
  subscriber: { subscriptionId: string; planId: string; paying: Paying },
  now: Date,
): Promise<void> {
  const { subscriptionId, planId, paying } = subscriber
  const lower = consequence(await holdPrices(db, planId), paying, { ask: false })
  if (!lower) return
  await passOn(db, [{ subscriptionId, months: paying.months, cents: lower.cents }], now)
  await tellLater(db, [{ subscriptionId, before: paying.cents }], { changeId: null, now })
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

async function askFor(db: Tx, changeId: string, terms: Term[], now: Date): Promise<void> {
  await sql`
    insert into price_change_notices (change_id, subscription_id, months, price_cents, effective_from)
    select ${changeId}::uuid, "subscriptionId", months, cents, ${daysAfter(now, PRICE_NOTICE_DAYS)}::timestamptz
    from ${rowsOf(terms)}`.execute(db)
}
