import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../context.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, planFault } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import {
  buildItem,
  insertPurchase,
  OFFERED_KINDS,
  type OfferedKind,
  ONE_SALE,
  purchaseTraces,
} from '../../../testing/purchases.ts'

const MINUTE_MS = 60_000

let harness: Harness
let creator: Person
let fan: Person
/** The action when a purchase reaches a checkpoint. */
const at = new Map<Checkpoint, () => Promise<void>>()

beforeAll(async () => {
  harness = await startHarness({ checkpoint: async (name) => at.get(name)?.() })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterEach(() => at.clear())

const itemOf = (kind: OfferedKind) => buildItem(harness, creator, kind)

type Answer = { status: number; body: { code?: string; status?: string; _id?: string } }

async function buy(kind: OfferedKind, itemId: string, key: string): Promise<Answer> {
  const body = { kind, itemId, ...(await cardToken(harness)) }
  return send(body, key)
}

async function send(body: object, key: string): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  const { status, body: answer } = await harness.api
    .as(fan)
    .send('POST', '/users/purchase', { body, headers })
  return { status, body: answer as Answer['body'] }
}

const recover = () => harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
const payments = () =>
  harness.context.db
    .selectFrom('payments')
    .selectAll()
    .where('buyer_id', '=', fan.id)
    .orderBy('created_at')
    .execute()

const traces = () => purchaseTraces(harness, fan)

/** Holds the next purchase at a checkpoint: resolves once it is there, and returns how to release it. */
function hold(name: Checkpoint): { reached: Promise<void>; release(): void } {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  at.set(name, async () => {
    at.delete(name)
    arrive()
    await released
  })
  return { reached, release }
}

/**
 * The answers to somebody who owns it already; for an offer also to somebody who viewed it before it was redeemed.
 */
const HAS: Record<OfferedKind, string[]> = {
  subscription: ['already_subscribed'],
  bundle: ['already_owned'],
  single: ['already_owned'],
  singles: ['offer_redeemed', 'already_owned'],
}

describe('races', () => {
  test.each(OFFERED_KINDS)('fifty clicks at once on one %s charge once', async (kind) => {
    const body = { kind, itemId: await itemOf(kind), ...(await cardToken(harness)) }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, `fifty-clicks-on-${kind}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(1)
    expect(new Set(refused.map(({ body: { code } }) => code))).toEqual(
      new Set(refused.length > 0 ? ['request_in_flight'] : []),
    )
    expect(await traces()).toEqual(ONE_SALE)
  })

  test.each(OFFERED_KINDS)('fifty tabs that buy one %s at once charge once', async (kind) => {
    const itemId = await itemOf(kind)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => buy(kind, itemId, `tab-number-${index}-of-${itemId}`)),
    )
    const codes = answers.map(({ status, body }) => body.code ?? String(status))
    expect(codes.filter((code) => code === '200')).toHaveLength(1)
    const losing = ['purchase_in_progress', ...HAS[kind]]
    expect(codes.filter((code) => code !== '200' && !losing.includes(code))).toEqual([])
    expect(await traces()).toEqual(ONE_SALE)
  })

  test('a click while the first is at the gateway is told to wait, another tab that it is being checked', async () => {
    const body = { kind: 'single', itemId: await itemOf('single'), ...(await cardToken(harness)) }
    const first = hold('purchase.submitting-committed')
    const answer = send(body, 'the-first-click')
    await first.reached
    expect(await send(body, 'the-first-click')).toMatchObject({
      status: 409,
      body: { code: 'request_in_flight' },
    })
    expect(await send(body, 'another-tab-here')).toMatchObject({
      status: 409,
      body: { code: 'purchase_in_progress' },
    })
    first.release()
    expect(await answer).toMatchObject({ status: 200 })
    expect(await traces()).toEqual(ONE_SALE)
  })

  test('what was captured between a check and its insert is seen before anything is charged', async () => {
    const { db } = harness.context
    const itemId = await itemOf('single')
    const answer = await db.transaction().execute(async (transaction) => {
      // Lets others read orders, and holds them where they write one.
      await sql`lock table orders in share mode`.execute(transaction)
      const late = buy('single', itemId, 'checked-too-early')
      await expect.poll(() => waitingForLocks(db)).toBe(1)
      await buildCapture(transaction, 'single', itemId)
      return { late }
    })
    expect(await answer.late).toMatchObject({ status: 409, body: { code: 'already_owned' } })
    expect(await traces()).toMatchObject({ statuses: ['captured'], charged: 0 })
  })
})

/** A purchase by this fan that came about another way. */
const buildCapture = (db: Db | Tx, kind: OfferedKind, itemId: string) =>
  insertPurchase(db, {
    creator_id: creator.id,
    buyer_id: fan.id,
    kind,
    item_id: itemId,
    amount_cents: 999,
    status: 'captured',
    created_at: harness.clock.now(),
  })

describe('what changes while the gateway is asked', () => {
  test.each(OFFERED_KINDS)('a %s deleted or dearer by then is granted at the price agreed', async (kind) => {
    const { db } = harness.context
    const itemId = await itemOf(kind)
    const charged = hold('purchase.gateway-answered')
    const answer = buy(kind, itemId, `deleted-meanwhile-${kind}`)
    await charged.reached
    const now = harness.clock.now()
    const gone = { deleted_at: now, price_cents: 5000 }
    if (kind === 'singles')
      await db
        .updateTable('offers')
        .set({ ...gone, ended_at: now })
        .where('id', '=', itemId)
        .execute()
    else {
      const table = ({ single: 'media', bundle: 'bundles', subscription: 'subscription_plans' } as const)[
        kind
      ]
      await db.updateTable(table).set(gone).where('id', '=', itemId).execute()
    }
    await db
      .updateTable('media')
      .set({ deleted_at: harness.clock.now() })
      .where('creator_id', '=', creator.id)
      .execute()
    charged.release()
    expect(await answer).toMatchObject({ status: 200, body: { status: 'captured', amount: '$9.99' } })
    expect(await traces()).toEqual(ONE_SALE)
    const unlocked = await db
      .selectFrom('entitlement_media')
      .select('media_id')
      .where('user_id', '=', fan.id)
      .execute()
    expect(unlocked).toHaveLength({ single: 1, bundle: 2, singles: 2, subscription: 0 }[kind])
  })

  test('recovery that gives an attempt up before it was sent keeps it from being sent', async () => {
    const intent = hold('purchase.intent-committed')
    const answer = buy('single', await itemOf('single'), 'given-up-before')
    await intent.reached
    harness.clock.advance(3 * MINUTE_MS)
    await recover()
    intent.release()
    expect(await answer).toMatchObject({ status: 402, body: { code: 'payment_interrupted' } })
    expect(await traces()).toEqual({ statuses: ['refused'], charged: 0, granted: 0, sales: 0 })
  })

  test('recovery and the live call that both see the approval record one sale', async () => {
    const charged = hold('purchase.gateway-answered')
    const answer = buy('subscription', await itemOf('subscription'), 'recovered-first')
    await charged.reached
    harness.clock.advance(2 * MINUTE_MS)
    await Promise.all([recover(), recover(), recover()])
    expect(await traces()).toEqual(ONE_SALE)
    charged.release()
    expect(await answer).toMatchObject({ status: 200, body: { status: 'captured' } })
    expect(await traces()).toEqual(ONE_SALE)
  })

  test('an approval that comes after not-charged was concluded still grants', async () => {
    const submitting = hold('purchase.submitting-committed')
    const answer = buy('single', await itemOf('single'), 'approved-very-late')
    await submitting.reached
    // As after a pause of the whole machine: this call is sent a quarter of an hour late.
    const submittedAt = new Date(harness.clock.now().getTime() - 16 * MINUTE_MS)
    await harness.context.db
      .updateTable('payments')
      .set({ submitted_at: submittedAt })
      .where('buyer_id', '=', fan.id)
      .execute()
    for (let run = 0; run < 3; run++) await recover()
    expect((await payments()).map(({ status, reason }) => ({ status, reason }))).toEqual([
      { status: 'refused', reason: 'not_charged' },
    ])
    submitting.release()
    expect(await answer).toMatchObject({ status: 200, body: { status: 'captured' } })
    expect(await traces()).toEqual(ONE_SALE)
  })
})

describe('what is paid and can’t be granted is given back', () => {
  /** Another way to the same item, while a purchase of it waits at the gateway. */
  async function alreadyTheirs(kind: 'single' | 'subscription', itemId: string): Promise<void> {
    const { db } = harness.context
    const now = harness.clock.now()
    if (kind === 'single') {
      // The order that is being paid was replaced by another, which was paid.
      await db
        .updateTable('orders')
        .set({ status: 'void', closed_at: now })
        .where('item_id', '=', itemId)
        .execute()
      await buildCapture(db, kind, itemId)
      return
    }
    await db
      .insertInto('subscriptions')
      .values({
        creator_id: creator.id,
        fan_id: fan.id,
        plan_id: itemId,
        price_cents: 999,
        status: 'active',
        anchor_at: now,
        current_period_end: new Date(now.getTime() + 40 * 24 * 60 * MINUTE_MS),
        created_at: now,
      })
      .execute()
  }

  async function buyTwice(kind: 'single' | 'subscription', key: string): Promise<Answer> {
    const itemId = await itemOf(kind)
    const charged = hold('purchase.gateway-answered')
    const answer = buy(kind, itemId, key)
    await charged.reached
    await alreadyTheirs(kind, itemId)
    charged.release()
    return answer
  }

  const attempt = async () => (await payments()).find(({ idempotency_key }) => idempotency_key !== null)
  const atGateway = async () => {
    const reference = (await attempt())?.reference
    return (await gatewayTransactions(harness)).find(({ invoiceNumber }) => invoiceNumber === reference)
      ?.status
  }

  test.each([
    { kind: 'single', code: 'already_owned' },
    { kind: 'subscription', code: 'already_subscribed' },
  ] as const)('a second $kind', async ({ kind, code }) => {
    expect(await buyTwice(kind, `bought-twice-${kind}`)).toMatchObject({ status: 409, body: { code } })
    expect(await attempt()).toMatchObject({
      status: 'voided',
      reason: code,
      gateway_transaction_id: expect.any(String),
    })
    expect(await atGateway()).toBe('voided')
    // The other order of a single is sold and granted.
    const others = kind === 'single' ? 1 : 0
    expect(await traces()).toMatchObject({ charged: 0, granted: others, sales: others })
  })

  test.each([
    { what: 'before', effect: 'resetBefore' },
    { what: 'after', effect: 'resetAfter' },
  ])('by recovery, when the gateway broke off $what taking it back', async ({ what, effect }) => {
    const itemId = await itemOf('subscription')
    const charged = hold('purchase.gateway-answered')
    const answer = buy('subscription', itemId, `taken-back-${what}`)
    await charged.reached
    await alreadyTheirs('subscription', itemId)
    await planFault(harness, { call: 'createTransactionRequest', effect })
    charged.release()
    expect(await answer).toMatchObject({ status: 202 })
    expect(await traces()).toMatchObject({ granted: 0, sales: 0 })
    // Free to be granted by now, yet the decision to give it back was made.
    await harness.context.db
      .updateTable('subscriptions')
      .set({ status: 'expired' })
      .where('fan_id', '=', fan.id)
      .execute()
    harness.clock.advance(2 * MINUTE_MS)
    await recover()
    expect(await attempt()).toMatchObject({ status: 'voided', reason: 'already_subscribed' })
    expect(await atGateway()).toBe('voided')
    expect(await traces()).toMatchObject({ charged: 0, granted: 0, sales: 0 })
  })
})
