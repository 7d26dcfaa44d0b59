import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Db } from '../../../db/client.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import {
  cardToken,
  gatewayCaptures,
  gatewayThatIsDown,
  impatientGateway,
  planFault,
  TEST_CARDS,
} from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildItem,
  NO_TRACES,
  OFFERED_KINDS,
  type OfferedKind,
  ONE_SALE,
  purchaseTraces,
} from '../../../testing/purchases.ts'
import { periodEnd } from '../subscriptions/rules.ts'

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

/** The tables that hold a word anywhere. */
async function tablesWith(db: Db, word: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    db,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const held =
      await sql`select 1 from ${sql.table(name)} as held where held::text like ${`%${word}%`} limit 1`.execute(
        db,
      )
    if (held.rows.length > 0) found.push(name)
  }
  return found
}

describe('a purchase that the gateway approves', () => {
  test.each(OFFERED_KINDS)('charges and grants a %s together', async (kind) => {
    const itemId = await itemOf(kind)
    const answer = await buy(kind, itemId)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        kind,
        itemId,
        status: 'captured',
        amount: '$9.99',
        creatorUsername: creator.username,
        message: 'Processed Transaction',
      },
    })
    expect(await traces(fan)).toEqual(ONE_SALE)
    const purchaseId = (answer.body as { _id: string })._id
    expect(await as(fan).call(routes.purchaseStatus, { params: { purchaseId } })).toEqual(answer.body)
  })

  test('opens exactly what was bought', async () => {
    const bundleId = await itemOf('bundle')
    const other = await buildMedia(harness, creator, { showInStore: true })
    const { mediaIds } = await as(fan).call(routes.bundle, { params: { id: bundleId } })
    await buy('bundle', bundleId)
    const { items } = await as(fan).call(routes.premiumContent, { query: {} })
    expect(items.map(({ _id }) => _id).sort()).toEqual(mediaIds.toSorted())
    expect(items.every(({ url, locked }) => url && !locked)).toBe(true)
    expect(await as(fan).call(routes.media, { params: { mediaId: other } })).toMatchObject({
      locked: true,
      url: null,
    })
  })

  test('freezes a bundle: what the creator changes later changes nothing for its buyer', async () => {
    const bundleId = await itemOf('bundle')
    const { mediaIds } = await as(fan).call(routes.bundle, { params: { id: bundleId } })
    await buy('bundle', bundleId)
    const body = { bundleId, title: 'Other', price: '$1', mediaIds: [await buildMedia(harness, creator)] }
    await as(creator).call(routes.editBundle, { body })
    const { items } = await as(fan).call(routes.premiumContent, { query: {} })
    expect(items.map(({ _id }) => _id).sort()).toEqual(mediaIds.toSorted())
  })

  test('starts a subscription of one calendar month, three days of grace, and a kept card', async () => {
    const planId = await itemOf('subscription')
    const { body } = await buy('subscription', planId)
    const row = await harness.context.db
      .selectFrom('subscriptions')
      .innerJoin('entitlements', 'entitlements.source_id', 'subscriptions.id')
      .innerJoin('stored_cards', 'stored_cards.id', 'subscriptions.stored_card_id')
      .selectAll('subscriptions')
      .select(['entitlements.valid_until', 'stored_cards.last_four', 'stored_cards.user_id'])
      .where('fan_id', '=', fan.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'active', price_cents: 999, last_four: '1111', user_id: fan.id })
    expect(row.current_period_end).toEqual(periodEnd(row.anchor_at, 1))
    expect(row.valid_until?.getTime()).toBe(row.current_period_end.getTime() + 3 * 86_400_000)
    expect(body).toMatchObject({ renewsAt: row.current_period_end.toISOString() })
    const { items } = await as(fan).call(routes.yourSubscriptions, { query: { ids: [planId] } })
    expect(items).toMatchObject([
      {
        creator: { _id: creator.id, username: creator.username },
        subscription: { _id: planId, status: 'active', message: 'Already Subscribed!' },
      },
    ])
  })

  test.each([
    { saveCard: true, kept: 1 },
    { saveCard: false, kept: 0 },
  ])('keeps the card only when asked: $saveCard', async ({ saveCard, kept }) => {
    await buy('single', await itemOf('single'), { body: { saveCard } })
    const cards = await harness.context.db
      .selectFrom('stored_cards')
      .select('id')
      .where('user_id', '=', fan.id)
      .execute()
    expect(cards).toHaveLength(kept)
  })

  test('counts as bought though the gateway could not keep the card', async () => {
    await planFault(harness, { call: 'createCustomerProfileFromTransactionRequest', effect: 'busy' })
    const answer = await buy('subscription', await itemOf('subscription'), { card: TEST_CARDS.cardNotStored })
    expect(answer).toMatchObject({ status: 200, body: { status: 'captured' } })
    expect(await traces(fan)).toEqual(ONE_SALE)
  })
})

describe('a purchase that the gateway does not approve grants nothing', () => {
  test.each([
    { card: TEST_CARDS.declined, status: 402, code: 'card_declined', left: 'declined' },
    { card: TEST_CARDS.busy, status: 402, code: 'payment_refused', left: 'refused' },
  ])('$code', async ({ card, status, code, left }) => {
    const itemId = await itemOf('single')
    const answer = await buy('single', itemId, { card })
    expect(answer).toMatchObject({ status, body: { code } })
    expect(await traces(fan)).toEqual({ ...NO_TRACES, statuses: [left] })
    expect(await as(fan).call(routes.openPurchase, { query: { kind: 'single', itemId } })).toEqual({
      ...{ purchase: null, has: false, owed: null, lent: null },
    })
    expect(await buy('single', itemId)).toMatchObject({ status: 200 })
  })

  test('a ZIP code that the bank doesn’t know is said to be why, and its answer is kept without the address', async () => {
    const itemId = await itemOf('single')
    const billTo = { zip: '46299', address: '77 Marigold Street' }
    expect(await buy('single', itemId, { body: { billTo } })).toMatchObject({
      status: 402,
      body: { code: 'card_address_mismatch', error: expect.stringContaining('Check the ZIP code') },
    })
    expect(await traces(fan)).toEqual({ ...NO_TRACES, statuses: ['declined'] })
    const good = { zip: '46217', address: '77 Marigold Street' }
    expect(await buy('single', itemId, { body: { billTo: good, saveCard: true } })).toMatchObject({
      status: 200,
    })
    const { rows } = await sql<{ avs: string }>`
      select avs from payments where buyer_id = ${fan.id} order by created_at`.execute(harness.context.db)
    expect(rows).toEqual([{ avs: 'N' }, { avs: 'Z' }])
    expect(await gatewayCaptures(harness)).toContainEqual(expect.objectContaining({ billTo: good }))
    expect(await tablesWith(harness.context.db, 'Marigold')).toEqual([])
  })

  test.each([
    [{ zip: '12' }],
    [{ zip: '1'.repeat(11) }],
    [{ zip: '94;03' }],
    [{}],
    [{ zip: '94103', address: 'x'.repeat(61) }],
  ])('the billing address %j is refused before anything is agreed', async (billTo) => {
    expect(await buy('single', await itemOf('single'), { body: { billTo } })).toMatchObject({ status: 400 })
    expect(await traces(fan)).toEqual(NO_TRACES)
  })

  test('an expired card token asks for the card again', async () => {
    const itemId = await itemOf('single')
    const token = await cardToken(harness)
    harness.clock.advance(16 * 60_000)
    const answer = await as(fan).send('POST', '/users/purchase', {
      body: { kind: 'single', itemId, ...token },
    })
    expect(answer).toMatchObject({ status: 402, body: { code: 'card_token_expired' } })
    expect(await traces(fan)).toEqual({ ...NO_TRACES, statuses: ['refused'] })
  })

  test('a card token is not taken twice', async () => {
    const token = await cardToken(harness)
    const pay = (itemId: string) =>
      as(fan).send('POST', '/users/purchase', { body: { kind: 'single', itemId, ...token } })
    expect(await pay(await itemOf('single'))).toMatchObject({ status: 200 })
    expect(await pay(await itemOf('single'))).toMatchObject({
      status: 402,
      body: { code: 'card_token_expired' },
    })
    expect(await traces(fan)).toEqual({ ...ONE_SALE, statuses: ['captured', 'refused'] })
  })

  test('a gateway that is down', async () => {
    const { payments } = harness.context
    const itemId = await itemOf('single')
    harness.context.payments = gatewayThatIsDown(harness)
    try {
      expect(await buy('single', itemId)).toMatchObject({
        status: 402,
        body: { code: 'gateway_unreachable' },
      })
    } finally {
      harness.context.payments = payments
    }
    expect(await traces(fan)).toEqual({ ...NO_TRACES, statuses: ['refused'] })
  })

  test.each([
    { what: 'held', card: TEST_CARDS.held, status: 'held', charged: 0 },
    { what: 'broken before the charge', card: TEST_CARDS.resetBefore, status: 'unknown', charged: 0 },
    { what: 'broken after the charge', card: TEST_CARDS.resetAfter, status: 'unknown', charged: 1 },
    { what: 'half an answer', card: TEST_CARDS.truncatedAfter, status: 'unknown', charged: 1 },
    { what: 'an error page', card: TEST_CARDS.serverErrorAfter, status: 'unknown', charged: 1 },
    {
      what: 'trouble on the way to the bank',
      card: TEST_CARDS.processingError,
      status: 'unknown',
      charged: 0,
    },
  ])('$what is 202, and blocks a second attempt', async ({ card, status, charged }) => {
    const itemId = await itemOf('single')
    const answer = await buy('single', itemId, { card })
    expect(answer).toMatchObject({ status: 202, body: { status, itemId } })
    const open = await as(fan).call(routes.openPurchase, { query: { kind: 'single', itemId } })
    expect(open.purchase).toEqual(answer.body)
    expect(await buy('single', itemId)).toMatchObject({ status: 409, body: { code: 'purchase_in_progress' } })
    expect(await traces(fan)).toEqual({ statuses: [status], charged, granted: 0, sales: 0 })
  })

  test.each([
    { card: TEST_CARDS.timeoutBefore, charged: 0 },
    { card: TEST_CARDS.timeoutAfter, charged: 1 },
  ])('no answer in time, charged $charged times, is 202', async ({ card, charged }) => {
    const { payments } = harness.context
    let timeoutMs = 250
    do {
      // Anew where a slow machine gave up before the gateway had charged.
      fan = await buildFan(harness)
      timeoutMs *= 2
      harness.context.payments = impatientGateway(harness, timeoutMs)
      try {
        expect(await buy('single', await itemOf('single'), { card })).toMatchObject({
          status: 202,
          body: { status: 'unknown' },
        })
      } finally {
        harness.context.payments = payments
      }
    } while ((await traces(fan)).charged < charged)
    expect(await traces(fan)).toEqual({ statuses: ['unknown'], charged, granted: 0, sales: 0 })
  })
})

test.each(OFFERED_KINDS)('who has a %s already is told before they pay again', async (kind) => {
  const itemId = await itemOf(kind)
  const has = async (person = fan) =>
    (await as(person).call(routes.openPurchase, { query: { kind, itemId } })).has
  expect(await has()).toBe(false)
  await buy(kind, itemId)
  expect([await has(), await has(await buildFan(harness))]).toEqual([true, false])
})

test('purchases of other people are not there', async () => {
  const itemId = await itemOf('single')
  const held = await buy('single', itemId, { card: TEST_CARDS.held })
  const purchaseId = (held.body as { _id: string })._id
  const stranger = as(await buildFan(harness))
  await expect(stranger.call(routes.purchaseStatus, { params: { purchaseId } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as(creator).call(routes.purchaseStatus, { params: { purchaseId } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await stranger.call(routes.openPurchase, { query: { kind: 'single', itemId } })).toEqual({
    ...{ purchase: null, has: false, owed: null, lent: null },
  })
})

describe('the check of a card token', () => {
  test('tells a good one from a used one, and charges nothing', async () => {
    const { dataValue } = await cardToken(harness)
    const before = await gatewayCaptures(harness)
    const check = () => as(fan).call(routes.testCardToken, { body: { dataValue } })
    expect(await check()).toMatchObject({ success: true })
    expect(await check()).toMatchObject({ success: false })
    expect(await gatewayCaptures(harness)).toEqual(before)
  })

  test('is not there with a real account', async () => {
    const { payments } = harness.context
    harness.context.payments = { ...payments, sandbox: false }
    try {
      const { dataValue } = await cardToken(harness)
      await expect(as(fan).call(routes.testCardToken, { body: { dataValue } })).rejects.toMatchObject({
        status: 404,
      })
    } finally {
      harness.context.payments = payments
    }
  })
})
