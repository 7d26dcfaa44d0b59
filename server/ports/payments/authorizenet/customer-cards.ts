import type { z } from 'zod'
import type { CardOnFile, CardToken, Payments, StoredCard, StoreOutcome } from '../port.ts'
import { customerAnswer, profileAnswer } from './answers.ts'
import { billTo, customerIdOf } from './charge-request.ts'
import { type Account, type Answer, send } from './client.ts'
import { sendDeletion } from './delete-customer.ts'

const [DUPLICATE, NOT_FOUND] = ['E00039', 'E00040']

type Wanted = Parameters<Payments['storeCard']>[0]
type Listed = Awaited<ReturnType<Payments['listCards']>>
type Of = Parameters<Payments['listCards']>[0]

/** Stores a card of a customer, who is made where there is none; one that is stored already gets its new expiry. */
export async function storeCard(account: Account, { customer, token }: Wanted): Promise<StoreOutcome> {
  const merchantCustomerId = customerIdOf(customer.id)
  const known = await findCustomer(account, { customerId: customer.id })
  // Nothing was sent that could have stored something.
  if (known.kind === 'unavailable')
    return { kind: 'refused', reason: 'gateway_unreachable', tokenExpired: false }
  if (known.kind === 'absent') {
    const profile = { merchantCustomerId, email: customer.email, paymentProfiles: [paymentProfile(token)] }
    const answer = await send(account, 'createCustomerProfileRequest', {
      profile,
      validationMode: 'liveMode',
    })
    return outcomeOf(account, answer, null)
  }
  const { customerProfileId } = known
  const wanted = { customerProfileId, paymentProfile: paymentProfile(token), validationMode: 'liveMode' }
  const answer = await send(account, 'createCustomerPaymentProfileRequest', wanted)
  const duplicate = duplicateOf(answer)
  if (!duplicate) return outcomeOf(account, answer, customerProfileId)
  const stored = { customerProfileId, paymentProfileId: duplicate }
  const changed = { ...paymentProfile(token), customerPaymentProfileId: duplicate }
  const update = { customerProfileId, paymentProfile: changed, validationMode: 'liveMode' }
  const updated = await send(account, 'updateCustomerPaymentProfileRequest', update)
  const outcome = await outcomeOf(account, updated, null, stored)
  // Whether the duplicate used the token up isn't documented; the card is stored as it was, then.
  if (outcome.kind !== 'refused' || !outcome.tokenExpired) return outcome
  const card = await findCard(account, stored)
  return card ? { kind: 'stored', card } : outcome
}

async function findCard(account: Account, stored: StoredCard): Promise<CardOnFile | undefined> {
  const listed = await listCards(account, stored)
  if (listed.kind !== 'listed') return undefined
  return listed.cards.find(({ paymentProfileId }) => paymentProfileId === stored.paymentProfileId)
}

const paymentProfile = (token: CardToken) => ({
  customerType: 'individual',
  ...billTo(token),
  payment: { opaqueData: { dataDescriptor: token.dataDescriptor, dataValue: token.dataValue } },
})

function duplicateOf(answer: Answer): string | null {
  const body = profileAnswer.safeParse(answer.kind === 'answered' ? answer.body : null).data
  return body?.messages.message[0]?.code === DUPLICATE ? (body.customerPaymentProfileId ?? null) : null
}

async function outcomeOf(
  account: Account,
  answer: Answer,
  customer: string | null,
  changed?: StoredCard,
): Promise<StoreOutcome> {
  if (answer.kind === 'unsent') return { kind: 'refused', reason: 'gateway_unreachable', tokenExpired: false }
  if (answer.kind === 'broken') return { kind: 'unknown', detail: answer.detail }
  const body = profileAnswer.safeParse(answer.body).data
  if (!body) return { kind: 'unknown', detail: 'unexpected_answer' }
  if (body.messages.resultCode === 'Error') return refusalOf(body)
  const customerProfileId = changed?.customerProfileId ?? body.customerProfileId ?? customer
  const paymentProfileId =
    changed?.paymentProfileId ?? body.customerPaymentProfileId ?? body.customerPaymentProfileIdList?.[0]
  if (!customerProfileId || !paymentProfileId) return { kind: 'unknown', detail: 'no_payment_profile' }
  const stored = { customerProfileId, paymentProfileId }
  return { kind: 'stored', card: (await findCard(account, stored)) ?? describe(body, stored) }
}

/** A decline comes with the comma list of the validation: response code first, reason code third. */
function refusalOf({ messages, ...validation }: z.infer<typeof profileAnswer>): StoreOutcome {
  const code = messages.message[0]?.code ?? ''
  const [responseCode, , reason = ''] = validationOf(validation)
  if (responseCode && responseCode !== '1') return { kind: 'declined', reason }
  if (code === 'E00027') return { kind: 'declined', reason: code }
  if (code === 'E00001' || code === '') return { kind: 'unknown', detail: `answer_${code}` }
  return { kind: 'refused', reason: code, tokenExpired: code === 'E00114' || code === 'E00115' }
}

const validationOf = (
  body: Pick<z.infer<typeof profileAnswer>, 'validationDirectResponse' | 'validationDirectResponseList'>,
) => (body.validationDirectResponse ?? body.validationDirectResponseList?.[0] ?? '').split(',')

/** A card's details from its validation: the masked number is at place 51, the brand at 52. */
function describe(body: z.infer<typeof profileAnswer>, stored: StoredCard): CardOnFile {
  const fields = validationOf(body)
  return { ...stored, brand: fields[51] ?? '', lastFour: (fields[50] ?? '').slice(-4), expires: null }
}

/** The cards of a customer, with their expiry. */
export async function listCards(account: Account, of: Of): Promise<Listed> {
  const found = await findCustomer(account, of)
  if (found.kind === 'unavailable') return found
  return { kind: 'listed', cards: found.kind === 'absent' ? [] : found.cards }
}

type Found =
  | { kind: 'found'; customerProfileId: string; cards: CardOnFile[] }
  | { kind: 'absent' }
  | { kind: 'unavailable'; detail: string }

/** A customer with their cards. */
export async function findCustomer(account: Account, of: Of): Promise<Found> {
  const answer = await send(account, 'getCustomerProfileRequest', {
    ...('customerId' in of
      ? { merchantCustomerId: customerIdOf(of.customerId) }
      : { customerProfileId: of.customerProfileId }),
    unmaskExpirationDate: true,
  })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const body = customerAnswer.safeParse(answer.body).data
  const code = body?.messages.message[0]?.code ?? ''
  if (!body?.profile)
    return code === NOT_FOUND
      ? { kind: 'absent' }
      : { kind: 'unavailable', detail: code || 'unexpected_answer' }
  const { customerProfileId, paymentProfiles } = body.profile
  const cards = paymentProfiles.flatMap(({ customerPaymentProfileId: paymentProfileId, payment }) => {
    const card = payment?.creditCard
    if (!card) return []
    const expires = /^\d{4}-\d{2}$/.test(card.expirationDate ?? '') ? (card.expirationDate ?? null) : null
    const shown = { brand: card.cardType ?? '', lastFour: card.cardNumber.slice(-4), expires }
    return [{ customerProfileId, paymentProfileId, ...shown }]
  })
  return { kind: 'found', customerProfileId, cards }
}

/** Forgets one card; what is not there anymore is forgotten. */
export function deleteCard(account: Account, { customerProfileId, paymentProfileId }: StoredCard) {
  const which = { customerProfileId, customerPaymentProfileId: paymentProfileId }
  return sendDeletion(account, 'deleteCustomerPaymentProfileRequest', which)
}
