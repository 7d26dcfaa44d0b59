import type { StoredCard } from '../port.ts'
import { customerAnswer, profileAnswer } from './answers.ts'
import { type Account, send } from './client.ts'

type Charged = {
  transactionId: string
  card: { lastFour: string }
  customer: { merchantCustomerId: string; email: string }
}

/**
 * Stores the card of a finished charge with its customer: the fallback where the charge itself did not.
 * Null when the gateway will not; the charge stands all the same.
 */
export async function storeCardOf(account: Account, charged: Charged): Promise<StoredCard | null> {
  const existing = await findCustomer(account, charged.customer.merchantCustomerId)
  const answer = await send(account, 'createCustomerProfileFromTransactionRequest', {
    transId: charged.transactionId,
    ...(existing ? { customerProfileId: existing.customerProfileId } : { customer: charged.customer }),
  })
  const created = profileAnswer.safeParse(answer.kind === 'answered' ? answer.body : null).data
  const customerProfileId = created?.customerProfileId ?? existing?.customerProfileId
  const paymentProfileId = created?.customerPaymentProfileIdList?.[0] ?? created?.customerPaymentProfileId
  if (!customerProfileId) return null
  if (paymentProfileId) return { customerProfileId, paymentProfileId }
  const isDuplicate = created?.messages.message[0]?.code === 'E00039'
  return isDuplicate && existing ? theOneCardEnding(existing, charged.card.lastFour) : null
}

type Customer = { customerProfileId: string; cards: { paymentProfileId: string; number: string }[] }

async function findCustomer(account: Account, merchantCustomerId: string): Promise<Customer | null> {
  const answer = await send(account, 'getCustomerProfileRequest', { merchantCustomerId })
  const profile = customerAnswer.safeParse(answer.kind === 'answered' ? answer.body : null).data?.profile
  if (!profile) return null
  return {
    customerProfileId: profile.customerProfileId,
    cards: profile.paymentProfiles.map(({ customerPaymentProfileId, payment }) => ({
      paymentProfileId: customerPaymentProfileId,
      number: payment?.creditCard?.cardNumber ?? '',
    })),
  }
}

/** The gateway need not name the card that it holds already; two that end alike are not told apart. */
function theOneCardEnding(customer: Customer, lastFour: string): StoredCard | null {
  const [card, another] = customer.cards.filter(({ number }) => number.endsWith(lastFour))
  if (!card || another) return null
  return { customerProfileId: customer.customerProfileId, paymentProfileId: card.paymentProfileId }
}
