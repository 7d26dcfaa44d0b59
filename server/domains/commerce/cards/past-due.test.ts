import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildPlan } from '../../../testing/builders.ts'
import { planFault } from '../../../testing/gateway.ts'
import { DAY_MS, storedCards } from '../../../testing/money/cards.ts'

const scene = storedCards()

/** More than a page of subscriptions. */
const COUNT = 21

/** Subscribes by the stored card; the creator. */
async function subscribesTo(title: string, cardId: string): Promise<string> {
  const creator = await buildCreator(scene.harness)
  const itemId = await buildPlan(scene.harness, creator, { title, priceCents: 700 })
  await (await scene.api()).call(routes.purchase, { body: { kind: 'subscription', itemId, cardId } })
  return creator.id
}

test('all that another card is charged for at once is named before, however much it is', async () => {
  const cardId = await scene.added()
  const titles = Array.from({ length: COUNT }, (_, at) => `Plan ${at + 1}`)
  for (const title of titles) await subscribesTo(title, cardId)
  const blocked = await subscribesTo('Not renewed', cardId)
  await scene.toRenewal()
  await planFault(scene.harness, {
    ...{ call: 'createTransactionRequest', effect: 'declined', times: COUNT + 1 },
  })
  await scene.renew()
  await (await scene.api()).call(routes.block, { body: { blockedId: blocked } })
  const caller = await scene.api()
  const { pastDue } = await caller.call(routes.cards, { query: {} })
  expect(pastDue.map(({ title, price }) => [title, price])).toEqual(titles.map((title) => [title, '$7']))

  scene.harness.clock.advance(DAY_MS)
  const before = await scene.charges()
  // The one that ended isn't said to be renewed.
  expect(await (await scene.api()).call(routes.renewByCard, { body: { cardId } })).toMatchObject({
    ...{ renewed: COUNT, stillPastDue: 0 },
  })
  expect((await scene.charges()) - before).toBe(COUNT)
  expect((await (await scene.api()).call(routes.cards, { query: {} })).pastDue).toEqual([])
})
