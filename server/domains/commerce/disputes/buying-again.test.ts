import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Kind } from '../../../../contract/orders.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem, buildMessage } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
let operator: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const { id, ...finance } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  operator = { ...finance, id, token }
})

/** How buying it ends: what was charged, or why it is refused. */
async function buy(kind: Kind, itemId: string): Promise<{ orderId: string; end: string }> {
  const body = { kind, itemId, ...(await cardToken(harness)) }
  const answer = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  const { _id, amount, code } = answer.body as { _id: string; amount?: string; code?: string }
  return { orderId: _id, end: code ?? amount ?? '' }
}

/** The bank takes back what was paid; answers how it decides. */
async function dispute(transactionId: string, amount: string) {
  const api = harness.api.as(operator)
  const reason = 'By the bank’s letter'
  const { _id: disputeId } = await api.call(
    routes.openDispute,
    {
      body: {
        ...{ transactionId, amount, fee: '$15', cause: 'not_received', reason },
        caseNumber: crypto.randomUUID(),
      },
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  return (outcome: 'won' | 'lost') => api.call(routes.decideDispute, { body: { disputeId, outcome, reason } })
}

/** Whether the fan is told that they have it. */
async function isShownAsBought(kind: 'bundle' | 'message', id: string): Promise<boolean | undefined> {
  const api = harness.api.as(fan)
  if (kind === 'bundle') return (await api.call(routes.bundle, { params: { id } })).purchased
  const { messages } = await api.call(routes.messages, { query: { recipientId: creator.id } })
  return messages.find(({ _id }) => _id === id)?.purchased
}

test.each([
  ['won', 'already_owned'],
  ['lost', '$9.99'],
] as const)(
  'what a bank decides on isn’t sold again inside something else, and when it is %s: %s',
  async (outcome, end) => {
    const [disputed, other] = [
      await buildMedia(harness, creator, { showInStore: true, priceCents: 999 }),
      await buildMedia(harness, creator),
    ]
    const bundle = await buildBundle(harness, creator, {
      ...{ priceCents: 1500, lessOwned: true, mediaIds: [disputed, other] },
    })
    const singles = await buildOffer(harness, creator, {
      ...{ type: 'discountSingles', priceCents: 800, mediaIds: [disputed, other] },
    })
    const { orderId } = await buy('single', disputed)
    const decide = await dispute(orderId, '$9.99')
    expect((await buy('bundle', bundle)).end).toBe('purchase_disputed')
    expect((await buy('singles', singles)).end).toBe('purchase_disputed')
    await decide(outcome)
    expect((await buy('single', disputed)).end).toBe(end)
    // The price of the rest: what is had for good is paid for once.
    expect((await buy('bundle', bundle)).end).toBe('$7.50')
  },
)

test('an item of a bundle, or of a message, that a bank decides on isn’t sold by itself', async () => {
  const [ofBundle, ofMessage] = [
    await buildMedia(harness, creator, { showInStore: true, priceCents: 999 }),
    await buildMedia(harness, creator, { showInStore: true, priceCents: 999 }),
  ]
  const bundle = await buildBundle(harness, creator, { priceCents: 1500, mediaIds: [ofBundle] })
  await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const message = await buildMessage(harness, creator, fan, { mediaIds: [ofMessage], price: '$5' })
  for (const [kind, itemId, price, single] of [
    ['bundle', bundle, '$15', ofBundle],
    ['message', message, '$5', ofMessage],
  ] as const) {
    const { orderId } = await buy(kind, itemId)
    expect(await isShownAsBought(kind, itemId)).toBe(true)
    const decide = await dispute(orderId, price)
    expect((await buy('single', single)).end).toBe('purchase_disputed')
    expect(await isShownAsBought(kind, itemId)).toBe(false)
    await decide('won')
    expect(await isShownAsBought(kind, itemId)).toBe(true)
    expect((await buy('single', single)).end).toBe('already_owned')
  }
})

test('who has an item by another purchase still buys the rest while a bank decides on it', async () => {
  const twice = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
  const [one, other] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
  const whole = await buildBundle(harness, creator, { priceCents: 1200, mediaIds: [twice, one] })
  const less = { priceCents: 1500, lessOwned: true, mediaIds: [twice, other] }
  const rest = await buildBundle(harness, creator, less)
  const { orderId } = await buy('single', twice)
  expect((await buy('bundle', whole)).end).toBe('$12')
  await dispute(orderId, '$9.99')
  expect((await buy('bundle', rest)).end).toBe('$7.50')
})

test('a subscription that a bank decides on isn’t sold again until then', async () => {
  const plan = await buildItem(harness, creator, 'subscription')
  const { orderId } = await buy('subscription', plan)
  const decide = await dispute(orderId, '$9.99')
  expect((await buy('subscription', plan)).end).toBe('purchase_disputed')
  // Another one of the same creator is no part of it.
  const other = await buildItem(harness, creator, 'subscription')
  expect((await buy('subscription', other)).end).toBe('$9.99')
  await decide('lost')
  expect((await buy('subscription', plan)).end).toBe('$9.99')
})

test('a tip that a bank decides on is no reason to refuse another', async () => {
  const tip = async () => {
    const body = { kind: 'tip' as const, itemId: creator.id, amount: '$5', ...(await cardToken(harness)) }
    return (await harness.api.as(fan).call(routes.purchase, { body }))._id
  }
  await dispute(await tip(), '$5')
  await tip()
})
