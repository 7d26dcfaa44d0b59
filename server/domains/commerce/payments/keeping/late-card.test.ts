import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildMedia, buildPlan } from '../../../../testing/builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../../../../testing/gateway.ts'
import { DAY_MS, MASTERCARD, MINUTE_MS, storedCards } from '../../../../testing/money/cards.ts'

/** What a card pays that the gateway keeps only after its owner has decided about others. */
const scene = storedCards()
const { api, added, cardsOf, shown, renew, subscribes, subscription, toRenewal } = scene

/** Until the answer is there, the gateway's answers to keeping the card of a charge are lost. */
async function losesAnswers() {
  const call = 'createCustomerProfileFromTransactionRequest'
  const answer = await planFault(scene.harness, { call, effect: 'resetAfter', times: 1_000 })
  onTestFinished(answer)
  return answer
}

/** Whatever the gateway left unanswered is due again within a day. */
async function recoversDaily(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    scene.harness.clock.advance(DAY_MS + MINUTE_MS)
    await scene.harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
  }
}

async function buysPlan(): Promise<void> {
  const creator = await buildCreator(scene.harness)
  const itemId = await buildPlan(scene.harness, creator, {
    mediaIds: [await buildMedia(scene.harness, creator)],
  })
  const card = await cardToken(scene.harness, TEST_CARDS.cardNotStored)
  await (await api()).call(routes.purchase, { body: { kind: 'subscription', itemId, ...card } })
}

test('who removed the card of a subscription meanwhile keeps the late one, and the subscription has none', async () => {
  const answer = await losesAnswers()
  await buysPlan()
  scene.harness.clock.advance(MINUTE_MS)
  const cardId = await added(MASTERCARD)
  expect(await subscription()).toMatchObject({ card: 'Mastercard 0015' })
  scene.harness.clock.advance(MINUTE_MS)
  await (await api()).call(routes.removeCard, { body: { cardId } })
  await answer()
  await recoversDaily(2)
  expect(await shown()).toEqual(['Visa 1111'])
  expect(await subscription()).toMatchObject({ status: 'active', card: null })
})

test.each([
  ['chose again', 'Visa 1111'],
  ['did not choose again', 'Mastercard 0015'],
])('a subscription whose declined card its fan %s before the late one was kept renews by the %s', async (how, card) => {
  await subscribes()
  await toRenewal()
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  await renew()
  expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Visa 1111' })
  scene.harness.clock.advance(MINUTE_MS)
  const answer = await losesAnswers()
  const itemId = (await subscription())?.planId ?? ''
  const token = await cardToken(scene.harness, { ...MASTERCARD, cardCode: TEST_CARDS.cardNotStored.cardCode })
  await (await api()).call(routes.purchase, { body: { kind: 'subscription', itemId, ...token } })
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Visa 1111' })
  scene.harness.clock.advance(MINUTE_MS)
  const [{ _id: cardId = '' } = {}] = await cardsOf()
  if (how === 'chose again') await (await api()).call(routes.renewByCard, { body: { cardId } })
  await answer()
  await recoversDaily(2)
  expect((await shown()).toSorted()).toEqual(['Mastercard 0015', 'Visa 1111'])
  expect(await subscription()).toMatchObject({ status: 'active', card })
})
