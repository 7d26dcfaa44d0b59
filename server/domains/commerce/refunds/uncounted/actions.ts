import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import type { PaymentStatus, RefundStatus } from '../../../../../contract/orders.ts'
import type { Tx } from '../../../../db/client.ts'
import type { PaymentSource } from '../../../../db/tables/commerce/payments.ts'
import { notify } from '../../../notifications/actions.ts'
import { closeOrder } from '../../orders/actions.ts'
import { hasAttemptUnderWay, isErased } from '../../orders/data.ts'
import { REASONS, type VoidReason, voidReason } from '../../payments/rules.ts'
import { recordFindings } from '../../reconciliation/actions.ts'
import { DONE, NOT_CAPTURED, type Parts, presentParts } from '../rules.ts'

type Made = {
  order: { paid_by: string | null }
  payment: {
    id: string
    status: PaymentStatus
    gateway_transaction_id: string | null
    submitted_at: Date | null
  }
  asked: { id: string; asked_cents: number; submitted_at: Date | null }
  source: PaymentSource
  outcome: { kind: 'voided' | 'refunded'; transactionId: string }
  now: Date
}

/**
 * The gateway gave back what is sent another way, or isn't left anymore: a charge that granted nothing ends, and of one that paid it
 * is a finding, as if somebody had given it back there.
 */
export async function recordBeside(
  db: Tx,
  { order, payment, asked, source, outcome, now }: Made,
): Promise<void> {
  const { kind: status, transactionId } = outcome
  if (NOT_CAPTURED.includes(payment.status)) {
    // Should it not be sent after all, it ends under this number.
    const number = { gateway_transaction_id: transactionId }
    await db.updateTable('refunds').set(number).where('id', '=', asked.id).execute()
    return recordGivenBack(db, payment.id, {
      ...{ status, source, now, transactionId: payment.gateway_transaction_id ?? transactionId },
    })
  }
  if (order.paid_by !== payment.id || payment.status === 'voided') return
  const isVoid = status === 'voided'
  const difference = {
    kind: isVoid ? ('payment_without_charge' as const) : ('unknown_refund' as const),
    ...{ paymentId: payment.id, transactionId, amountCents: isVoid ? null : asked.asked_cents },
    chargedAt: (isVoid ? payment.submitted_at : asked.submitted_at) ?? now,
  }
  await recordFindings(db, [difference], now)
}

/**
 * Whether a refund that isn't over is more than is left of its payment beside its other refunds, here and another way: the buyer was
 * given that back otherwise meanwhile, or is about to be. What a bank took doesn't count: the platform bears what was given back twice so.
 */
export async function isTooMuch(
  db: Tx,
  asked: {
    id: string
    status: RefundStatus
    payment_id: string
    amount_cents: number
    charged_cents: number
  },
): Promise<boolean> {
  if (DONE.includes(asked.status)) return false
  const { others } = await db
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('others'))
    .where('payment_id', '=', asked.payment_id)
    .where('id', '<>', asked.id)
    .where((eb) => eb.or([eb('status', '<>', 'refused'), eb('outside_since', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return asked.amount_cents > asked.charged_cents - others
}

/**
 * Records that a charge that granted nothing was given back, by the gateway, by our wish or its own, or in `parts` another
 * way, and tells its buyer, unless a voided renewal has a mail of its own; it pays for no order.
 */
export async function recordGivenBack(
  db: Tx,
  paymentId: string,
  change: {
    status: 'voided' | 'refunded'
    source: PaymentSource
    transactionId: string
    parts?: Parts
    now: Date
  },
): Promise<void> {
  const { status, source, transactionId, parts, now } = change
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
    .returning(['order_id', 'amount_cents', 'buyer_id', 'reason', 'off_session'])
    .returning((eb) => eb.selectFrom('orders').select('title').whereRef('id', '=', 'order_id').as('title'))
    .returning((eb) =>
      eb.selectFrom('orders').select('status').whereRef('id', '=', 'order_id').as('orderStatus'),
    )
    .returning((eb) =>
      eb
        .selectFrom('orders')
        .select(sql<boolean>`subscription_id is not null`.as('isRenewal'))
        .whereRef('id', '=', 'order_id')
        .as('isRenewal'),
    )
    .executeTakeFirst()
  if (!givenBack) return
  const why = voidReason(givenBack.reason)
  // Of a renewal that is still owed its fan is told that it couldn't be charged.
  const isOwed = givenBack.off_session && givenBack.orderStatus === 'open'
  const isToldOtherwise = isOwed && status === 'voided' && why === null
  const data = {
    title: givenBack.title ?? '',
    amount: formatMoney(givenBack.amount_cents),
    access: 'none' as const,
    ...presentParts(parts ?? { cardCents: givenBack.amount_cents, otherCents: 0 }),
    ...{ voided: status === 'voided', late: false },
    why: whyGivenBack(why, status),
  }
  if (!isToldOtherwise && !(await isErased(db, [givenBack.buyer_id])))
    await notify(
      db,
      { kind: 'payment.refunded', person: givenBack.buyer_id, data },
      { now, once: `payment.given-back ${paymentId}` },
    )
  await db
    .updateTable('refunds')
    .set({ status, decided_at: now, gateway_transaction_id: transactionId, failure: null })
    .where('payment_id', '=', paymentId)
    .where('status', 'in', ['submitting', 'unknown', 'refused'])
    // A refund that is being sent another way stays listed until it is recorded or that is taken back.
    .where((eb) => eb.not(eb.and([eb('status', '=', 'refused'), eb('outside_since', 'is not', null)])))
    .execute()
  // A renewal is owed until it is paid, or its subscription ends.
  if (!givenBack.isRenewal && !(await hasAttemptUnderWay(db, givenBack.order_id)))
    await closeOrder(db, givenBack.order_id, now)
}

function whyGivenBack(
  reason: VoidReason | null,
  status: 'voided' | 'refunded',
): 'asked' | 'alreadyHad' | 'gone' | 'notApproved' {
  // What the merchant voided was never charged.
  if (reason === null) return status === 'voided' ? 'notApproved' : 'asked'
  return reason === REASONS.unavailable ? 'gone' : 'alreadyHad'
}

/** The buyer has a charge that granted nothing twice: it was taken back at the gateway, and sent another way. */
export async function recordTwice(
  db: Tx,
  { payment, asked, now }: Pick<Made, 'payment' | 'asked' | 'now'>,
): Promise<void> {
  const { id: paymentId, gateway_transaction_id: transactionId, submitted_at: submittedAt } = payment
  if (transactionId === null) return
  const kind = 'refund_made_after_all'
  const given = { paymentId, transactionId, amountCents: asked.asked_cents, chargedAt: submittedAt ?? now }
  await recordFindings(db, [{ kind, ...given }], now)
}

/** Records that the gateway refuses to give back a charge that granted nothing. */
export async function markStuck(db: Tx, paymentId: string, now: Date): Promise<void> {
  await db
    .updateTable('payments')
    .set((eb) => ({ stuck_at: eb.fn.coalesce('stuck_at', eb.val(now)) }))
    .where('id', '=', paymentId)
    .where('status', 'in', NOT_CAPTURED)
    .execute()
}
