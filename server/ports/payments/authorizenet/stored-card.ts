import type { Payments } from '../port.ts'
import { profileAnswer } from './answers.ts'
import { customerIdOf } from './charge-request.ts'
import { type Account, send } from './client.ts'
import { findCustomer } from './customer-cards.ts'

type Charged = Parameters<Payments['keepCardOf']>[0]
type Kept = Awaited<ReturnType<Payments['keepCardOf']>>

/** Answers that say nothing of this card: the gateway is busy, or in maintenance. */
const PASSING = ['', 'E00001', 'E00053', 'E00104']

/**
 * Stores the card of a finished charge with its customer, who is looked for first, so that they are never made twice: the
 * fallback where the charge itself did not. The charge stands whatever the answer is.
 */
export async function storeCardOf(account: Account, charged: Charged): Promise<Kept> {
  const { id, email } = charged.customer
  const known = await findCustomer(account, { customerId: id })
  if (known.kind === 'unavailable') return { kind: 'unavailable' }
  const existing = known.kind === 'found' ? known : null
  const answer = await send(account, 'createCustomerProfileFromTransactionRequest', {
    transId: charged.transactionId,
    ...(existing
      ? { customerProfileId: existing.customerProfileId }
      : { customer: { merchantCustomerId: customerIdOf(id), email } }),
  })
  const created = profileAnswer.safeParse(answer.kind === 'answered' ? answer.body : null).data
  const customerProfileId = created?.customerProfileId ?? existing?.customerProfileId
  const paymentProfileId = created?.customerPaymentProfileIdList?.[0] ?? created?.customerPaymentProfileId
  if (created && customerProfileId && paymentProfileId)
    return { kind: 'kept', card: { customerProfileId, paymentProfileId } }
  const code = created?.messages.message[0]?.code ?? ''
  if (PASSING.includes(code)) return { kind: 'unavailable' }
  if (code !== 'E00039') return { kind: 'refused' }
  // A customer who was made meanwhile is found the next time.
  if (!existing) return { kind: 'unavailable' }
  // The gateway need not name the card that it holds already; two that end alike are not told apart.
  const [card, another] = existing.cards.filter(({ lastFour }) => lastFour === charged.card.lastFour)
  if (!card || another) return { kind: 'refused' }
  return {
    kind: 'kept',
    card: { customerProfileId: card.customerProfileId, paymentProfileId: card.paymentProfileId },
  }
}
