import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { buildCreator, buildFan, buildSession, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, planFault, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildItem,
  NO_TRACES,
  OFFERED_KINDS,
  type OfferedKind,
  ONE_SALE,
  purchaseTraces,
} from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
/** The action at a named moment. */
let meanwhile: [Checkpoint, () => Promise<unknown>] | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === meanwhile?.[0]) await meanwhile[1]()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterEach(() => {
  meanwhile = null
})

const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })
const itemOf = (kind: OfferedKind) => buildItem(harness, creator, kind, 999)
const traces = (person = fan) => purchaseTraces(harness, person)

/** A stored card of this person's. */
async function cardOf(person = fan): Promise<string> {
  const body = await cardToken(harness)
  return (await (await api(person)).call(routes.addCard, { body })).card._id
}

async function pay(kind: OfferedKind, itemId: string, body: object, { by = fan, key = '' } = {}) {
  return (await api(by)).send('POST', '/users/purchase', {
    body: { kind, itemId, ...body },
    headers: key ? { 'idempotency-key': key } : {},
  })
}

/** The gateway's latest charge. */
async function latest() {
  const charges = await gatewayTransactions(harness)
  return charges.find(({ type }) => type === 'authCaptureTransaction')
}

async function refused(answer: ReturnType<typeof pay>, status: number, code: string) {
  expect(await answer).toMatchObject({ status, body: { code } })
  expect(await traces()).toEqual(NO_TRACES)
}

test('one card more than the gateway keeps begins no subscription, as it couldn’t renew; a stored one does', async () => {
  const cardId = await cardOf()
  const row = { user_id: fan.id, customer_profile_id: fan.id, brand: 'Visa', created_at: harness.clock.now() }
  const others = Array.from({ length: 9 }, (_, count) => ({
    ...row,
    ...{ payment_profile_id: `${count}`, last_four: `000${count}`, used_at: row.created_at },
  }))
  await harness.context.db.insertInto('stored_cards').values(others).execute()
  const typed = await cardToken(harness)
  const plan = await itemOf('subscription')
  await refused(pay('subscription', plan, typed), 409, 'too_many_cards')
  // A one-time purchase needs no card later.
  expect(await pay('single', await itemOf('single'), typed)).toMatchObject({ status: 200 })
  expect(await pay('subscription', plan, { cardId })).toMatchObject({ status: 200 })
})

describe('a purchase by a stored card', () => {
  test.each(OFFERED_KINDS)('charges and grants a %s together', async (kind) => {
    const cardId = await cardOf()
    const answer = await pay(kind, await itemOf(kind), { cardId, price: '$9.99' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'captured', amount: '$9.99' } })
    expect(await traces()).toEqual(ONE_SALE)
    const { items } = await (await api()).call(routes.receipts, { query: {} })
    expect(items).toMatchObject([{ card: 'Visa 1111' }])
    const isRenewed = kind === 'subscription'
    const { items: cards } = await (await api()).call(routes.cards, { query: {} })
    expect(cards).toMatchObject([{ _id: cardId, renews: isRenewed ? [{ title: 'A subscription' }] : [] }])
  })

  test('with the same key charges once, and by another card is refused', async () => {
    const [cardId, itemId] = [await cardOf(), await itemOf('single')]
    const first = await pay('single', itemId, { cardId }, { key: 'one-and-the-same' })
    expect(await pay('single', itemId, { cardId }, { key: 'one-and-the-same' })).toEqual({
      ...first,
      headers: expect.anything(),
    })
    const token = await cardToken(harness)
    expect(await pay('single', itemId, token, { key: 'one-and-the-same' })).toMatchObject({ status: 422 })
    expect(await traces()).toEqual(ONE_SALE)
  })

  test('that is declined grants nothing, and can be paid by another', async () => {
    const [cardId, itemId] = [await cardOf(), await itemOf('single')]
    await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
    expect(await pay('single', itemId, { cardId })).toMatchObject({
      status: 402,
      body: { code: 'card_declined' },
    })
    expect(await traces()).toEqual({ ...NO_TRACES, statuses: ['declined'] })
    expect(await pay('single', itemId, await cardToken(harness))).toMatchObject({ status: 200 })
  })

  test('whose address its bank doesn’t know is declined as any: there is no ZIP code to check', async () => {
    const [cardId, itemId] = [await cardOf(), await itemOf('single')]
    await planFault(harness, { call: 'createTransactionRequest', effect: 'addressMismatch' })
    const answer = await pay('single', itemId, { cardId })
    expect(answer).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    const order = await harness.context.db
      .selectFrom('orders')
      .select('id')
      .where('buyer_id', '=', fan.id)
      .executeTakeFirstOrThrow()
    const message = async () => {
      const status = await (await api()).call(routes.purchaseStatus, { params: { purchaseId: order.id } })
      return status.message
    }
    expect(await message()).toBe('Your card was declined. You have not been charged.')
    // The card that is typed next has one.
    const typed = { ...(await cardToken(harness)), billTo: { zip: '46299' } }
    expect(await pay('single', itemId, typed)).toMatchObject({ body: { code: 'card_address_mismatch' } })
    expect(await message()).toContain('Check the ZIP code')
  })
})

describe('refused before any charge', () => {
  test('another person’s card, a removed one and none that there is', async () => {
    const itemId = await itemOf('single')
    const stranger = await buildFan(harness)
    const theirs = await cardOf(stranger)
    await refused(pay('single', itemId, { cardId: theirs }), 404, 'card_not_found')
    expect(await traces(stranger)).toEqual(NO_TRACES)
    const cardId = await cardOf()
    await (await api()).call(routes.removeCard, { body: { cardId } })
    await refused(pay('single', itemId, { cardId }), 404, 'card_not_found')
    await refused(pay('single', itemId, { cardId: itemId }), 404, 'card_not_found')
  })

  test('an expired card', async () => {
    const cardId = await cardOf()
    await harness.context.db
      .updateTable('stored_cards')
      .set({ expires: '2020-01' })
      .where('id', '=', cardId)
      .execute()
    await refused(pay('single', await itemOf('single'), { cardId }), 409, 'card_expired')
  })

  test('no card, two of them and half a token', async () => {
    const [cardId, itemId, token] = [await cardOf(), await itemOf('single'), await cardToken(harness)]
    await refused(pay('single', itemId, {}), 400, 'card_required')
    await refused(pay('single', itemId, { ...token, cardId }), 400, 'card_required')
    await refused(pay('single', itemId, { dataValue: token.dataValue }), 400, 'card_required')
  })

  test('a card that is removed while the purchase begins', async () => {
    const [cardId, itemId] = [await cardOf(), await itemOf('single')]
    const caller = await api()
    meanwhile = ['purchase.intent-committed', () => caller.call(routes.removeCard, { body: { cardId } })]
    expect(await pay('single', itemId, { cardId })).toMatchObject({
      status: 402,
      body: { code: 'card_gone' },
    })
    meanwhile = null
    expect(await traces()).toEqual({ ...NO_TRACES, statuses: ['refused'] })
    expect(await pay('single', itemId, await cardToken(harness))).toMatchObject({ status: 200 })
  })

  test('a card that the gateway no longer has', async () => {
    const cardId = await cardOf()
    await harness.context.payments.deleteCustomer(fan.id)
    expect(await pay('single', await itemOf('single'), { cardId })).toMatchObject({
      status: 402,
      body: { code: 'card_gone' },
    })
    expect(await traces()).toEqual({ ...NO_TRACES, statuses: ['refused'] })
  })
})

describe('the card network is told', () => {
  const flags = { isRecurring: false, customerPaymentProfileId: expect.any(String) }

  test('that a stored card pays while its owner is there, and from which address', async () => {
    await pay('single', await itemOf('single'), { cardId: await cardOf() })
    expect(await latest()).toMatchObject({
      ...flags,
      details: { isStoredCredentials: true, customerIP: '127.0.0.1' },
    })
    expect((await latest())?.details).not.toHaveProperty('isSubsequentAuth')
  })

  test('that a card is stored for later, and not that a card is stored that isn’t', async () => {
    await pay('single', await itemOf('single'), { ...(await cardToken(harness)), saveCard: true })
    expect((await latest())?.details).toEqual({ isFirstSubsequentAuth: true, customerIP: '127.0.0.1' })
    await pay('single', await itemOf('single'), await cardToken(harness))
    expect((await latest())?.details).toEqual({ customerIP: '127.0.0.1' })
  })

  test('of the first payment of a subscription, then of each renewal by the same card', async () => {
    await pay('subscription', await itemOf('subscription'), await cardToken(harness))
    expect((await latest())?.details).toEqual({ isFirstRecurringPayment: true, customerIP: '127.0.0.1' })
    const { network_transaction_id: first } = await harness.context.db
      .selectFrom('subscriptions')
      .select('network_transaction_id')
      .where('fan_id', '=', fan.id)
      .executeTakeFirstOrThrow()
    harness.clock.advance(32 * 24 * 3600_000)
    await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
    const charges = await gatewayTransactions(harness)
    const own = charges.filter(({ isRecurring }) => isRecurring)
    expect(own).toContainEqual(
      expect.objectContaining({
        customerPaymentProfileId: expect.any(String),
        details: { isSubsequentAuth: true, originalNetworkTransId: first, customerIP: '' },
      }),
    )
  })

  test('of a subscription that a stored card begins', async () => {
    await pay('subscription', await itemOf('subscription'), { cardId: await cardOf() })
    expect((await latest())?.details).toEqual({
      isFirstRecurringPayment: true,
      isStoredCredentials: true,
      customerIP: '127.0.0.1',
    })
  })
})

describe('card testing', () => {
  const decline = async (itemId: string, by = fan) =>
    pay('single', itemId, await cardToken(harness, TEST_CARDS.declined), { by })
  const minutes = (count: number) => harness.clock.advance(count * 60_000)

  test('two declines in a row pause a person for five minutes, and nobody else', async () => {
    const itemId = await itemOf('single')
    for (let count = 0; count < 2; count++) expect((await decline(itemId)).status).toBe(402)
    const paused = await pay('single', itemId, await cardToken(harness))
    expect(paused).toMatchObject({ status: 429, body: { code: 'cards_paused' } })
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(200)
    const adding = await (await api()).send('POST', '/users/cards', { body: await cardToken(harness) })
    expect(adding).toMatchObject({ status: 429, body: { code: 'cards_paused' } })
    expect(await traces()).toEqual({ ...NO_TRACES, statuses: ['declined', 'declined'] })
    const other = await buildFan(harness)
    expect((await pay('single', itemId, await cardToken(harness), { by: other })).status).toBe(200)
    minutes(5.1)
    expect((await pay('single', itemId, await cardToken(harness))).status).toBe(200)
  })

  test('a declined card that is being added counts, too', async () => {
    const add = async (cardCode: string) =>
      (await api()).send('POST', '/users/cards', {
        body: await cardToken(harness, { cardNumber: '4111111111111111', cardCode }),
      })
    expect([(await add('201')).status, (await add('201')).status, (await add('123')).status]).toEqual([
      402, 402, 429,
    ])
  })
})
