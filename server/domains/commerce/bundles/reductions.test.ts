import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { reducedCents } from '../../../../contract/reductions.ts'
import type { Checkpoint } from '../../../context.ts'
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
import { cardToken, gatewayCaptures, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { emailsTo } from '../../../testing/security.ts'

let harness: Harness
let creator: Person
let fan: Person
/** Three singles of $5 in a bundle of $10. */
let items: string[]
let bundleId: string
/** The change that happens while the next purchase is between intent and charge. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name: Checkpoint) => {
      if (name !== 'purchase.submitting-committed' || !meanwhile) return
      const happens = meanwhile
      meanwhile = null
      await happens()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  items = [await single(), await single(), await single()]
  bundleId = await buildBundle(harness, creator, { priceCents: 1000, lessOwned: true, mediaIds: items })
})

type Card = { cardNumber: string; cardCode: string }

async function buy(kind: string, itemId: string, body: object = {}, card: Card = TEST_CARDS.approved) {
  const api = harness.api.as(fan)
  return api.send('POST', '/users/purchase', {
    body: { kind, itemId, ...(await cardToken(harness, card)), ...body },
  })
}

const shown = () => harness.api.as(fan).call(routes.bundle, { params: { id: bundleId } })

/** Which of the items the fan has for good, by their number. */
async function has(): Promise<number[]> {
  const rows = await harness.context.db
    .selectFrom('unlocked_media')
    .select('media_id')
    .where('user_id', '=', fan.id)
    .execute()
  return rows.map(({ media_id }) => items.indexOf(media_id)).sort()
}

async function refund(orderId: string, amount: string) {
  const finance = await buildUser(harness, { role: 'finance' })
  const reauthenticatedAt = harness.clock.now()
  const token = await buildSession(harness, finance.id, { reauthenticatedAt })
  return refundPayment(harness.api.as({ token }), { transactionId: orderId, amount })
}

const amounts = fc.record({
  priceCents: fc.integer({ min: 100, max: 999_999_999 }),
  items: fc.integer({ min: 1, max: 2000 }),
  owned: fc.integer({ min: 0, max: 2000 }),
  leastCents: fc.integer({ min: 1, max: 100 }),
})

test('what is left costs its share of the price, never less than the lowest price nor as much as all of it', () => {
  fc.assert(
    fc.property(amounts, (bundle) => {
      const { priceCents, items: all, owned, leastCents } = bundle
      const cents = reducedCents(bundle)
      if (cents === null) return
      expect(owned > 0 && owned < all).toBe(true)
      expect(cents).toBeGreaterThanOrEqual(leastCents)
      expect(cents).toBeLessThan(priceCents)
      const exact = (priceCents * (all - owned)) / all
      expect(cents === leastCents || (cents >= exact && cents < exact + 1)).toBe(true)
      const more = reducedCents({ ...bundle, owned: owned + 1 })
      expect(more === null || more <= cents).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})

test('who has one of three pays two thirds, for the two others alone', async () => {
  expect(await shown()).toMatchObject({ price: '$10', lessOwned: true, reduced: null, ownedCount: 0 })
  await buy('single', items[0] ?? '')
  expect(await shown()).toMatchObject({ price: '$10', reduced: { price: '$6.67', owned: 1 }, ownedCount: 1 })
  const bought = await buy('bundle', bundleId, { price: '$6.67', itemCount: 3 })
  expect(bought).toMatchObject({ status: 200, body: { amount: '$6.67', status: 'captured' } })
  expect(await has()).toEqual([0, 1, 2])
  expect(await shown()).toMatchObject({ purchased: true, reduced: null, ownedCount: 3 })
  const ordered = await harness.context.db
    .selectFrom('order_items')
    .select('media_id')
    .where('order_id', '=', (bought.body as { _id: string })._id)
    .orderBy('position')
    .execute()
  expect(ordered.map(({ media_id }) => media_id)).toEqual(items.slice(1))
  const { items: receipts } = await harness.api.as(fan).call(routes.receipts, { query: {} })
  expect(receipts[0]).toMatchObject({ amount: '$6.67', reduced: { fullPrice: '$10', owned: 1 } })
  expect(receipts[1]).toMatchObject({ amount: '$5', reduced: null })
  const [receipt] = (await emailsTo(harness, fan.email)).filter(({ text }) => text.includes('$6.67'))
  expect(receipt?.text).toContain('The full price is $10. You already had 1 item.')
})

test('a refund of either takes back what that one gave', async () => {
  const single = await buy('single', items[0] ?? '')
  const bundle = await buy('bundle', bundleId)
  await refund((single.body as { _id: string })._id, '$5')
  expect(await has()).toEqual([1, 2])
  await refund((bundle.body as { _id: string })._id, '$6.67')
  expect(await has()).toEqual([])
  expect(await shown()).toMatchObject({ purchased: false, reduced: null })
  expect(await buy('bundle', bundleId)).toMatchObject({ body: { amount: '$10' } })
})

test('what changed since it was shown is told with the terms of now, and not charged', async () => {
  expect(await shown()).toMatchObject({ reduced: null })
  await buy('single', items[0] ?? '')
  const charged = (await gatewayCaptures(harness)).length
  expect(await buy('bundle', bundleId, { price: '$10', itemCount: 3 })).toMatchObject({
    status: 409,
    body: {
      code: 'price_changed',
      details: { price: '$6.67', fullPrice: '$10', ownedCount: '1', itemCount: '3' },
    },
  })
  expect((await gatewayCaptures(harness)).length).toBe(charged)
})

test('a single that is bought in another tab while the bundle is being paid waits for it, and the other way round', async () => {
  const answers: unknown[] = []
  meanwhile = async () => answers.push((await buy('single', items[0] ?? '')).body)
  expect(await buy('bundle', bundleId)).toMatchObject({ body: { status: 'captured', amount: '$10' } })
  expect(answers).toMatchObject([{ code: 'purchase_in_progress' }])
  expect(await buy('single', items[0] ?? '')).toMatchObject({ body: { code: 'already_owned' } })

  fan = await buildFan(harness)
  meanwhile = async () => answers.push((await buy('bundle', bundleId, { price: '$10' })).body)
  expect(await buy('single', items[0] ?? '')).toMatchObject({ body: { status: 'captured' } })
  expect(answers[1]).toMatchObject({ code: 'purchase_in_progress' })
  expect(await buy('bundle', bundleId, { price: '$6.67' })).toMatchObject({ body: { status: 'captured' } })
})

test('whichever of ten calls for the bundle and its singles come first, nothing is paid for twice', async () => {
  const calls = [
    () => buy('bundle', bundleId, { price: '$10', itemCount: 3 }),
    ...items.map((id) => () => buy('single', id)),
  ]
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => calls[index % calls.length]?.()))
  for (const answer of answers) expect(answer?.status).toBeLessThan(500)
  const rows = await harness.context.db
    .selectFrom('order_items')
    .innerJoin('orders', 'orders.id', 'order_items.order_id')
    .select('order_items.media_id')
    .where('orders.buyer_id', '=', fan.id)
    .where('orders.status', '=', 'paid')
    .execute()
  const paid = rows.map(({ media_id }) => media_id)
  expect(paid.length).toBeGreaterThan(0)
  expect(new Set(paid).size).toBe(paid.length)
})

test('a single under review keeps the bundle’s price open, so it is waited for', async () => {
  const { body } = await buy('single', items[0] ?? '', {}, TEST_CARDS.held)
  expect(body).toMatchObject({ status: 'held' })
  expect(await buy('bundle', bundleId)).toMatchObject({ body: { code: 'purchase_in_progress' } })
  const full = await buildBundle(harness, creator, { priceCents: 800, mediaIds: items })
  expect(await buy('bundle', full)).toMatchObject({ body: { status: 'captured', amount: '$8' } })
})

test('what a subscription lends is not owned, and with all of it nothing is sold', async () => {
  const planId = await buildPlan(harness, creator, { mediaIds: items })
  await buy('subscription', planId)
  expect(await shown()).toMatchObject({ ownedCount: 3, reduced: null })
  for (const id of items) await buy('single', id)
  expect(await shown()).toMatchObject({ reduced: null })
  expect(await buy('bundle', bundleId)).toMatchObject({ status: 409, body: { code: 'already_owned' } })
})

test('a bundle without the switch costs the same for everyone; its creator turns it on and off', async () => {
  const edit = (lessOwned?: boolean) =>
    harness.api.as(creator).call(routes.editBundle, {
      body: {
        bundleId,
        title: 'Set',
        price: '$10',
        mediaIds: items,
        ...(lessOwned === undefined ? {} : { lessOwned }),
      },
    })
  await buy('single', items[0] ?? '')
  expect(await edit(false)).toMatchObject({ lessOwned: false })
  expect(await shown()).toMatchObject({ reduced: null })
  expect(await edit()).toMatchObject({ lessOwned: false })
  expect(await buy('bundle', bundleId, { price: '$6.67' })).toMatchObject({ body: { code: 'price_changed' } })
  expect(await edit(true)).toMatchObject({ lessOwned: true })
  expect(await buy('bundle', bundleId, { price: '$6.67' })).toMatchObject({ body: { amount: '$6.67' } })
  const created = await harness.api
    .as(creator)
    .call(routes.createBundle, { body: { title: 'New', price: '$9' } })
  expect(created.lessOwned).toBe(true)
})

test('an offer’s price comes first, then less what one has', async () => {
  const offerId = await buildOffer(harness, creator, {
    type: 'discountBundle',
    itemId: bundleId,
    priceCents: 601,
  })
  await buy('single', items[0] ?? '')
  const { offer, view } = await harness.api.as(fan).call(routes.offer, { params: { offerId } })
  expect(view).toBe('open')
  expect(offer).toMatchObject({ price: '$6.01', reduced: { price: '$4.01', owned: 1 } })
  expect(await buy('bundle', bundleId, { offerId, price: '$4.01' })).toMatchObject({
    body: { status: 'captured', amount: '$4.01' },
  })
})

test('the page of a locked item shows what the bundle costs its viewer', async () => {
  await buy('single', items[0] ?? '')
  const view = await harness.api.as(fan).call(routes.viewMedia, { params: { mediaId: items[1] ?? '' } })
  expect(view.unlocks).toMatchObject([
    { kind: 'bundle', price: '$10', reduced: { price: '$6.67', owned: 1 } },
  ])
})
