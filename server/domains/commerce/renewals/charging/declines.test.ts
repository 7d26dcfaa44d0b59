import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { accessUntil } from '../../../../../contract/subscriptions.ts'
import { buildCreator, buildMedia, buildPlan } from '../../../../testing/builders.ts'
import { cardToken, planFault, reviewHeld, TEST_CARDS } from '../../../../testing/gateway.ts'
import { DAY_MS, MINUTE_MS, mailedDay, NOT_RENEWED, renewals } from '../../../../testing/money/renewals.ts'
import { emailsTo } from '../../../../testing/security.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = renewals()
const {
  api,
  renew,
  remind,
  recover,
  moveTo,
  onDay,
  pays,
  changesPrice,
  subscription,
  traces,
  renewed,
  isLocked,
  subjects,
} = scene

test('a soft decline is tried again the next day, with access meanwhile', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  await renew()
  expect(await traces()).toMatchObject({
    ...NOT_RENEWED,
    status: 'past_due',
    attempts: ['captured', 'declined'],
  })
  expect(await isLocked()).toBe(false)
  moveTo(onDay(0.9))
  await renew()
  expect((await traces()).charged).toBe(1)
  moveTo(onDay(1))
  await renew()
  expect(await traces()).toMatchObject(renewed())
  expect(await subjects()).toEqual([
    expect.stringContaining('Your receipt for “A subscription”'),
    expect.stringContaining('We couldn’t charge your card for “A subscription”'),
  ])
})

test('a card that stays declined is tried five times, access ends on day 3, and the subscription on day 14', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined', times: 5 })
  const counts: number[] = []
  for (let day = 0; day <= 15; day++) {
    moveTo(onDay(day))
    await renew()
    counts.push((await traces()).attempts.length - 1)
    if (day === 2) expect(await isLocked()).toBe(false)
    if (day === 3) expect(await isLocked()).toBe(true)
    if (day === 13) expect((await subscription()).status).toBe('past_due')
  }
  expect(counts).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5])
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, status: 'expired' })
  expect(await isLocked()).toBe(true)
  expect((await subjects()).filter((subject) => subject.includes('has ended'))).toHaveLength(1)
})

test('a card that must not be tried again is not, and the subscription ends on day 14', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  await isChargedNoMore([0, 1, 3, 7, 13])
  moveTo(onDay(14))
  await renew()
  expect(await traces()).toMatchObject({
    ...NOT_RENEWED,
    status: 'expired',
    attempts: ['captured', 'declined'],
  })
})

test('a card that must not be tried again isn’t charged for that period either once it has paid for something else', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  moveTo(onDay(0))
  await renew()
  const body = { kind: 'tip' as const, itemId: scene.creator.id, amount: '$5' }
  const { stored_card_id: cardId } = await subscription()
  await (await api()).call(routes.purchase, { body: { ...body, cardId: cardId ?? '' } })
  const { attempts } = await traces()
  expect(attempts).toEqual(['captured', 'declined', 'captured'])
  for (const day of [1, 3, 7, 13]) {
    moveTo(onDay(day))
    await renew()
    expect(await traces()).toMatchObject({ status: 'past_due', attempts })
  }
  moveTo(onDay(14))
  await renew()
  expect(await traces()).toMatchObject({ status: 'expired', attempts })
})

test.each([
  ['whose answer is lost', 'lostOrStolen', async () => {}],
  ['rejected in the gateway’s review', 'heldForReview', rejectHeld],
])(
  'a hard decline %s is one to the look-up as well: the card is charged no more',
  async (_how, effect, meanwhile) => {
    await planFault(scene.harness, { call: 'createTransactionRequest', effect })
    moveTo(onDay(0))
    if (effect === 'lostOrStolen') scene.breakAt = 'renewal.gateway-answered'
    await renew().catch(() => {})
    scene.breakAt = null
    await meanwhile()
    scene.harness.clock.advance(5 * MINUTE_MS)
    await recover()
    await isChargedNoMore([0.1, 1, 3, 7, 13])
  },
)

test.each([
  ['whose card is tried again', 'declined', 5],
  ['whose card isn’t', 'lostOrStolen', 1],
  ['without a card', null, 0],
] as const)(
  'a fan %s is told at first, when access ends, and a day before the subscription does, once each',
  async (_who, effect, times) => {
    if (effect) await planFault(scene.harness, { call: 'createTransactionRequest', effect, times })
    else {
      const own = await api()
      const { items: cards } = await own.call(routes.cards, { query: {} })
      await own.call(routes.removeCard, { body: { cardId: cards[0]?._id ?? '' } })
    }
    const told: [number, string][] = []
    const mails = async () =>
      (await emailsTo(scene.harness, scene.fan.email)).filter(({ subject }) =>
        /^(We couldn’t charge|Update your card to get|Add a card to keep)|ends .* unless you update/.test(
          subject,
        ),
      )
    const before = (await mails()).length
    for (let day = 0; day <= 15; day++) {
      moveTo(onDay(day))
      for (let time = 0; time < 2; time++) {
        await renew()
        await remind()
      }
      const { length, 0: newest } = await mails()
      if (length - before > told.length) told.push([day, newest?.text ?? ''])
      expect(length - before).toBe(told.length)
    }
    const until = `You have access until ${mailedDay(accessUntil(scene.firstEnd))}`
    const ends = `the subscription ends on ${mailedDay(new Date(scene.firstEnd.getTime() + 14 * DAY_MS))}`
    const without = 'You have no access until it’s paid'
    expect(told).toEqual([
      [0, expect.stringContaining(`${until}, and ${ends}`)],
      [3, expect.stringContaining(`${without}, and ${ends}`)],
      [13, expect.stringContaining(`${without}, and ${ends}`)],
    ])
    expect(await traces()).toMatchObject({ ...NOT_RENEWED, status: 'expired' })
  },
)

test('who is past due pays the period that is owed with another card, which is charged from then on', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  moveTo(onDay(0))
  await renew()
  const { stored_card_id: before } = await subscription()
  moveTo(onDay(5))
  expect(await isLocked()).toBe(true)
  const owed = async () => {
    const query = { kind: 'subscription' as const, itemId: scene.planId }
    return (await (await api()).call(routes.openPurchase, { query })).owed
  }
  expect(await owed()).toEqual({ price: '$7', months: 1, paidUntil: renewed().until })
  await pays('$7', { cardNumber: '5424000000000015', cardCode: '900' })
  expect(await owed()).toBeNull()
  expect(await traces()).toMatchObject(renewed())
  expect(await isLocked()).toBe(false)
  const { stored_card_id: after } = await subscription()
  expect(await cardsEndingWith([before, after])).toEqual(['1111', '0015'])
  moveTo(new Date(periodEnd(scene.anchor, 2).getTime() + MINUTE_MS))
  await renew()
  expect(await traces()).toMatchObject(renewed(3))
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  expect(items.map(({ card }) => card?.slice(-4))).toEqual(['0015', '0015', '1111'])
})

test('the mail of a decline leads to billing, where another card pays what is owed at its price, whatever the plan costs by now', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'lostOrStolen' })
  moveTo(onDay(0))
  await renew()
  await changesPrice('$9')
  const mail = (await emailsTo(scene.harness, scene.fan.email)).find(({ subject }) =>
    subject.includes('We couldn’t charge your card'),
  )
  expect(mail?.text).toContain('To keep it at this price, update your card in your billing.')
  expect(mail?.text).toContain(`You have access until ${mailedDay(accessUntil(periodEnd(scene.anchor, 1)))},`)
  expect(mail?.text).toContain('/dashboard/billing')
  expect(mail?.text).not.toContain('/users/')
  const body = await cardToken(scene.harness, { cardNumber: '5424000000000015', cardCode: '900' })
  expect(await (await api()).call(routes.addCard, { body })).toMatchObject({ renewed: 1, stillPastDue: 0 })
  expect(await traces()).toMatchObject(renewed())
  const { items } = await (await api()).call(routes.receipts, { query: {} })
  expect(items).toMatchObject([{ amount: '$7' }, { amount: '$7' }])
})

test('what is past due is listed before what is newer, page by page', async () => {
  moveTo(onDay(-5))
  const other = await buildCreator(scene.harness)
  const mediaIds = [await buildMedia(scene.harness, other)]
  const itemId = await buildPlan(scene.harness, other, { mediaIds, priceCents: 700 })
  const body = { kind: 'subscription' as const, itemId, ...(await cardToken(scene.harness)) }
  await (await api()).call(routes.purchase, { body })
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  const listed: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 1, ...(cursor && { cursor }) }
    const page = await (await api()).call(routes.ownSubscriptions, { query })
    listed.push(...page.items.map(({ status }) => status))
    cursor = page.nextCursor
  }
  expect(listed).toEqual(['past_due', 'active'])
})

test('who is past due and subscribes at a new price has one subscription, and is not charged the old one', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  await changesPrice('$9')
  await pays('$9')
  moveTo(onDay(1))
  await renew()
  const { items } = await (await api()).call(routes.ownSubscriptions, { query: {} })
  expect(items).toMatchObject([{ price: '$9', status: 'active' }])
  expect(await traces()).toMatchObject({ status: 'active', paid: [1, 1], charged: 2, sales: 2 })
})

test('who is past due, subscribes at a new price and is declined still renews at the old one', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  await changesPrice('$9')
  await expect(pays('$9', TEST_CARDS.declined)).rejects.toMatchObject({ code: 'card_declined' })
  expect(await traces()).toMatchObject({ ...NOT_RENEWED, status: 'past_due' })
  moveTo(onDay(1))
  await renew()
  expect(await traces()).toMatchObject(renewed())
})

test('a renewal waits while its fan subscribes at a new price, and is not charged as well', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  moveTo(onDay(0))
  await renew()
  await changesPrice('$9')
  await pays('$9', TEST_CARDS.resetAfter)
  moveTo(onDay(1))
  await renew()
  expect((await traces()).attempts).toEqual(['captured', 'declined', 'unknown'])
  await recover()
  scene.harness.clock.advance(65 * MINUTE_MS)
  await renew()
  expect(await traces()).toMatchObject({ status: 'active', paid: [1, 1], charged: 2, sales: 2 })
})

async function isChargedNoMore(days: number[]) {
  for (const day of days) {
    moveTo(onDay(day))
    await renew()
    expect(await traces()).toMatchObject({
      ...NOT_RENEWED,
      status: 'past_due',
      attempts: ['captured', 'declined'],
    })
  }
}

/** The merchant declines the fan's charge that is held for review. */
async function rejectHeld() {
  const { gateway_transaction_id: number } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  await reviewHeld(scene.harness, number ?? '', 'decline')
}

/** The last four of cards by their ids. */
async function cardsEndingWith(ids: (string | null)[]) {
  const { db } = scene.harness.context
  const cards = await db.selectFrom('stored_cards').select(['id', 'last_four']).execute()
  return ids.map((id) => cards.find((card) => card.id === id)?.last_four)
}
