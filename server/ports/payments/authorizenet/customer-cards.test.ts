import { describe, expect, test } from 'vitest'
import type { CardOnFile, StoreOutcome } from '../port.ts'
import { attempt, payments, planFault, recorded, token, withGateway } from './testing.ts'

withGateway()

const someone = () => ({ id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.test` })
const MASTERCARD = { cardNumber: '5424000000000015' }

function cardOf(outcome: StoreOutcome): CardOnFile {
  if (outcome.kind !== 'stored') throw new Error(`the card is ${JSON.stringify(outcome)}`)
  return outcome.card
}

const cardsOf = (customer: { id: string }) => payments.listCards({ customerId: customer.id })

describe('a card that is stored without a charge', () => {
  test('is validated, listed with its expiry and can be charged', async () => {
    const customer = someone()
    const first = cardOf(await payments.storeCard({ customer, token: await token() }))
    expect(first).toMatchObject({ brand: 'Visa', lastFour: '1111', expires: '2049-12' })
    const second = cardOf(await payments.storeCard({ customer, token: await token(MASTERCARD) }))
    expect(second).toMatchObject({ brand: 'MasterCard', customerProfileId: first.customerProfileId })
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [first, second] })
    expect(await payments.listCards(second)).toEqual({ kind: 'listed', cards: [first, second] })
    const wanted = await attempt({}, { source: { storedCard: second }, customer })
    expect(await payments.charge(wanted)).toMatchObject({ kind: 'approved', card: { lastFour: '0015' } })
    expect((await recorded(wanted.reference)).captures).toBe(1)
  })

  test('keeps its billing address, which is checked when it is stored and when it pays', async () => {
    const customer = someone()
    const at = async (zip: string) => ({ ...(await token()), billTo: { zip } })
    const mismatch = { kind: 'declined', reason: '27' }
    expect(await payments.storeCard({ customer, token: await at('46299') })).toEqual(mismatch)
    const card = cardOf(await payments.storeCard({ customer, token: await at('46214') }))
    expect(await payments.storeCard({ customer, token: await at('46299') })).toEqual(mismatch)
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [card] })
    const wanted = await attempt({}, { source: { storedCard: card }, customer })
    expect(await payments.charge(wanted)).toMatchObject({ kind: 'approved', checks: { avs: 'X' } })
  })

  test('again is the same card, also where the duplicate used its token up', async () => {
    const customer = someone()
    const first = cardOf(await payments.storeCard({ customer, token: await token() }))
    expect(cardOf(await payments.storeCard({ customer, token: await token() }))).toEqual(first)
    await planFault('tokenUsed', 'updateCustomerPaymentProfileRequest')
    expect(cardOf(await payments.storeCard({ customer, token: await token() }))).toEqual(first)
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [first] })
  })

  test.each<[string, string, StoreOutcome]>([
    ['a decline', '201', { kind: 'declined', reason: '2' }],
    ['an expired card', '204', { kind: 'declined', reason: '8' }],
    ['a card to be reviewed', '205', { kind: 'declined', reason: '253' }],
    ['an expired token', '217', { kind: 'refused', reason: 'E00115', tokenExpired: true }],
    ['a busy gateway', '218', { kind: 'refused', reason: 'E00053', tokenExpired: false }],
  ])('%s stores nothing, as the first card and as another', async (_name, cardCode, expected) => {
    const customer = someone()
    expect(await payments.storeCard({ customer, token: await token({ cardCode }) })).toEqual(expected)
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [] })
    const good = cardOf(await payments.storeCard({ customer, token: await token(MASTERCARD) }))
    expect(await payments.storeCard({ customer, token: await token({ cardCode }) })).toEqual(expected)
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [good] })
  })

  test.each([
    ['resetBefore', '209', 0],
    ['resetAfter', '210', 1],
    ['serverErrorAfter', '212', 1],
    ['truncatedAfter', '213', 1],
  ])('%s is unknown, and the list tells the truth', async (_name, cardCode, stored) => {
    const customer = someone()
    const outcome = await payments.storeCard({ customer, token: await token({ cardCode }) })
    expect(outcome.kind).toBe('unknown')
    const listed = await cardsOf(customer)
    expect(listed.kind === 'listed' && listed.cards.length).toBe(stored)
  })

  test('is not sent while the customer can’t be looked up', async () => {
    const customer = someone()
    await planFault('resetBefore', 'getCustomerProfileRequest')
    expect(await payments.storeCard({ customer, token: await token() })).toEqual({
      kind: 'refused',
      reason: 'gateway_unreachable',
      tokenExpired: false,
    })
    expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [] })
  })
})

test('a deleted card is gone, alone, and deleting it again is the same', async () => {
  const customer = someone()
  const card = cardOf(await payments.storeCard({ customer, token: await token() }))
  const other = cardOf(await payments.storeCard({ customer, token: await token(MASTERCARD) }))
  await planFault('resetBefore', 'deleteCustomerPaymentProfileRequest')
  expect((await payments.deleteCard(card)).kind).toBe('unavailable')
  expect(await payments.deleteCard(card)).toEqual({ kind: 'deleted' })
  expect(await payments.deleteCard(card)).toEqual({ kind: 'deleted' })
  expect(await cardsOf(customer)).toEqual({ kind: 'listed', cards: [other] })
})

test('cards are unavailable, never none, when the gateway doesn’t answer', async () => {
  await planFault('serverErrorBefore', 'getCustomerProfileRequest')
  expect(await cardsOf(someone())).toEqual({ kind: 'unavailable', detail: 'http_500' })
})
