import { formatMoney } from '../../../../../contract/money.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { JobPayload } from '../../../../jobs/catalogue.ts'
import { enqueueMany, LATER } from '../../../../jobs/enqueue.ts'
import { notifyEach } from '../../../notifications/actions.ts'
import { firstRenewal } from '../../subscriptions/rules.ts'
import { listLowered, noteTold } from './data.ts'

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
    batches.map((each) => ({ payload: { changeId, editedAt: now.toISOString(), each } })),
  )
}

/**
 * Tells a batch of subscribers what new prices of their plan mean for them. Who is asked has the days of notice from now
 * on. Told once, however often it runs; nothing is said of what another price has replaced, or of what ended.
 */
export async function tellOfPrices(
  { db, clock }: Context,
  { changeId, editedAt, each }: JobPayload<'prices.tell'>,
): Promise<void> {
  const now = clock.now()
  const ids = each.map(({ subscriptionId }) => subscriptionId)
  const before = new Map(each.map((one) => [one.subscriptionId, one.before]))
  await db.transaction().execute(async (tx) => {
    const rows =
      changeId === null
        ? await listLowered(tx, ids, new Date(editedAt))
        : await noteTold(tx, { changeId, ids, now })
    const state = changeId === null ? ('lower' as const) : ('asked' as const)
    const events = rows.map((row) => {
      const { id, fan_id: person, title, creator, months } = row
      const schedule = { anchorAt: row.anchor_at, currentPeriodEnd: row.current_period_end }
      const on = firstRenewal(schedule, months, row.effective_from).toISOString().slice(0, 10)
      const amounts = {
        before: formatMoney(before.get(id) ?? 0),
        amount: formatMoney(row.price_cents),
        months,
      }
      const data = { state, title, creator, ...amounts, on }
      const once = `subscription.price-changed ${id} ${changeId ?? editedAt}`
      return { event: { kind: 'subscription.price-changed' as const, person, data }, once }
    })
    await notifyEach(tx, events, { now, priority: LATER })
  })
}
