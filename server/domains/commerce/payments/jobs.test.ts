import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  type Person,
} from '../../../testing/builders.ts'
import {
  cardToken,
  gatewayCaptures,
  gatewayTransactions,
  planFault,
  reviewHeld,
  TEST_CARDS,
} from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo } from '../../../testing/security.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

let harness: Harness
let creator: Person
let fan: Person
let itemId: string
/** The checkpoint at which the process of the next purchase crashes. */
let breakAt: Checkpoint | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
})
afterEach(() => {
  breakAt = null
})

async function buy(card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved, by = fan) {
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  const headers = { 'idempotency-key': `the-purchase-of-${itemId}` }
  const call = async () => {
    const { status, body: answer } = await harness.api
      .as(by)
      .send('POST', '/users/purchase', { body, headers })
    return { status, body: answer }
  }
  return { answer: await call(), again: call }
}

/** What its buyer is told of the payment by now. */
async function outcome() {
  const { order_id: purchaseId } = await payment()
  return harness.api.as(fan).call(routes.purchaseStatus, { params: { purchaseId } })
}

const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })

async function payment() {
  return harness.context.db
    .selectFrom('payments')
    .selectAll()
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
}

async function traces() {
  const { db } = harness.context
  const { id, order_id: orderId, status, reference } = await payment()
  const captures = await gatewayCaptures(harness)
  const granted = await db
    .selectFrom('entitlements')
    .innerJoin('orders', (join) =>
      join.on((eb) =>
        eb.or([
          eb('source_id', '=', eb.ref('orders.id')),
          eb('source_id', '=', eb.ref('orders.subscription_id')),
        ]),
      ),
    )
    .select('entitlements.id')
    .where('orders.id', '=', orderId)
    .execute()
  const sales = await db.selectFrom('journals').select('id').where('source_id', '=', id).execute()
  return {
    status,
    charged: captures.filter(({ invoiceNumber }) => invoiceNumber === reference).length,
    granted: granted.length,
    sales: sales.length,
  }
}

const sold = { status: 'captured', charged: 1, granted: 1, sales: 1 }
const notCharged = { status: 'refused', charged: 0, granted: 0, sales: 0 }

describe('an unknown outcome', () => {
  test.each([
    ['the connection broke after the charge', TEST_CARDS.resetAfter],
    ['half an answer came', TEST_CARDS.truncatedAfter],
    ['an error page came after the charge', TEST_CARDS.serverErrorAfter],
  ])('is found at the gateway when %s', async (_what, card) => {
    const { answer, again } = await buy(card)
    await recover()
    expect(await traces()).toEqual(sold)
    expect(await outcome()).toMatchObject({ status: 'captured' })
    expect(await again()).toEqual(answer)
    await recover()
    expect(await traces()).toEqual(sold)
  })

  test('that was charged is found among what has settled meanwhile', async () => {
    await buy(TEST_CARDS.resetAfter)
    const settled = await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, {
      method: 'POST',
    })
    expect(settled.status).toBe(200)
    await recover()
    expect(await traces()).toEqual(sold)
  })

  test('that was not charged is concluded after a quarter of an hour, and can be tried again', async () => {
    const { answer, again } = await buy(TEST_CARDS.resetBefore)
    await recover()
    for (let minute = 0; minute < 14; minute++) {
      harness.clock.advance(MINUTE_MS)
      await recover()
    }
    expect(await traces()).toEqual({ ...notCharged, status: 'unknown' })
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    expect(await payment()).toMatchObject({ status: 'refused', reason: 'not_charged' })
    expect(await outcome()).toMatchObject({ status: 'refused' })
    expect(await again()).toEqual(answer)
    const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
    expect(await harness.api.as(fan).send('POST', '/users/purchase', { body })).toMatchObject({ status: 200 })
  })

  test('is not concluded by one look, however late', async () => {
    await buy(TEST_CARDS.resetBefore)
    harness.clock.advance(20 * MINUTE_MS)
    await recover()
    await recover()
    expect((await payment()).status).toBe('unknown')
    await recover()
    expect(await traces()).toEqual(notCharged)
  })

  test('that the gateway shows only minutes later is not given up before', async () => {
    await buy(TEST_CARDS.lateVisibility)
    for (let minute = 0; minute < 4; minute++) {
      await recover()
      harness.clock.advance(MINUTE_MS)
    }
    expect((await payment()).status).toBe('unknown')
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    expect(await traces()).toEqual(sold)
  })

  test('waits while the gateway can’t be asked', async () => {
    await buy(TEST_CARDS.resetAfter)
    await planFault(harness, { call: 'getUnsettledTransactionListRequest', effect: 'resetBefore' })
    await recover()
    expect(await payment()).toMatchObject({ status: 'unknown', lookups: 0 })
    await recover()
    expect(await traces()).toEqual(sold)
  })

  test('is looked up by five recoveries at once, and sold once', async () => {
    await buy(TEST_CARDS.resetAfter)
    await Promise.all(Array.from({ length: 5 }, recover))
    expect(await traces()).toEqual(sold)
  })
})

describe('a payment held for review', () => {
  test.each([
    { decision: 'approve', after: sold },
    { decision: 'decline', after: { ...notCharged, status: 'declined' } },
  ] as const)('follows when the merchant decides to $decision', async ({ decision, after }) => {
    await buy(TEST_CARDS.held)
    await recover()
    expect(await traces()).toEqual({ ...notCharged, status: 'held' })
    const { gateway_transaction_id: transactionId } = await payment()
    await reviewHeld(harness, transactionId ?? '', decision)
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    expect(await traces()).toEqual(after)
  })

  test.each(['once we know of the review', 'before we do'])(
    'that the merchant voids %s was never approved, which is what its buyer is told, not of a refund',
    async (when) => {
      if (when === 'before we do') breakAt = 'purchase.gateway-answered'
      await buy(TEST_CARDS.held)
      breakAt = null
      if (when !== 'before we do') await recover()
      const { reference } = await payment()
      const charge = (await gatewayTransactions(harness)).find(
        ({ invoiceNumber }) => invoiceNumber === reference,
      )
      expect(await harness.context.payments.voidCharge(charge?.transId ?? '')).toEqual({ kind: 'voided' })
      harness.clock.advance(2 * MINUTE_MS)
      await recover()
      expect(await traces()).toEqual({ ...notCharged, status: 'voided' })
      const [told, ...more] = (await emailsTo(harness, fan.email)).filter(({ text }) =>
        text.includes('payment'),
      )
      expect(more).toEqual([])
      expect(told?.subject).toMatch(/^Your payment of \S+ wasn’t approved · Fanfare$/)
      expect(told?.text).toContain('wasn’t approved, so you weren’t charged.')
      expect(told?.text).not.toMatch(/refund/i)
    },
  )

  test('is asked for once a minute in the first hour, then once an hour', async () => {
    await buy(TEST_CARDS.held)
    for (let run = 0; run < 5; run++) await recover()
    expect((await payment()).lookups).toBe(1)
    harness.clock.advance(2 * 60 * MINUTE_MS)
    for (let run = 0; run < 100; run++) await recover()
    expect((await payment()).lookups).toBe(63)
    expect((await payment()).status).toBe('held')
  })
})

describe('a purchase whose process broke down', () => {
  test('before it was recorded leaves nothing', async () => {
    const before = await gatewayTransactions(harness)
    breakAt = 'purchase.before-intent'
    const { answer, again } = await buy()
    expect(answer.status).toBe(500)
    const recorded = harness.context.db.selectFrom('payments').select('id').where('buyer_id', '=', fan.id)
    expect(await recorded.execute()).toEqual([])
    expect(await gatewayTransactions(harness)).toEqual(before)
    breakAt = null
    expect(await again()).toMatchObject({ status: 200 })
    expect(await traces()).toEqual(sold)
  })

  test('before it was sent is given up by the recovery of the second minute, not earlier', async () => {
    breakAt = 'purchase.intent-committed'
    const { again } = await buy()
    breakAt = null
    expect(await again()).toMatchObject({ status: 409, body: { code: 'request_in_flight' } })
    harness.clock.advance(30 * SECOND_MS)
    await recover()
    expect((await payment()).status).toBe('created')
    harness.clock.advance(30 * SECOND_MS)
    await recover()
    expect(await traces()).toEqual(notCharged)
    expect(await again()).toMatchObject({ status: 402, body: { code: 'payment_interrupted' } })
  })

  test('before the gateway was called is concluded as not charged', async () => {
    breakAt = 'purchase.submitting-committed'
    await buy()
    harness.clock.advance(20 * MINUTE_MS)
    for (let run = 0; run < 3; run++) await recover()
    expect(await traces()).toEqual(notCharged)
  })

  test.each([
    { name: 'purchase.gateway-answered', status: 500 },
    { name: 'purchase.before-capture-commit', status: 202 },
  ] as const)(
    'at $name is captured by recovery, once it is surely not at work anymore',
    async ({ name, status }) => {
      breakAt = name
      const { answer, again } = await buy()
      expect(answer.status).toBe(status)
      breakAt = null
      expect(await traces()).toEqual({ status: 'submitting', charged: 1, granted: 0, sales: 0 })
      harness.clock.advance(40 * SECOND_MS)
      await recover()
      expect((await payment()).status).toBe('submitting')
      harness.clock.advance(16 * SECOND_MS)
      await recover()
      expect(await traces()).toEqual(sold)
      expect(await outcome()).toMatchObject({ status: 'captured' })
      // What broke down before it answered is answered now; what said that it is still being decided says so again.
      expect((await again()).status).toBe(status === 500 ? 200 : status)
    },
  )

  test('after the commit has all it paid for', async () => {
    breakAt = 'purchase.capture-committed'
    const { again } = await buy()
    breakAt = null
    expect(await traces()).toEqual(sold)
    expect(await again()).toMatchObject({ status: 200 })
  })

  test.each(['bundle', 'subscription'] as const)('recovers a %s with all it grants', async (kind) => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const id =
      kind === 'bundle'
        ? await buildBundle(harness, creator, { mediaIds })
        : await buildPlan(harness, creator, { mediaIds })
    breakAt = 'purchase.gateway-answered'
    const body = { kind, itemId: id, ...(await cardToken(harness)) }
    await harness.api.as(fan).send('POST', '/users/purchase', { body })
    breakAt = null
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    expect(await traces()).toEqual(sold)
    const { items } = (await harness.api.as(fan).send('GET', '/users/premiumcontent')).body as {
      items: { _id: string }[]
    }
    expect(items.map(({ _id }) => _id).sort()).toEqual(mediaIds.toSorted())
    const cards = await harness.context.db
      .selectFrom('stored_cards')
      .select('id')
      .where('user_id', '=', fan.id)
      .execute()
    expect(cards).toHaveLength(kind === 'subscription' ? 1 : 0)
  })
})

test('one purchase that can’t be recovered keeps no other waiting', async () => {
  const [other, otherFan] = [itemId, fan]
  await buy(TEST_CARDS.resetAfter)
  const { id: stuck } = await payment()
  fan = await buildFan(harness)
  itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  await buy(TEST_CARDS.resetAfter)
  breakAt = 'purchase.before-capture-commit'
  await recover()
  breakAt = null
  const { lookups, status } = await payment()
  expect({ lookups, status }).toEqual({ lookups: 1, status: 'unknown' })
  const row = await harness.context.db
    .selectFrom('payments')
    .select('lookups')
    .where('id', '=', stuck)
    .executeTakeFirstOrThrow()
  expect(row.lookups).toBe(1)
  harness.clock.advance(2 * MINUTE_MS)
  await recover()
  expect(await traces()).toEqual(sold)
  ;[itemId, fan] = [other, otherFan]
  expect(await traces()).toEqual(sold)
})

test('a gateway that does not answer ends the run, and the next one begins with those not asked for', async () => {
  await buy(TEST_CARDS.resetAfter)
  const { reference: first } = await payment()
  fan = await buildFan(harness)
  itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  await buy(TEST_CARDS.resetAfter)
  const { reference: second } = await payment()
  const { payments } = harness.context
  const asked: string[] = []
  harness.context.payments = {
    ...payments,
    lookup(wanted) {
      if ([first, second].includes(wanted.reference)) asked.push(wanted.reference)
      return payments.lookup(wanted)
    },
  }
  try {
    await planFault(harness, { call: 'getUnsettledTransactionListRequest', effect: 'resetBefore' })
    await recover()
    expect(asked).toEqual([first])
    await recover()
    expect(asked).toEqual([first, second, first])
  } finally {
    harness.context.payments = payments
  }
  expect(await traces()).toEqual(sold)
})
