import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { planFault, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { MINUTE_MS, NOT_RENEWED, renewals } from '../../../../testing/money/renewals.ts'
import { periodEnd } from '../../subscriptions/rules.ts'
import { chargeDue } from './actions.ts'

const scene = renewals()
const { api, renew, moveTo, onDay, pays, changesPrice, subscription, traces, renewed } = scene

/** Nobody charged anything since the period ended, and its grace is over. */
async function isMissed(day = 5): Promise<void> {
  moveTo(onDay(day))
  await scene.harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
  expect((await subscription()).status).toBe('past_due')
}

/** A run comes to the renewal, and it is declined. */
async function isDeclined(): Promise<void> {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  await chargeDue(scene.harness.context, scene.fan.id)
  expect(await traces()).toMatchObject({ status: 'past_due', attempts: ['captured', 'declined'] })
}

/** What the purchase dialog asks for before it says until when this payment pays. */
const looks = async () =>
  (await (await api()).call(routes.openPurchase, { query: { kind: 'subscription', itemId: scene.planId } }))
    .owed

const byTheAnchor = () => periodEnd(scene.anchor, 2).toISOString()

test('a renewal that no run came to is owed all the same, and who pays it gets until when the dialog said', async () => {
  await isMissed()
  expect(await looks()).toEqual({ price: '$7', months: 1, paidUntil: byTheAnchor() })
  await pays('$7')
  expect(await traces()).toMatchObject(renewed())
  await renew()
  expect(await traces()).toMatchObject(renewed())
})

test('the same as soon as its grace is over, before that is written down', async () => {
  moveTo(onDay(5))
  expect((await subscription()).status).toBe('active')
  const shown = await looks()
  expect(shown).toEqual({ price: '$7', months: 1, paidUntil: byTheAnchor() })
  await pays('$7')
  expect(await traces()).toMatchObject({ ...renewed(), until: shown?.paidUntil })
})

test('a run between the look and the payment changes nothing of what was shown', async () => {
  await isMissed()
  const shown = await looks()
  await isDeclined()
  expect(await looks()).toEqual(shown)
  await pays('$7')
  expect(await traces()).toMatchObject({ ...renewed(), until: shown?.paidUntil })
})

test('paid while the run comes to it, the missed period is charged once, and ends by the anchor', async () => {
  await isMissed()
  const shown = await looks()
  const paying = Promise.allSettled([pays('$7'), pays('$7')])
  const [answers] = await Promise.all([paying, renew(), renew()])
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(['purchase_in_progress', 'already_subscribed']).toContain(answer.reason.code)
  expect(await traces()).toMatchObject({ ...renewed(), until: shown?.paidUntil })
})

test('a missed renewal of a plan that is retired can be paid, at what is owed alone', async () => {
  await isMissed()
  const body = { subscriptionId: scene.planId, retired: true }
  await (await api(scene.creator)).call(routes.retireSubscription, { body })
  await pays('$7')
  expect(await traces()).toMatchObject(renewed())
})

test('at another price a new subscription begins that day, and nothing is owed of the old one', async () => {
  await changesPrice('$9')
  await isMissed()
  expect(await looks()).toMatchObject({ price: '$7' })
  await pays('$9')
  const { anchor_at, price_cents, status } = await subscription()
  expect([anchor_at > scene.firstEnd, price_cents, status]).toEqual([true, 900, 'active'])
  await renew()
  expect(await traces()).toMatchObject({ charged: 2, sales: 2 })
})

test('past day 14 nothing is owed, and who subscribes again gets a month from that day on', async () => {
  await isMissed(15)
  expect(await looks()).toBeNull()
  const first = (await subscription()).id
  await pays('$7')
  const { id, anchor_at } = await subscription()
  expect(id).not.toBe(first)
  expect(anchor_at.getTime()).toBeGreaterThanOrEqual(onDay(15).getTime())
})

test('the same of a renewal that was declined, and no run came to since: its period is over before long', async () => {
  moveTo(onDay(0))
  await isDeclined()
  expect(await looks()).toMatchObject({ paidUntil: byTheAnchor() })
  await isMissed(40)
  const first = await subscription()
  expect(await looks()).toBeNull()
  // No page asks for a card that would pay nothing.
  const fan = await api()
  expect((await fan.call(routes.cards, { query: {} })).pastDue).toEqual([])
  expect(await fan.call(routes.subscription, { params: { id: scene.planId } })).toMatchObject({ owed: null })
  const { items } = await fan.call(routes.ownSubscriptions, { query: { showing: 'current' } })
  expect(items).toMatchObject([{ owed: null }])
  expect((await fan.call(routes.waiting, {})).items.map(({ kind }) => kind)).not.toContain('past_due')
  await pays('$7')
  const { id, anchor_at } = await subscription()
  expect([id === first.id, anchor_at >= onDay(40)]).toEqual([false, true])
  expect(await traces()).toMatchObject({ status: 'active', charged: 2, sales: 2, paid: [1, 1] })
  await renew()
  expect(await traces()).toMatchObject({ charged: 2, sales: 2 })
})

test('what the fan paid of it before, and is under review past day 14, is waited for, and pays by the anchor', async () => {
  await isMissed(13)
  await pays('$7', TEST_CARDS.held)
  moveTo(onDay(15))
  await expect(pays('$7')).rejects.toMatchObject({ code: 'purchase_in_progress' })
  await renew()
  expect(await traces()).toMatchObject({ status: 'past_due', attempts: ['captured', 'held'] })
  const { gateway_transaction_id: held } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  await reviewHeld(scene.harness, held ?? '', 'approve')
  scene.harness.clock.advance(5 * MINUTE_MS)
  await scene.recover()
  expect(await traces()).toMatchObject({ ...renewed(), until: byTheAnchor() })
})

test('past day 14 a plan that is retired can’t be bought for what was owed', async () => {
  moveTo(onDay(0))
  await isDeclined()
  await isMissed(15)
  const body = { subscriptionId: scene.planId, retired: true }
  await (await api(scene.creator)).call(routes.retireSubscription, { body })
  await expect(pays('$7')).rejects.toMatchObject({ code: 'no_longer_sold' })
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, attempts: ['captured', 'declined'] })
})

test('a payment that is refused places nothing, and what is owed stays the same', async () => {
  await isMissed()
  await expect(pays('$6')).rejects.toMatchObject({ code: 'price_changed' })
  const { db } = scene.harness.context
  const orders = await db.selectFrom('orders').select('id').where('buyer_id', '=', scene.fan.id).execute()
  expect(orders).toHaveLength(1)
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, attempts: ['captured'] })
  expect(await looks()).toMatchObject({ price: '$7' })
})
