import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import { findBooks } from '../domains/commerce/ledger/books/data.ts'
import { buildFan } from '../testing/builders.ts'
import { gatewayAccount, gatewayTransactions } from '../testing/gateway.ts'
import { type Harness, startHarness } from '../testing/harness.ts'
import { type SampleItem, sampleId } from './content.ts'
import { pastGateway } from './gateway.ts'
import { insertSampleData, loadSampleData } from './load.ts'
import { CREATORS, FANS } from './people.ts'

const DAY_MS = 24 * 3600 * 1000
const SIZE = { width: 960, height: 960 }
const OFFERS = ['free', 'single', 'subscription', 'bundle', 'free', 'single'] as const

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await load(harness)
})
afterAll(() => harness?.stop())

/** The sample with items whose files nobody made. */
async function load({ context, sandboxOrigin }: Harness): Promise<void> {
  const now = context.clock.now()
  const items: SampleItem[] = CREATORS.flatMap(({ username }) =>
    OFFERS.map((offer, index) => ({
      ...{
        id: sampleId(`${username} ${index}`),
        creatorId: sampleId(username),
        offer,
        title: 'Cairn',
        tags: [],
      },
      ...{ priceCents: 450, createdAt: new Date(now.getTime() - index * 19 * DAY_MS) },
      media: { ...SIZE, type: 'image', durationSeconds: null, thumbhash: '', variants: [], damaged: false },
    })),
  )
  const portraits = new Map(CREATORS.map(({ username }) => [username, { profileImage: '', heroImage: '' }]))
  const gateway = pastGateway(gatewayAccount({ sandboxOrigin }))
  await insertSampleData(context, gateway, { items, portraits, now })
}

const run = async (...names: (keyof Harness['server']['jobs'])[]) => {
  for (const name of names) await harness.server.jobs[name]({} as never, { attempt: 1, lastAttempt: false })
}

/** So many days, each with what is worked off in it. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    harness.clock.advance(DAY_MS)
    await run('renewals.charge', 'subscriptions.expire', 'custom-requests.refund', 'payments.compare')
  }
}

const renewalsOf = async (username: string) => {
  const rows = await harness.context.db
    .selectFrom('payments')
    .select(['status', 'decline_class'])
    .where('off_session', '=', true)
    .where('buyer_id', '=', sampleId(username))
    .execute()
  return rows.map(({ status, decline_class }) => (decline_class ? `${status} ${decline_class}` : status))
}

test('every sale of the year was charged at the gateway, and settled', async () => {
  const { db } = harness.context
  const paid = await db.selectFrom('payments').select(['gateway_transaction_id', 'amount_cents']).execute()
  const charged = await gatewayTransactions(harness)
  expect(paid.length).toBeGreaterThan(100)
  const byNumber = (list: [string | null, number][]) =>
    list.toSorted(([a], [b]) => (`${a}` < `${b}` ? -1 : 1))
  expect(byNumber(charged.map(({ transId, amountCents }) => [transId, amountCents]))).toEqual(
    byNumber(paid.map((row) => [row.gateway_transaction_id, row.amount_cents])),
  )
  const { unsettled } = await db
    .selectFrom('settlements')
    .select((eb) => eb.fn.countAll<number>().filterWhere('posted_at', 'is', null).as('unsettled'))
    .executeTakeFirstOrThrow()
  expect(Number(unsettled)).toBe(0)
  expect((await findBooks(db)).discrepancies).toEqual([])
})

test('nobody agreed to terms before they were written', async () => {
  const { db } = harness.context
  const orders = await db.selectFrom('orders').select(['terms_version', 'consented_at']).execute()
  const agreements = await db
    .selectFrom('subscription_agreements')
    .select(['terms_version', 'consented_at'])
    .execute()
  const agreed = [...orders, ...agreements].filter(({ terms_version }) => terms_version !== null)
  expect(agreed.length).toBeGreaterThan(orders.length)
  const early = agreed.filter(
    ({ terms_version, consented_at }) =>
      (terms_version ?? '') > (consented_at?.toISOString().slice(0, 10) ?? ''),
  )
  expect(early).toEqual([])
})

test('every subscription has a card that the gateway stores', async () => {
  const cards = await harness.context.db
    .selectFrom('subscriptions')
    .leftJoin('stored_cards as card', 'card.id', 'stored_card_id')
    .select(['card.payment_profile_id', 'card.customer_profile_id', 'card.brand'])
    .where('status', '=', 'active')
    .execute()
  expect(cards.length).toBeGreaterThan(20)
  expect(new Set(cards.map(({ brand }) => brand)).size).toBeGreaterThan(2)
  const listed = await harness.context.payments.listCards({ customerId: sampleId(FANS[0].username) })
  if (listed.kind !== 'listed') throw new Error(listed.detail)
  expect(listed.cards.map(({ lastFour }) => lastFour).sort()).toEqual(['0015', '1111'])
  expect(cards.map((row) => row.payment_profile_id)).toEqual(
    expect.arrayContaining(listed.cards.map(({ paymentProfileId }) => paymentProfileId)),
  )
})

test('what is loaded again after an interruption is charged once', async () => {
  const other = await startHarness()
  try {
    // The gateway of the first harness has charged all of it.
    const before = await gatewayTransactions(harness)
    await load({
      ...other,
      context: { ...other.context, payments: harness.context.payments },
      sandboxOrigin: harness.sandboxOrigin,
    })
    expect(await gatewayTransactions(harness)).toEqual(before)
    expect((await findBooks(other.context.db)).discrepancies).toEqual([])
  } finally {
    await other.stop()
  }
})

test('somebody who signed up under the name of one of its people keeps it, and there is no sample data', async () => {
  const other = await startHarness()
  try {
    await buildFan(other, { username: 'Mara' })
    const told: string[] = []
    const gateway = pastGateway(gatewayAccount({ sandboxOrigin: other.sandboxOrigin }))
    expect(await loadSampleData(other.context, gateway, (sentence) => told.push(sentence))).toBe(false)
    expect(told).toEqual(['No sample data: somebody signed up under the name of one of its people'])
    const { db } = other.context
    expect(await db.selectFrom('users').select('is_sample').execute()).toEqual([{ is_sample: false }])
    expect(await gatewayTransactions(other)).toEqual([])
  } finally {
    await other.stop()
  }
})

test('visitors are told while it is made, and no longer once that ended, however', async () => {
  const other = await startHarness()
  try {
    const { context, api } = other
    const told = async () => (await api.visitor().call(routes.config, {})).sandbox?.makingSample
    const gateway = pastGateway(gatewayAccount({ sandboxOrigin: other.sandboxOrigin }))
    let during = false
    const interrupted = loadSampleData(context, gateway, () => {
      during = context.makingSampleData
      throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    expect([during, await told()]).toEqual([true, false])
    context.makingSampleData = true
    expect(await told()).toBe(true)
  } finally {
    await other.stop()
  }
})

describe('half a year later', () => {
  beforeAll(() => pass(165))

  test('cards have paid renewals, been declined, and ended subscriptions', async () => {
    expect(new Set(await renewalsOf('greta'))).toEqual(new Set(['captured']))
    expect(new Set(await renewalsOf('samir'))).toEqual(new Set(['declined soft']))
    expect(new Set(await renewalsOf('marcel'))).toEqual(new Set(['captured', 'declined hard']))
    expect(new Set(await renewalsOf('finn'))).toEqual(new Set(['captured', 'declined hard']))
  })

  test('the request that nobody delivered was refunded, and what moved is what was settled', async () => {
    const { db } = harness.context
    const refunds = await db
      .selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select(['orders.kind', 'refunds.status', 'reason', 'refunds.amount_cents'])
      .execute()
    expect(refunds).toEqual([
      { kind: 'custom', status: 'refunded', reason: 'Not delivered in time', amount_cents: 3000 },
    ])
    expect(await db.selectFrom('findings').selectAll().execute()).toEqual([])
    expect((await findBooks(db)).discrepancies).toEqual([])
  })
})
