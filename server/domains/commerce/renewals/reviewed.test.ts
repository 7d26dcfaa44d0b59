import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { planFault, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { MINUTE_MS, renewals } from '../../../testing/money/renewals.ts'
import { emailsTo } from '../../../testing/security.ts'

/** What becomes of a renewal that was held for review, where the gateway's answer is another than a decline. */
const scene = renewals()
const { api, renew, recover, pays, moveTo, onDay, traces, subscription, subjects } = scene

async function isHeld(): Promise<string> {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(0))
  await renew()
  return heldNumber()
}

async function heldNumber(): Promise<string> {
  const { gateway_transaction_id: number } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  return number ?? ''
}

test('a renewal that the merchant voids under review isn’t charged again within the hour', async () => {
  const number = await isHeld()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  expect((await traces()).attempts).toEqual(['captured', 'voided'])
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect((await traces()).attempts).toEqual(['captured', 'voided'])
})

test.each(['voided', 'declined'])(
  'a renewal that is %s under review isn’t charged again where its card has paid for something else meanwhile',
  async (how) => {
    const number = await isHeld()
    moveTo(onDay(1))
    const fan = await api()
    const [card] = (await fan.call(routes.cards, { query: {} })).items
    const tip = { kind: 'tip' as const, itemId: scene.creator.id, amount: '$5', cardId: card?._id ?? '' }
    await fan.call(routes.purchase, { body: tip })
    moveTo(onDay(1.5))
    if (how === 'voided')
      expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
    else await reviewHeld(scene.harness, number, 'decline')
    scene.harness.clock.advance(5 * MINUTE_MS)
    await recover()
    for (const day of [1.6, 2.5, 2.9]) {
      moveTo(onDay(day))
      await renew()
    }
    expect((await traces()).attempts.toSorted()).toEqual(['captured', 'captured', how].toSorted())
    expect(await subjects()).toContainEqual(expect.stringContaining('We couldn’t charge your card'))
  },
)

test('of a renewal that is voided under review its fan gets one mail, which says that nothing was charged', async () => {
  const number = await isHeld()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect(await subjects()).toEqual([
    expect.stringContaining('We couldn’t charge your card for “A subscription”'),
  ])
  const [told] = (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) =>
    subject.startsWith('We couldn’t charge'),
  )
  expect(told?.text).toContain('You haven’t been charged. You have access until')
})

test('whose card was removed before its renewal is voided under review is told that nothing was charged as well, once', async () => {
  const number = await isHeld()
  const own = await api()
  const [card] = (await own.call(routes.cards, { query: {} })).items
  await own.call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect(await subjects()).toEqual([expect.stringContaining('Add a card to keep “A subscription”')])
  const [told] = (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) =>
    subject.startsWith('Add a card'),
  )
  expect(told?.text).toContain('You haven’t been charged. You have access until')
})

test('while a renewal is reviewed nothing else is owed, and another card is charged nothing; declined, it is owed', async () => {
  const number = await isHeld()
  moveTo(onDay(5))
  await scene.harness.server.jobs['subscriptions.expire']({}, { attempt: 1, lastAttempt: false })
  const owed = async () => {
    const own = await api()
    const { items } = await own.call(routes.ownSubscriptions, { query: {} })
    const { pastDue } = await own.call(routes.cards, { query: {} })
    const { message } = await own.call(routes.subscription, { params: { id: scene.planId } })
    const { items: waiting } = await own.call(routes.waiting, {})
    const isAsked = waiting.some(({ kind }) => kind === 'past_due')
    return {
      ...{ status: items[0]?.status, owed: items[0]?.owed, cards: pastDue.map(({ price }) => price) },
      message,
      isAsked,
    }
  }
  expect(await owed()).toEqual({
    ...{
      status: 'past_due',
      owed: null,
      cards: [],
      isAsked: false,
      message: 'Your payment is being processed.',
    },
  })
  await reviewHeld(scene.harness, number, 'decline')
  await recover()
  expect(await owed()).toEqual({
    ...{ status: 'past_due', owed: { price: '$7', months: 1 }, cards: ['$7'], isAsked: true },
    message: expect.stringContaining('Update your card to pay the $7 you owe'),
  })
})

test('a renewal that is still reviewed on day 14 ends the subscription, and its approval is given back', async () => {
  const number = await isHeld()
  moveTo(onDay(13.9))
  await renew()
  expect(await subscription()).toMatchObject({ status: 'active' })
  moveTo(onDay(14))
  await renew()
  expect(await subscription()).toMatchObject({ status: 'expired' })
  await reviewHeld(scene.harness, number, 'approve')
  await recover()
  await renew()
  const { attempts, paid, sales } = await traces()
  expect({ attempts, paid, sales }).toEqual({
    attempts: ['captured', expect.stringMatching(/^(voided|refunded)$/)],
    ...{ paid: [1], sales: 1 },
  })
})

test('a fan’s own payment that is approved once the period that it pays is over is given back', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  moveTo(onDay(0))
  await renew()
  moveTo(onDay(1))
  await pays('$7', TEST_CARDS.held)
  moveTo(onDay(32))
  await renew()
  await reviewHeld(scene.harness, await heldNumber(), 'approve')
  await recover()
  await renew()
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect(await traces()).toMatchObject({
    attempts: ['captured', 'declined', expect.stringMatching(/^(voided|refunded)$/)],
    ...{ status: 'expired', paid: [1], sales: 1 },
  })
})
