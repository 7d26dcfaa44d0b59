import { routes } from '../../contract/index.ts'
import type { Api } from './api.ts'
import type { Harness } from './harness.ts'

const key = () => ({ idempotencyKey: crypto.randomUUID() })

/** Somebody gives back so much of a settled charge by hand at the gateway; returns its number of the refund. */
export async function refundAtGateway(
  { context: { db, payments } }: Pick<Harness, 'context'>,
  orderId: string,
  amountCents: number,
): Promise<string> {
  const charge = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.paid_by', 'payments.id')
    .select(['gateway_transaction_id', 'card_last_four'])
    .where('orders.id', '=', orderId)
    .executeTakeFirstOrThrow()
  const made = await payments.refundCharge({
    transactionId: charge.gateway_transaction_id ?? '',
    amountCents,
    lastFour: charge.card_last_four ?? '',
    reference: crypto.randomUUID().slice(0, 20),
  })
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  return made.transactionId
}

/** The refund of an order that the gateway refused last, as its page names it. */
export async function refusedRefund(operator: Api, transactionId: string): Promise<string> {
  const { outside } = await operator.call(routes.payment, { params: { transactionId } })
  if (!outside) throw new Error('the gateway refused nothing')
  return outside.refundId
}

/** An operator begins to send another way what the gateway refused last, or takes that back. */
export async function sendOutside(operator: Api, transactionId: string, sending = true) {
  const refundId = await refusedRefund(operator, transactionId)
  const body = { transactionId, refundId, sending, reason: 'The card is closed' }
  return operator.call(routes.sendOutside, { body })
}

/** An operator records that it was given back so. */
export async function recordOutside(operator: Api, transactionId: string, document = 'WIRE-7') {
  const refundId = await refusedRefund(operator, transactionId)
  const body = { transactionId, refundId, document, reason: 'The card is closed, so we wired it' }
  return operator.call(routes.refundOutside, { body }, key())
}

/** One operator enters the transfer by which it was sent, and another approves it. */
export async function enterTransfer(
  [operator, other]: [Api, Api],
  {
    document: reference,
    amount,
    now,
    from = 'bank',
    to = 'gateway',
  }: {
    document: string
    amount: string
    now: Date
    from?: 'bank' | 'gateway' | 'suspense'
    to?: 'bank' | 'gateway' | 'suspense'
  },
): Promise<void> {
  const date = now.toISOString().slice(0, 10)
  const moved = { from, to, amount, reference, date }
  const body = { ...moved, reason: 'A refund made elsewhere' }
  const { _id: adjustmentId } = await operator.call(routes.proposeAdjustment, { body }, key())
  const decision = { adjustmentId, decision: 'approve' as const, reason: 'As the statement says' }
  await other.call(routes.decideAdjustment, { body: decision })
}
