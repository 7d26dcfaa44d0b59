import { formatMoney } from '../../../../../contract/money.ts'
import { accessUntil } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { notify, notifyEach } from '../../../notifications/actions.ts'
import { type DueRow, findAttempts, owing } from '../charging/data.ts'
import { isUnderWay, type LastAttempt } from '../charging/rules.ts'
import { markReminded } from '../reminders/actions.ts'
import { isRenewable } from '../rules.ts'
import { lockUntold } from './data.ts'
import { dunningStage, endsUnpaidOn, isReviewedWithoutAccess } from './rules.ts'

/** At most so many in one run; the next one comes within minutes. */
const BATCH = 500

/**
 * Tells fans whose card isn't tried again, or who have none, when access ends, and a day before the subscription does.
 * Apart from the charges, so that no look at such a subscription can charge it.
 */
export async function remindOfUnpaid(db: Tx, now: Date): Promise<void> {
  const rows = await lockUntold(db, now, BATCH)
  await markReminded(db, rows, now)
  const attempts = await findAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const renewable = rows.filter((row) => isRenewable(row) && attempts.get(row.id)?.agreed)
  const [undecided = [], payable = []] = [true, false].map((isUndecided) =>
    renewable
      .filter(({ id }) => isUnderWay(attempts.get(id)?.last?.status ?? 'declined') === isUndecided)
      .map((row) => owing(row, attempts.get(row.id))),
  )
  await tellUnpaid(db, payable, now)
  for (const row of undecided) await tellReviewed(db, row, attempts.get(row.id)?.last ?? null, now)
}

/** Tells a fan whose access ended while the payment of the next period is reviewed that it does, once. */
export async function tellReviewed(db: Tx, row: DueRow, last: LastAttempt | null, now: Date): Promise<void> {
  if (!isReviewedWithoutAccess(row.expiration, last, now)) return
  const { id, fan_id: person, title, creatorUsername: creator } = row
  const data = { title, amount: formatMoney(row.price_cents), creator }
  const once = `subscription.reviewed ${id} ${row.expiration.toISOString()}`
  await notify(db, { kind: 'subscription.reviewed', person, data }, { now, once })
}

/** Tells fans that the period of these subscriptions isn't paid, once for each stage. */
export async function tellUnpaid(db: Tx, rows: DueRow[], now: Date): Promise<void> {
  const events = rows.map((row) => {
    const { id, fan_id: person, title, expiration, creatorUsername: creator } = row
    const stage = dunningStage(expiration, now)
    const data = {
      ...{ title, amount: formatMoney(row.price_cents), creator, noCard: row.stored_card_id === null },
      until: stage === 'access' ? accessUntil(expiration).toISOString().slice(0, 10) : null,
      ...{ ends: endsUnpaidOn(expiration), last: stage === 'lastDay' },
    }
    const event = { kind: 'subscription.declined' as const, person, data }
    return { event, once: `subscription.declined ${id} ${expiration.toISOString()} ${stage}` }
  })
  await notifyEach(db, events, { now })
}
