import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildSession } from '../../../testing/builders.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { type Answer, disputes } from '../../../testing/money/disputes.ts'
import { emailsTo } from '../../../testing/security.ts'
import { violations } from '../../../testing/year/accounts.ts'

const DAY_MS = 24 * 3600 * 1000

const scene = disputes()
const { recentSession, buy, dispute, decide, traces } = scene

/** Lets the clock go on; the people are logged in from then on. */
async function pass(ms: number): Promise<void> {
  scene.harness.clock.advance(ms)
  scene.operator = { ...scene.operator, token: await recentSession(scene.operator) }
  scene.creator = { ...scene.creator, token: await buildSession(scene.harness, scene.creator.id) }
}

test('a disputed subscription is not renewed, whoever wins', async () => {
  const { orderId } = await buy('subscription')
  const { body } = await dispute(orderId)
  await decide(body._id, 'won')
  scene.harness.clock.advance(40 * DAY_MS)
  await scene.harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const { db } = scene.harness.context
  const orders = await db.selectFrom('orders').select('id').where('buyer_id', '=', scene.fan.id).execute()
  expect(orders).toEqual([{ id: orderId }])
})

describe('a subscription whose only payment is disputed', () => {
  const seen = async () => {
    const { harness, fan, creator } = scene
    const [asFan, asCreator] = await Promise.all(
      [fan, creator].map(async ({ id }) => harness.api.as({ token: await buildSession(harness, id) })),
    )
    if (!asFan || !asCreator) throw new Error('no one is logged in')
    const shown = async (showing: 'current' | 'ended') => {
      const [own] = (await asFan.call(routes.ownSubscriptions, { query: { showing } })).items
      const [sold] = (await asCreator.call(routes.subscribers, { query: { showing } })).items
      return { own, sold }
    }
    return { current: await shown('current'), ended: await shown('ended'), asFan }
  }

  test.each([
    ['won', '$9.99'],
    ['lost in part', '$4'],
  ])(
    'is canceled with access until its end once the dispute is %s, and not sold again',
    async (end, amount) => {
      const { orderId, itemId } = await buy('subscription')
      const before = (await seen()).current.own
      await pass(DAY_MS)
      const { body } = await dispute(orderId, { amount })
      const disputed = await seen()
      const { openedAt: endedAt } = body
      expect([disputed.current, disputed.ended]).toMatchObject([
        {},
        { own: { status: 'expired', endedAt }, sold: { status: 'expired', endedAt } },
      ])
      await pass(DAY_MS)
      await decide(body._id, end === 'won' ? 'won' : 'lost')
      const { current, ended, asFan } = await seen()
      const { expiration } = before ?? {}
      expect([current, ended]).toEqual([
        {
          own: expect.objectContaining({ status: 'canceled', expiration, renews: false, canResume: false }),
          sold: expect.objectContaining({ status: 'canceled', expiration, endedAt: null }),
        },
        {},
      ])
      expect(await asFan.call(routes.subscription, { params: { id: itemId } })).toMatchObject({
        ...{ status: 'canceled', expiration, message: 'Already Subscribed!' },
      })
      scene.fan = { ...scene.fan, token: await buildSession(scene.harness, scene.fan.id) }
      expect((await buy('subscription', itemId)).code).toBe('already_subscribed')
      expect(await violations(scene.harness)).toEqual({})
      await pass(40 * DAY_MS)
      await scene.harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
      expect((await seen()).ended).toMatchObject({ own: { status: 'expired' }, sold: { status: 'expired' } })
      expect(await traces(orderId)).toMatchObject({ access: 0 })
    },
  )

  test('stays ended where its fan got a free trial meanwhile', async () => {
    const { orderId, itemId: subscriptionId } = await buy('subscription')
    const { body } = await dispute(orderId)
    const asCreator = scene.harness.api.as(scene.creator)
    await asCreator.call(
      routes.giveFreeDays,
      { body: { subscriptionId, subscriberId: scene.fan.id, days: 5 } },
      { idempotencyKey: crypto.randomUUID() },
    )
    expect(await decide(body._id, 'won')).toMatchObject({ status: 200 })
    const { current, ended } = await seen()
    expect([current.own?.status, ended.own?.status]).toEqual(['trialing', 'expired'])
    expect(await violations(scene.harness)).toEqual({})
  })

  test.each([
    ['once its paid period is over, gives nothing again', 'after'],
    ['while its fan has a free trial of it, gives its paid period and no days of grace', 'before'],
  ] as const)('of which the dispute is won %s', async (_what, when) => {
    const { orderId, itemId: planId } = await buy('subscription')
    const { expiration = '' } = (await seen()).current.own ?? {}
    const [item] = await scene.harness.context.db
      .selectFrom('subscription_plan_media')
      .select('media_id')
      .where('plan_id', '=', planId)
      .execute()
    const isLocked = async () => {
      const api = scene.harness.api.as({ token: await buildSession(scene.harness, scene.fan.id) })
      return (await api.call(routes.media, { params: { mediaId: item?.media_id ?? '' } })).locked
    }
    const { body } = await dispute(orderId)
    if (when === 'before') {
      await scene.harness.api
        .as(scene.creator)
        .call(
          routes.giveFreeDays,
          { body: { subscriptionId: planId, subscriberId: scene.fan.id, days: 1 } },
          { idempotencyKey: crypto.randomUUID() },
        )
      await decide(body._id, 'won')
      expect(await isLocked()).toBe(false)
    }
    await pass(Date.parse(expiration) - scene.harness.clock.now().getTime() + DAY_MS)
    if (when === 'after') await decide(body._id, 'won')
    expect(await isLocked()).toBe(true)
  })
})

describe('two months of a subscription', () => {
  const renew = () => scene.harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const paidOrders = async () =>
    (
      await scene.harness.context.db
        .selectFrom('orders')
        .select('id')
        .where('buyer_id', '=', scene.fan.id)
        .where('status', '=', 'paid')
        .orderBy('period')
        .execute()
    ).map(({ id }) => id)

  async function buyTwoMonths(): Promise<{ first: string; second: string }> {
    await buy('subscription')
    await pass(32 * DAY_MS)
    await renew()
    const [first, second] = await paidOrders()
    return { first: first ?? '', second: second ?? '' }
  }

  test('a dispute of the first takes nothing of the second, and no third one is charged', async () => {
    const { first, second } = await buyTwoMonths()
    const { body } = await dispute(first)
    expect(await traces(second)).toMatchObject({ payment: 'captured', access: 1, discrepancies: 0 })
    await decide(body._id, 'won')
    await pass(40 * DAY_MS)
    await renew()
    expect(await paidOrders()).toEqual([first, second])
  })

  test('a dispute of the last one ends the subscription that day, whatever was paid for', async () => {
    const { second } = await buyTwoMonths()
    await dispute(second)
    const asFan = scene.harness.api.as({ token: await buildSession(scene.harness, scene.fan.id) })
    const { items } = await asFan.call(routes.ownSubscriptions, { query: { showing: 'ended' } })
    const [ended] = items
    expect(ended).toMatchObject({ status: 'expired', endedAt: expect.any(String) })
    const now = scene.harness.clock.now().getTime()
    expect(now - Date.parse(ended?.endedAt ?? '')).toBeLessThan(DAY_MS / 24)
    expect(Date.parse(ended?.expiration ?? '')).toBeGreaterThan(now + 20 * DAY_MS)
  })

  test('after a dispute of the first the fan can’t resume the renewals', async () => {
    const { first, second } = await buyTwoMonths()
    await dispute(first)
    const asFan = scene.harness.api.as({ token: await buildSession(scene.harness, scene.fan.id) })
    const { items } = await asFan.call(routes.ownSubscriptions, { query: { showing: 'current' } })
    expect(items).toMatchObject([{ status: 'canceled', canResume: false, renews: false }])
    const body = { subscriptionId: items[0]?._id ?? '' }
    expect(await asFan.send('POST', '/users/subscription/resume', { body })).toMatchObject({
      ...{ status: 409, body: { code: 'not_renewable' } },
    })
    await pass(40 * DAY_MS)
    await renew()
    expect(await paidOrders()).toEqual([first, second])
  })

  test.each([
    ['won', 'lost', 0],
    ['lost', 'won', 1],
  ] as const)(
    'the first is %s, the second %s: access follows the second',
    async (ofFirst, ofSecond, access) => {
      const { first, second } = await buyTwoMonths()
      const later = await dispute(second)
      await pass(DAY_MS)
      const earlier = await dispute(first)
      expect(await traces(second)).toMatchObject({ access: 0 })
      await decide(earlier.body._id, ofFirst)
      expect(await traces(second)).toMatchObject({ payment: 'disputed', access: 0 })
      await decide(later.body._id, ofSecond)
      expect(await traces(second)).toMatchObject({ access, lost: ofSecond === 'lost', discrepancies: 0 })
    },
  )
})

test('a dispute of a subscription waits for its renewal before it holds what that needs', async () => {
  const { orderId } = await buy('subscription')
  const { db } = scene.harness.context
  let disputed: Promise<Answer> | undefined
  // A renewal or a refund holds the subscription, and then wants its orders.
  await db.transaction().execute(async (tx) => {
    await sql`select from subscriptions where fan_id = ${scene.fan.id} for update`.execute(tx)
    disputed = dispute(orderId)
    await expect.poll(() => waitingForLocks(db, 'subscriptions')).toBe(1)
    await sql`select from orders where id = ${orderId} for update nowait`.execute(tx)
  })
  expect(await disputed).toMatchObject({ status: 200 })
})

test('of who disputed an earlier month, and never canceled, neither they nor the creator are told that they did', async () => {
  await scene.buy('subscription')
  scene.harness.clock.advance(32 * DAY_MS)
  scene.operator = { ...scene.operator, token: await scene.recentSession(scene.operator) }
  await scene.harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const [first] = await scene.harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'paid')
    .orderBy('period')
    .execute()
  expect((await scene.dispute(first?.id ?? '')).status).toBe(200)
  scene.harness.clock.advance(61_000)
  const mails = await emailsTo(scene.harness, scene.fan.email)
  expect(mails.filter(({ subject }) => subject.startsWith('You canceled')).map(({ text }) => text)).toEqual(
    [],
  )
  const told = await scene.harness.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', scene.creator.id)
    .orderBy('kind')
    .execute()
  expect(told.map(({ kind }) => kind)).toEqual(['sale.disputed', 'subscriber.added'])
})
