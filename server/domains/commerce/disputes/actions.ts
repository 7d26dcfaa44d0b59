import { sql } from 'kysely'
import { formatMoney } from '../../../../contract/money.ts'
import type { DisputeCause } from '../../../../contract/orders.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { isThereAnother } from '../../identity/roles/data.ts'
import { endRestorable, keepRestorable, type Source } from '../../media/entitlements/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { removeCard, takeCardsTurn } from '../cards/actions.ts'
import { lockSameCards } from '../cards/data.ts'
import { postDisputeLost, postDisputeOpened, postDisputeWon } from '../ledger/actions.ts'
import { findOrderBalance } from '../ledger/data.ts'
import { refundableCents } from '../ledger/rules.ts'
import { lockOrder } from '../orders/data.ts'
import { isSentElsewhere } from '../refunds/data.ts'
import { tellCreatorOfRefund } from '../refunds/recording/actions.ts'
import { cancelSubscription } from '../renewals/actions.ts'
import { findDeliveredBy, sellables } from '../sellables/actions.ts'
import { reopenSubscription } from '../subscriptions/actions.ts'
import { listDisputesOf } from './data.ts'
import { disputeRefusal, isAhead } from './rules.ts'

type By = { operatorId: string; reason: string; now: Date }

/**
 * Records that a bank took a payment back: what it granted is taken back with it, and the parts of creator and referrers are
 * reserved. What had been given back before is the platform's loss, and changes nothing else. A card that its holder calls
 * stolen is removed. Returns the dispute's id. Throws what `disputeRefusal` says, `own_dispute` where somebody else could record
 * it, `refund_in_progress`, `dispute_recorded`, and `dispute_respond_by` for a day that is over.
 */
export async function openDispute(
  db: Tx,
  dispute: By & {
    orderId: string
    cents: number
    feeCents: number
    cause: DisputeCause
    caseNumber: string
    respondBy: string | null
  },
): Promise<string> {
  const { orderId, cents, feeCents, cause, caseNumber, respondBy, operatorId, reason, now } = dispute
  if (respondBy !== null && !isAhead(respondBy, now)) throw new AppError('dispute_respond_by')
  await lockCardsOfBuyer(db, orderId)
  const order = await lockOrder(db, orderId)
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'status', 'amount_cents as amountCents'])
    .select(['stored_card_id as storedCardId', 'card_brand as brand', 'card_last_four as lastFour'])
    .where('id', '=', order?.paid_by ?? null)
    // A live installation records no dispute of the sandbox's payments.
    .where('livemode', '=', sql<boolean>`installation_livemode()`)
    .forUpdate()
    .executeTakeFirst()
  const refused = disputeRefusal(payment, payment ? await listDisputesOf(db, payment.id) : [], cents)
  if (refused || !order || !payment) throw new AppError(refused ?? 'not_found')
  await requireAnothers(db, order, operatorId)
  await requireNoRefundUnderWay(db, payment.id)
  const disputeId = await insertDispute(db, {
    ...{ payment_id: payment.id, order_id: orderId, amount_cents: cents, fee_cents: feeCents, cause },
    ...{ case_number: caseNumber, respond_by: respondBy, recorded_by: operatorId, opened_at: now },
  })
  // A later month that was paid keeps its access, but the card isn't charged again.
  const { subscription_id: subscriptionId, buyer_id: fanId } = order
  if (subscriptionId !== null) await cancelSubscription(db, { fanId, subscriptionId, now }, 'disputed')
  if (cause === 'fraud')
    for (const cardId of await lockSameCards(db, fanId, payment))
      await removeCard(db, { userId: fanId, cardId, now })
  const isShared = refundableCents(await findOrderBalance(db, orderId)) > 0
  const isUndelivered = (await findDeliveredBy(db, order)) !== null
  await postDisputeOpened(db, { disputeId, orderId, cents, feeCents, isUndelivered, now })
  if (!isOver(order)) {
    await setStatus(db, payment.id, 'disputed', now)
    await sellables[order.kind].revoke(db, { id: orderId, subscriptionId }, now)
    await keepRestorable(db, sourceOf(order), now)
  }
  await record(db, { disputeId, order, cents, isShared, event: 'opened', by: { operatorId, reason, now } })
  return disputeId
}

/**
 * Records what the bank decided. Won: the payment stands and what it granted is given again, but a subscription
 * only to the end of its paid period; what was refunded meanwhile everybody gives back their part of. Lost: everybody gives back their part.
 * Where nothing is left of the payment, what it granted is given up. Throws `not_found`, `dispute_decided`, and `own_dispute`
 * where somebody else could decide it.
 */
export async function decideDispute(
  db: Tx,
  { disputeId, outcome, ...by }: By & { disputeId: string; outcome: 'won' | 'lost' },
): Promise<void> {
  const { now } = by
  const { order_id: orderId } = await db
    .selectFrom('disputes')
    .select('order_id')
    .where('id', '=', disputeId)
    .executeTakeFirstOrThrow(() => new AppError('not_found'))
  const order = await lockOrder(db, orderId)
  if (order) await requireAnothers(db, order, by.operatorId)
  const decided = await db
    .updateTable('disputes')
    .set({ status: outcome, decided_at: now })
    .where('id', '=', disputeId)
    .where('status', '=', 'open')
    .returning(['payment_id', 'amount_cents', 'opened_at'])
    .executeTakeFirst()
  if (!decided || !order) throw new AppError('dispute_decided')
  const { payment_id: paymentId, amount_cents: cents, opened_at: openedAt } = decided
  const isShared = (await findOrderBalance(db, orderId)).disputedCents > 0
  let refund = { refundedCents: 0, shareCents: 0 }
  const deliveredBy = await findDeliveredBy(db, order)
  const isSent = deliveredBy !== null && (await isSentElsewhere(db, paymentId))
  const posted = { disputeId, orderId, deliveredBy, isSent, now }
  if (outcome === 'won') refund = await postDisputeWon(db, { ...posted, cents })
  else await postDisputeLost(db, posted)
  if (!isOver(order)) {
    // The part of the money that is kept pays for what it granted.
    const isKept = refundableCents(await findOrderBalance(db, orderId)) > 0
    if (isKept || outcome === 'won') await setStatus(db, paymentId, 'captured', now)
    if (!isKept) {
      if (outcome === 'won') await setStatus(db, paymentId, 'refunded', now)
      await db.updateTable('orders').set({ refunded_at: now }).where('id', '=', orderId).execute()
    }
    const { subscription_id: subscriptionId } = order
    // The days of grace are for a renewal, which it has no more.
    const { restoredUntil } = (await db
      .selectFrom('subscriptions')
      .select('current_period_end as restoredUntil')
      .where('id', '=', subscriptionId)
      .executeTakeFirst()) ?? { restoredUntil: null }
    const isOpen = isKept && (restoredUntil === null || restoredUntil > now)
    await endRestorable(db, sourceOf(order), openedAt, isOpen ? { restoredUntil } : 'give up')
    if (isKept && subscriptionId !== null)
      await reopenSubscription(db, { subscriptionId, endedAt: openedAt, now })
  }
  await record(db, { disputeId, order, cents, isShared, event: outcome, by })
  const { refundedCents, shareCents } = refund
  await tellCreatorOfRefund(db, order, { id: disputeId, cents: refundedCents, shareCents }, now)
}

type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

/**
 * Takes the turn of the buyer's cards, none of which is kept meanwhile. The subscriptions that lose their card with the dispute
 * are held before its order, in the order of their ids, as renewals hold theirs.
 */
async function lockCardsOfBuyer(db: Tx, orderId: string): Promise<void> {
  const order = await db.selectFrom('orders').select('buyer_id').where('id', '=', orderId).executeTakeFirst()
  if (!order) return
  await takeCardsTurn(db, order.buyer_id)
  await db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', order.buyer_id)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Nobody takes money back for themselves, or keeps it, while there is somebody else who may and has no part in the sale. */
async function requireAnothers(
  db: Tx,
  { kind, buyer_id, creator_id }: Order,
  operatorId: string,
): Promise<void> {
  // On a donation an operator stands as the seller, and has no share in it.
  const parties = kind === 'donation' ? [buyer_id] : [buyer_id, creator_id]
  if (parties.includes(operatorId) && (await isThereAnother(db, 'refunds.issue', parties)))
    throw new AppError('own_dispute')
}

/** All was given back before, so that a bank's dispute is with the platform alone. */
const isOver = (order: Order): boolean => order.refunded_at !== null

async function setStatus(
  db: Tx,
  paymentId: string,
  status: 'captured' | 'disputed' | 'refunded',
  now: Date,
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status, source: 'operator', status_at: now })
    .where('id', '=', paymentId)
    .execute()
}

const sourceOf = ({ id, subscription_id }: Order): Source =>
  subscription_id === null ? { kind: 'purchase', id } : { kind: 'subscription', id: subscription_id }

/** The gateway may be giving back the same money at this moment. */
async function requireNoRefundUnderWay(db: Tx, paymentId: string): Promise<void> {
  const refund = await db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('status', 'in', ['created', 'submitting', 'unknown'])
    .executeTakeFirst()
  if (refund) throw new AppError('refund_in_progress')
}

type NewDispute = Parameters<ReturnType<typeof insertInto>['values']>[0]
const insertInto = (db: Tx) => db.insertInto('disputes')

async function insertDispute(db: Tx, values: NewDispute): Promise<string> {
  try {
    const { id } = await insertInto(db).values(values).returning('id').executeTakeFirstOrThrow()
    return id
  } catch (error) {
    if (violates(error, 'disputes_payment_id_case_number_key')) throw new AppError('dispute_recorded')
    throw error
  }
}

/** For the audit log, and for the creator where it is their sale that is at stake. */
async function record(
  db: Tx,
  {
    disputeId,
    order,
    cents,
    isShared,
    event,
    by,
  }: {
    disputeId: string
    order: Order
    cents: number
    /** Whether it is of money that hadn't been given back before. */
    isShared: boolean
    event: 'opened' | 'won' | 'lost'
    by: By
  },
): Promise<void> {
  const { operatorId: actorId, reason, now } = by
  const target = { targetKind: 'order' as const, targetId: order.id, detail: { disputeId, cents } }
  await writeAudit(db, { actorId, action: `dispute.${event}`, ...target, reason, now })
  if (!isShared) return
  const data = { title: order.title, amount: formatMoney(cents), state: event }
  const once = `sale.disputed ${disputeId} ${event}`
  await notify(db, { kind: 'sale.disputed', person: order.creator_id, data }, { now, once })
}
