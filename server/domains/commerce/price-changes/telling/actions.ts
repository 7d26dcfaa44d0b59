import { formatMoney } from '../../../../../contract/money.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { JobPayload } from '../../../../jobs/catalogue.ts'
import { enqueueMany, LATER } from '../../../../jobs/enqueue.ts'
import { notifyEach } from '../../../notifications/actions.ts'
import type { OwnSubscriptionRow } from '../../renewals/data.ts'
import { daysAfter, firstRenewal } from '../../subscriptions/rules.ts'
import { findUntoldLower, listAsked, listLowered, lockEach, noteTold, type Untold } from './data.ts'

/** Subscribers who are told by one job, and its transaction. */
const TOLD_AT_ONCE = 200

/**
 * Has subscribers told, once the caller's transaction commits: of the change that they are asked for, or without one of a
 * price that falls. `before` is what they pay now, in cents.
 */
export async function tellLater(
  db: Tx,
  told: { subscriptionId: string; before: number }[],
  { changeId, now }: { changeId: string | null; now: Date },
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(told.length / TOLD_AT_ONCE) }, (_, index) =>
    told
      .slice(index * TOLD_AT_ONCE, (index + 1) * TOLD_AT_ONCE)
      .map(({ subscriptionId, before }) => ({ subscriptionId, before })),
  )
  await enqueueMany(
    db,
    'prices.tell',
    batches.map((each) => jobOf({ changeId, editedAt: now.toISOString(), each })),
  )
}

/** Of one subscriber a single job waits for each change, however often they leave and resume. */
function jobOf(payload: JobPayload<'prices.tell'>) {
  const { changeId, editedAt, each } = payload
  const [first] = each
  if (!first || each.length > 1) return { payload }
  return { payload, key: `prices.tell ${first.subscriptionId} ${changeId ?? editedAt}` }
}

type Resumed = Pick<OwnSubscriptionRow, 'id' | 'change_id' | 'told_at' | 'nextCents' | 'price_cents'>

/** Has someone who resumes told of a lower price, and of the one that they are asked for, if they left before they were. */
export async function tellResumed(db: Tx, resumed: Resumed, now: Date): Promise<void> {
  const { id: subscriptionId, change_id: changeId, told_at: toldAt, nextCents, price_cents: cents } = resumed
  const lower = await findUntoldLower(db, subscriptionId)
  if (lower)
    await tellLater(db, [{ subscriptionId, before: lower.before }], { changeId: null, now: lower.editedAt })
  if (changeId === null || toldAt !== null) return
  await tellLater(db, [{ subscriptionId, before: nextCents ?? cents }], { changeId, now })
}

/**
 * Tells a batch of subscribers what new prices of their plan mean for them, each at most once a day: those told of a
 * price since then get the newest one a day later. The days of notice count from when they are told. Nothing is told
 * twice, and nothing about a price that was replaced or a subscription that ended.
 */
export async function tellOfPrices({ db, clock }: Context, job: JobPayload<'prices.tell'>): Promise<void> {
  const { changeId, editedAt, each } = job
  const now = clock.now()
  const ids = each.map(({ subscriptionId }) => subscriptionId)
  const before = new Map(each.map((one) => [one.subscriptionId, one.before]))
  await db.transaction().execute(async (tx) => {
    await lockEach(tx, ids)
    const untold =
      changeId === null ? await listLowered(tx, ids, new Date(editedAt)) : await listAsked(tx, ids, changeId)
    const [rows, waiting] = byTurn(untold, now)
    const latest = waiting.at(-1)?.price_told_at
    if (latest) {
      const isWaiting = new Set(waiting.map(({ id }) => id))
      const rest = each.filter(({ subscriptionId }) => isWaiting.has(subscriptionId))
      await enqueueMany(tx, 'prices.tell', [
        { ...jobOf({ ...job, each: rest }), runAt: daysAfter(latest, 1) },
      ])
    }
    const told = rows.map(({ id }) => id)
    const noticeEnds = await noteTold(tx, told, changeId, now)
    const state = changeId === null ? ('lower' as const) : ('asked' as const)
    const events = rows.map((row) => {
      const { id, fan_id: person, title, creator, creator_id: creatorId, months, needsCard } = row
      const schedule = { anchorAt: row.anchor_at, currentPeriodEnd: row.current_period_end }
      const from = changeId === null ? row.effective_from : noticeEnds
      const on = firstRenewal(schedule, months, from).toISOString().slice(0, 10)
      const amounts = {
        before: formatMoney(row.before ?? before.get(id) ?? 0),
        amount: formatMoney(row.price_cents),
        months,
      }
      const data = { state, title, creator, creatorId, ...amounts, on, needsCard }
      const once = `subscription.price-changed ${id} ${changeId ?? editedAt}`
      return { event: { kind: 'subscription.price-changed' as const, person, data }, once }
    })
    await notifyEach(tx, events, { now, priority: LATER })
  })
}

/** Those who are told now, and those who were told of a price within a day, of whom the last is the one told last. */
function byTurn(untold: Untold[], now: Date): [Untold[], Untold[]] {
  const isEarly = ({ price_told_at: told }: Untold) => told !== null && daysAfter(told, 1) > now
  const toldAt = ({ price_told_at: told }: Untold) => told?.getTime() ?? 0
  const waiting = untold.filter(isEarly).sort((one, other) => toldAt(one) - toldAt(other))
  return [untold.filter((row) => !isEarly(row)), waiting]
}
