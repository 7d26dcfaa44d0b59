import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { emailsTo } from '../../../testing/security.ts'

let harness: Harness
let creator: Person
let fan: Person
/** Three singles of $5 in an offer of $9. */
let items: string[]
let offerId: string
/** The change that happens while the next purchase is between intent and charge. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name: Checkpoint) => {
      if (name !== 'purchase.submitting-committed' || !meanwhile) return
      const happens = meanwhile
      meanwhile = null
      await happens()
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  const single = () => buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  items = [await single(), await single(), await single()]
  offerId = await buildOffer(harness, creator, { type: 'discountSingles', mediaIds: items, priceCents: 900 })
})

type Card = { cardNumber: string; cardCode: string }

async function buy(kind: string, itemId: string, body: object = {}, card: Card = TEST_CARDS.approved) {
  return harness.api.as(fan).send('POST', '/users/purchase', {
    body: { kind, itemId, ...(await cardToken(harness, card)), ...body },
  })
}
const buyOffer = (body: object = {}, card?: Card) => buy('singles', offerId, { offerId, ...body }, card)
const single = (index: number) => items[index] ?? ''
const idOf = (answer: { body: unknown }) => (answer.body as { _id: string })._id
const shown = () => harness.api.as(fan).call(routes.offer, { params: { offerId } })

/** Which of the items the fan has for good, by their number: as often as each was given. */
async function has(): Promise<number[]> {
  const rows = await harness.context.db
    .selectFrom('unlocked_media')
    .select('media_id')
    .where('user_id', '=', fan.id)
    .execute()
  return rows.map(({ media_id }) => items.indexOf(media_id)).sort()
}

async function refund(transactionId: string, amount: string) {
  const finance = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, finance.id, { reauthenticatedAt: harness.clock.now() })
  return refundPayment(harness.api.as({ token }), { transactionId, amount })
}

test('who has one of three singles pays two thirds, for the two others alone', async () => {
  expect(await shown()).toMatchObject({ view: 'open', offer: { price: '$9', reduced: null } })
  await buy('single', single(0))
  expect(await shown()).toMatchObject({ offer: { price: '$9', reduced: { price: '$6', owned: 1 } } })
  const bought = await buyOffer({ price: '$6', itemCount: 3 })
  expect(bought).toMatchObject({ status: 200, body: { amount: '$6', status: 'captured' } })
  expect(await has()).toEqual([0, 1, 2])
  const ordered = await harness.context.db
    .selectFrom('order_items')
    .select('media_id')
    .where('order_id', '=', idOf(bought))
    .orderBy('position')
    .execute()
  expect(ordered.map(({ media_id }) => media_id)).toEqual(items.slice(1))
  const { items: receipts } = await harness.api.as(fan).call(routes.receipts, { query: {} })
  expect(receipts[0]).toMatchObject({ amount: '$6', reduced: { fullPrice: '$9', owned: 1 } })
  const [receipt] = (await emailsTo(harness, fan.email)).filter(({ text }) => text.includes('$6'))
  expect(receipt?.text).toContain('The full price is $9. You already had 1 item.')
})

test('a refund of either takes back what that one gave', async () => {
  const alone = await buy('single', single(0))
  const offered = await buyOffer()
  await refund(idOf(alone), '$5')
  expect(await has()).toEqual([1, 2])
  await refund(idOf(offered), '$6')
  expect(await has()).toEqual([])
})

test('what changed since it was shown is told with the terms of now, and not charged', async () => {
  await buy('single', single(0))
  expect(await buyOffer({ price: '$9', itemCount: 3 })).toMatchObject({
    status: 409,
    body: {
      code: 'price_changed',
      details: { price: '$6', fullPrice: '$9', ownedCount: '1', itemCount: '3' },
    },
  })
  expect(await has()).toEqual([0])
})

test('with all of them owned nothing is sold', async () => {
  for (const id of items) await buy('single', id)
  expect(await shown()).toMatchObject({ view: 'owned', offer: { reduced: null } })
  expect(await buyOffer()).toMatchObject({ status: 409, body: { code: 'already_owned' } })
})

test('a single that is being paid keeps the offer’s price open, so it is waited for, and the other way round', async () => {
  expect(await buy('single', single(0), {}, TEST_CARDS.held)).toMatchObject({ body: { status: 'held' } })
  expect(await buyOffer()).toMatchObject({ status: 409, body: { code: 'purchase_in_progress' } })
  expect(await has()).toEqual([])

  fan = await buildFan(harness)
  const answers: unknown[] = []
  meanwhile = async () => answers.push((await buy('single', single(0))).body)
  expect(await buyOffer()).toMatchObject({ body: { status: 'captured', amount: '$9' } })
  expect(answers).toMatchObject([{ code: 'purchase_in_progress' }])
  expect(await has()).toEqual([0, 1, 2])
})

test('free singles give what one doesn’t have alone, so that a refund of the single takes the single', async () => {
  const alone = await buy('single', single(0))
  const free = await buildOffer(harness, creator, { type: 'freeSingles', mediaIds: items })
  await harness.api.as(fan).call(routes.redeemOffer, { body: { offerId: free } })
  expect(await has()).toEqual([0, 1, 2])
  await refund(idOf(alone), '$5')
  expect(await has()).toEqual([1, 2])
})
