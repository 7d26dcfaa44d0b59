import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { planFault, reviewHeld } from '../../../testing/gateway.ts'
import { MINUTE_MS, renewals } from '../../../testing/money/renewals.ts'
import { emailsTo } from '../../../testing/security.ts'

const scene = renewals()
const { api, renew, remind, recover, moveTo, onDay, subscription, traces } = scene

async function review(decision: 'approve' | 'decline') {
  const { gateway_transaction_id: number } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  await reviewHeld(scene.harness, number ?? '', decision)
}

const mails = async (pattern: RegExp) =>
  (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) => pattern.test(subject))

test('who ended the subscription isn’t told that it is no longer available when the review lets its charge through', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(0))
  await renew()
  const own = await api()
  const { items } = await own.call(routes.ownSubscriptions, { query: {} })
  await own.call(routes.cancelSubscription, { body: { subscriptionId: items[0]?._id ?? '' } })
  await review('approve')
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  expect((await traces()).attempts[1]).toMatch(/voided|refunded/)
  const told = await mails(/^Your refund/)
  expect(told).toHaveLength(1)
  expect(told[0]?.text).not.toContain('no longer available')
})

test('a fan whose payment is under review isn’t told in the last hour that the subscription ends tomorrow', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined', times: 4 })
  for (const day of [0, 1, 3, 7]) {
    moveTo(onDay(day))
    await renew()
    await remind()
  }
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(13))
  await renew()
  expect((await traces()).attempts).toEqual([
    'captured',
    'declined',
    'declined',
    'declined',
    'declined',
    'held',
  ])
  for (let hour = 1; hour < 24; hour++) {
    moveTo(onDay(13 + hour / 24 + 0.01))
    await renew()
    await remind()
  }
  expect(await mails(/ends tomorrow/)).toEqual([])
})

test.each(['decline', 'lost'])(
  'a hard decline that a look-up finds (%s) ends the charges too, though the card pays for something else meanwhile',
  async (how) => {
    const effect = how === 'lost' ? 'lostOrStolen' : 'heldForReview'
    await planFault(scene.harness, { call: 'createTransactionRequest', effect })
    moveTo(onDay(0))
    if (how === 'lost') scene.breakAt = 'renewal.gateway-answered'
    await renew().catch(() => {})
    scene.breakAt = null
    if (how !== 'lost') await review('decline')
    scene.harness.clock.advance(5 * MINUTE_MS)
    await recover()
    expect((await traces()).attempts).toEqual(['captured', 'declined'])
    const { stored_card_id: cardId } = await subscription()
    const body = { kind: 'tip' as const, itemId: scene.creator.id, amount: '$5' }
    await (await api()).call(routes.purchase, { body: { ...body, cardId: cardId ?? '' } })
    const { attempts } = await traces()
    for (const day of [0.1, 1, 3, 7]) {
      moveTo(onDay(day))
      await renew()
    }
    expect((await traces()).attempts).toEqual(attempts)
  },
)

test('who is declined hours before the end isn’t told that it ends tomorrow on the day on which it does', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined', times: 4 })
  for (const day of [0, 1, 3, 7]) {
    moveTo(onDay(day))
    await renew()
    await remind()
  }
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(13))
  await renew()
  moveTo(onDay(13.9))
  await review('decline')
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  await renew()
  await remind()
  const now = scene.harness.clock.now()
  const ends = new Date(scene.firstEnd.getTime() + 14 * 24 * 60 * MINUTE_MS)
  expect(ends.toISOString().slice(0, 10)).toBe(now.toISOString().slice(0, 10))
  expect(await mails(/ends tomorrow/)).toEqual([])
})

test('a renewal under review of a subscription that its fan ended meanwhile isn’t said to renew it', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(0))
  await renew()
  const own = await api()
  const { items } = await own.call(routes.ownSubscriptions, { query: {} })
  const ended = await own.call(routes.cancelSubscription, { body: { subscriptionId: items[0]?._id ?? '' } })
  const { pending } = await own.call(routes.receipts, { query: {} })
  expect([ended.status, pending.map(({ message }) => message)]).toEqual([
    'expired',
    [expect.not.stringContaining('renews automatically')],
  ])
})
