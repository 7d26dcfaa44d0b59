import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { gatewayThatIsDown, planFault } from '../../../../testing/gateway.ts'
import { MINUTE_MS, NOT_RENEWED, renewals } from '../../../../testing/money/renewals.ts'

const scene = renewals()
const { api, renew, recover, moveTo, onDay, subscription, traces, renewed, isLocked } = scene

test('a process that was paused sends no charge that was called not made meanwhile', async () => {
  moveTo(onDay(0))
  scene.beforeSending = async () => {
    scene.beforeSending = null
    scene.harness.clock.advance(16 * MINUTE_MS)
    for (let look = 0; look < 3; look++) await recover()
  }
  await renew()
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, attempts: ['captured', 'refused'] })
  moveTo(onDay(0.5))
  await renew()
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'refused', 'captured'] })
})

test.each(['cancels', 'removes the card'])(
  'a fan who %s while the charge waits for others of its batch isn’t charged',
  async (does) => {
    moveTo(onDay(0))
    scene.beforeSending = async () => {
      scene.beforeSending = null
      scene.harness.clock.advance(MINUTE_MS)
      const own = await api()
      const { items: subscriptions } = await own.call(routes.ownSubscriptions, { query: {} })
      const { items: cards } = await own.call(routes.cards, { query: {} })
      if (does === 'cancels')
        await own.call(routes.cancelSubscription, { body: { subscriptionId: subscriptions[0]?._id ?? '' } })
      else await own.call(routes.removeCard, { body: { cardId: cards[0]?._id ?? '' } })
    }
    await renew()
    scene.harness.clock.advance(16 * MINUTE_MS)
    for (let look = 0; look < 3; look++) await recover()
    expect(await traces()).toMatchObject({ ...NOT_RENEWED, attempts: ['captured', 'refused'] })
  },
)

test('a charge that waited for others of its batch counts from when it is sent', async () => {
  moveTo(onDay(0))
  let after = scene.harness.clock.now()
  scene.beforeSending = async () => {
    scene.harness.clock.advance(5 * MINUTE_MS)
    after = scene.harness.clock.now()
  }
  scene.breakAt = 'renewal.gateway-answered'
  await renew().catch(() => {})
  scene.breakAt = null
  const sent = await scene.harness.context.db
    .selectFrom('payments')
    .select('submitted_at')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'submitting')
    .executeTakeFirstOrThrow()
  expect(sent.submitted_at?.getTime()).toBeGreaterThanOrEqual(after.getTime())
})

test('an answer that never came is looked up, and not sent again', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'resetAfter' })
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ status: 'active', paid: [1], attempts: ['captured', 'unknown'] })
  scene.harness.clock.advance(70 * MINUTE_MS)
  await renew()
  await recover()
  await renew()
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'captured'] })
})

test('a gateway that is down for a day costs nobody a subscription', async () => {
  const { payments } = scene.harness.context
  scene.harness.context.payments = gatewayThatIsDown(scene.harness)
  try {
    for (const hour of [0, 5, 23]) {
      moveTo(onDay(hour / 24))
      await renew()
      await recover()
      expect(await traces()).toMatchObject({ ...NOT_RENEWED, status: 'active' })
    }
  } finally {
    scene.harness.context.payments = payments
  }
  for (let tries = 0; tries < 8; tries++) {
    scene.harness.clock.advance(65 * MINUTE_MS)
    await recover()
    await renew()
  }
  expect(await traces()).toMatchObject(renewed())
})

test.each([
  'renewal.claimed',
  'renewal.gateway-answered',
  'purchase.before-capture-commit',
  'purchase.capture-committed',
] as const)('a process that breaks down at %s charges the period once', async (checkpoint) => {
  moveTo(onDay(0))
  scene.breakAt = checkpoint
  await renew().catch(() => {})
  scene.breakAt = null
  for (let tries = 0; tries < 6; tries++) {
    scene.harness.clock.advance(65 * MINUTE_MS)
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
    scene.harness.clock.advance(65 * MINUTE_MS)
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
  scene.meanwhile = () => caller.call(routes.cancelSubscription, { body: { subscriptionId } })
  await renew()
  expect(await traces()).toMatchObject({
    ...NOT_RENEWED,
    status: 'expired',
    attempts: ['captured', 'voided'],
  })
  expect(await isLocked()).toBe(true)
})
