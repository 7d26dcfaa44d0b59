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
import { cardToken, planFault, reviewHeld } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

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
async function recovers(): Promise<void> {
  harness.clock.advance(5 * 60_000)
  await harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
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
