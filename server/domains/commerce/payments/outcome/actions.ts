import type { Selectable } from 'kysely'
import type { PaymentStatus } from '../../../../../contract/orders.ts'
import type { SubscriptionStatus } from '../../../../../contract/subscriptions.ts'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import type { OrderTables } from '../../../../db/tables/commerce/orders.ts'
import type { PaymentSource, PaymentTables } from '../../../../db/tables/commerce/payments.ts'
import { violates } from '../../../../errors.ts'
import type { Capture, ChargeOutcome } from '../../../../ports/payments/port.ts'
import { takeGrantTurn } from '../../../media/entitlements/actions.ts'
import { keepCard, noteUse } from '../../cards/actions.ts'
import { noteDecline } from '../../cards/attempts/actions.ts'
import { postSale } from '../../ledger/actions.ts'
import { findOrdered, isErased } from '../../orders/data.ts'
import type { Content } from '../../orders/rules.ts'
import { sendReceipt } from '../../receipts/actions.ts'
import { payableCommissions } from '../../referrals/actions.ts'
import { giveBack } from '../../refunds/actions.ts'
import { sellables } from '../../sellables/actions.ts'
import { tellSale } from '../../sellers/actions.ts'
import { monthsLater } from '../../subscriptions/rules.ts'
import { REASONS, refusalReason, voidReason } from '../rules.ts'

/** Sent to the gateway, and its end not known here. */
const UNDECIDED: PaymentStatus[] = ['submitting', 'held', 'unknown']
/** An approval that comes after everybody believed in no charge is still money, and still grants. */
const CAPTURABLE: PaymentStatus[] = [...UNDECIDED, 'refused']
/** A canceled subscription isn't renewed by what was charged for it before. */
const RENEWED: SubscriptionStatus[] = ['active', 'past_due']

/** Whether an order still renews its subscription: what a long review approves after the period would pay for nothing. */
function canRenew({ status, ...schedule }: Renewed, { months }: Order, now: Date): boolean {
  return RENEWED.includes(status) && monthsLater(schedule, months) > now
}

type Renewed = Parameters<typeof monthsLater>[0] & { status: SubscriptionStatus }

/**
 * Records what the gateway said of an attempt. An approval becomes capture, journal and entitlement in one
 * transaction; when nothing can be granted for it anymore, the charge is given back. Whichever of the live call and a
 * recovery comes second changes nothing.
 */
export async function recordOutcome(
  context: Context,
  paymentId: string,
  outcome: ChargeOutcome,
  source: PaymentSource,
): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  const change = { source, status_at: now }
  const record = (conclusion: Conclusion) =>
    db.transaction().execute((tx) => conclude(tx, paymentId, { ...change, ...conclusion }))
  switch (outcome.kind) {
    case 'approved':
      return capture(context, paymentId, outcome, source)
    case 'held':
      return hold(context, paymentId, outcome.transactionId || null, source)
    case 'declined':
      return record({
        status: 'declined',
        reason: outcome.reason,
        decline_class: outcome.hard ? 'hard' : 'soft',
        avs: outcome.checks.avs,
        cvv: outcome.checks.cvv,
        decided_at: now,
      })
    case 'refused':
      return record({ status: 'refused', reason: refusalReason(outcome), decided_at: now })
    case 'unknown':
      return record({ status: 'unknown', reason: outcome.detail.slice(0, 200) })
  }
}

type Conclusion = Pick<PaymentTables['payments'], 'status'> &
  Partial<
    Pick<
      Selectable<PaymentTables['payments']>,
      'reason' | 'decided_at' | 'decline_class' | 'avs' | 'cvv' | 'gateway_transaction_id'
    >
  >

async function conclude(
  db: Tx,
  paymentId: string,
  conclusion: Conclusion & { source: PaymentSource; status_at: Date },
): Promise<void> {
  const { status } = conclusion
  await db
    .updateTable('payments')
    .set(conclusion)
    .where('id', '=', paymentId)
    .where((eb) => {
      const undecided = eb('status', 'in', status === 'unknown' ? ['submitting'] : UNDECIDED)
      if (status !== 'held' && status !== 'declined') return undecided
      // The gateway may show a late review of a charge that counted as not made, and its result.
      return eb.or([undecided, eb.and([eb('status', '=', 'refused'), eb('reason', '=', REASONS.notCharged)])])
    })
    .execute()
  if (status === 'declined') await noteDecline(db, paymentId, conclusion.status_at)
}

/** Records a review, also of a charge that shows up after it was said not to be, unless another attempt is under way by then. */
async function hold(
  { db, clock }: Context,
  paymentId: string,
  transactionId: string | null,
  source: PaymentSource,
): Promise<void> {
  const held = {
    status: 'held' as const,
    reason: null,
    decided_at: null,
    gateway_transaction_id: transactionId,
  }
  try {
    await db
      .transaction()
      .execute((tx) => conclude(tx, paymentId, { ...held, source, status_at: clock.now() }))
  } catch (error) {
    if (!violates(error, 'payments_one_live')) throw error
    await db.transaction().execute((tx) => waitForTheOther(tx, paymentId, transactionId))
  }
}

/** A charge that shows up while another attempt is under way waits for that one: its number keeps it looked up. */
async function waitForTheOther(db: Tx, paymentId: string, transactionId: string | null): Promise<void> {
  await db
    .updateTable('payments')
    .set({ gateway_transaction_id: transactionId })
    .where('id', '=', paymentId)
    .where('status', '=', 'refused')
    .execute()
}

async function capture(
  context: Context,
  paymentId: string,
  charge: Capture,
  source: PaymentSource,
): Promise<void> {
  const { db, clock } = context
  let refused: string | null = null
  try {
    refused = await db.transaction().execute(async (transaction) => {
      const reason = await captureAndGrant(transaction, paymentId, charge, { source, now: clock.now() })
      await context.checkpoint('purchase.before-capture-commit')
      return reason
    })
  } catch (error) {
    if (violates(error, 'payments_one_live'))
      return db.transaction().execute((tx) => waitForTheOther(tx, paymentId, charge.transactionId))
    refused = ungrantable(error)
    if (!refused) throw error
  }
  if (refused) return giveBack(context, paymentId, charge, { reason: refused, source })
  await context.checkpoint('purchase.capture-committed')
}

/** Why the database refused to grant what was paid: it is the buyer's already. Null for any other error. */
function ungrantable(error: unknown): string | null {
  if (violates(error, 'orders_bought_once')) return REASONS.alreadyOwned
  if (violates(error, 'subscriptions_one_live')) return REASONS.alreadySubscribed
  return null
}

/** Capture, journal and entitlement, once. Returns why the charge is to be given back instead. */
async function captureAndGrant(
  db: Tx,
  paymentId: string,
  charge: Capture,
  { source, now }: { source: PaymentSource; now: Date },
): Promise<string | null> {
  await takeTurn(db, paymentId)
  const { subscription, order, payment } = await lockPayment(db, paymentId)
  if (!CAPTURABLE.includes(payment.status)) return null
  const decided = voidReason(payment.reason)
  if (decided) return decided
  const contents = await findDeliverable(db, order)
  if (order.status !== 'open') return closedReason(db, order, contents ?? [])
  if (!contents || (subscription && !canRenew(subscription, order, now))) return REASONS.unavailable
  const { boughtOnce, isOwned } = sellables[order.kind]
  if (boughtOnce && (await isOwned(db, order.buyer_id, { id: order.item_id, contents })))
    return REASONS.alreadyOwned
  const storedCardId =
    payment.save_card && charge.storedCard
      ? await keepCard(db, order.buyer_id, { ...charge.card, ...charge.storedCard, expires: null }, now)
      : await noteUse(db, payment.stored_card_id, now)
  await db
    .updateTable('payments')
    .set({
      status: 'captured',
      source,
      status_at: now,
      reason: null,
      gateway_transaction_id: charge.transactionId,
      network_transaction_id: charge.networkTransactionId,
      card_brand: charge.card.brand,
      card_last_four: charge.card.lastFour,
      stored_card_id: storedCardId,
      keep_card_due_at: payment.save_card && !charge.storedCard ? now : null,
      avs: charge.checks.avs,
      cvv: charge.checks.cvv,
      decided_at: now,
    })
    .where('id', '=', paymentId)
    .execute()
  await db
    .updateTable('orders')
    .set({ status: 'paid', paid_by: paymentId, paid_at: now })
    .where('id', '=', order.id)
    .execute()
  await postSale(db, {
    orderId: order.id,
    paymentId,
    creatorId: order.creator_id,
    grossCents: order.amount_cents,
    feeBasisPoints: order.fee_basis_points,
    commissions: await payableCommissions(db, [order.id], now),
    deliveredBy: (await sellables[order.kind].deliveredBy?.(db, order.id)) ?? null,
    now,
  })
  await sellables[order.kind].grant(db, {
    id: order.id,
    buyerId: order.buyer_id,
    creatorId: order.creator_id,
    itemId: order.item_id,
    amountCents: order.amount_cents,
    months: order.months,
    subscriptionId: order.subscription_id,
    trial:
      order.trial_days !== null && order.renewal_cents !== null
        ? { days: order.trial_days, renewalCents: order.renewal_cents }
        : null,
    contents,
    storedCardId,
    isRenewedByUs: payment.off_session,
    charge,
    now,
  })
  await tellSale(db, order, now)
  await sendReceipt(db, order, charge.card, now)
  return null
}

/** What one person buys for good is captured in its turn, so that nobody pays for what another capture or an offer gives. */
async function takeTurn(db: Tx, paymentId: string): Promise<void> {
  const order = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select('orders.buyer_id')
    .where('payments.id', '=', paymentId)
    .where('orders.bought_once', '=', true)
    .executeTakeFirst()
  if (order) await takeGrantTurn(db, order.buyer_id)
}

type Order = Selectable<OrderTables['orders']>

/**
 * Locks the subscription before its order, as a cancellation does, and the order before its payment, as another
 * attempt does.
 */
async function lockPayment(db: Tx, paymentId: string) {
  const subscription = await db
    .selectFrom('subscriptions')
    .select(['status', 'anchor_at as anchorAt', 'current_period_end as currentPeriodEnd'])
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .innerJoin('orders', 'orders.id', 'payments.order_id')
        .select('orders.subscription_id')
        .where('payments.id', '=', paymentId),
    )
    .forUpdate()
    .executeTakeFirst()
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', (eb) => eb.selectFrom('payments').select('order_id').where('id', '=', paymentId))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const payment = await db
    .selectFrom('payments')
    .select(['status', 'reason', 'save_card', 'stored_card_id', 'off_session'])
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { subscription, order, payment }
}

/** Everything that was agreed; null if some of it is gone for good, or the buyer is. */
async function findDeliverable(db: Db, { id, buyer_id, creator_id }: Order): Promise<Content[] | null> {
  if (await isErased(db, [buyer_id, creator_id])) return null
  const ordered = await findOrdered(db, id)
  const there = ordered.flatMap(({ mediaId, versionId }) =>
    mediaId && versionId ? [{ mediaId, versionId }] : [],
  )
  return there.length === ordered.length ? there : null
}

/** Why a charge for an order that is not open anymore is given back: it was paid otherwise, or replaced. */
async function closedReason(db: Db, order: Order, contents: Content[]): Promise<string> {
  const sellable = sellables[order.kind]
  const isOwned = await sellable.isOwned(db, order.buyer_id, { id: order.item_id, contents })
  if (!isOwned) return REASONS.unavailable
  return sellable.boughtOnce ? REASONS.alreadyOwned : REASONS.alreadySubscribed
}
