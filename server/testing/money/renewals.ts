import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../../contract/index.ts'
import type { Checkpoint } from '../../context.ts'
import { periodEnd } from '../../domains/commerce/subscriptions/rules.ts'
import { buildCreator, buildFan, buildMedia, buildPlan, buildSession, type Person } from '../builders.ts'
import { cardToken, gatewayCaptures, TEST_CARDS } from '../gateway.ts'
import { type Harness, startHarness } from '../harness.ts'
import { emailsTo } from '../security.ts'

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS
/** A day as emails say it. */
export const mailedDay = (at: Date) =>
  at.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
/** What a fan has whose only charge was the first period's. */
export const NOT_RENEWED = { paid: [1], charged: 1, sales: 1 }

/** A fan who subscribed to a plan of $7 by a card, new for each test of the calling file. */
export function renewals() {
  let harness: Harness
  const scene = {
    harness: undefined as unknown as Harness,
    creator: undefined as unknown as Person,
    fan: undefined as unknown as Person,
    ...{ planId: '', mediaId: '' },
    /** When the subscription began, and the end of the month that was paid then. */
    anchor: new Date(0),
    firstEnd: new Date(0),
    /** The checkpoint at which the process crashes. */
    breakAt: null as Checkpoint | null,
    /** What happens between the gateway's answer and its record. */
    meanwhile: null as (() => Promise<unknown>) | null,
    /** What happens between the commit of a batch and its first charge. */
    beforeSending: null as (() => Promise<unknown>) | null,
  }

  beforeAll(async () => {
    harness = await startHarness({
      checkpoint: async (name) => {
        if (name === 'renewal.gateway-answered') await scene.meanwhile?.()
        if (name === 'renewal.claimed') await scene.beforeSending?.()
        if (name === scene.breakAt) throw new Error('broken down on purpose')
      },
    })
    scene.harness = harness
  })
  afterAll(() => harness?.stop())
  beforeEach(async () => {
    scene.creator = await buildCreator(harness)
    await subscribes('2027-06-10T12:00:00.000Z')
  })
  afterEach(() => {
    scene.breakAt = null
    scene.meanwhile = null
    scene.beforeSending = null
  })

  const api = async (person = scene.fan) => harness.api.as({ token: await buildSession(harness, person.id) })
  const run = { attempt: 1, lastAttempt: false }
  const renew = () => harness.server.jobs['renewals.charge']({}, run)
  const recover = () => harness.server.jobs['purchases.recover']({}, run)
  const moveTo = (moment: Date) => harness.clock.advance(moment.getTime() - harness.clock.now().getTime())
  const onDay = (day: number) => new Date(scene.firstEnd.getTime() + day * DAY_MS + MINUTE_MS)

  const subscribes = async (after: string): Promise<void> => {
    // The clock only moves forward, and what other tests left due is done before this one.
    const start = new Date(Math.max(new Date(after).getTime(), harness.clock.now().getTime() + 20 * DAY_MS))
    moveTo(start)
    await renew()
    scene.fan = await buildFan(harness)
    scene.mediaId = await buildMedia(harness, scene.creator)
    scene.planId = await buildPlan(harness, scene.creator, { mediaIds: [scene.mediaId], priceCents: 700 })
    await pays()
    scene.anchor = (await subscription()).anchor_at
    scene.firstEnd = periodEnd(scene.anchor, 1)
  }
  const pays = async (price?: string, card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) =>
    (await api()).call(routes.purchase, {
      body: { kind: 'subscription', itemId: scene.planId, price, ...(await cardToken(harness, card)) },
    })
  /** The creator sells the plan at another price from now on. */
  const changesPrice = async (price: string) => {
    const body = { subscriptionId: scene.planId, title: 'More', price, chatEnabled: false }
    const api = harness.api.as({ token: await buildSession(harness, scene.creator.id) })
    await api.call(routes.editSubscription, { body: { ...body, mediaIds: [scene.mediaId] } })
  }

  const subscription = () =>
    harness.context.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('fan_id', '=', scene.fan.id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()

  /** The paid periods, the outcome of every attempt, and how often the gateway charged this fan. */
  const traces = async () => {
    const { db } = harness.context
    const rows = await db
      .selectFrom('orders')
      .innerJoin('payments', 'payments.order_id', 'orders.id')
      .select(['period', 'orders.status as order', 'payments.status', 'reference', 'payments.amount_cents'])
      .where('orders.buyer_id', '=', scene.fan.id)
      .orderBy('payments.created_at')
      .orderBy('payments.id')
      .execute()
    const references = new Set(rows.map(({ reference }) => reference))
    const captures = await gatewayCaptures(harness)
    const sales = await db
      .selectFrom('journals')
      .innerJoin('orders', 'orders.id', 'journals.order_id')
      .select('journals.id')
      .where('buyer_id', '=', scene.fan.id)
      .where('journals.kind', '=', 'sale')
      .execute()
    const { status, current_period_end: until } = await subscription()
    return {
      status,
      until: until.toISOString(),
      paid: rows
        .filter((row) => row.order === 'paid' && row.status === 'captured')
        .map(({ period }) => period),
      attempts: rows.map((row) => row.status),
      charged: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
      sales: sales.length,
    }
  }
  const renewed = (period = 2) => ({
    status: 'active',
    until: periodEnd(scene.anchor, period).toISOString(),
    paid: Array.from({ length: period }, (_, index) => index + 1),
    charged: period,
    sales: period,
  })
  const isLocked = async () =>
    (await (await api()).call(routes.media, { params: { mediaId: scene.mediaId } })).locked
  /** What the fan was mailed, less the receipt of the first period. */
  const subjects = async () =>
    (await emailsTo(harness, scene.fan.email))
      .filter(({ text }) => !text.includes('It renews'))
      .map(({ subject }) => subject)

  return Object.assign(scene, {
    ...{ api, renew, recover, moveTo, onDay, subscribes, pays, changesPrice, subscription },
    ...{ traces, renewed, isLocked, subjects },
    remind: () => harness.server.jobs['renewals.remind']({}, run),
  })
}
