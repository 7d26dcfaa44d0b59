import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import type { Context } from '../../../../context.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentSource } from '../../../../db/tables/commerce/payments.ts'
import { AppError } from '../../../../errors.ts'
import { isThereAnother } from '../../../identity/roles/data.ts'
import { accessAfter } from '../../../media/entitlements/data.ts'
import { notify } from '../../../notifications/actions.ts'
import { postRefund, postSendingBegun, postSendingEnded } from '../../ledger/actions.ts'
import { findDisputedCents, findOrderBalance } from '../../ledger/data.ts'
import { refundableCents } from '../../ledger/rules.ts'
import { lockOrder } from '../../orders/data.ts'
import { lateChargesAfter } from '../../payments/rules.ts'
import { findDeliveredBy, sellables } from '../../sellables/actions.ts'
import { findRefund, listNotMade, listTold } from '../data.ts'
import {
  documentRefusal,
  EXCEEDED,
  isOutsideNumber,
  isSentOutside,
  NOT_CAPTURED,
  notRecorded,
  outsideNumber,
  outsideRefusal,
  type Parts,
  presentParts,
} from '../rules.ts'
import { isTooMuch, markStuck, recordBeside, recordGivenBack, recordTwice } from '../uncounted/actions.ts'

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

/** An operator's decision about a refund that the gateway refused. */
type Outside = { orderId: string; refundId: string; reason: string; operatorId: string; now: Date }

/**
 * Begins to send another way what the gateway refused, so that it isn't asked for that or anything else of the payment, or
 * takes that back. Throws `not_found`, `own_refund` where somebody else could, and what `outsideRefusal` says;
 * `refund_outside` where it is sent already, `refund_changed` where it isn't.
 */
export async function sendOutside(db: Tx, given: Outside & { sending: boolean }): Promise<void> {
  const { sending, operatorId, now } = given
  const { order, refund, asked, refused } = await lockForOutside(db, given)
  if (isSentOutside(refund) === sending) throw new AppError(sending ? 'refund_outside' : 'refund_changed')
  if (sending && refused) throw new AppError(refused)
  if (sending) {
    await db
      .updateTable('refunds')
      .set({ outside_since: now, outside_by: operatorId })
      .where('id', '=', refund.id)
      .execute()
    // Its days stand still from now on, and so do the shares.
    if (refund.isOfPaying && (await findDeliveredBy(db, order)) !== null)
      await postSendingBegun(db, { orderId: order.id, now })
  } else {
    await countSending(db, refund.id, now)
    await db
      .updateTable('refunds')
      .set({ outside_since: null, outside_by: null, ...endedMeanwhile(refund, now) })
      .where('id', '=', refund.id)
      .execute()
    if (refund.isOfPaying) await endSending(db, order, now)
  }
  const action = sending ? 'refund-outside-begun' : 'refund-outside-taken-back'
  await auditOutside(db, action, given, { id: refund.id, cents: asked })
}

/** The shares of what is still to be delivered wait for its new date. */
async function endSending(db: Tx, order: Order, now: Date): Promise<void> {
  const deliveredBy = await findDeliveredBy(db, order)
  if (deliveredBy !== null) await postSendingEnded(db, { orderId: order.id, deliveredBy, now })
}

/** A refund that isn't sent after all is over where the gateway took back its charge meanwhile, which granted nothing. */
function endedMeanwhile(
  { isOfPaying, paymentStatus: status, number, chargeId }: Awaited<ReturnType<typeof lockAttempts>>[number],
  now: Date,
) {
  if (isOfPaying || (status !== 'voided' && status !== 'refunded')) return {}
  return { status, gateway_transaction_id: number ?? chargeId, failure: null, decided_at: now }
}

/** Adds up for how long it was sent another way. While a dispute is open, that counts as disputed. */
async function countSending(db: Tx, refundId: string, now: Date): Promise<void> {
  const disputed = sql`coalesce((
    select sum(coalesce(decided_at, ${now}) - opened_at) from disputes
    where disputes.payment_id = refunds.payment_id and opened_at >= outside_since), '0')`
  await db
    .updateTable('refunds')
    .set({ outside_for: sql`outside_for + (${now}::timestamptz - outside_since) - ${disputed}` })
    .where('id', '=', refundId)
    .execute()
}

/**
 * Records that what an operator sends another way was given back so; it is posted and ends as a refund does, under the
 * document's number. A charge that paid for nothing, and so is nowhere in the ledger, just ends. Throws what `sendOutside`
 * and `documentRefusal` say, and `outside_not_started`.
 */
export async function recordGivenOutside(db: Tx, given: Outside & { document: string }): Promise<void> {
  const { document, now } = given
  const { refund, asked, refused, told, recorded } = await lockForOutside(db, given)
  if (refused) throw new AppError(refused)
  if (!isSentOutside(refund)) throw new AppError('outside_not_started')
  const wrong = documentRefusal(document, { told, recorded })
  if (wrong) throw new AppError(wrong)
  const outcome = { kind: 'refunded', transactionId: outsideNumber(document) } as const
  await countSending(db, refund.id, now)
  await record(db, { refundId: refund.id, source: 'operator', outcome, now })
  await auditOutside(db, 'refunded-outside', given, { id: refund.id, cents: asked, document })
}

/** The refund that is to be given back another way, with how much is sent of it, and why it can't be. */
async function lockForOutside(db: Tx, { orderId, refundId, operatorId, now }: Outside) {
  const order = await lockOrder(db, orderId)
  const refunds = order ? await lockAttempts(db, orderId, order.paid_by) : []
  const refund = refunds.find(({ id }) => id === refundId)
  if (!order || !refund) throw new AppError('not_found')
  if (order.buyer_id === operatorId && (await isThereAnother(db, 'refunds.issue', [operatorId])))
    throw new AppError('own_refund')
  const told = await listTold(db, refund.paymentId)
  const notMade = await listNotMade(db, { orderId, refundId })
  const lateAfter = lateChargesAfter(now)
  const takenCents = isSentOutside(refund) ? await findDisputedCents(db, orderId) : 0
  const refused = outsideRefusal(refund, refunds, {
    isOneLate: notMade.some(({ submitted_at: at }) => at !== null && at > lateAfter),
    leftCents: refundableCents(await findOrderBalance(db, orderId)) + takenCents,
    made: notRecorded(told),
    // What the gateway's list of refunds, read before this, lacks yet, it shows by then.
    toldBy: lateAfter,
  })
  const asked = refund.cents - refund.madeCents
  return { order, refund, asked, refused, told, recorded: refunds.map(({ number }) => number) }
}

async function auditOutside(
  db: Tx,
  action: 'refund-outside-begun' | 'refund-outside-taken-back' | 'refunded-outside',
  { orderId, reason, operatorId, now }: Outside,
  { id, cents, document }: { id: string; cents: number; document?: string },
): Promise<void> {
  const by = { actorId: operatorId, reason, now }
  const detail = { refundId: id, cents, ...(document === undefined ? {} : { document }) }
  await writeAudit(db, { action: `order.${action}`, targetKind: 'order', targetId: orderId, detail, ...by })
}

/** The refunds of an order and how the payment of each stands, the newest first; the payments are locked. */
async function lockAttempts(db: Tx, orderId: string, paidBy: string | null) {
  await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const refunds = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.status', 'refunds.amount_cents as cents', 'outside_since'])
    .select(['refunds.gateway_transaction_id as number', 'made_cents as madeCents'])
    .select('exceeded_at as exceededAt')
    .select(['payments.id as paymentId', 'payments.status as paymentStatus'])
    .select(['payments.amount_cents as chargedCents', 'payments.gateway_transaction_id as chargeId'])
    .where('payments.order_id', '=', orderId)
    .orderBy('refunds.id', 'desc')
    .execute()
  return refunds.map((refund) => ({ ...refund, isOfPaying: refund.paymentId === paidBy }))
}

async function record(
  db: Tx,
  news: { refundId: string; source: PaymentSource; outcome: RefundOutcome; now: Date },
): Promise<void> {
  const { refundId, source, outcome, now } = news
  const { order, payment, asked } = await lockRefunded(db, refundId)
  const made = outcome.kind === 'voided' || outcome.kind === 'refunded'
  // What is on its way another way stays in sight until that is recorded or taken back, whatever the gateway made of it.
  if (isSentOutside(asked) && !(made && isOutsideNumber(outcome.transactionId))) {
    if (made) await recordBeside(db, { order, payment, asked, source, outcome, now })
    return
  }
  if (made && order.paid_by === payment.id && (await isTooMuch(db, asked)))
    return recordBeside(db, { order, payment, asked, source, outcome, now })
  // It was voided by another refund than this one, which was refused before.
  if (outcome.kind === 'voided' && payment.status === 'voided' && asked.status === 'refused') return
  const refund = await db
    .updateTable('refunds')
    .set({
      status: outcome.kind,
      failure: outcome.kind === 'refused' ? outcome.failure : null,
      ...(made ? { gateway_transaction_id: outcome.transactionId, exceeded_at: null } : {}),
      ...(outcome.kind === 'refused' && outcome.failure === EXCEEDED
        ? { exceeded_at: sql<Date>`coalesce(exceeded_at, ${now})` }
        : {}),
      decided_at: outcome.kind === 'unknown' ? null : now,
    })
    .where('id', '=', refundId)
    .where('status', 'in', made ? ['submitting', 'unknown', 'refused'] : ['submitting', 'unknown'])
    .returning(['amount_cents', 'requested_by', 'outside_since'])
    .executeTakeFirst()
  if (!refund) return
  if (NOT_CAPTURED.includes(payment.status)) {
    if (made)
      return recordGivenBack(db, payment.id, {
        status: outcome.kind,
        source,
        transactionId: payment.gateway_transaction_id ?? outcome.transactionId,
        parts: partsOf(asked, outcome.transactionId),
        now,
      })
    if (outcome.kind === 'refused') await markStuck(db, payment.id, now)
    return
  }
  if (!made) return
  // A charge that granted nothing may have been voided while its refund was being sent.
  if (order.paid_by !== payment.id) {
    if (isOutsideNumber(outcome.transactionId)) await recordTwice(db, { payment, asked, now })
    return
  }
  const shareCents = await postRefund(db, { refundId, orderId: order.id, cents: refund.amount_cents, now })
  if (refund.outside_since) await endSending(db, order, now)
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
      parts: partsOf(asked, outcome.transactionId),
      voided: outcome.kind === 'voided',
    },
    now,
  )
}

/** What of a refund went to the card, which the gateway may have made in part, and what was sent another way. */
function partsOf(
  { amount_cents: cents, asked_cents: askedCents }: { amount_cents: number; asked_cents: number },
  number: string,
): Parts {
  const otherCents = isOutsideNumber(number) ? askedCents : 0
  return { cardCents: cents - otherCents, otherCents }
}

type Refunded = {
  id: string
  cents: number
  requestedBy: string | null
  shareCents: number
  parts: Parts
  /** Before it settled, so that no statement shows it. */
  voided: boolean
}

/** Tells the buyer of a refund, and the creator what it took of their share. */
async function tell(
  db: Tx,
  order: Order,
  { id, cents, requestedBy, shareCents, parts, voided }: Refunded,
  now: Date,
): Promise<void> {
  const access = await accessAfter(db, paidFor(order), now)
  const undelivered = await findUndelivered(db, order)
  const late = undelivered === 'late'
  const data = {
    title: order.title,
    amount: formatMoney(cents),
    access,
    why: 'asked' as const,
    ...presentParts(parts),
    voided,
    late,
  }
  await notify(db, { kind: 'payment.refunded', person: order.buyer_id, data }, { now, once: id })
  // The creator who delivered too late has been told so.
  if (requestedBy === null && undelivered !== 'leaving') return
  await tellCreatorOfRefund(db, order, { id, cents, shareCents }, now)
}

/** Why a custom request that it paid can only be refunded: it is late, or one of the two leaves before it is due. Else null. */
async function findUndelivered(db: Tx, { kind, item_id: itemId }: Order): Promise<'late' | 'leaving' | null> {
  if (kind !== 'custom') return null
  const request = await db
    .selectFrom('custom_requests')
    .select('leaving')
    .where('id', '=', itemId)
    .where('overdue_at', 'is not', null)
    .executeTakeFirst()
  if (!request) return null
  return request.leaving ? 'leaving' : 'late'
}

/** Tells the creator what a refund took of their share, once by its id; of a donation nobody has one. */
export async function tellCreatorOfRefund(
  db: Tx,
  order: Order,
  { id, cents, shareCents }: Omit<Refunded, 'requestedBy' | 'parts' | 'voided'>,
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
  const { order_id, payment_id } = await findRefund(db, refundId)
  const order = await lockOrder(db, order_id)
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'status', 'gateway_transaction_id', 'submitted_at'])
    .where('id', '=', payment_id)
    // Whoever records a finding of it meanwhile needn't wait, as that would be for each other.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (!order) throw new Error('a refund without an order')
  return { order, payment, asked: await findRefund(db, refundId) }
}
