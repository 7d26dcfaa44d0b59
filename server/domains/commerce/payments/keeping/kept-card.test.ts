import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken, planFault, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

/** A card that is kept for renewals is, also where the charge that it comes from is decided later. */
const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const api = async () => harness.api.as({ token: await buildSession(harness, fan.id) })
const run = (job: 'purchases.recover' | 'renewals.charge' | 'cards.forget') =>
  harness.server.jobs[job]({}, { attempt: 1, lastAttempt: false })

async function subscribes(card: Parameters<typeof cardToken>[1]): Promise<void> {
  const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  const body = { kind: 'subscription', itemId, ...(await cardToken(harness, card)) }
  expect((await (await api()).send('POST', '/users/purchase', { body })).status).toBe(202)
}

async function recovers(): Promise<void> {
  harness.clock.advance(5 * 60_000)
  await run('purchases.recover')
}

/** Whatever the gateway left unanswered is due again within a day. */
async function recoversDaily(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    harness.clock.advance(DAY_MS + 60_000)
    await run('purchases.recover')
  }
}

async function approve(): Promise<void> {
  const held = await harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  await reviewHeld(harness, held.gateway_transaction_id ?? '', 'approve')
}
/** Counts what is kept at the gateway from here on. */
function countKept() {
  const gateway = harness.context.payments
  const kept: unknown[] = []
  harness.context.payments = {
    ...gateway,
    keepCardOf: async (charged) => {
      const answer = await gateway.keepCardOf(charged)
      if (answer.kind === 'kept') kept.push(answer.card)
      return answer
    },
  }
  return kept
}

test.each(['approved after a review', 'whose answer was lost', 'whose answer was lost, of a known customer'])(
  'a first payment %s keeps its card, and the subscription renews with it',
  async (how) => {
    const own = await api()
    if (how.endsWith('customer')) {
      await own.call(routes.addCard, {
        body: await cardToken(harness, { cardNumber: '5424000000000015', cardCode: '900' }),
      })
    }
    const isHeld = how.startsWith('approved')
    if (isHeld) await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
    await subscribes(isHeld ? TEST_CARDS.approved : TEST_CARDS.resetAfter)
    const held = await harness.context.db
      .selectFrom('payments')
      .select('gateway_transaction_id')
      .where('buyer_id', '=', fan.id)
      .executeTakeFirstOrThrow()
    if (isHeld) await reviewHeld(harness, held.gateway_transaction_id ?? '', 'approve')
    await recovers()
    await recovers()
    const { items } = await own.call(routes.ownSubscriptions, { query: {} })
    expect(items).toMatchObject([{ status: 'active', renews: true, card: expect.any(String) }])
    const [digits] = /\d{4}$/.exec(items[0]?.card ?? '') ?? []
    const cards = (await own.call(routes.cards, { query: {} })).items.filter(
      ({ lastFour }) => lastFour === digits,
    )
    expect(cards).toHaveLength(1)
    harness.clock.advance(32 * DAY_MS)
    await run('renewals.charge')
    const receipts = await (await api()).call(routes.receipts, { query: {} })
    expect(receipts.items.map(({ status }) => status)).toEqual(['captured', 'captured'])
  },
)

test('a single of which the card isn’t to be kept keeps none', async () => {
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 900 })
  const body = { kind: 'single', itemId, ...(await cardToken(harness, TEST_CARDS.resetAfter)) }
  const own = await api()
  expect((await own.send('POST', '/users/purchase', { body })).status).toBe(202)
  await recovers()
  expect((await own.call(routes.receipts, { query: {} })).items).toMatchObject([{ status: 'captured' }])
  expect((await own.call(routes.cards, { query: {} })).items).toEqual([])
})

test('the card of a charge that is given back isn’t kept at the gateway, where nobody could remove it', async () => {
  const single = await buildMedia(harness, creator, { showInStore: true, priceCents: 900 })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  const body = { kind: 'single', itemId: single, saveCard: true, ...(await cardToken(harness)) }
  expect((await (await api()).send('POST', '/users/purchase', { body })).status).toBe(202)
  await harness.context.db
    .updateTable('media')
    .set({ quarantined_at: harness.clock.now() })
    .where('id', '=', single)
    .execute()
  const kept = countKept()
  await approve()
  await recovers()
  await recovers()
  const payment = await harness.context.db
    .selectFrom('payments')
    .select(['status', 'reason'])
    .where('buyer_id', '=', fan.id)
    .execute()
  expect(payment).toMatchObject([{ reason: 'no_longer_available' }])
  const here = await harness.context.db
    .selectFrom('stored_cards')
    .select('id')
    .where('user_id', '=', fan.id)
    .execute()
  expect(kept).toHaveLength(here.length)
})

test('a card that its owner removed while a single was under review stays removed', async () => {
  const own = await api()
  await own.call(routes.addCard, { body: await cardToken(harness) })
  const single = await buildMedia(harness, creator, { showInStore: true, priceCents: 900 })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  const body = { kind: 'single', itemId: single, saveCard: true, ...(await cardToken(harness)) }
  expect((await own.send('POST', '/users/purchase', { body })).status).toBe(202)
  harness.clock.advance(60_000)
  const { items } = await own.call(routes.cards, { query: {} })
  expect(items).toHaveLength(1)
  await own.call(routes.removeCard, { body: { cardId: items[0]?._id ?? '' } })
  await approve()
  await recovers()
  expect((await (await api()).call(routes.receipts, { query: {} })).items).toMatchObject([
    { status: 'captured' },
  ])
  expect((await (await api()).call(routes.cards, { query: {} })).items).toEqual([])
})

test('a card that its holder calls stolen isn’t stored, and renews nothing, by a charge that was under review', async () => {
  const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  const single = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
  const own = await api()
  const bought = await own.call(routes.purchase, {
    body: { kind: 'single', itemId: single, ...(await cardToken(harness)) },
  })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  const body = { kind: 'subscription', itemId, ...(await cardToken(harness)) }
  expect((await own.send('POST', '/users/purchase', { body })).status).toBe(202)
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  await harness.api.as({ token }).call(
    routes.openDispute,
    {
      body: {
        ...{ transactionId: bought._id, amount: '$9.99', fee: '$15', cause: 'fraud' },
        ...{ caseNumber: crypto.randomUUID(), reason: 'By the bank’s letter' },
      },
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  await approve()
  await recovers()
  harness.clock.advance(32 * DAY_MS)
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const renewals = await harness.context.db
    .selectFrom('payments')
    .select('status')
    .where('buyer_id', '=', fan.id)
    .where('off_session', '=', true)
    .execute()
  expect(renewals).toEqual([])
  expect((await (await api()).call(routes.cards, { query: {} })).items).toEqual([])
})

test('a card that its owner removed while a subscription was under review pays no renewal', async () => {
  const own = await api()
  await own.call(routes.addCard, { body: await cardToken(harness) })
  const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  const body = { kind: 'subscription', itemId, ...(await cardToken(harness)) }
  expect((await own.send('POST', '/users/purchase', { body })).status).toBe(202)
  harness.clock.advance(60_000)
  const { items } = await own.call(routes.cards, { query: {} })
  await own.call(routes.removeCard, { body: { cardId: items[0]?._id ?? '' } })
  await approve()
  await recovers()
  expect((await (await api()).call(routes.cards, { query: {} })).items).toEqual([])
})

/** The gateway's answer to keeping the card of a charge is lost this many times. */
async function losesAnswers(times: number, effect = 'resetAfter') {
  const call = 'createCustomerProfileFromTransactionRequest'
  const forget = await planFault(harness, { call, effect, times })
  onTestFinished(forget)
  return forget
}
const own = async () => (await (await api()).call(routes.ownSubscriptions, { query: {} })).items[0]
const cards = async () => (await (await api()).call(routes.cards, { query: {} })).items
/** Subscribes by a card of which the charge is approved, and nothing is kept with it. */
async function subscribesUnkept(): Promise<void> {
  const itemId = await buildPlan(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
  const body = { kind: 'subscription', itemId, ...(await cardToken(harness, TEST_CARDS.cardNotStored)) }
  expect((await (await api()).send('POST', '/users/purchase', { body })).status).toBe(200)
  expect(await own()).toMatchObject({ status: 'active', card: null })
}
const keptAtGateway = async () => {
  const listed = await harness.context.payments.listCards({ customerId: fan.id })
  if (listed.kind !== 'listed') throw new Error('the gateway did not answer')
  return listed.cards.length
}

describe('the answer to keeping the card of a first payment is lost', () => {
  test.each([
    ['after it was kept', 'resetAfter'],
    ['before it was kept', 'serverErrorBefore'],
    ['as the gateway is busy', 'busy'],
  ])('%s: it is asked for again, until the card is kept, once', async (_, effect) => {
    await losesAnswers(3, effect)
    await subscribesUnkept()
    await recoversDaily(4)
    expect(await own()).toMatchObject({ status: 'active', renews: true, card: 'Visa 1111' })
    expect([(await cards()).length, await keptAtGateway()]).toEqual([1, 1])
    harness.clock.advance(32 * DAY_MS)
    await run('renewals.charge')
    const { items } = await (await api()).call(routes.receipts, { query: {} })
    expect(items.map(({ status }) => status)).toEqual(['captured', 'captured'])
  })

  test('a payment whose own answer was lost as well keeps it', async () => {
    await losesAnswers(1)
    await subscribes(TEST_CARDS.resetAfter)
    await recoversDaily(2)
    expect(await own()).toMatchObject({ status: 'active', card: expect.any(String) })
    expect([(await cards()).length, await keptAtGateway()]).toEqual([1, 1])
  })

  test('a subscription that is past due by then is charged on the next day of retries', async () => {
    const answers = await losesAnswers(1_000)
    await subscribesUnkept()
    harness.clock.advance(32 * DAY_MS)
    await run('renewals.charge')
    expect(await own()).toMatchObject({ status: 'past_due', card: null })
    await answers()
    await recoversDaily(1)
    await run('renewals.charge')
    expect(await own()).toMatchObject({ status: 'past_due', card: 'Visa 1111' })
    harness.clock.advance(5 * DAY_MS)
    await run('renewals.charge')
    expect(await own()).toMatchObject({ status: 'active', card: 'Visa 1111' })
  })

  test('a card that its owner removed meanwhile stays removed, also once the gateway has forgotten it', async () => {
    await losesAnswers(1)
    await subscribesUnkept()
    await (await api()).call(routes.addCard, { body: await cardToken(harness) })
    const [card] = await cards()
    harness.clock.advance(60_000)
    await (await api()).call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
    await run('cards.forget')
    expect(await keptAtGateway()).toBe(0)
    await recoversDaily(2)
    expect(await own()).toMatchObject({ card: null })
    expect([(await cards()).length, await keptAtGateway()]).toEqual([0, 0])
    await run('cards.forget')
    const rows = await harness.context.db
      .selectFrom('stored_cards')
      .select('id')
      .where('user_id', '=', fan.id)
      .execute()
    expect(rows).toEqual([])
  })
})
