import { createHash, randomBytes } from 'node:crypto'
import { leftOfPayment } from '../../../../contract/errors/commerce.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Context } from '../../../context.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { PaymentSource } from '../../../db/tables/commerce/payments.ts'
import { AppError, violates } from '../../../errors.ts'
import type { Capture } from '../../../ports/payments/port.ts'
import { isThereAnother } from '../../identity/roles/data.ts'
import { findOrderBalance } from '../ledger/data.ts'
import { refundableCents } from '../ledger/rules.ts'
import { lateChargesAfter } from '../payments/rules.ts'
import {
  findRefund,
  findRefundByKey,
  listMadeAtGateway,
  listNotMade,
  listRefundsOf,
  type Refunded,
  wasSentElsewhere,
} from './data.ts'
import { recordGatewayRefunds } from './gateway-refunds/actions.ts'
import { type RefundOutcome, recordRefund } from './recording/actions.ts'
import {
  EXCEEDED,
  failedBatch,
  isNotMade,
  isSentOutside,
  type MadeAtGateway,
  madeOf,
  mayShowUpLate,
  numberOfMade,
  refundRefusal,
  sumOf,
} from './rules.ts'

/** The request of an operator, or of the product itself (null); `orderId` is the transaction that operators see. */
export type RefundRequest = {
  operatorId: string | null
  orderId: string
  /** Null for all that is left. */
  cents: number | null
  /** What the operator was shown as left; null for the product itself. */
  shownCents: number | null
  reason: string
  idempotencyKey: string | null
}

/**
 * Gives back an order that was paid, whole or in part: commits the intent, then voids or refunds with no transaction open,
 * then commits what came of it with its journal. Returns the refund's id. Throws what `refundRefusal` says, also while one
 * of the payment that was said not to be made may have been, `own_refund` where somebody else could make it, and
 * `idempotency_key_reused`.
 */
export async function refundOrder(context: Context, request: RefundRequest): Promise<string> {
  const { db, clock } = context
  if (!(await replay(db, request))) await requireNoneMade(context, { orderId: request.orderId })
  const { id, first } = await recordRequest(db, request, clock.now())
  if (!first) return id
  await context.checkpoint('refund.intent-committed')
  await sendRefund(context, id, request.operatorId === null ? 'live' : 'operator')
  return id
}

/**
 * Has the gateway say once more that it made none of a payment's refunds that count as not made: another one, here or another
 * way, would give back twice. Throws `refund_in_progress` where it made one, or doesn't say.
 */
export async function requireNoneMade(context: Context, refunded: Refunded): Promise<void> {
  if (!(await isNoneMade(context, refunded))) throw new AppError('refund_in_progress')
}

/** Whether the gateway says so; what it made is recorded. */
async function isNoneMade(context: Context, refunded: Refunded): Promise<boolean> {
  const { db, payments } = context
  const notMade = await listNotMade(db, refunded)
  for (const { id: refundId, charge_id: transactionId, asked_cents: amountCents, ...refund } of notMade) {
    const { reference, submitted_at: since } = refund
    if (!transactionId || !since) continue
    const outcome = await payments.lookupRefund({ transactionId, amountCents, reference, since })
    if (outcome.kind === 'absent') continue
    if (outcome.kind !== 'unavailable') await recordRefund(context, { refundId, source: 'lookup', outcome })
    return false
  }
  return true
}

async function recordRequest(
  db: Db,
  request: RefundRequest,
  now: Date,
): Promise<{ id: string; first: boolean }> {
  try {
    return await db.transaction().execute(async (tx) => {
      const earlier = await replay(tx, request)
      return earlier ?? { id: await insertRequest(tx, request, now), first: true }
    })
  } catch (error) {
    const raced = ['refunds_idempotency', 'refunds_one_under_way'].some((index) => violates(error, index))
    if (!raced && !(error instanceof AppError)) throw error
    const earlier = await replay(db, request)
    if (earlier) return earlier
    throw raced ? new AppError('refund_in_progress') : error
  }
}

async function replay(db: Db, request: RefundRequest): Promise<{ id: string; first: false } | null> {
  const { operatorId, idempotencyKey } = request
  if (operatorId === null || idempotencyKey === null) return null
  const earlier = await findRefundByKey(db, operatorId, idempotencyKey)
  if (!earlier) return null
  if (earlier.request_hash !== hashOf(request)) throw new AppError('idempotency_key_reused')
  return { id: earlier.id, first: false }
}

function hashOf({ orderId, cents, reason }: RefundRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([orderId, cents, reason]))
    .digest('base64url')
}

async function insertRequest(db: Tx, request: RefundRequest, now: Date): Promise<string> {
  const { operatorId, orderId, reason, idempotencyKey } = request
  const order = await db
    .selectFrom('orders')
    .select(['paid_by', 'buyer_id'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  const payment = await db
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('id', '=', order?.paid_by ?? null)
    .forUpdate()
    .executeTakeFirst()
  const leftCents = refundableCents(await findOrderBalance(db, orderId))
  const cents = request.cents ?? leftCents
  const refused = refundRefusal(
    payment ? { ...payment, leftCents } : null,
    payment ? await listRefundsOf(db, payment.id) : [],
    cents,
    request.shownCents,
  )
  if (refused === 'payment_changed')
    throw new AppError(refused, { details: { left: leftOfPayment(formatMoney(leftCents)) } })
  if (refused || !payment) throw new AppError(refused ?? 'not_found')
  if (
    operatorId !== null &&
    order?.buyer_id === operatorId &&
    (await isThereAnother(db, 'refunds.issue', [operatorId]))
  )
    throw new AppError('own_refund')
  const hash = idempotencyKey === null ? null : hashOf(request)
  const id = await insertRefund(db, {
    ...{ payment_id: payment.id, order_id: orderId, amount_cents: cents, reason, requested_by: operatorId },
    ...{ idempotency_key: idempotencyKey, request_hash: hash, created_at: now },
  })
  await writeAudit(db, {
    actorId: operatorId,
    action: 'order.refund-requested',
    targetKind: 'order',
    targetId: orderId,
    reason,
    detail: { refundId: id, cents },
    now,
  })
  return id
}

async function insertRefund(
  db: Tx,
  values: {
    payment_id: string
    order_id: string
    amount_cents: number
    reason: string
    requested_by: string | null
    idempotency_key: string | null
    request_hash: string | null
    created_at: Date
  },
): Promise<string> {
  const { id } = await db
    .insertInto('refunds')
    .values({ ...values, reference: randomBytes(10).toString('hex') })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Gives the money back that nothing can be granted for. The decision commits first, so that nobody grants meanwhile; until
 * the gateway has agreed the payment stays as it is, and recovery comes back to it. What the gateway refuses to give back
 * waits for the operator.
 */
export async function giveBack(
  context: Context,
  paymentId: string,
  charge: Capture,
  { reason, source }: { reason: string; source: PaymentSource },
): Promise<void> {
  const { db, clock } = context
  const refundId = await db
    .transaction()
    .execute((tx) => decideToGiveBack(tx, paymentId, { charge, reason, now: clock.now() }))
  if (refundId) await sendRefund(context, refundId, source)
}

/** The refund of the whole payment, made now or before; null when the payment is over. */
async function decideToGiveBack(
  db: Tx,
  paymentId: string,
  { charge, reason, now }: { charge: Capture; reason: string; now: Date },
): Promise<string | null> {
  const payment = await db
    .updateTable('payments')
    .set({
      reason,
      gateway_transaction_id: charge.transactionId,
      card_brand: charge.card.brand,
      card_last_four: charge.card.lastFour,
    })
    .where('id', '=', paymentId)
    .where('status', 'in', ['submitting', 'held', 'unknown', 'refused'])
    .returning(['order_id', 'amount_cents'])
    .executeTakeFirst()
  if (!payment) return null
  const earlier = await db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  if (earlier) return earlier.id
  return insertRefund(db, {
    ...{ payment_id: paymentId, ...payment, reason, requested_by: null },
    ...{ idempotency_key: null, request_hash: null, created_at: now },
  })
}

/**
 * Sends a refund to the gateway, once: of a whole payment a void, where the gateway refuses that a refund, as it voids only
 * before the settlement and refunds only after it. A void may be sent again; a refund that may have been made may not. What
 * the gateway has too little left for counts as made where refunds that were made there come to it. False where it isn't sent:
 * it counts as not made, and the gateway doesn't say so again; or some of the payment was sent another way, and the gateway
 * doesn't say what was made there.
 */
export async function sendRefund(
  context: Context,
  refundId: string,
  source: PaymentSource,
): Promise<boolean> {
  const { payment_id: paymentId, order_id: orderId, ...refund } = await findRefund(context.db, refundId)
  const isLookedUp = mayShowUpLate(refund, lateChargesAfter(context.clock.now()))
  if (isNotMade(refund) && !isLookedUp && !(await isNoneMade(context, { orderId, refundId }))) return false
  // The gateway has more left by then than the buyer is owed.
  const isElsewhere = await wasSentElsewhere(context.db, paymentId)
  if (isElsewhere && !(await recordGatewayRefunds(context, refundId))) return false
  await sendOnce(context, refundId, source)
  return true
}

async function sendOnce(context: Context, refundId: string, source: PaymentSource): Promise<void> {
  const { db, clock, log, payments } = context
  const refund = await db.transaction().execute((tx) => claim(tx, refundId, clock.now()))
  if (!refund) return
  const transactionId = refund.charge_id ?? ''
  await context.checkpoint('refund.submitting-committed')
  const record = (outcome: RefundOutcome) => recordRefund(context, { refundId, source, outcome })
  if (refund.method === 'void') {
    const voided = await payments.voidCharge(transactionId)
    await context.checkpoint('refund.gateway-answered')
    if (voided.kind === 'voided') return record({ kind: 'voided', transactionId })
    if (voided.kind === 'unavailable') return record({ kind: 'unknown' })
    await db.transaction().execute((tx) => setMethod(tx, refundId, 'refund'))
  }
  const told = await listMadeAtGateway(db, refund.payment_id)
  // Money sent another way leaves more at the gateway than the buyer is owed: it would pay the same once more.
  if (told.length > 0 && (await wasSentElsewhere(db, refund.payment_id))) {
    const leftCents = refundableCents(await findOrderBalance(db, refund.order_id))
    if (refund.amount_cents > leftCents - sumOf(told)) return record(exceededBy(told, refund.amount_cents))
  }
  const answer = await payments.refundCharge({
    transactionId,
    amountCents: refund.asked_cents,
    lastFour: refund.card_last_four ?? '',
    reference: refund.reference,
  })
  await context.checkpoint('refund.gateway-answered')
  if (answer.kind === 'refunded') return record(answer)
  if (answer.kind === 'unavailable') return record({ kind: 'unknown' })
  const refused: RefundOutcome =
    answer.kind === 'exceeded'
      ? // One of them may have been voided meanwhile.
        exceededBy(await listMadeAtGateway(db, refund.payment_id), refund.amount_cents)
      : { kind: 'refused', failure: refund.hasExceeded ? EXCEEDED : reasonOf(answer) }
  if (refused.kind === 'refused')
    log.error({ refundId, failure: refused.failure }, 'the gateway refused a refund')
  return record(refused)
}

const reasonOf = ({ reason, failedBatch: number }: { reason: string; failedBatch: string | null }): string =>
  number === null ? reason : failedBatch(number)

/** What comes of a refund that the gateway has too little left for: it is made where those that were made there come to it. */
function exceededBy(made: MadeAtGateway[], cents: number): RefundOutcome {
  const number = numberOfMade(made, cents)
  return number === null
    ? { kind: 'refused', failure: EXCEEDED }
    : { kind: 'refunded', transactionId: number }
}

/**
 * Commits that the gateway is about to be called; null when it may have been told already, another call is at it, or it is
 * sent another way. What was said not to be made is looked up for as long as it may show up, as money is never sent twice.
 */
async function claim(db: Tx, refundId: string, now: Date) {
  const { payment_id } = await findRefund(db, refundId)
  await db.selectFrom('payments').select('id').where('id', '=', payment_id).forUpdate().execute()
  const refund = await findRefund(db, refundId)
  const isAgain = refund.status === 'unknown' && refund.method === 'void'
  if (!isAgain && refund.status !== 'created' && refund.status !== 'refused') return null
  if (isSentOutside(refund) || mayShowUpLate(refund, lateChargesAfter(now))) return null
  const made = madeOf(
    { cents: refund.amount_cents, paymentStatus: refund.payment_status },
    await listMadeAtGateway(db, payment_id),
  )
  const asked = refund.amount_cents - made
  const method = asked === refund.charged_cents ? 'void' : 'refund'
  // Another reason doesn't say that the gateway has enough left.
  const hasExceeded = refund.exceeded_at !== null && asked >= refund.asked_cents
  await db
    .updateTable('refunds')
    .set({
      ...{ status: 'submitting', method, submitted_at: now, failure: null, made_cents: made },
      // The look-ups of what was refused told of an earlier time that it was sent.
      ...(isAgain ? {} : { lookups: 0 }),
      ...(hasExceeded ? {} : { exceeded_at: null }),
    })
    .where('id', '=', refundId)
    .execute()
  return { ...refund, method, asked_cents: asked, hasExceeded } as const
}

async function setMethod(db: Tx, refundId: string, method: 'void' | 'refund'): Promise<void> {
  await db.updateTable('refunds').set({ method }).where('id', '=', refundId).execute()
}
