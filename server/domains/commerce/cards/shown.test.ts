import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Body } from '../../../../contract/route.ts'
import type { cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import { cardToken, planFault } from '../../../testing/gateway.ts'
import { DAY_MS, MASTERCARD, storedCards } from '../../../testing/money/cards.ts'

type Shown = Body<typeof cardRoutes.renewByCard>['pastDue']

const scene = storedCards()
const { api, added, subscribes, subscription, toRenewal, renew, charges } = scene

/** What is past due, as the caller is shown it. */
async function pastDue(): Promise<NonNullable<Shown>> {
  const shown = await (await api()).call(routes.cards, { query: {} })
  return shown.pastDue.map(({ _id, price }) => ({ _id, price }))
}

/** A subscription whose renewal the bank declined. */
async function isPastDue(): Promise<void> {
  await subscribes()
  await toRenewal()
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  await renew()
  expect(await subscription()).toMatchObject({ status: 'past_due' })
}

const use = async (cardId: string, shown: Shown) =>
  (await api()).send('POST', '/users/cards/renewals', { body: { cardId, pastDue: shown } })

test('a card for renewals is charged for what was shown', async () => {
  const cardId = await added(MASTERCARD)
  await isPastDue()
  expect(await use(cardId, await pastDue())).toMatchObject({
    status: 200,
    body: { renewed: 1, stillPastDue: 0 },
  })
  expect(await subscription()).toMatchObject({ status: 'active', card: 'Mastercard 0015' })
})

test('what became past due since is told, and nothing is charged', async () => {
  const cardId = await added(MASTERCARD)
  await isPastDue()
  const before = await charges()
  expect(await use(cardId, [])).toMatchObject({ status: 409, body: { code: 'past_due_changed' } })
  const [owed] = await pastDue()
  for (const shown of [[{ _id: owed?._id ?? '', price: '$6' }], [{ _id: cardId, price: '$7' }]])
    expect(await use(cardId, shown)).toMatchObject({ status: 409, body: { code: 'past_due_changed' } })
  scene.harness.clock.advance(60_000)
  await renew()
  expect(await charges()).toBe(before)
  expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Visa 1111' })
})

test('what was renewed since isn’t charged again', async () => {
  const cardId = await added(MASTERCARD)
  await isPastDue()
  const shown = await pastDue()
  scene.harness.clock.advance(DAY_MS)
  await renew()
  const before = await charges()
  expect(await use(cardId, shown)).toMatchObject({ status: 409 })
  expect(await charges()).toBe(before)
})

test('a new card isn’t even sent once what it is charged for has changed', async () => {
  await isPastDue()
  const token = await cardToken(scene.harness, MASTERCARD)
  const body = { ...token, pastDue: [] }
  const answer = await (await api()).send('POST', '/users/cards', { body })
  expect(answer).toMatchObject({ status: 409, body: { code: 'past_due_changed' } })
  expect(await scene.shown()).toEqual(['Visa 1111'])
  expect(await charges()).toBe(1)
  // The same token is good for the next try.
  const again = await (await api()).send('POST', '/users/cards', {
    body: { ...token, pastDue: await pastDue() },
  })
  expect(again).toMatchObject({ status: 200, body: { renewed: 1, stillPastDue: 0 } })
})

test.each([
  ['declined', 'declined'],
  ['declined for good', 'lostOrStolen'],
])('what is %s while a new card is stored renews by it later, not at once', async (_how, effect) => {
  await subscribes()
  await toRenewal()
  await planFault(scene.harness, { call: 'createTransactionRequest', effect })
  scene.meanwhile = ['card.gateway-answered', renew]
  const token = await cardToken(scene.harness, MASTERCARD)
  const answer = await (await api()).send('POST', '/users/cards', { body: { ...token, pastDue: [] } })
  expect(answer).toMatchObject({ status: 200, body: { renewed: 0, stillPastDue: 0 } })
  expect(await charges()).toBe(1)
  expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Mastercard 0015' })
  scene.harness.clock.advance(DAY_MS)
  await renew()
  expect(await subscription()).toMatchObject({ status: 'active' })
  expect(await charges()).toBe(2)
})

test('a crash after the gateway stored the card charges no more than what was shown', async () => {
  await subscribes()
  await toRenewal()
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'declined' })
  scene.breakAt = 'card.gateway-answered'
  const token = await cardToken(scene.harness, MASTERCARD)
  await (await api()).send('POST', '/users/cards', { body: { ...token, pastDue: [] } })
  scene.breakAt = null
  await renew()
  scene.harness.clock.advance(5 * 60_000)
  await scene.recover()
  await renew()
  expect(await subscription()).toMatchObject({ status: 'past_due', card: 'Mastercard 0015' })
  expect(await charges()).toBe(1)
})
