import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
const run = (job: 'purchases.recover' | 'renewals.charge') =>
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
      const card = await gateway.keepCardOf(charged)
      if (card) kept.push(card)
      return card
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
    harness.clock.advance(32 * 24 * 3600 * 1000)
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
  harness.clock.advance(32 * 24 * 3600 * 1000)
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
