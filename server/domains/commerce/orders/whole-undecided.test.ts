import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Kind } from '../../../../contract/orders.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildMessage } from '../../../testing/purchases.ts'

let harness: Harness
let creator: Person
let fan: Person
/** A single of $9.99. */
let mediaId: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  // Creators write to those who follow them.
  await harness.api.as(fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  mediaId = await buildMedia(harness, creator, { showInStore: true, priceCents: 999 })
})

async function buy(kind: Kind, itemId: string, card: Parameters<typeof cardToken>[1] = TEST_CARDS.approved) {
  const body = { kind, itemId, ...(await cardToken(harness, card)) }
  return harness.api.as(fan).send('POST', '/users/purchase', { body })
}

const messageOf = (mediaIds: string[], price = '$8') =>
  buildMessage(harness, creator, fan, { mediaIds, price })
/** A bundle that costs the same whatever its buyer has. */
const bundleOf = (mediaIds: string[]) => buildBundle(harness, creator, { mediaIds, priceCents: 700 })
const refusedAs = (code: string) => ({ status: 409, body: { code } })
const WAITS = refusedAs('purchase_in_progress')
const DISPUTED = refusedAs('purchase_disputed')

async function dispute(orderId: string): Promise<void> {
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  const body = {
    ...{ transactionId: orderId, amount: '$9.99', fee: '$15', cause: 'not_received' as const },
    ...{ caseNumber: 'C-1', reason: 'By the letter' },
  }
  await harness.api.as({ token }).call(routes.openDispute, { body })
}

test('an item whose payment is under review isn’t sold once more in a message or a bundle of it alone', async () => {
  expect((await buy('single', mediaId, TEST_CARDS.held)).status).toBe(202)
  expect(await buy('message', await messageOf([mediaId]))).toMatchObject(WAITS)
  expect(await buy('bundle', await bundleOf([mediaId]))).toMatchObject(WAITS)
})

test('what is being paid for in a bundle, or in a message, isn’t sold in another message', async () => {
  expect((await buy('bundle', await bundleOf([mediaId]), TEST_CARDS.held)).status).toBe(202)
  expect(await buy('message', await messageOf([mediaId]))).toMatchObject(WAITS)
  const sent = [await buildMedia(harness, creator)]
  expect((await buy('message', await messageOf(sent), TEST_CARDS.held)).status).toBe(202)
  expect(await buy('message', await messageOf(sent, '$9'))).toMatchObject(WAITS)
})

test('a message of what is owned and what is being paid for waits; with anything else in it, it is sold', async () => {
  const other = await buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  expect((await buy('single', other)).status).toBe(200)
  expect((await buy('single', mediaId, TEST_CARDS.held)).status).toBe(202)
  expect(await buy('message', await messageOf([mediaId, other]))).toMatchObject(WAITS)
  const more = await messageOf([mediaId, other, await buildMedia(harness, creator)])
  expect((await buy('message', more)).status).toBe(200)
})

test('what a bank decides on isn’t sold again in a message or a bundle of it alone', async () => {
  const bought = await buy('single', mediaId)
  await dispute((bought.body as { _id: string })._id)
  expect(await buy('message', await messageOf([mediaId]))).toMatchObject(DISPUTED)
  expect(await buy('bundle', await bundleOf([mediaId]))).toMatchObject(DISPUTED)
})

test('a single and messages of it that are bought at once charge once', async () => {
  const messages: string[] = []
  for (const price of ['$8', '$7', '$6']) messages.push(await messageOf([mediaId], price))
  const buying = [buy('single', mediaId), ...messages.map((id) => buy('message', id))]
  const answers = await Promise.all(buying)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})
