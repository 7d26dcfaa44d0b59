import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildOffer, buildSession, type Person } from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem } from '../../../testing/purchases.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const MONTH_MS = 32 * 24 * 3600 * 1000

const as = async ({ id }: Person) => harness.api.as({ token: await buildSession(harness, id) })
const toldOf = async ({ id }: Person) => {
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select(['kind', 'data', 'actor_id'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ kind, data, actor_id }) => ({ kind, ...data, by: actor_id }))
}

test('a creator is told once of each thing that was paid for, and not of what was declined', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const api = await as(fan)
  const buy = async (kind: 'single' | 'bundle' | 'tip', itemId: string, body: object = {}) => {
    const bought = { kind, itemId, ...(await cardToken(harness)), ...body }
    const key = { idempotencyKey: crypto.randomUUID() }
    for (let time = 0; time < 2; time++) await api.call(routes.purchase, { body: bought }, key)
  }
  await buy('single', await buildItem(harness, creator, 'single', 400))
  await buy('bundle', await buildItem(harness, creator, 'bundle', 1500))
  await buy('tip', creator.id, { amount: '$5' })
  const declined = {
    kind: 'single' as const,
    itemId: await buildItem(harness, creator, 'single'),
    ...(await cardToken(harness, TEST_CARDS.declined)),
  }
  expect((await api.send('POST', '/users/purchase', { body: declined })).status).toBe(402)
  const told = await toldOf(creator)
  expect(told).toMatchObject([
    { kind: 'sale.made', amount: '$4', item: 'single', from: fan.username, by: fan.id },
    { kind: 'sale.made', amount: '$15', item: 'bundle' },
    { kind: 'tip.received', amount: '$5' },
  ])
  expect(told).toHaveLength(3)
  expect((await toldOf(fan)).map(({ kind }) => kind)).toEqual(Array(3).fill('purchase.receipt'))
})

test('a creator is told of a subscriber who comes, cancels and is gone, each once, and not of renewals', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const planId = await buildItem(harness, creator, 'subscription', 700)
  const body = { kind: 'subscription' as const, itemId: planId, ...(await cardToken(harness)) }
  await (await as(fan)).call(routes.purchase, { body })
  harness.clock.advance(MONTH_MS)
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const kinds = async (person = creator) => (await toldOf(person)).map(({ kind }) => kind)
  expect(await kinds()).toEqual(['subscriber.added'])
  expect(await kinds(fan)).toContain('subscription.renewed')
  const { items } = await (await as(fan)).call(routes.ownSubscriptions, { query: {} })
  const subscription = { body: { subscriptionId: items[0]?._id ?? '' } }
  await (await as(fan)).call(routes.cancelSubscription, subscription)
  await (await as(fan)).call(routes.resumeSubscription, subscription)
  await (await as(fan)).call(routes.cancelSubscription, subscription)
  expect(await kinds()).toEqual(['subscriber.added', 'subscriber.canceled'])
  harness.clock.advance(MONTH_MS)
  for (let time = 0; time < 2; time++)
    await harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
  expect(await kinds()).toEqual(['subscriber.added', 'subscriber.canceled', 'subscriber.ended'])
})

test('a creator is told of a free trial that a fan took, not of one that they gave themselves', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'subscription')
  const offerId = await buildOffer(harness, creator, { type: 'freeTrial', itemId })
  await (await as(fan)).call(routes.redeemOffer, { body: { offerId } })
  expect(await toldOf(creator)).toMatchObject([{ kind: 'subscriber.added', amount: null, by: fan.id }])
  const follower = await buildFan(harness)
  await (await as(follower)).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const gift = {
    subscriberId: follower.id,
    subscriptionId: await buildItem(harness, creator, 'subscription'),
    days: 7,
  }
  await (await as(creator)).call(routes.giveFreeDays, { body: gift })
  expect((await toldOf(creator)).map(({ kind }) => kind)).toEqual(['subscriber.added', 'follower.added'])
})
