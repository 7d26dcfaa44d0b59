import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  type Person,
} from '../../../testing/builders.ts'
import {
  cardToken,
  gatewayCaptures,
  gatewayThatIsDown,
  planFault,
  TEST_CARDS,
} from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo } from '../../../testing/security.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let creator: Person
let fan: Person
let planId: string
let mediaId: string
/** When the subscription began, and the end of the month that was paid then. */
let anchor: Date
let firstEnd: Date
/** Where the process breaks down. */
let breakAt: Checkpoint | null = null
/** What happens between the gateway's answer and its record. */
let meanwhile: (() => Promise<unknown>) | null = null

/** What happens between the commit of a batch and its first charge. */
let beforeSending: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === 'renewal.gateway-answered') await meanwhile?.()
      if (name === 'renewal.claimed') await beforeSending?.()
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  await subscribes('2027-06-10T12:00:00.000Z')
})
afterEach(() => {
  breakAt = null
  meanwhile = null
  beforeSending = null
})

const api = async (person = fan) => harness.api.as({ token: await buildSession(harness, person.id) })
const run = { attempt: 1, lastAttempt: false }
const renew = () => harness.server.jobs['renewals.charge']({}, run)
const recover = () => harness.server.jobs['purchases.recover']({}, run)
const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
const onDay = (day: number) => new Date(firstEnd.getTime() + day * DAY_MS + MINUTE_MS)

async function subscribes(after: string): Promise<void> {
  // The clock goes ahead alone, and what other tests left due is over before this one.
  const start = new Date(Math.max(new Date(after).getTime(), harness.clock.now().getTime() + 20 * DAY_MS))
  moveTo(start)
  await renew()
  fan = await buildFan(harness)
  mediaId = await buildMedia(harness, creator)
  planId = await buildPlan(harness, creator, { mediaIds: [mediaId], priceCents: 700 })
  await pays()
  anchor = (await subscription()).anchor_at
  firstEnd = periodEnd(anchor, 1)
}

const pays = async (price?: string, card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) =>
  (await api()).call(routes.purchase, {
    body: { kind: 'subscription', itemId: planId, price, ...(await cardToken(harness, card)) },
  })

function subscription() {
  return harness.context.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('fan_id', '=', fan.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
}

/** The periods that were paid, how every attempt ended, and how often the gateway has this fan's money. */
async function traces() {
  const { db } = harness.context
  const rows = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select(['period', 'orders.status as order', 'payments.status', 'reference', 'payments.amount_cents'])
    .where('orders.buyer_id', '=', fan.id)
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .execute()
  const references = new Set(rows.map(({ reference }) => reference))
  const captures = await gatewayCaptures(harness)
  const sales = await db
    .selectFrom('journals')
    .innerJoin('orders', 'orders.id', 'journals.order_id')
    .select('journals.id')
    .where('buyer_id', '=', fan.id)
    .where('journals.kind', '=', 'sale')
    .execute()
  const { status, current_period_end: until } = await subscription()
  return {
    status,
    until: until.toISOString(),
    paid: rows.filter((row) => row.order === 'paid' && row.status === 'captured').map(({ period }) => period),
    attempts: rows.map((row) => row.status),
    charged: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
    sales: sales.length,
  }
}

const renewed = (period = 2) => ({
  status: 'active',
  until: periodEnd(anchor, period).toISOString(),
  paid: Array.from({ length: period }, (_, index) => index + 1),
  charged: period,
  sales: period,
})
const notRenewed = { until: expect.any(String), paid: [1], charged: 1, sales: 1 }
const isLocked = async () => (await (await api()).call(routes.media, { params: { mediaId } })).locked
/** What the fan was mailed, less the receipt of the first period. */
const subjects = async () =>
  (await emailsTo(harness, fan.email))
    .filter(({ text }) => !text.includes('It renews'))
    .map(({ subject }) => subject)

test('a year from 31 January: each period is charged once, and ends by the anchor', async () => {
  await subscribes('2027-01-31T10:00:00.000Z')
  for (let period = 2; period <= 13; period++) {
    moveTo(new Date(periodEnd(anchor, period - 1).getTime() - MINUTE_MS))
    await renew()
    expect((await traces()).charged).toBe(period - 1)
    moveTo(new Date(periodEnd(anchor, period - 1).getTime() + MINUTE_MS))
    await renew()
    await renew()
    expect(await traces()).toMatchObject(renewed(period))
  }
  expect(await isLocked()).toBe(false)
})

test('a price that the creator changed is for new subscribers alone', async () => {
  const body = {
    subscriptionId: planId,
    title: 'More',
    price: '$90',
    chatEnabled: false,
    mediaIds: [mediaId],
  }
  await (await api(creator)).call(routes.editSubscription, { body })
  moveTo(onDay(0))
  await renew()
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  expect(items).toMatchObject([{ amount: '$7' }, { amount: '$7' }])
  expect(await traces()).toMatchObject(renewed())
})

test('a process that was paused sends no charge that was called not made meanwhile', async () => {
  moveTo(onDay(0))
  beforeSending = async () => {
    beforeSending = null
    harness.clock.advance(16 * MINUTE_MS)
    for (let look = 0; look < 3; look++) await recover()
  }
  await renew()
  expect(await traces()).toMatchObject({ ...notRenewed, attempts: ['captured', 'refused'] })
  moveTo(onDay(0.5))
  await renew()
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'refused', 'captured'] })
})

test.each(['cancels', 'removes the card'])(
  'a fan who %s while the charge waits for others of its batch isn’t charged',
  async (does) => {
    moveTo(onDay(0))
    beforeSending = async () => {
      beforeSending = null
      harness.clock.advance(MINUTE_MS)
      const own = await api()
      const { items: subscriptions } = await own.call(routes.ownSubscriptions, { query: {} })
      const { items: cards } = await own.call(routes.cards, { query: {} })
      if (does === 'cancels')
        await own.call(routes.cancelSubscription, { body: { subscriptionId: subscriptions[0]?._id ?? '' } })
      else await own.call(routes.removeCard, { body: { cardId: cards[0]?._id ?? '' } })
    }
    await renew()
    harness.clock.advance(16 * MINUTE_MS)
    for (let look = 0; look < 3; look++) await recover()
    expect(await traces()).toMatchObject({ ...notRenewed, attempts: ['captured', 'refused'] })
  },
)

test('a charge that waited for others of its batch counts from when it is sent', async () => {
  moveTo(onDay(0))
  let after = harness.clock.now()
  beforeSending = async () => {
    harness.clock.advance(5 * MINUTE_MS)
    after = harness.clock.now()
  }
  breakAt = 'renewal.gateway-answered'
  await renew().catch(() => {})
  breakAt = null
  const sent = await harness.context.db
    .selectFrom('payments')
    .select('submitted_at')
    .where('buyer_id', '=', fan.id)
    .where('status', '=', 'submitting')
    .executeTakeFirstOrThrow()
  expect(sent.submitted_at?.getTime()).toBeGreaterThanOrEqual(after.getTime())
})

test('a soft decline is tried again the next day, with access meanwhile', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  await renew()
  expect(await traces()).toMatchObject({
    ...notRenewed,
    status: 'past_due',
    attempts: ['captured', 'declined'],
  })
  expect(await isLocked()).toBe(false)
  moveTo(onDay(0.9))
  await renew()
  expect((await traces()).charged).toBe(1)
  moveTo(onDay(1))
  await renew()
  expect(await traces()).toMatchObject(renewed())
  expect(await subjects()).toEqual([
    expect.stringContaining('Your receipt for “A subscription”'),
    expect.stringContaining('We couldn’t charge your card for “A subscription”'),
  ])
})

test('a card that stays declined is tried five times, access ends on day 3, and the subscription on day 14', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined', times: 5 })
  const counts: number[] = []
  for (let day = 0; day <= 15; day++) {
    moveTo(onDay(day))
    await renew()
    counts.push((await traces()).attempts.length - 1)
    if (day === 2) expect(await isLocked()).toBe(false)
    if (day === 3) expect(await isLocked()).toBe(true)
    if (day === 13) expect((await subscription()).status).toBe('past_due')
  }
  expect(counts).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5])
  expect(await traces()).toMatchObject({ ...notRenewed, status: 'expired' })
  expect(await isLocked()).toBe(true)
  expect((await subjects()).filter((subject) => subject.includes('has ended'))).toHaveLength(1)
})

test('a card that must not be tried again is not, and the subscription ends on day 14', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  for (const day of [0, 1, 3, 7, 13]) {
    moveTo(onDay(day))
    await renew()
    expect(await traces()).toMatchObject({
      ...notRenewed,
      status: 'past_due',
      attempts: ['captured', 'declined'],
    })
  }
  moveTo(onDay(14))
  await renew()
  expect(await traces()).toMatchObject({
    ...notRenewed,
    status: 'expired',
    attempts: ['captured', 'declined'],
  })
})

test('who is past due pays the period that is owed with another card, which is charged from then on', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  moveTo(onDay(0))
  await renew()
  const { stored_card_id: before } = await subscription()
  moveTo(onDay(5))
  expect(await isLocked()).toBe(true)
  await pays('$7', { cardNumber: '5424000000000015', cardCode: '900' })
  expect(await traces()).toMatchObject(renewed())
  expect(await isLocked()).toBe(false)
  const { stored_card_id: after } = await subscription()
  expect(await cardsEndingWith([before, after])).toEqual(['1111', '0015'])
  moveTo(new Date(periodEnd(anchor, 2).getTime() + MINUTE_MS))
  await renew()
  expect(await traces()).toMatchObject(renewed(3))
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  expect(items.map(({ card }) => card?.slice(-4))).toEqual(['0015', '0015', '1111'])
})

async function cardsEndingWith(ids: (string | null)[]) {
  const { db } = harness.context
  const cards = await db.selectFrom('stored_cards').select(['id', 'last_four']).execute()
  return ids.map((id) => cards.find((card) => card.id === id)?.last_four)
}

test('who is past due and subscribes at a new price has one subscription, and is not charged the old one', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  const body = { subscriptionId: planId, title: 'More', price: '$9', chatEnabled: false, mediaIds: [mediaId] }
  await (await api(creator)).call(routes.editSubscription, { body })
  await pays('$9')
  moveTo(onDay(1))
  await renew()
  const { items } = await (await api()).call(routes.ownSubscriptions, { query: {} })
  expect(items).toMatchObject([{ price: '$9', status: 'active' }])
  expect(await traces()).toMatchObject({ status: 'active', paid: [1, 1], charged: 2, sales: 2 })
})

test('who is past due, subscribes at a new price and is declined still renews at the old one', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  const body = { subscriptionId: planId, title: 'More', price: '$9', chatEnabled: false, mediaIds: [mediaId] }
  await (await api(creator)).call(routes.editSubscription, { body })
  await expect(pays('$9', TEST_CARDS.declined)).rejects.toMatchObject({ code: 'card_declined' })
  expect(await traces()).toMatchObject({ ...notRenewed, status: 'past_due' })
  moveTo(onDay(1))
  await renew()
  expect(await traces()).toMatchObject(renewed())
})

test('a renewal waits while its fan subscribes at a new price, and is not charged as well', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  const body = { subscriptionId: planId, title: 'More', price: '$9', chatEnabled: false, mediaIds: [mediaId] }
  await (await api(creator)).call(routes.editSubscription, { body })
  await pays('$9', TEST_CARDS.resetAfter)
  moveTo(onDay(1))
  await renew()
  expect((await traces()).attempts).toEqual(['captured', 'declined', 'unknown'])
  await recover()
  harness.clock.advance(65 * MINUTE_MS)
  await renew()
  expect(await traces()).toMatchObject({ status: 'active', paid: [1, 1], charged: 2, sales: 2 })
})

test('fifty runs at the same time charge once', async () => {
  moveTo(onDay(0))
  await Promise.all(Array.from({ length: 50 }, renew))
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'captured'] })
})

test('an answer that never came is looked up, and not sent again', async () => {
  await planFault(harness, { call: 'createTransactionRequest', effect: 'resetAfter' })
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ status: 'active', paid: [1], attempts: ['captured', 'unknown'] })
  harness.clock.advance(70 * MINUTE_MS)
  await renew()
  await recover()
  await renew()
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'captured'] })
})

test('a gateway that is down for a day costs nobody a subscription', async () => {
  const { payments } = harness.context
  harness.context.payments = await gatewayThatIsDown(harness)
  try {
    for (const hour of [0, 5, 23]) {
      moveTo(onDay(hour / 24))
      await renew()
      await recover()
      expect(await traces()).toMatchObject({ ...notRenewed, status: 'active' })
    }
  } finally {
    harness.context.payments = payments
  }
  for (let tries = 0; tries < 8; tries++) {
    harness.clock.advance(65 * MINUTE_MS)
    await recover()
    await renew()
  }
  expect(await traces()).toMatchObject(renewed())
})

test('after an outage of a week the missed period is charged once, and ends by the anchor', async () => {
  moveTo(onDay(7))
  await renew()
  await renew()
  expect(await traces()).toMatchObject(renewed())
  expect(await isLocked()).toBe(false)
})

test.each([
  'renewal.claimed',
  'renewal.gateway-answered',
  'purchase.before-capture-commit',
  'purchase.capture-committed',
] as const)('a process that breaks down at %s charges the period once', async (checkpoint) => {
  moveTo(onDay(0))
  breakAt = checkpoint
  await renew().catch(() => {})
  breakAt = null
  for (let tries = 0; tries < 6; tries++) {
    harness.clock.advance(65 * MINUTE_MS)
    await recover()
    await renew()
  }
  expect(await traces()).toMatchObject(renewed())
})

test('a cancellation and a renewal at the same time: paid and renewed, or neither', async () => {
  const { id: subscriptionId } = await subscription()
  moveTo(onDay(0))
  const caller = await api()
  await Promise.all([renew(), caller.call(routes.cancelSubscription, { body: { subscriptionId } })])
  for (let tries = 0; tries < 4; tries++) {
    harness.clock.advance(65 * MINUTE_MS)
    await recover()
    await renew()
  }
  const after = await traces()
  const isRenewed = after.paid.length === 2
  expect(after.charged).toBe(isRenewed ? 2 : 1)
  expect(after.status).toBe(isRenewed ? 'canceled' : 'expired')
  expect(await isLocked()).toBe(!isRenewed)
})

test('what is charged while it is canceled is given back', async () => {
  const { id: subscriptionId } = await subscription()
  moveTo(onDay(0))
  const caller = await api()
  meanwhile = () => caller.call(routes.cancelSubscription, { body: { subscriptionId } })
  await renew()
  expect(await traces()).toMatchObject({ ...notRenewed, status: 'expired', attempts: ['captured', 'voided'] })
  expect(await isLocked()).toBe(true)
})

test('a canceled subscription is not charged, and a resumed one is', async () => {
  const { id: subscriptionId } = await subscription()
  await (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
  moveTo(new Date(firstEnd.getTime() - MINUTE_MS))
  await renew()
  await (await api()).call(routes.resumeSubscription, { body: { subscriptionId } })
  await (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ ...notRenewed, attempts: ['captured'] })
})

test.each([
  ['a creator who is leaving', 'users', () => creator.id, { deletion_requested_at: new Date() }],
  ['a fan who is leaving', 'users', () => fan.id, { deletion_requested_at: new Date() }],
  ['a deleted plan', 'subscription_plans', () => planId, { deleted_at: new Date() }],
] as const)('%s ends it without a charge, and the fan is told', async (_name, table, id, change) => {
  await harness.context.db.updateTable(table).set(change).where('id', '=', id()).execute()
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ ...notRenewed, status: 'expired', attempts: ['captured'] })
  expect(await subjects()).toEqual([expect.stringContaining('“A subscription” has ended')])
})

test('the fan is told of a renewal once, three days before', async () => {
  const remind = () => harness.server.jobs['renewals.remind']({}, run)
  moveTo(onDay(-3.1))
  await remind()
  expect(await subjects()).toEqual([])
  moveTo(onDay(-2.9))
  await remind()
  await remind()
  expect(await subjects()).toEqual([expect.stringContaining('“A subscription” renews ')])
})
