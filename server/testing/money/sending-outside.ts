import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import { planFault } from '../gateway.ts'
import { enterTransfer, recordOutside, refundAtGateway, sendOutside } from '../outside.ts'
import { refundPayment } from '../refunds.ts'
import { leftOf, type Order } from './orders.ts'
import type { World } from './world.ts'

/** The gateway refuses to give back what is left of an order or a part, so that operators send it another way. */
export async function giveBackOutside(
  world: World,
  order: Order,
  { part, isSettled }: { part: number; isSettled: boolean },
): Promise<void> {
  const left = leftOf(order)
  if (order.state !== 'paid' || left === 0) return
  const cents = part < 0.6 ? Math.max(1, Math.ceil(left * part)) : left
  const [operator, other] = [await world.as(world.operators[0]), await world.as(world.operators[1])]
  const asked = { transactionId: order.id, amount: formatMoney(cents) }
  const refund = () => refundPayment(operator, asked)
  // A void and a refund.
  const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 2 }
  const forgive = await planFault(world.harness, fault)
  await world.says('refund', 'refund_refused', refund())
  await forgive()
  await sendOutside(operator, order.id)
  await world.says('refund', 'refund_outside', refund())
  const document = crypto.randomUUID()
  const expected = world.model.refund(order, cents)
  await world.says('refund made elsewhere', expected, recordOutside(operator, order.id, document))
  await enterTransfer([operator, other], { document, amount: formatMoney(cents), now: world.now })
  if (isSettled) await giveBackByHand(world, order)
}

/** Somebody gives more than half of the rest back at the gateway, which doesn't tell of it and has enough left to do it again. */
async function giveBackByHand(world: World, order: Order): Promise<void> {
  const left = leftOf(order)
  if (left < 3) return
  const cents = Math.floor(left / 2) + 1
  const operator = await world.as(world.operators[0])
  const number = await refundAtGateway(world.harness, order.id, cents)
  const refund = (amountCents: number) =>
    refundPayment(operator, { transactionId: order.id, amount: formatMoney(amountCents) })
  await world.says('refund what was made by hand and the rest', 'refund_exceeds_payment', refund(left))
  await world.says('refund made by hand', world.model.refund(order, cents), refund(cents))
  const { items } = await operator.call(routes.findings, {})
  const findingId = items.find(({ gatewayTransactionId }) => gatewayTransactionId === number)?._id ?? ''
  const body = { findingId, reason: 'The buyer asked for it at the gateway’s own page' }
  await world.says('resolve a finding', null, operator.call(routes.resolveFinding, { body }))
}
