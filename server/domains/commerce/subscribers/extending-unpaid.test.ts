import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { planFault } from '../../../testing/gateway.ts'
import { priceChanges } from '../../../testing/money/price-changes.ts'
import { violations } from '../../../testing/year/accounts.ts'
import { periodEnd } from '../subscriptions/rules.ts'

const scene = priceChanges()
const { api, renew, recover, justAfter, edits, subscribes, own, paid, attempts } = scene
const { isUnreachableAt, isChargedUnseenAt } = scene

const extend = async () =>
  (await api(scene.creator)).call(routes.extendSubscription, {
    body: { subscriberId: scene.fan.id, subscriptionId: scene.planId, months: 1 },
  })
const cancel = async () =>
  (await api()).call(routes.cancelSubscription, { body: { subscriptionId: (await own())._id } })

const outages = [
  { name: 'that couldn’t be sent', happens: isUnreachableAt, late: [] },
  { name: 'that shows up late', happens: isChargedUnseenAt, late: ['voided'] },
]

test.each(outages)(
  'after free months a renewal $name leaves what is told: the lower price is charged',
  async ({ happens, late }) => {
    const start = await subscribes()
    await happens(periodEnd(start, 1))
    expect(await extend()).toMatchObject({ status: 'active', expiration: periodEnd(start, 2).toISOString() })
    await edits('$8')
    expect(await own()).toMatchObject({ price: '$10', next: { price: '$8', months: 1 } })
    await recover()
    expect(await attempts()).toEqual({
      statuses: ['captured', ...(late.length ? late : ['refused'])],
      captures: 1,
    })
    justAfter(periodEnd(start, 2))
    await Promise.all([renew(), renew()])
    expect(await paid()).toEqual(['$8', '$10'])
    expect(await own()).toMatchObject({
      ...{ price: '$8', next: null, expiration: periodEnd(start, 3).toISOString() },
    })
    expect(await violations(scene.harness)).toEqual({})
  },
)

test('what a fan agrees to during free months is charged after them, with the consent of then', async () => {
  const { db } = scene.harness.context
  await db
    .insertInto('subscription_plan_terms')
    .values({ plan_id: scene.planId, months: 12, discount_percent: 33 })
    .execute()
  const start = await subscribes()
  await isUnreachableAt(periodEnd(start, 1))
  await extend()
  const body = { subscriptionId: (await own())._id, months: 12 as const, price: '$80.40' }
  await (await api()).call(routes.changeTerm, { body })
  justAfter(periodEnd(start, 2))
  await renew()
  expect(await paid()).toEqual(['$80.40', '$10'])
  expect(await own()).toMatchObject({
    ...{ price: '$80.40', months: 12, next: null, expiration: periodEnd(start, 14).toISOString() },
  })
  const { consented_at: agreed } = await db
    .selectFrom('subscription_agreements')
    .select('consented_at')
    .where('subscription_id', '=', body.subscriptionId)
    .executeTakeFirstOrThrow()
  const order = await db
    .selectFrom('orders')
    .select('consented_at')
    .where('subscription_id', '=', body.subscriptionId)
    .where('status', '=', 'paid')
    .where('period', '=', 2)
    .executeTakeFirstOrThrow()
  expect(order.consented_at).toEqual(agreed)
})

test('a charge that shows up once it was canceled in free months is given back by itself', async () => {
  const start = await subscribes()
  await isChargedUnseenAt(periodEnd(start, 1))
  await extend()
  expect(await cancel()).toMatchObject({ status: 'canceled', expiration: periodEnd(start, 2).toISOString() })
  await recover()
  expect(await attempts()).toEqual({ statuses: ['captured', 'voided'], captures: 1 })
  expect(await own()).toMatchObject({ status: 'canceled', expiration: periodEnd(start, 2).toISOString() })
  const body = { subscriptionId: (await own())._id }
  await (await api()).call(routes.resumeSubscription, { body })
  justAfter(periodEnd(start, 2))
  await renew()
  expect(await paid()).toEqual(['$10', '$10'])
  expect(await violations(scene.harness)).toEqual({})
})

test.each([1, 2, 3])(
  'free months while a late charge shows up, round %i: it pays the next period, or is given back',
  async () => {
    const start = await subscribes()
    await isChargedUnseenAt(periodEnd(start, 1))
    await Promise.all([recover(), extend(), recover()])
    const { statuses, captures } = await attempts()
    const periods = statuses[1] === 'captured' ? 2 : 1
    expect({ statuses, captures }).toEqual({
      statuses: ['captured', periods === 2 ? 'captured' : 'voided'],
      captures: periods,
    })
    const end = periodEnd(start, periods + 1)
    expect(await own()).toMatchObject({ status: 'active', expiration: end.toISOString() })
    justAfter(end)
    await renew()
    expect(await paid()).toHaveLength(periods + 1)
    expect(await violations(scene.harness)).toEqual({})
  },
)

test.each([1, 2, 3])(
  'free months, two schedulers and a cancellation at once, round %i: nothing is kept that isn’t given',
  async () => {
    const start = await subscribes()
    await isUnreachableAt(periodEnd(start, 1))
    scene.harness.clock.advance(61 * 60_000)
    const [extended] = await Promise.allSettled([extend(), renew(), renew(), cancel()])
    const refusals = ['renewal_in_progress', 'not_subscribed']
    if (extended.status === 'rejected') expect(refusals).toContain(extended.reason.code)
    const run = { attempt: 1, lastAttempt: false }
    for (let times = 0; times < 3; times++) {
      scene.harness.clock.advance(61 * 60_000)
      await recover()
      await renew()
      await scene.harness.server.jobs['subscriptions.expire']({}, run)
    }
    const { captures } = await attempts()
    expect(await paid()).toHaveLength(captures)
    expect(await violations(scene.harness)).toEqual({})
  },
)

/** Voids what earlier free months left open, as the migration does. */
const migrate = () =>
  scene.harness.context.db.transaction().execute(async (tx) => {
    await migrations['0116-renewals-before-free-months']?.up(tx)
  })

test('a renewal that may be charged when earlier free months are looked for isn’t void', async () => {
  const { db } = scene.harness.context
  const start = await subscribes()
  await scene.isChargedAt(periodEnd(start, 1), () =>
    planFault(scene.harness, { call: 'createTransactionRequest', effect: 'resetAfter' }),
  )
  await db
    .updateTable('subscriptions')
    .set({ current_period_end: periodEnd(start, 2) })
    .where('fan_id', '=', scene.fan.id)
    .execute()
  await migrate()
  await db
    .updateTable('subscriptions')
    .set({ current_period_end: periodEnd(start, 1) })
    .where('fan_id', '=', scene.fan.id)
    .execute()
  await recover()
  expect(await paid()).toEqual(['$10', '$10'])
})

test('a renewal that was left open by earlier free months is void, and one that is due stays owed', async () => {
  const { db } = scene.harness.context
  const orders = () =>
    db.selectFrom('orders').select('status').where('buyer_id', '=', scene.fan.id).orderBy('period').execute()
  const start = await subscribes()
  await isUnreachableAt(periodEnd(start, 1))
  await migrate()
  expect(await orders()).toEqual([{ status: 'paid' }, { status: 'open' }])
  await db
    .updateTable('subscriptions')
    .set({ current_period_end: periodEnd(start, 2) })
    .where('fan_id', '=', scene.fan.id)
    .execute()
  const becomes = (status: 'past_due' | 'active') =>
    db.updateTable('subscriptions').set({ status }).where('fan_id', '=', scene.fan.id).execute()
  // The one after the free months was declined.
  await becomes('past_due')
  await migrate()
  expect(await orders()).toEqual([{ status: 'paid' }, { status: 'open' }])
  await becomes('active')
  await migrate()
  expect(await orders()).toEqual([{ status: 'paid' }, { status: 'void' }])
})
