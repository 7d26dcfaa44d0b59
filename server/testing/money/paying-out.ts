import { routes } from '../../../contract/index.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Seller } from './sellers.ts'
import { signedCents } from './shown.ts'
import type { World } from './world.ts'

/** A creator requests a part of what is available, or more; operators and the bank decide. */
export async function payOut(world: World, creator: number, part: number): Promise<void> {
  const { person } = world.sellers[creator] as Seller
  const api = await world.as(person)
  const cents = signedCents((await api.call(routes.balance, { query: {} })).available)
  const asked = Math.max(1, Math.ceil(Math.abs(cents) * part * 1.1))
  const expected = asked < 2000 ? 'payout_below_minimum' : asked > cents ? 'payout_exceeds_balance' : null
  const call = api.call(
    routes.requestPayout,
    { body: { amount: formatMoney(asked) } },
    { idempotencyKey: crypto.randomUUID() },
  )
  if (!(await world.says('payout', expected, call))) return
  const [operator, other] = [await world.as(world.operators[0]), await world.as(world.operators[1])]
  const { items } = await operator.call(routes.allPayouts, { query: { showing: 'open' } })
  const payoutId = items.find((payout) => payout.person._id === person.id)?._id ?? ''
  // Who records that one failed or came back isn't who approves the next.
  const decide = (decision: 'approve' | 'cancel' | 'paid' | 'failed' | 'returned') =>
    world.says(
      decision,
      null,
      (decision === 'approve' ? operator : other).call(routes.decidePayout, {
        body: { payoutId, decision, reason: 'Checked' },
      }),
    )
  if (part < 0.2) return void (await decide('cancel'))
  await decide('approve')
  const file = { body: { reason: 'For the bank' } }
  await operator.call(routes.exportPayouts, file, { idempotencyKey: crypto.randomUUID() })
  const isPaid = part < 0.8
  await decide(isPaid ? 'paid' : 'failed')
  const comesBack = isPaid && part > 0.65
  if (comesBack) await decide('returned')
  else if (isPaid) (world.model.shops[creator] as { paidOut: number }).paidOut += asked
}
