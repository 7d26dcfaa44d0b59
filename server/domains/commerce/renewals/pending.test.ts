import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})
afterAll(() => harness?.stop())

async function buy(card: Parameters<typeof cardToken>[1]): Promise<void> {
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  await harness.api.as(fan).send('POST', '/users/purchase', { body })
}

const receipts = (query: { limit?: number; cursor?: string; skip?: number } = {}, person = fan) =>
  harness.api.as(person).call(routes.receipts, { query })

test('a payment that is still being decided stands on the first page of receipts, for its buyer alone', async () => {
  for (const card of [TEST_CARDS.approved, TEST_CARDS.declined, TEST_CARDS.held, TEST_CARDS.approved])
    await buy(card)
  await buy(TEST_CARDS.serverErrorAfter)
  const { items, pending, nextCursor, totalSpent } = await receipts({ limit: 1 })
  expect(pending).toMatchObject([
    { amount: '$9.99', status: 'unknown', creator: { _id: creator.id } },
    { amount: '$9.99', status: 'held', creator: { _id: creator.id } },
  ])
  expect(pending[0]?.message).toContain('We’ll keep checking. You will not be charged twice.')
  expect(pending[1]?.message).toContain('Your purchase unlocks automatically once it’s approved.')
  expect([items.length, totalSpent]).toEqual([1, '$19.98'])
  expect((await receipts({ limit: 1, cursor: nextCursor ?? '' })).pending).toEqual([])
  expect((await receipts({ limit: 1, skip: 1 })).pending).toEqual([])
  expect((await receipts({}, creator)).pending).toEqual([])
})
