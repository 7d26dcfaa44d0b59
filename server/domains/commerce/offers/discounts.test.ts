import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { OfferType } from '../../../../contract/offers.ts'
import type { Kind } from '../../../../contract/orders.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 3600 * 1000
const KIND: Partial<Record<OfferType, Kind>> = {
  discountTrial: 'subscription',
  discountBundle: 'bundle',
  discountSingles: 'singles',
}
const DISCOUNTS = Object.keys(KIND) as OfferType[]

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

const as = (person: Person) => harness.api.as(person)
const freshly = async (person: Person) => ({ ...person, token: await buildSession(harness, person.id) })
const traces = (of = fan) => purchaseTraces(harness, of)
const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
const renew = () => harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
const offerOf = (offerId: string) =>
  harness.context.db.selectFrom('offers').selectAll().where('id', '=', offerId).executeTakeFirstOrThrow()
const takenOf = async (offerId: string) => (await offerOf(offerId)).redemptions_taken
const listed = async () => (await as(await freshly(creator)).call(routes.offers, { query: {} })).items

type Card = { cardNumber: string; cardCode: string }

async function buy(offerId: string, more: { by?: Person; card?: Card; body?: object } = {}) {
  const { type, plan_id, bundle_id } = await offerOf(offerId)
  const body = { kind: KIND[type], itemId: plan_id ?? bundle_id ?? offerId, offerId, ...more.body }
  const token = await cardToken(harness, more.card)
  return as(more.by ?? fan).send('POST', '/users/purchase', { body: { ...token, ...body } })
}

describe.each(DISCOUNTS)('%s', (type) => {
  test('is bought at its price, once, and counts with its earnings', async () => {
    const offerId = await buildOffer(harness, creator, { type, allowed: 2 })
    expect(await buy(offerId, { body: { price: '$2.50' } })).toMatchObject({
      status: 200,
      body: { status: 'captured', amount: '$2.50' },
    })
    expect(await traces()).toEqual(ONE_SALE)
    expect(await buy(offerId)).toMatchObject({ status: 409, body: { code: 'offer_redeemed' } })
    expect(await traces()).toEqual(ONE_SALE)
    expect(await as(fan).call(routes.offer, { params: { offerId } })).toMatchObject({
      view: 'redeemed',
      inside: true,
    })
    expect(await listed()).toMatchObject([{ redemptions: 1, earnings: '$2', status: 'active' }])
  })

  test('is refused at another price, to strangers, when it is over, and without payment', async () => {
    const offerId = await buildOffer(harness, creator, { type, recipients: [fan] })
    const stranger = await buildFan(harness)
    expect(await buy(offerId, { body: { price: '$1' } })).toMatchObject({ body: { code: 'price_changed' } })
    expect(await buy(offerId, { by: stranger })).toMatchObject({
      status: 403,
      body: { code: 'offer_unavailable' },
    })
    expect(await buy(offerId, { by: creator })).toMatchObject({ body: { code: 'own_item' } })
    expect(await as(fan).send('POST', '/media/offer/redeem', { body: { offerId } })).toMatchObject({
      status: 409,
      body: { code: 'offer_has_price' },
    })
    await as(creator).call(routes.endOffer, { body: { offerId } })
    expect(await buy(offerId)).toMatchObject({ status: 409, body: { code: 'offer_expired' } })
    for (const person of [fan, stranger, creator]) expect(await traces(person)).toEqual(NO_TRACES)
    expect(await takenOf(offerId)).toBe(0)
  })

  test('a declined card keeps its place for another card of the same person', async () => {
    const offerId = await buildOffer(harness, creator, { type, allowed: 1 })
    const other = await buildFan(harness)
    expect(await buy(offerId, { card: TEST_CARDS.declined })).toMatchObject({ status: 402 })
    expect(await buy(offerId, { by: other })).toMatchObject({ body: { code: 'offer_used_up' } })
    expect(await buy(offerId)).toMatchObject({ status: 200 })
    expect(await traces()).toMatchObject({ charged: 1, granted: 1, sales: 1 })
    expect(await traces(other)).toEqual(NO_TRACES)
    expect(await takenOf(offerId)).toBe(1)
  })

  test('what nobody pays for is free for others again', async () => {
    const offerId = await buildOffer(harness, creator, { type, allowed: 1 })
    const other = await buildFan(harness)
    await buy(offerId, { card: TEST_CARDS.declined })
    harness.clock.advance(3 * DAY_MS + MINUTE_MS)
    await recover()
    expect(await takenOf(offerId)).toBe(0)
    expect(await buy(offerId, { by: await freshly(other) })).toMatchObject({ status: 200 })
    expect(await buy(offerId, { by: await freshly(fan) })).toMatchObject({ body: { code: 'offer_used_up' } })
    expect(await traces()).toMatchObject({ charged: 0, granted: 0 })
  })
})

test('of fifty people who pay at the same time for the last one, one is charged', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'discountSingles', allowed: 1 })
  const people = await Promise.all(Array.from({ length: 50 }, () => buildFan(harness)))
  const answers = await Promise.all(people.map((by) => buy(offerId, { by })))
  const codes = answers.map(({ status, body }) => (status === 200 ? 'won' : (body as { code: string }).code))
  expect(codes.toSorted()).toEqual([...Array(49).fill('offer_used_up'), 'won'])
  const all = await Promise.all(people.map((person) => traces(person)))
  expect(all.reduce((sum, { charged }) => sum + charged, 0)).toBe(1)
  expect(all.filter(({ granted }) => granted > 0)).toHaveLength(1)
})

test.each(['approve', 'decline'] as const)(
  'a review keeps its place until the merchant says %s',
  async (decision) => {
    const offerId = await buildOffer(harness, creator, { type: 'discountBundle', allowed: 1 })
    const other = await buildFan(harness)
    expect(await buy(offerId, { card: TEST_CARDS.held })).toMatchObject({ status: 202 })
    expect(await buy(offerId, { by: other })).toMatchObject({ body: { code: 'offer_used_up' } })
    expect(await buy(offerId)).toMatchObject({ body: { code: 'purchase_in_progress' } })
    const [held] = await gatewayTransactions(harness)
    await reviewHeld(harness, held?.transId ?? '', decision)
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    const approved = decision === 'approve'
    expect(await traces()).toMatchObject({ charged: approved ? 1 : 0, granted: approved ? 1 : 0 })
    harness.clock.advance(3 * DAY_MS + MINUTE_MS)
    await recover()
    expect(await takenOf(offerId)).toBe(approved ? 1 : 0)
    expect(await traces(other)).toEqual(NO_TRACES)
  },
)

test('an offer buys nothing but what it is of', async () => {
  const offerId = await buildOffer(harness, creator, { type: 'discountBundle' })
  const otherOffer = await buildOffer(harness, creator, { type: 'discountBundle' })
  const { bundle_id } = await offerOf(otherOffer)
  const free = await buildOffer(harness, creator, { type: 'freeBundle', itemId: bundle_id ?? '' })
  const gift = await buildOffer(harness, creator, { type: 'freeSingles' })
  const missing = { status: 404, body: { code: 'offer_not_found' } }
  expect(await buy(offerId, { body: { itemId: bundle_id } })).toMatchObject(missing)
  expect(await buy(otherOffer, { body: { offerId: free } })).toMatchObject(missing)
  expect(await buy(otherOffer, { body: { offerId: crypto.randomUUID() } })).toMatchObject(missing)
  expect(await buy(gift, { body: { kind: 'singles' } })).toMatchObject(missing)
  expect(await traces()).toEqual(NO_TRACES)
})

test('a discounted trial is paid at once and renews monthly at the price that was shown', async () => {
  const mediaId = await buildMedia(harness, creator)
  const itemId = await buildPlan(harness, creator, { priceCents: 900, mediaIds: [mediaId] })
  const offerId = await buildOffer(harness, creator, { type: 'discountTrial', itemId, days: 10 })
  expect(await buy(offerId, { body: { renewalPrice: '$8' } })).toMatchObject({
    body: { code: 'price_changed' },
  })
  expect(await traces()).toEqual(NO_TRACES)
  const start = harness.clock.now()
  await buy(offerId, { body: { price: '$2.50', renewalPrice: '$9' } })
  const own = async () => (await as(await freshly(fan)).call(routes.ownSubscriptions, { query: {} })).items
  const [trial] = await own()
  expect(trial).toMatchObject({ status: 'active', renews: true, price: '$9' })
  const trialEnd = new Date(trial?.expiration ?? '')
  expect(Math.round((trialEnd.getTime() - start.getTime()) / MINUTE_MS)).toBe(10 * 24 * 60)
  const body = {
    subscriptionId: itemId,
    title: 'Dearer',
    price: '$90',
    chatEnabled: false,
    mediaIds: [mediaId],
  }
  await as(creator).call(routes.editSubscription, { body })
  for (const period of [1, 2]) {
    harness.clock.advance(
      periodEnd(trialEnd, period - 1).getTime() + MINUTE_MS - harness.clock.now().getTime(),
    )
    await renew()
    expect(await own()).toMatchObject([
      { status: 'active', price: '$9', expiration: periodEnd(trialEnd, period).toISOString() },
    ])
  }
  const { items } = await as(await freshly(fan)).call(routes.receipts, { query: {} })
  expect(items.map(({ amount }) => amount)).toEqual(['$9', '$9', '$2.50'])
  expect(await listed()).toMatchObject([{ redemptions: 1, earnings: '$16.40' }])
})

async function refund({ body }: Awaited<ReturnType<typeof buy>>, amount: string): Promise<void> {
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const transactionId = (body as { _id: string })._id
  await refundPayment(harness.api.as({ token }), { transactionId, amount })
}

test.each(DISCOUNTS)('the page of a %s that was refunded leads to nothing inside', async (type) => {
  const offerId = await buildOffer(harness, creator, { type })
  await refund(await buy(offerId), '$2.50')
  expect(await as(fan).call(routes.offer, { params: { offerId } })).toMatchObject({
    view: 'redeemed',
    inside: false,
  })
})

test('a refund takes back what the discount gave, nothing else, and its redemption stays used', async () => {
  const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const free = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: mediaIds.slice(0, 1) })
  const offerId = await buildOffer(harness, creator, { type: 'discountSingles', mediaIds, allowed: 1 })
  await as(fan).call(routes.redeemOffer, { body: { offerId: free } })
  await refund(await buy(offerId), '$1.25')
  const locked = await Promise.all(
    mediaIds.map(async (mediaId) => (await as(fan).call(routes.media, { params: { mediaId } })).locked),
  )
  expect(locked).toEqual([false, true])
  expect(await buy(offerId)).toMatchObject({ body: { code: 'offer_redeemed' } })
  expect((await listed()).find(({ _id }) => _id === offerId)).toMatchObject({
    redemptions: 1,
    earnings: '$0',
  })
})

describe('once what it is of costs no more without it, an offer is sold and shown at that price', () => {
  const shown = async (offerId: string) => (await as(fan).call(routes.offer, { params: { offerId } })).offer

  test('of a bundle', async () => {
    const mediaIds = [await buildMedia(harness, creator)]
    const bundleId = await buildBundle(harness, creator, { priceCents: 1000, mediaIds })
    const offer = { type: 'discountBundle', itemId: bundleId, priceCents: 800 } as const
    const offerId = await buildOffer(harness, creator, offer)
    expect(await shown(offerId)).toMatchObject({ price: '$8', regularPrice: '$10' })
    await as(creator).call(routes.editBundle, { body: { bundleId, title: 'Set', price: '$5', mediaIds } })
    expect(await shown(offerId)).toMatchObject({ price: '$5', regularPrice: '$5' })
    expect(await buy(offerId, { body: { price: '$8' } })).toMatchObject({
      ...{ status: 409, body: { code: 'price_changed', details: { price: '$5' } } },
    })
    expect(await buy(offerId, { body: { price: '$5' } })).toMatchObject({ body: { amount: '$5' } })
  })

  test('of a trial, compared by the months that it begins', async () => {
    const mediaIds = [await buildMedia(harness, creator)]
    const itemId = await buildPlan(harness, creator, { priceCents: 1000, mediaIds })
    const offer = { type: 'discountTrial', itemId, days: 40, priceCents: 1500 } as const
    const offerId = await buildOffer(harness, creator, offer)
    const cost = (price: string) =>
      as(creator).call(routes.editSubscription, {
        body: { subscriptionId: itemId, title: 'Less', price, chatEnabled: false, mediaIds },
      })
    await cost('$8')
    expect(await shown(offerId)).toMatchObject({ price: '$15' })
    await cost('$4')
    expect(await shown(offerId)).toMatchObject({ price: '$8' })
    const bought = await buy(offerId, { body: { price: '$8', renewalPrice: '$4' } })
    expect(bought).toMatchObject({ status: 200, body: { amount: '$8' } })
  })

  test('of singles', async () => {
    const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
    const mediaIds = [await single(), await single()]
    const offerId = await buildOffer(harness, creator, { type: 'discountSingles', mediaIds, priceCents: 800 })
    expect(await shown(offerId)).toMatchObject({ price: '$8', regularPrice: '$10' })
    await as(creator).call(routes.deleteMedia, { body: { mediaId: mediaIds[0] ?? '' } })
    expect(await shown(offerId)).toMatchObject({ price: '$5', regularPrice: '$5' })
    const bought = await buy(offerId, { body: { price: '$5', itemCount: 1 } })
    expect(bought).toMatchObject({ status: 200, body: { amount: '$5' } })
  })

  test('but not of singles of which one has left the store for no price', async () => {
    const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
    const mediaIds = [await single(), await single()]
    const offerId = await buildOffer(harness, creator, { type: 'discountSingles', mediaIds, priceCents: 800 })
    await harness.context.db
      .updateTable('media')
      .set({ show_in_store: false, price_cents: 0 })
      .where('id', '=', mediaIds[0] ?? '')
      .execute()
    expect(await shown(offerId)).toMatchObject({ price: '$8' })
    const bought = await buy(offerId, { body: { price: '$8', itemCount: 2 } })
    expect(bought).toMatchObject({ status: 200, body: { amount: '$8' } })
  })
})

test('the database refuses an order that takes an offer without a redemption, and gifts that nobody redeemed', async () => {
  const { db } = harness.context
  const offerId = await buildOffer(harness, creator, { type: 'discountTrial' })
  const now = harness.clock.now()
  const order = db
    .insertInto('orders')
    .values({
      buyer_id: fan.id,
      creator_id: creator.id,
      kind: 'subscription',
      item_id: crypto.randomUUID(),
      title: 'Nothing',
      amount_cents: 250,
      fee_basis_points: 2000,
      bought_once: false,
      offer_id: offerId,
      created_at: now,
      tried_at: now,
    })
    .execute()
  await expect(order).rejects.toMatchObject({ constraint: 'orders_redeem_offer' })
  const gift = db
    .insertInto('entitlements')
    .values({ user_id: fan.id, source_kind: 'offer', source_id: crypto.randomUUID(), granted_at: now })
    .execute()
  await expect(gift).rejects.toMatchObject({ constraint: 'entitlements_redeemed' })
})
