import { formatMoney } from '../../../../../contract/money.ts'
import { accessUntil } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { notify, notifyEach } from '../../../notifications/actions.ts'
import { tellOfSubscriptions } from '../../sellers/actions.ts'
import { endSubscriptions } from '../../subscriptions/actions.ts'
import { type Attempts, type DueRow, findAttempts, owing } from '../charging/data.ts'
import { isUnderWay } from '../charging/rules.ts'
import { markReminded } from '../reminders/actions.ts'
import { isRenewable } from '../rules.ts'
import { lockUntold } from './data.ts'
import { dunningStage, endsUnpaidOn, isReviewedWithoutAccess } from './rules.ts'

/** At most so many in one run; the next one comes within minutes. */
const BATCH = 500

/**
 * Tells fans whose card isn't tried again, or who have none, when access ends, and a day before the subscription does; or
 * that what they paid themselves is under review.
 * Apart from the charges, so that no look at such a subscription can charge it.
 */
export async function remindOfUnpaid(db: Tx, now: Date): Promise<void> {
  const rows = await lockUntold(db, now, BATCH)
  await markReminded(db, rows, now)
  const attempts = await findAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const owed = rows.flatMap((row) => {
    const state = attempts.get(row.id)
    return state?.agreed && isRenewable(row) ? [{ row: owing(row, state), last: state.last }] : []
  })
  const payable = owed.filter(({ last }) => !(last && isUnderWay(last.status)))
  await tellUnpaid(
    db,
    payable.map(({ row }) => row),
    now,
  )
  await tellReviewed(db, owed, now)
}

/** Tells fans who have no access while the payment of the period that is due is under review, once for each period. */
export async function tellReviewed(
  db: Tx,
  subscriptions: { row: DueRow; last: Attempts['last'] }[],
  now: Date,
): Promise<void> {
  const events = subscriptions.flatMap(({ row, last }) => {
    const { id, fan_id: person, title, expiration, creatorUsername: creator, creator_id: creatorId } = row
    if (!last || !isReviewedWithoutAccess(expiration, last, now)) return []
    // A payment of the fan's own is waited for, however long it is reviewed.
    const ends = last.offSession ? endsUnpaidOn(expiration) : null
    const data = { title, amount: formatMoney(last.cents), creator, creatorId, ends }
    const event = { kind: 'subscription.reviewed' as const, person, data }
    return [{ event, once: `subscription.reviewed ${id} ${expiration.toISOString()}` }]
  })
  await notifyEach(db, events, { now })
}

/** Tells fans that the period of these subscriptions isn't paid, once for each stage. */
export async function tellUnpaid(db: Tx, rows: DueRow[], now: Date): Promise<void> {
  const events = rows.map((row) => {
    const { id, fan_id: person, title, expiration, creatorUsername: creator, creator_id: creatorId } = row
    const stage = dunningStage(expiration, now)
    const data = {
      ...{ title, amount: formatMoney(row.price_cents), creator, creatorId },
      noCard: row.stored_card_id === null,
      until: stage === 'access' ? accessUntil(expiration).toISOString().slice(0, 10) : null,
      ...{ ends: endsUnpaidOn(expiration), last: stage === 'lastDay' },
    }
    const event = { kind: 'subscription.declined' as const, person, data }
    return { event, once: `subscription.declined ${id} ${expiration.toISOString()} ${stage}` }
  })
  await notifyEach(db, events, { now })
}

/** Ends a subscription that isn't charged anymore, with what it owes, and tells both sides. The caller has locked it. */
export async function endRenewing(
  db: Tx,
  row: DueRow,
  why: 'unavailable' | 'unpaid' | 'price',
  now: Date,
): Promise<void> {
  await endSubscriptions(db, [row.id], why === 'unpaid' ? 'uncollectible' : 'void', now)
  await tellOfSubscriptions(db, [row.id], 'ended', now)
  const noCard = row.stored_card_id === null
  const data = { title: row.title, unpaid: why === 'unpaid', price: why === 'price', noCard }
  await notify(
    db,
    { kind: 'subscription.ended', person: row.fan_id, data },
    { now, once: `subscription.ended ${row.id}` },
  )
}
