import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import { planFault } from '../gateway.ts'
import { enterTransfer, recordOutside, sendOutside } from '../outside.ts'
import { leftOf, type Order } from './model.ts'
import type { World } from './world.ts'

/** The gateway refuses to give back what is left of an order or a part, so that operators send it another way. */
export async function giveBackOutside(world: World, order: Order, part: number): Promise<void> {
  const left = leftOf(order)
  if (order.state !== 'paid' || left === 0) return
  const cents = part < 0.6 ? Math.max(1, Math.ceil(left * part)) : left
  const [operator, other] = [await world.as(world.operators[0]), await world.as(world.operators[1])]
  const body = { transactionId: order.id, amount: formatMoney(cents), reason: 'They asked for it' }
  const refund = () => operator.call(routes.refund, { body }, { idempotencyKey: crypto.randomUUID() })
  // A void and a refund.
  const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 2 }
  const forgive = await planFault(world.harness, fault)
  await world.says('refund', 'refund_refused', refund())
  await forgive()
  await sendOutside(operator, order.id)
  await world.says('refund', 'refund_outside', refund())
  const document = crypto.randomUUID()
  const expected = world.model.refund(order, cents, world.now)
  await world.says('refund made elsewhere', expected, recordOutside(operator, order.id, document))
  await enterTransfer([operator, other], { document, amount: formatMoney(cents), now: world.now })
}
