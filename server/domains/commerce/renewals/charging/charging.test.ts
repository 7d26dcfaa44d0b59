import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { MINUTE_MS, NOT_RENEWED, renewals } from '../../../../testing/money/renewals.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = renewals()
const {
  api,
  renew,
  remind,
  moveTo,
  onDay,
  subscribes,
  changesPrice,
  subscription,
  traces,
  renewed,
  isLocked,
  subjects,
} = scene

test('a year from 31 January: each period is charged once, and ends by the anchor', async () => {
  await subscribes('2027-01-31T10:00:00.000Z')
  for (let period = 2; period <= 13; period++) {
    moveTo(new Date(periodEnd(scene.anchor, period - 1).getTime() - MINUTE_MS))
    await renew()
    expect((await traces()).charged).toBe(period - 1)
    moveTo(new Date(periodEnd(scene.anchor, period - 1).getTime() + MINUTE_MS))
    await renew()
    await renew()
    expect(await traces()).toMatchObject(renewed(period))
  }
  expect(await isLocked()).toBe(false)
})

test('a price that the creator changed is for new subscribers alone', async () => {
  await changesPrice('$90')
  moveTo(onDay(0))
  await renew()
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  expect(items).toMatchObject([{ amount: '$7' }, { amount: '$7' }])
  expect(await traces()).toMatchObject(renewed())
})

test('fifty runs at the same time charge once', async () => {
  moveTo(onDay(0))
  await Promise.all(Array.from({ length: 50 }, renew))
  expect(await traces()).toMatchObject({ ...renewed(), attempts: ['captured', 'captured'] })
})

test('after an outage of a week the missed period is charged once, and ends by the anchor', async () => {
  moveTo(onDay(7))
  await renew()
  await renew()
  expect(await traces()).toMatchObject(renewed())
  expect(await isLocked()).toBe(false)
})

test('a canceled subscription is not charged, and a resumed one is', async () => {
  const { id: subscriptionId } = await subscription()
  await (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
  moveTo(new Date(scene.firstEnd.getTime() - MINUTE_MS))
  await renew()
  await (await api()).call(routes.resumeSubscription, { body: { subscriptionId } })
  await (await api()).call(routes.cancelSubscription, { body: { subscriptionId } })
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, attempts: ['captured'] })
})

test.each([
  ['a creator who is leaving', 'users', () => scene.creator.id, { deletion_requested_at: new Date() }],
  ['a fan who is leaving', 'users', () => scene.fan.id, { deletion_requested_at: new Date() }],
  ['a deleted plan', 'subscription_plans', () => scene.planId, { deleted_at: new Date() }],
] as const)('%s ends it without a charge, and the fan is told', async (_name, table, id, change) => {
  await scene.harness.context.db.updateTable(table).set(change).where('id', '=', id()).execute()
  moveTo(onDay(0))
  await renew()
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, status: 'expired', attempts: ['captured'] })
  expect(await subjects()).toEqual([expect.stringContaining('“A subscription” has ended')])
})

test('the fan is told of a renewal once, three days before', async () => {
  moveTo(onDay(-3.1))
  await remind()
  expect(await subjects()).toEqual([])
  moveTo(onDay(-2.9))
  await remind()
  await remind()
  expect(await subjects()).toEqual([expect.stringContaining('“A subscription” renews ')])
})
