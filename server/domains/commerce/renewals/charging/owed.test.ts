import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildFan } from '../../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../../testing/gateway.ts'
import { priceChanges } from '../../../../testing/money/price-changes.ts'
import { periodEnd } from '../../subscriptions/rules.ts'

const scene = priceChanges()
const { api, edits, saves, says, subscribes, own, paid, isChargedAt, isDeclined } = scene

/** What each page says that the fan owes, and what the profile says of it. */
async function owed() {
  const fan = await api()
  const { pastDue } = await fan.call(routes.cards, { query: {} })
  const plan = await fan.call(routes.subscription, { params: { id: scene.planId } })
  const { owed: billing } = await own()
  return { billing, cards: pastDue.map(({ price }) => price), profile: plan.owed, message: plan.message }
}

const paysByCard = async (price: string) => {
  const { _id, owed: shown } = await own()
  expect(shown?.price).toBe(price)
  const fan = await api()
  const [card] = (await fan.call(routes.cards, { query: {} })).items
  const body = { cardId: card?._id ?? '', pastDue: [{ _id, price }] }
  return fan.call(routes.renewByCard, { body })
}

test('a lower price that the renewal was placed at is what every page says is owed, and what is charged', async () => {
  const start = await subscribes()
  expect(await owed()).toEqual({ billing: null, cards: [], profile: null, message: 'Already Subscribed!' })
  await edits('$8')
  await isChargedAt(periodEnd(start, 1), isDeclined)
  await edits('$7')
  expect(await own()).toMatchObject({ status: 'past_due', price: '$10' })
  expect(await owed()).toEqual({
    ...{ billing: { price: '$8', months: 1 }, cards: ['$8'], profile: '$8' },
    message:
      'Your last payment hasn’t gone through. Update your card to pay the $8 you owe and keep your access.',
  })
  scene.inDays(1)
  expect(await paysByCard('$8')).toMatchObject({ renewed: 1, stillPastDue: 0 })
  expect(await paid()).toEqual(['$8', '$10'])
  expect(await own()).toMatchObject({ status: 'active', price: '$8', owed: null })
})

test('a term that was chosen is owed for all of its months', async () => {
  await saves('$10', { terms: [{ months: 3, discountPercent: 10 }] })
  const start = await subscribes()
  const { _id: subscriptionId } = await own()
  await (await api()).call(routes.changeTerm, { body: { subscriptionId, months: 3, price: '$27' } })
  await isChargedAt(periodEnd(start, 1), isDeclined)
  expect(await owed()).toMatchObject({ billing: { price: '$27', months: 3 }, cards: ['$27'], profile: '$27' })
})

test('once a price that was agreed to is replaced, the one of before is owed, and charged', async () => {
  await scene.isChargedTheNewPrice(isDeclined)
  expect(await owed()).toMatchObject({ billing: { price: '$15', months: 1 }, cards: ['$15'], profile: '$15' })
  await edits('$16')
  expect(await owed()).toMatchObject({ billing: { price: '$10', months: 1 }, cards: ['$10'], profile: '$10' })
  await paysByCard('$10')
  expect((await paid())[0]).toBe('$10')
})

test('the page of a locked item says what is past due, also once it is retired, and nothing after it is paid', async () => {
  const start = await subscribes()
  const plan = { params: { id: scene.planId } }
  const mediaId = (await (await api()).call(routes.subscription, plan)).mediaIds[0] ?? ''
  const unlocks = async (person = scene.fan) =>
    (await (await api(person)).call(routes.viewMedia, { params: { mediaId } })).unlocks
  await isChargedAt(periodEnd(start, 1), isDeclined)
  scene.inDays(4)
  const other = await buildFan(scene.harness)
  await edits('$8')
  const own = { ...{ _id: scene.planId, pastDue: true, owed: '$10' }, price: '$8' }
  expect(await unlocks(other)).toMatchObject([{ ...own, pastDue: false, owed: null, retired: false }])
  expect(await unlocks()).toMatchObject([{ ...own, retired: false }])
  const body = { subscriptionId: scene.planId, retired: true }
  await (await api(scene.creator)).call(routes.retireSubscription, { body })
  expect(await unlocks(other)).toEqual([])
  expect(await unlocks()).toMatchObject([{ ...own, retired: true }])
  await paysByCard('$10')
  expect(await unlocks()).toEqual([])
})

test('who declines the price that is owed owes nothing, and is offered the plan as anybody, until they pay for it', async () => {
  await scene.isChargedTheNewPrice(isDeclined)
  scene.inDays(4)
  const plan = { params: { id: scene.planId } }
  const mediaId = (await (await api()).call(routes.subscription, plan)).mediaIds[0] ?? ''
  const unlocks = async () => (await (await api()).call(routes.viewMedia, { params: { mediaId } })).unlocks
  const waiting = async () => (await (await api()).call(routes.waiting, {})).items.map(({ kind }) => kind)
  const nothing = { billing: null, cards: [], profile: null }
  expect(await waiting()).toContain('past_due')
  expect(await unlocks()).toMatchObject([{ pastDue: true, owed: '$15' }])
  await says(false, '$15')
  expect(await owed()).toEqual({ ...nothing, message: null })
  expect(await (await api()).call(routes.subscription, plan)).toMatchObject({ undecided: false })
  expect(await waiting()).not.toContain('past_due')
  expect(await unlocks()).toMatchObject([{ pastDue: false, owed: null, price: '$15', retired: false }])
  const retires = async (retired: boolean) =>
    (await api(scene.creator)).call(routes.retireSubscription, {
      body: { subscriptionId: scene.planId, retired },
    })
  await retires(true)
  expect(await unlocks()).toEqual([])
  await retires(false)
  const body = { kind: 'subscription' as const, itemId: scene.planId, price: '$15' }
  const card = await cardToken(scene.harness, TEST_CARDS.held)
  await (await api()).call(routes.purchase, { body: { ...body, ...card } })
  expect(await owed()).toEqual({ ...nothing, message: 'Your payment is being processed.' })
  expect(await (await api()).call(routes.subscription, plan)).toMatchObject({ undecided: true })
  expect(await unlocks()).toMatchObject([{ pastDue: true, owed: null, price: '$15' }])
})
