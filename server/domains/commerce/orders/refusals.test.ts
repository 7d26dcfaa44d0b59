import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayCaptures, TEST_CARDS } from '../../../testing/gateway.ts'
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

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)

const itemOf = (kind: OfferedKind, priceCents?: number) => buildItem(harness, creator, kind, priceCents)

type Card = { cardNumber: string; cardCode: string }

async function buy(
  kind: OfferedKind,
  itemId: string,
  more: { card?: Card; key?: string; body?: object; by?: Person } = {},
) {
  const token = await cardToken(harness, more.card)
  return as(more.by ?? fan).send('POST', '/users/purchase', {
    body: { kind, itemId, ...token, ...more.body },
    headers: more.key ? { 'idempotency-key': more.key } : {},
  })
}

const traces = (of: Person) => purchaseTraces(harness, of)

describe('refused before any charge', () => {
  async function refused(
    answer: Promise<{ status: number; body: unknown }>,
    status: number,
    code: string,
    by = fan,
  ) {
    const before = await traces(by)
    expect(await answer).toMatchObject({ status, body: { code } })
    expect(await traces(by)).toEqual(before)
  }

  test('a price that is not the one now, and any price the caller makes up', async () => {
    const itemId = await itemOf('single')
    await refused(buy('single', itemId, { body: { price: '$1' } }), 409, 'price_changed')
    const stale = await buy('single', itemId, { body: { price: '$1' } })
    expect(stale.body).toMatchObject({ details: { price: '$9.99', itemCount: '1' } })
    await refused(buy('single', itemId, { body: { price: 'free' } }), 400, 'invalid_input')
    expect(
      await buy('single', itemId, { body: { price: '$9.99', amount: '$1', amountCents: 1, priceCents: 1 } }),
    ).toMatchObject({
      status: 200,
      body: { amount: '$9.99' },
    })
    expect((await gatewayCaptures(harness))[0]).toMatchObject({ amountCents: 999 })
  })

  test('an item under another kind', async () => {
    await refused(buy('bundle', await itemOf('single')), 404, 'item_not_found')
    await refused(buy('subscription', await itemOf('bundle')), 404, 'item_not_found')
    await refused(buy('single', await itemOf('subscription')), 404, 'item_not_found')
    await refused(buy('single', crypto.randomUUID()), 404, 'item_not_found')
  })

  test('what is not for sale', async () => {
    const { db } = harness.context
    await refused(buy('single', await buildMedia(harness, creator)), 404, 'item_not_found')
    await refused(buy('bundle', await buildBundle(harness, creator)), 404, 'item_not_found')
    await refused(buy('single', await itemOf('single', 0)), 404, 'item_not_found')
    const deleted = await itemOf('single')
    await db.updateTable('media').set({ deleted_at: new Date() }).where('id', '=', deleted).execute()
    await refused(buy('single', deleted), 404, 'item_not_found')
    const sold = await itemOf('bundle')
    await db
      .updateTable('users')
      .set({ deletion_requested_at: new Date() })
      .where('id', '=', creator.id)
      .execute()
    await refused(buy('bundle', sold), 404, 'item_not_found')
  })

  test('one’s own', async () => {
    await refused(buy('single', await itemOf('single'), { by: creator }), 409, 'own_item', creator)
  })

  test('for another person', async () => {
    const other = await buildFan(harness)
    await refused(buy('single', await itemOf('single'), { body: { userId: other.id } }), 403, 'not_yourself')
    expect(await traces(other)).toEqual(NO_TRACES)
  })

  test('while publishing is closed', async () => {
    const itemId = await itemOf('single')
    harness.context.publishingOpen = false
    try {
      await refused(buy('single', itemId), 403, 'publishing_closed')
    } finally {
      harness.context.publishingOpen = true
    }
  })

  test.each(OFFERED_KINDS)('a %s that is theirs already', async (kind) => {
    const itemId = await itemOf(kind)
    await buy(kind, itemId)
    const codes = { subscription: 'already_subscribed', singles: 'offer_redeemed' }
    await refused(
      buy(kind, itemId),
      409,
      { bundle: 'already_owned', single: 'already_owned', ...codes }[kind],
    )
  })

  test('a bundle of which every item is theirs, and a single that came in a bundle', async () => {
    const single = await itemOf('single')
    const bundleId = await buildBundle(harness, creator, { mediaIds: [single] })
    await buy('single', single)
    await refused(buy('bundle', bundleId), 409, 'already_owned')
    const other = await itemOf('single')
    await buy('bundle', await buildBundle(harness, creator, { mediaIds: [single, other] }))
    await refused(buy('single', other), 409, 'already_owned')
  })

  test('a subscription that ended can be bought again', async () => {
    const planId = await itemOf('subscription')
    await buy('subscription', planId)
    // Longer than a month and the 14 days in which what is owed of it can be paid.
    harness.clock.advance(50 * 86_400_000)
    const token = await cardToken(harness)
    const again = { ...fan, token: await buildSession(harness, fan.id) }
    const answer = await as(again).send('POST', '/users/purchase', {
      body: { kind: 'subscription', itemId: planId, ...token },
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(await traces(fan)).toEqual({
      statuses: ['captured', 'captured'],
      charged: 2,
      granted: 2,
      sales: 2,
    })
  })
})

describe('an idempotency key', () => {
  test('replays the first answer, and charges once', async () => {
    const token = await cardToken(harness)
    const body = { kind: 'single', itemId: await itemOf('single'), ...token }
    const call = () =>
      as(fan).send('POST', '/users/purchase', { body, headers: { 'idempotency-key': 'the-same-key' } })
    const first = await call()
    const second = await call()
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await traces(fan)).toEqual(ONE_SALE)
  })

  test('replays a decline without asking the bank again', async () => {
    const body = {
      kind: 'single',
      itemId: await itemOf('single'),
      ...(await cardToken(harness, TEST_CARDS.declined)),
    }
    const call = () =>
      as(fan).send('POST', '/users/purchase', { body, headers: { 'idempotency-key': 'a-declined-key' } })
    const first = await call()
    expect(await call()).toMatchObject({ status: 402, body: first.body as object })
    expect((await traces(fan)).statuses).toEqual(['declined'])
  })

  test('with other content is refused', async () => {
    const itemId = await itemOf('single')
    await buy('single', itemId, { key: 'a-reused-key' })
    const other = await buy('single', await itemOf('single'), { key: 'a-reused-key' })
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await traces(fan)).toEqual(ONE_SALE)
  })

  test('belongs to one person', async () => {
    const itemId = await itemOf('single')
    const other = await buildFan(harness)
    await buy('single', itemId, { key: 'a-shared-key' })
    expect(await buy('single', itemId, { key: 'a-shared-key', by: other })).toMatchObject({ status: 200 })
    expect(await traces(other)).toEqual(ONE_SALE)
  })
})
