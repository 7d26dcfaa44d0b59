import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildBundle, buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness({ environment: { PLATFORM_FEE_PERCENT: '12.5' } })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

async function sell(
  priceCents: number,
  options: { by?: Person; card?: { cardNumber: string; cardCode: string } } = {},
) {
  const mediaIds = [await buildMedia(harness, creator)]
  const itemId = await buildBundle(harness, creator, { title: `For ${priceCents}`, priceCents, mediaIds })
  const body = { kind: 'bundle', itemId, ...(await cardToken(harness, options.card)) }
  await harness.api.as(options.by ?? fan).send('POST', '/users/purchase', { body })
}

const transactionsOf = (person: Person, query: { limit?: number; cursor?: string; skip?: number } = {}) =>
  harness.api.as(person).call(routes.transactions, { query })

const nothing = { gross: '$0', fee: '$0', share: '$0', spent: '$0' }

test('both sides see the sale; what was kept and what was earned is the creator’s business', async () => {
  await sell(1001)
  const people = {
    buyerId: { _id: fan.id, username: fan.username },
    creatorId: { _id: creator.id, username: creator.username },
  }
  const common = { status: 'captured', kind: 'bundle', title: 'For 1001', amount: '$10.01', ...people }
  expect(await transactionsOf(creator)).toMatchObject({
    items: [{ ...common, fee: '$1.25', share: '$8.76' }],
    totals: { gross: '$10.01', fee: '$1.25', share: '$8.76', spent: '$0' },
  })
  expect(await transactionsOf(fan)).toMatchObject({
    items: [{ ...common, fee: null, share: null }],
    totals: { ...nothing, spent: '$10.01' },
  })
})

test('what was not paid counts nowhere; its buyer sees what is still being decided', async () => {
  await sell(1000, { card: TEST_CARDS.declined })
  await sell(2000, { card: TEST_CARDS.held })
  expect(await transactionsOf(creator)).toMatchObject({ items: [], totals: nothing })
  expect(await transactionsOf(fan)).toMatchObject({
    items: [{ amount: '$20', status: 'held' }],
    totals: nothing,
  })
})

test('a person who is gone is a deleted user, and the record stays', async () => {
  await sell(1000)
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: new Date() })
    .where('id', '=', fan.id)
    .execute()
  const { items } = await transactionsOf(creator)
  expect(items).toMatchObject([{ amount: '$10', buyerId: { _id: fan.id, username: 'Deleted User' } }])
})

test('pages forward by cursor and by skip through sales and purchases, newest first', async () => {
  // The creator is a buyer, too.
  const seller = await buildCreator(harness)
  const buyer = creator
  for (const cents of [100, 200, 300]) await sell(cents)
  creator = seller
  for (const cents of [400, 500]) await sell(cents, { by: buyer })
  const amounts: string[] = []
  let cursor: string | undefined
  do {
    const page = await transactionsOf(buyer, { limit: 2, ...(cursor ? { cursor } : {}) })
    amounts.push(...page.items.map(({ amount }) => amount))
    cursor = page.nextCursor ?? undefined
    expect(page.hasMore).toBe(cursor !== undefined)
    expect(page.totals).toEqual({ gross: '$6', fee: '$0.74', share: '$5.26', spent: '$9' })
  } while (cursor)
  expect(amounts).toEqual(['$5', '$4', '$3', '$2', '$1'])
  const skipped = await transactionsOf(buyer, { limit: 2, skip: 2 })
  expect(skipped.items.map(({ amount }) => amount)).toEqual(['$3', '$2'])
})

test('nobody sees the money of others', async () => {
  await sell(1000)
  const stranger = await buildCreator(harness)
  expect(await transactionsOf(stranger)).toMatchObject({ items: [], totals: nothing })
  const asked = harness.api.as(stranger).call(routes.transactions, { query: { userId: creator.id } })
  await expect(asked).rejects.toMatchObject({ status: 403, code: 'not_yourself' })
})
