import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { replaceFile } from '../../../testing/media-files.ts'
import { purchaseTraces } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
/** Two singles of $5 each, which are what everything here holds, and one that it doesn't hold. */
let one: string
let two: string
let other: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  ;[one, two, other] = [await single(), await single(), await single()]
})

const as = (person: Person) => harness.api.as(person)
const aBundle = (lessOwned = false) =>
  buildBundle(harness, creator, { mediaIds: [one, two], priceCents: 800, lessOwned })
const swap = (bundleId: string) =>
  as(creator).call(routes.editBundle, {
    body: { bundleId, title: 'A bundle', price: '$8', mediaIds: [one, other] },
  })

/** What is sent of what was shown; and the price, which stays the same throughout. */
type Shown = { kind: 'single' | 'bundle' | 'singles'; itemId: string; offerId?: string; price: string }
type Named = { contentsVersion?: string | null | undefined }

async function buy(shown: Shown, { contentsVersion }: Named, key = crypto.randomUUID(), buyer = fan) {
  const body = { ...shown, contentsVersion, ...(await cardToken(harness)) }
  return as(buyer).send('POST', '/users/purchase', { body, headers: { 'idempotency-key': key } })
}

async function owned(buyer = fan): Promise<string[]> {
  const { items } = await as(buyer).call(routes.premiumContent, { query: {} })
  return items.map(({ _id }) => _id).sort()
}

/** Each page that leads to a purchase: what is for sale there, how its contents are read, and a change that leaves price and number. */
type Sold = { shown: Shown; read: () => Promise<Named | undefined>; change: () => Promise<unknown> }
const pages: Record<string, () => Promise<Sold>> = {
  'a single in its creator’s store': async () => ({
    shown: { kind: 'single', itemId: one, price: '$5' },
    async read() {
      const { items } = await as(fan).call(routes.profileMedia, { query: { creatorId: creator.id } })
      return items.find(({ _id }) => _id === one)
    },
    change: () => replaceFile(harness, one, 'another file'),
  }),
  'a single on its own page': async () => ({
    shown: { kind: 'single', itemId: one, price: '$5' },
    read: async () => (await as(fan).call(routes.viewMedia, { params: { mediaId: one } })).media,
    change: () => replaceFile(harness, one, 'another file'),
  }),
  'a bundle in its creator’s list': async () => {
    const itemId = await aBundle()
    return {
      shown: { kind: 'bundle', itemId, price: '$8' },
      read: async () =>
        (await as(fan).call(routes.bundles, { query: { creatorId: creator.id } })).bundles.find(
          ({ _id }) => _id === itemId,
        ),
      change: () => swap(itemId),
    }
  },
  'a bundle on the page of an item': async () => {
    const itemId = await aBundle()
    return {
      shown: { kind: 'bundle', itemId, price: '$8' },
      read: async () =>
        (await as(fan).call(routes.viewMedia, { params: { mediaId: one } })).unlocks.find(
          ({ _id }) => _id === itemId,
        ),
      change: () => replaceFile(harness, two, 'another file'),
    }
  },
  'a bundle by an offer': async () => {
    const itemId = await aBundle()
    const offer = { type: 'discountBundle', itemId, priceCents: 600 } as const
    const offerId = await buildOffer(harness, creator, offer)
    return {
      shown: { kind: 'bundle', itemId, offerId, price: '$6' },
      read: async () => (await as(fan).call(routes.offer, { params: { offerId } })).offer,
      change: () => swap(itemId),
    }
  },
  'singles by an offer': async () => {
    const offer = { mediaIds: [one, two], priceCents: 600 }
    const offerId = await buildOffer(harness, creator, { type: 'discountSingles', ...offer })
    return {
      shown: { kind: 'singles', itemId: offerId, offerId, price: '$6' },
      read: async () => (await as(fan).call(routes.offer, { params: { offerId } })).offer,
      change: () => replaceFile(harness, two, 'another file'),
    }
  },
}

describe.each(Object.keys(pages))('%s', (name) => {
  test('is bought as it was shown, and told where it holds something else by now', async () => {
    const { shown, read, change } = (await pages[name]?.()) ?? expect.unreachable()
    const before = await read()
    expect(before?.contentsVersion).toMatch(/^[\w-]{12}$/)
    await change()
    const charges = (await gatewayTransactions(harness)).length
    const refused = await buy(shown, before ?? {})
    const now = await read()
    expect(refused).toMatchObject({
      ...{ status: 409, body: { code: 'contents_changed' } },
      body: { details: { contentsVersion: now?.contentsVersion } },
    })
    expect(now?.contentsVersion).not.toBe(before?.contentsVersion)
    expect(await gatewayTransactions(harness)).toHaveLength(charges)
    expect(await purchaseTraces(harness, fan)).toEqual({ statuses: [], charged: 0, granted: 0, sales: 0 })
    expect(await owned()).toEqual([])
    expect(await buy(shown, now ?? {})).toMatchObject({ status: 200 })
    // What they have isn't for sale to them.
    if (shown.kind === 'single') expect((await read())?.contentsVersion).toBeUndefined()
  })

  test('answers a repetition as it did at first, whatever it holds by then', async () => {
    const { shown, read, change } = (await pages[name]?.()) ?? expect.unreachable()
    const before = (await read()) ?? {}
    const key = crypto.randomUUID()
    const body = { ...shown, contentsVersion: before.contentsVersion, ...(await cardToken(harness)) }
    const send = () => as(fan).send('POST', '/users/purchase', { body, headers: { 'idempotency-key': key } })
    const first = await send()
    expect(first).toMatchObject({ status: 200 })
    const had = await owned()
    await change()
    expect((await send()).body).toEqual(first.body)
    expect(await owned()).toEqual(had)
  })
})

test('who has a part of a bundle is told of a swap as well, and another order of its items is no change', async () => {
  const itemId = await aBundle(true)
  const shown = { kind: 'bundle', itemId, price: '$4' } as const
  expect(await buy({ kind: 'single', itemId: one, price: '$5' }, {})).toMatchObject({ status: 200 })
  const read = () => as(fan).call(routes.bundle, { params: { id: itemId } })
  const before = await read()
  await as(creator).call(routes.editBundle, {
    body: { bundleId: itemId, title: 'A bundle', price: '$8', mediaIds: [two, one] },
  })
  expect((await read()).contentsVersion).toBe(before.contentsVersion)
  await swap(itemId)
  expect(await buy(shown, before)).toMatchObject({ status: 409, body: { code: 'contents_changed' } })
  expect(await owned()).toEqual([one])
  expect(await buy(shown, await read())).toMatchObject({ status: 200 })
  expect(await owned()).toEqual([one, other].sort())
})

test('an edit at the same moment: each buyer gets what they were shown, or pays nothing', async () => {
  const itemId = await aBundle()
  const buyers = await Promise.all(Array.from({ length: 8 }, () => buildFan(harness)))
  const before = await as(fan).call(routes.bundle, { params: { id: itemId } })
  const buys = buyers.map((buyer) =>
    buy({ kind: 'bundle', itemId, price: '$8' }, before, crypto.randomUUID(), buyer),
  )
  const [answers] = await Promise.all([Promise.all(buys), swap(itemId)])
  for (const [place, { status }] of answers.entries()) {
    const buyer = buyers[place] ?? expect.unreachable()
    expect([200, 409]).toContain(status)
    expect(await owned(buyer)).toEqual(status === 200 ? [one, two].sort() : [])
    const { charged, granted } = await purchaseTraces(harness, buyer)
    expect([charged, granted]).toEqual(status === 200 ? [1, 1] : [0, 0])
  }
})
