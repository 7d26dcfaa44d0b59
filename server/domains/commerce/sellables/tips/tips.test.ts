import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { NO_TRACES, ONE_SALE, purchaseTraces } from '../../../../testing/purchases.ts'

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

const traces = () => purchaseTraces(harness, fan)

async function give(amount: string | undefined, body: object = {}, key = '') {
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const card = await cardToken(harness)
  return api.send('POST', '/users/purchase', {
    body: { kind: 'tip', itemId: creator.id, ...(amount === undefined ? {} : { amount }), ...card, ...body },
    headers: key ? { 'idempotency-key': key } : {},
  })
}

test('a tip is charged as it was chosen, shared like a sale, and can be given again', async () => {
  const answer = await give('$12.50')
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'captured', amount: '$12.50', title: `Tip for @${creator.username}` },
  })
  expect(await traces()).toEqual(ONE_SALE)
  expect((await give('$1')).status).toBe(200)
  expect(await traces()).toMatchObject({ statuses: ['captured', 'captured'], charged: 2, sales: 2 })
  const api = harness.api.as({ token: await buildSession(harness, creator.id) })
  expect(await api.call(routes.balance, { query: {} })).toMatchObject({ pending: '$10.80' })
})

test('the same tip sent twice is charged once', async () => {
  const card = await cardToken(harness)
  const answers = [await give('$5', card, 'one-tip-sent-twice'), await give('$5', card, 'one-tip-sent-twice')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const another = await give('$50', card, 'one-tip-sent-twice')
  expect(another).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  expect(await traces()).toEqual(ONE_SALE)
})

test.each([
  ['no amount', undefined, {}, 400, 'tip_amount'],
  ['too little', '$0.99', {}, 400, 'tip_amount'],
  ['too much', '$500.01', {}, 400, 'tip_amount'],
  ['an offer beside it', '$5', { offerId: crypto.randomUUID() }, 404, 'offer_not_found'],
  ['another price than was shown', '$5', { price: '$4' }, 409, 'price_changed'],
])('%s charges nothing', async (_name, amount, body, status, code) => {
  expect(await give(amount, body)).toMatchObject({ status, body: { code } })
  expect(await traces()).toEqual(NO_TRACES)
})

test('a fan, nobody, and a creator who blocked the fan can’t be tipped', async () => {
  const other = await buildFan(harness)
  expect(await give('$5', { itemId: other.id })).toMatchObject({ status: 404 })
  expect(await give('$5', { itemId: crypto.randomUUID() })).toMatchObject({ status: 404 })
  await harness.context.db
    .insertInto('blocks')
    .values({ blocker_id: creator.id, blocked_id: fan.id, created_at: harness.clock.now() })
    .execute()
  expect(await give('$5')).toMatchObject({ status: 404 })
  expect(await traces()).toEqual(NO_TRACES)
})

test('a declined card gives nothing, and the next one pays the tip', async () => {
  const declined = await give('$5', await cardToken(harness, TEST_CARDS.declined))
  expect(declined).toMatchObject({ status: 402, body: { code: 'card_declined' } })
  expect(await traces()).toMatchObject({ statuses: ['declined'], charged: 0, granted: 0, sales: 0 })
  expect((await give('$5')).status).toBe(200)
  expect(await traces()).toMatchObject({ statuses: ['captured', 'declined'], charged: 1, sales: 1 })
})

test('the operator takes tips, and nobody else who creates nothing does', async () => {
  const donee = async () => (await harness.api.visitor().call(routes.donations, {}))._id
  expect(await donee()).toBeNull()
  const operator = await buildUser(harness, { role: 'superadmin' })
  await buildUser(harness, { role: 'superadmin' })
  expect(await donee()).toBe(operator.id)
  const answer = await give('$20', { itemId: operator.id })
  expect(answer).toMatchObject({ status: 200, body: { amount: '$20', title: 'Tip for this site' } })
  expect(await traces()).toEqual(ONE_SALE)
  const support = await buildUser(harness, { role: 'support' })
  expect(await give('$20', { itemId: support.id })).toMatchObject({ status: 404 })
  expect(await traces()).toEqual(ONE_SALE)
})
