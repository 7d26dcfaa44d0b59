import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken, gatewayCaptures, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { askedOf } from '../../../testing/refunds.ts'

/** The same call with the same idempotency key gets the first answer, whatever became of it meanwhile. */
let harness: Harness
let fan: Person
let itemId: string

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  fan = await buildFan(harness)
  itemId = await buildMedia(harness, await buildCreator(harness), { showInStore: true, priceCents: 999 })
})

/** A call that can be sent again and again. */
function repeatable(person: { token: string }, path: string, body: object) {
  const headers = { 'idempotency-key': randomUUID() }
  return async (other: object = {}) => {
    const sent = { body: { ...body, ...other }, headers }
    const { status, body: answer } = await harness.api.as(person).send('POST', path, sent)
    return { status, answer }
  }
}

const buys = async (card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) =>
  repeatable(fan, '/users/purchase', { kind: 'single', itemId, ...(await cardToken(harness, card)) })

const payment = () =>
  harness.context.db
    .selectFrom('payments')
    .select(['status', 'order_id', 'gateway_transaction_id'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()

const charges = async () => (await gatewayCaptures(harness)).length

test('a purchase that was held for review says so again once it is approved', async () => {
  const send = await buys(TEST_CARDS.held)
  const first = await send()
  expect(first).toMatchObject({ status: 202, answer: { status: 'held' } })
  await reviewHeld(harness, (await payment()).gateway_transaction_id ?? '', 'approve')
  harness.clock.advance(5 * 60_000)
  await harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
  expect((await payment()).status).toBe('captured')
  const before = await charges()
  expect(await send()).toEqual(first)
  expect(await charges()).toBe(before)
})

test('a purchase, and a part of it that was given back, say so again once all of it was', async () => {
  const purchase = await buys()
  const bought = await purchase()
  expect(bought).toMatchObject({ status: 200, answer: { status: 'captured' } })
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const { id } = await buildUser(harness, { role: 'finance' })
  const operator = { token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }) }
  const { order_id: transactionId } = await payment()
  const gives = async (amount: string) =>
    repeatable(operator, '/admin/refund', await askedOf(harness.api.as(operator), { transactionId, amount }))
  const part = await gives('$4')
  const given = await part()
  expect(given.status).toBe(200)
  expect((await (await gives('$5.99'))()).status).toBe(200)
  expect((await payment()).status).toBe('refunded')
  expect(await part()).toEqual(given)
  expect(await purchase()).toEqual(bought)
  const refunds = await harness.context.db.selectFrom('refunds').select('amount_cents').execute()
  expect(refunds.map(({ amount_cents: cents }) => cents).sort()).toEqual([400, 599])
})

test('a card that was added is answered so again once it is removed, and stays removed', async () => {
  const send = repeatable(fan, '/users/cards', await cardToken(harness))
  const first = await send()
  expect(first.status).toBe(200)
  const api = harness.api.as(fan)
  const [card] = (await api.call(routes.cards, { query: {} })).items
  await api.call(routes.removeCard, { body: { cardId: card?._id ?? '' } })
  expect(await send()).toEqual(first)
  expect((await api.call(routes.cards, { query: {} })).items).toEqual([])
})

test('another call under the same key is refused, and charges nothing', async () => {
  const send = await buys()
  expect((await send()).status).toBe(200)
  const before = await charges()
  const another = await buildMedia(harness, await buildCreator(harness), {
    showInStore: true,
    priceCents: 999,
  })
  expect(await send({ itemId: another })).toMatchObject({
    status: 422,
    answer: { code: 'idempotency_key_reused' },
  })
  expect(await charges()).toBe(before)
})
