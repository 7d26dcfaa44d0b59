import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { purchaseTraces } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
let one: string
let two: string
let planId: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  ;[one, two] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  planId = await buildPlan(harness, creator, { mediaIds: [one, two] })
})

const as = (person: Person) => harness.api.as(person)

type Counted = { photoCount: number; videoCount: number } | undefined
type Shown = { price: string; offerId?: string; renewalPrice?: string }

/** Each page that leads to a subscription, by how it counts the items. */
const pages: Record<string, () => Promise<{ shown: Shown; read: () => Promise<Counted> }>> = {
  'its creator’s list': async () => ({
    shown: { price: '$9.99' },
    read: async () =>
      (await as(fan).call(routes.subscriptions, { query: { userId: creator.id } })).subscriptions[0],
  }),
  'the page of an item': async () => ({
    shown: { price: '$9.99' },
    read: async () => (await as(fan).call(routes.viewMedia, { params: { mediaId: one } })).unlocks[0],
  }),
  'a discounted trial': async () => {
    const offerId = await buildOffer(harness, creator, { type: 'discountTrial', itemId: planId })
    return {
      shown: { price: '$2.50', offerId, renewalPrice: '$9.99' },
      read: async () => (await as(fan).call(routes.offer, { params: { offerId } })).offer,
    }
  },
}

async function subscribe(shown: Shown, counted: Counted) {
  const itemCount = counted && counted.photoCount + counted.videoCount
  const body = { kind: 'subscription', itemId: planId, ...shown, itemCount, ...(await cardToken(harness)) }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return as(fan).send('POST', '/users/purchase', { body, headers })
}

test.each(Object.keys(pages))(
  'who was shown more items on %s than a subscription includes by now is told, and not charged',
  async (name) => {
    const { shown, read } = (await pages[name]?.()) ?? expect.unreachable()
    const before = await read()
    expect(before).toMatchObject({ photoCount: 2, videoCount: 0 })
    await as(creator).call(routes.editSubscriptionMedia, {
      body: { subscriptionId: planId, removeMediaIds: [two] },
    })
    const charges = (await gatewayTransactions(harness)).length
    expect(await subscribe(shown, before)).toMatchObject({
      status: 409,
      body: { code: 'contents_changed', details: { itemCount: '1' } },
    })
    expect(await gatewayTransactions(harness)).toHaveLength(charges)
    expect(await purchaseTraces(harness, fan)).toEqual({ statuses: [], charged: 0, granted: 0, sales: 0 })
    expect(await subscribe(shown, await read())).toMatchObject({ status: 200 })
  },
)

test.each(Object.keys(pages))(
  'who was shown fewer items on %s subscribes, and has the new one',
  async (name) => {
    const { shown, read } = (await pages[name]?.()) ?? expect.unreachable()
    const before = await read()
    const added = await buildMedia(harness, creator)
    await as(creator).call(routes.editSubscriptionMedia, {
      body: { subscriptionId: planId, addMediaIds: [added] },
    })
    expect(await subscribe(shown, before)).toMatchObject({ status: 200 })
    const { media } = await as(fan).call(routes.viewMedia, { params: { mediaId: added } })
    expect(media).toMatchObject({ owned: true })
  },
)

test('a deleted item counts as gone', async () => {
  const { shown, read } = (await pages['its creator’s list']?.()) ?? expect.unreachable()
  const before = await read()
  await as(creator).call(routes.deleteMedia, { body: { mediaId: two } })
  expect(await subscribe(shown, before)).toMatchObject({ status: 409, body: { code: 'contents_changed' } })
})
