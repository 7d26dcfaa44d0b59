import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DONATION_ID } from '../../../../contract/orders.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem, buildMessage } from '../../../testing/purchases.ts'
import { emailsTo } from '../../../testing/security.ts'

const MONTH_MS = 31 * 24 * 3600 * 1000

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

async function buy(kind: string, itemId: string, body: object = {}) {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const card = await cardToken(harness)
  return api.send('POST', '/users/purchase', { body: { kind, itemId, ...card, ...body } })
}

/** The texts of the receipts that the fan was mailed, in order. */
async function receipts(): Promise<string[]> {
  const mails = await emailsTo(harness, fan.email)
  return mails.filter(({ subject }) => subject.startsWith('Your receipt')).map(({ text }) => text)
}

/** Each of these receipts has its own number, which billing shows, and by which an operator finds its payment. */
async function carryTheirNumbers(texts: string[]): Promise<void> {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const { items } = await api.call(routes.receipts, { query: {} })
  const numbers = texts.map((text) => /Receipt number (\S+)/.exec(text)?.[1] ?? '')
  expect(new Set(numbers)).toEqual(new Set(items.map(({ _id }) => _id)))
  expect(numbers).toHaveLength(items.length)
  const operator = harness.api.as(await buildUser(harness, { role: 'finance' }))
  for (const search of numbers) {
    const found = await operator.call(routes.payments, { query: { search } })
    expect(found.items.map(({ _id }) => _id)).toEqual([search])
  }
}

test('a subscription’s first period has a receipt that says when it renews for how much; a renewal has its own', async () => {
  await buy('subscription', await buildPlan(harness, creator, { title: 'Patrons', priceCents: 700 }))
  const [receipt] = await receipts()
  expect(receipt).toContain(`Patrons, from ${creator.username}: $7`)
  expect(receipt).toMatch(/Total: \$7, charged to Visa 1111 on /)
  expect(receipt).toMatch(/It renews .* for \$7, and every month after that until you cancel\./)
  harness.clock.advance(MONTH_MS)
  await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
  const all = await receipts()
  expect(all).toHaveLength(2)
  await carryTheirNumbers(all)
  expect(all.filter((text) => text.includes('It’s paid until'))).toHaveLength(1)
})

test.each<[kind: string, build: () => Promise<[itemId: string, amount: string, body: object]>]>([
  ['single', async () => [await buildItem(harness, creator, 'single', 450), '$4.50', {}]],
  [
    'bundle',
    async () => {
      const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
      return [await buildBundle(harness, creator, { priceCents: 900, mediaIds }), '$9', {}]
    },
  ],
  ['tip', async () => [creator.id, '$5', { amount: '$5' }]],
  ['donation', async () => [DONATION_ID, '$6', { amount: '$6' }]],
  [
    'message',
    async () => {
      const mediaIds = [await buildMedia(harness, creator)]
      const follow = { follower_id: fan.id, following_id: creator.id, created_at: harness.clock.now() }
      await harness.context.db.insertInto('follows').values(follow).execute()
      return [await buildMessage(harness, creator, fan, { mediaIds, price: '$3' }), '$3', {}]
    },
  ],
])('a %s has one receipt, with its amount and card', async (kind, build) => {
  await buildUser(harness, { role: 'superadmin' })
  const [itemId, amount, body] = await build()
  expect(await buy(kind, itemId, body)).toMatchObject({ status: 200 })
  const [receipt, ...more] = await receipts()
  expect(more).toEqual([])
  expect(receipt).toContain(`: ${amount}`)
  expect(receipt).toContain(`Total: ${amount}, charged to Visa 1111`)
  expect(receipt).toContain('This is a one-time charge.')
  await carryTheirNumbers([receipt ?? ''])
  if (kind === 'bundle') expect(receipt).toContain('2 items')
  if (kind === 'donation') expect(receipt).toContain(`Tip to Fanfare: ${amount}`)
})

test('a receipt is in its buyer’s list of notifications, with its seller as they are called now', async () => {
  await buy('single', await buildItem(harness, creator, 'single'))
  const username = `user_${crypto.randomUUID().slice(0, 10)}`
  await harness.context.db.updateTable('users').set({ username }).where('id', '=', creator.id).execute()
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const { items } = await api.call(routes.notifications, { query: {} })
  expect(items).toMatchObject([{ event: { kind: 'purchase.receipt', data: { seller: username } } }])
})

test('a receipt names whom a tip was for once', async () => {
  await buy('tip', creator.id, { amount: '$5' })
  const [receipt] = await receipts()
  expect(receipt).toContain(`Tip for @${creator.username}: $5`)
})

test('what was not charged has no receipt', async () => {
  const itemId = await buildItem(harness, creator, 'single')
  await buy('single', itemId, await cardToken(harness, TEST_CARDS.declined))
  await buy('single', itemId, await cardToken(harness, TEST_CARDS.held))
  expect(await receipts()).toEqual([])
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  expect((await api.call(routes.notifications, { query: {} })).items).toEqual([])
})
