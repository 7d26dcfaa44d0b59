import { formatMoney } from '../../../../../contract/money.ts'
import type { PaymentStatus } from '../../../../../contract/orders.ts'
import type { Context } from '../../../../context.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentSource } from '../../../../db/tables/commerce/payments.ts'
import { AppError } from '../../../../errors.ts'
import { accessAfter } from '../../../media/entitlements/data.ts'
import { notify } from '../../../notifications/actions.ts'
import { postRefund } from '../../ledger/actions.ts'
import { findOrderBalance } from '../../ledger/data.ts'
import { refundableCents } from '../../ledger/rules.ts'
import { closeOrder } from '../../orders/actions.ts'
import { hasAttemptUnderWay, lockOrder } from '../../orders/data.ts'
import { sellables } from '../../sellables/actions.ts'
import { listLateRefunds } from '../data.ts'
import { outsideRefusal } from '../rules.ts'

/** What a charge was before it was given back without ever having granted anything. */
const NOT_CAPTURED: PaymentStatus[] = ['submitting', 'held', 'unknown', 'refused']

type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

export type RefundOutcome =
  | { kind: 'voided' | 'refunded'; transactionId: string }
  | { kind: 'refused'; failure: string }
  | { kind: 'unknown' }

/**
 * Records what the gateway said of a refund. One that was made is posted; the last of a payment ends it, and takes back
 * what its order granted. Whichever of the live call and a recovery comes second changes nothing.
 */
export async function recordRefund(
  { db, clock, checkpoint }: Context,
  news: { refundId: string; source: PaymentSource; outcome: RefundOutcome },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await record(tx, { ...news, now: clock.now() })
    await checkpoint('refund.before-record-commit')
  })
  await checkpoint('refund.recorded')
}

/**
 * Records that an operator gave back, another way, what the gateway refused last of an order; it is posted and ends as a refund
 * does, under the document's number. Returns the refund's id. Throws `not_found` and what `outsideRefusal` says.
 */
export async function recordGivenOutside(
  db: Tx,
  given: { orderId: string; document: string; reason: string; operatorId: string; now: Date },
): Promise<string> {
  const { orderId, document, reason, operatorId, now } = given
  if (!(await lockOrder(db, orderId))) throw new AppError('not_found')
  const refunds = await lockAttempts(db, orderId)
  const late = await listLateRefunds(db, orderId, now)
  const leftCents = refundableCents(await findOrderBalance(db, orderId))
  const refused = outsideRefusal(refunds, { isOneLate: late.length > 0, leftCents })
  const [last] = refunds
  if (refused || !last) throw new AppError(refused ?? 'nothing_refused')
  const outcome = { kind: 'refunded', transactionId: `${OUTSIDE}${document}` } as const
  await record(db, { refundId: last.id, source: 'operator', outcome, now })
  await writeAudit(db, {
    ...{
      actorId: operatorId,
      action: 'order.refunded-outside',
      targetKind: 'order',
      targetId: orderId,
      reason,
    },
    detail: { refundId: last.id, cents: last.cents, document },
    now,
  })
  return last.id
}

/** Marks the number of a document of outside, which is none of the gateway's. */
const OUTSIDE = 'outside '

/** The refunds of an order and how the payment of each stands, the newest first; the payments are locked. */
async function lockAttempts(db: Tx, orderId: string) {
  await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.status', 'refunds.amount_cents as cents'])
    .select('payments.status as paymentStatus')
    .where('payments.order_id', '=', orderId)
    .orderBy('refunds.id', 'desc')
    .execute()
}

async function record(
  db: Tx,
  news: { refundId: string; source: PaymentSource; outcome: RefundOutcome; now: Date },
): Promise<void> {
  const { refundId, source, outcome, now } = news
  const { order, payment } = await lockRefunded(db, refundId)
  const made = outcome.kind === 'voided' || outcome.kind === 'refunded'
  const refund = await db
    .updateTable('refunds')
    .set({
      status: outcome.kind,
      failure: outcome.kind === 'refused' ? outcome.failure : null,
      ...(made ? { gateway_transaction_id: outcome.transactionId } : {}),
      decided_at: outcome.kind === 'unknown' ? null : now,
    })
    .where('id', '=', refundId)
    .where('status', 'in', made ? ['submitting', 'unknown', 'refused'] : ['submitting', 'unknown'])
    .returning(['amount_cents', 'requested_by'])
    .executeTakeFirst()
  if (!refund) return
  if (NOT_CAPTURED.includes(payment.status)) {
    if (made)
      return recordGivenBack(db, payment.id, {
        status: outcome.kind,
        source,
        transactionId: payment.gateway_transaction_id ?? outcome.transactionId,
        now,
      })
    if (outcome.kind === 'refused') await markStuck(db, payment.id, now)
    return
  }
  if (!made) return
  const shareCents = await postRefund(db, { refundId, orderId: order.id, cents: refund.amount_cents, now })
  const whole = refundableCents(await findOrderBalance(db, order.id)) === 0
  if (whole && payment.status === 'captured') {
    const change = { status: outcome.kind, source, status_at: now }
    await db.updateTable('payments').set(change).where('id', '=', payment.id).execute()
    await db.updateTable('orders').set({ refunded_at: now }).where('id', '=', order.id).execute()
    const { id, subscription_id: subscriptionId } = order
    await sellables[order.kind].revoke(db, { id, subscriptionId }, now)
  }
  await tell(
    db,
    order,
    {
      ...{ id: refundId, cents: refund.amount_cents, requestedBy: refund.requested_by, shareCents },
      outside: outcome.transactionId.startsWith(OUTSIDE),
    },
    now,
  )
}

type Refunded = {
  id: string
  cents: number
  requestedBy: string | null
  shareCents: number
  /** Not by the card that paid. */
  outside: boolean
}

/** Tells the buyer of a refund, and the creator what it took of their share. */
async function tell(
  db: Tx,
  order: Order,
  { id, cents, requestedBy, shareCents, outside }: Refunded,
  now: Date,
): Promise<void> {
  const access = await accessAfter(db, paidFor(order), now)
  const data = { title: order.title, amount: formatMoney(cents), access, outside }
  await notify(db, { kind: 'payment.refunded', person: order.buyer_id, data }, { now, once: id })
  // Who delivered too late has been told so.
  if (requestedBy === null && !(await findLeaving(db, order))) return
  await tellCreatorOfRefund(db, order, { id, cents, shareCents }, now)
}

/** Whether it paid a custom request of which one of the two leaves before it is due. */
async function findLeaving(db: Tx, { kind, item_id: itemId }: Order): Promise<boolean> {
  if (kind !== 'custom') return false
  const request = await db
    .selectFrom('custom_requests')
    .select('leaving')
    .where('id', '=', itemId)
    .executeTakeFirst()
  return request?.leaving === true
}

/** Tells the creator what a refund took of their share, once by its id; of a donation nobody has one. */
export async function tellCreatorOfRefund(
  db: Tx,
  order: Order,
  { id, cents, shareCents }: Omit<Refunded, 'requestedBy' | 'outside'>,
  now: Date,
): Promise<void> {
  if (shareCents === 0) return
  const access = await accessAfter(db, paidFor(order), now)
  const data = { title: order.title, amount: formatMoney(cents), share: formatMoney(shareCents), access }
  const once = `sale.refunded ${id}`
  await notify(db, { kind: 'sale.refunded', person: order.creator_id, data }, { now, once })
}

const paidFor = ({ id, subscription_id }: Order): Parameters<typeof accessAfter>[1] =>
  subscription_id === null ? { kind: 'purchase', id } : { kind: 'subscription', id: subscription_id }

async function lockRefunded(db: Tx, refundId: string) {
  const { order_id, payment_id } = await db
    .selectFrom('refunds')
    .select(['order_id', 'payment_id'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  const order = await lockOrder(db, order_id)
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'status', 'gateway_transaction_id'])
    .where('id', '=', payment_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!order) throw new Error('a refund without an order')
  return { order, payment }
}

/** Records that the gateway took back a charge that granted nothing, by our wish or its own; it pays for no order. */
export async function recordGivenBack(
  db: Tx,
  paymentId: string,
  change: { status: 'voided' | 'refunded'; source: PaymentSource; transactionId: string; now: Date },
): Promise<void> {
  const { status, source, transactionId, now } = change
  await db
    .selectFrom('orders')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('payments').select('order_id').where('id', '=', paymentId))
    .forUpdate()
    .execute()
  const givenBack = await db
    .updateTable('payments')
    .set({
      status,
      source,
      status_at: now,
      gateway_transaction_id: transactionId,
      decided_at: now,
      stuck_at: null,
    })
    .where('id', '=', paymentId)
    .where('status', 'in', NOT_CAPTURED)
    .returning('order_id')
    .executeTakeFirst()
  if (!givenBack) return
  await db
    .updateTable('refunds')
    .set({ status, decided_at: now, gateway_transaction_id: transactionId, failure: null })
    .where('payment_id', '=', paymentId)
    .where('status', 'in', ['submitting', 'unknown', 'refused'])
    .execute()
  if (!(await hasAttemptUnderWay(db, givenBack.order_id))) await closeOrder(db, givenBack.order_id, now)
}

async function markStuck(db: Tx, paymentId: string, now: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set((eb) => ({ stuck_at: eb.fn.coalesce('stuck_at', eb.val(now)) }))
    .where('id', '=', paymentId)
    .where('status', 'in', NOT_CAPTURED)
    .execute()
}
