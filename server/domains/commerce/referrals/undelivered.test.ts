import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

const DAY_MS = 24 * 3600 * 1000
/** A request that is to be delivered within so many days, whose shares are pending for seven more. */
const DELIVERY_DAYS = 3

let harness: Harness
let creator: Person
let fan: Person
let referrer: Person
let finance: Person

beforeAll(async () => {
  harness = await startHarness()
  finance = await buildUser(harness, { role: 'finance' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  referrer = await buildFan(harness)
  fan = await buildFan(harness)
  await harness.context.db
    .updateTable('users')
    .set({ referred_by: referrer.id })
    .where('id', '=', fan.id)
    .execute()
})

/** Logged in again, as time may have passed since. */
const as = async ({ id }: Person) =>
  harness.api.as({ token: await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() }) })

const commission = async () => {
  const { items } = await (await as(referrer)).call(routes.commissions, { query: {} })
  const { pending, available, reserved } = await (await as(referrer)).call(routes.referralFigures, {
    query: {},
  })
  return { status: items.map(({ status }) => status).join(), pending, available, reserved }
}

/** Pays a request of $20, of which a bank takes all back a day later, until after the first date of the shares. */
async function disputesBeyondItsDate(): Promise<string> {
  const body = { creatorId: creator.id, requestMessage: 'A song', maxMinutes: 5, pricePerMinute: '$4' }
  const { _id: requestId } = await (await as(fan)).call(routes.createCustomRequest, { body })
  const terms = { price: '$20', deliveryDays: DELIVERY_DAYS }
  await (await as(creator)).call(routes.acceptCustomRequest, { body: { requestId, ...terms } })
  const paying = { kind: 'custom' as const, itemId: requestId, ...terms, ...(await cardToken(harness)) }
  const { _id: transactionId } = (await (await as(fan)).call(routes.purchase, { body: paying })) as {
    _id: string
  }
  harness.clock.advance(DAY_MS)
  const dispute = {
    ...{ transactionId, amount: '$20', fee: '$15', cause: 'fraud' as const },
    ...{ caseNumber: crypto.randomUUID(), reason: 'The bank’s letter' },
  }
  const { _id: disputeId } = await (await as(finance)).call(routes.openDispute, { body: dispute })
  harness.clock.advance(29 * DAY_MS)
  return disputeId
}

const decides = async (disputeId: string) =>
  (await as(finance)).call(routes.decideDispute, {
    body: { disputeId, outcome: 'won', reason: 'The bank decided' },
  })

test('a commission of what isn’t delivered is pending until the new date after a dispute was won', async () => {
  const disputeId = await disputesBeyondItsDate()
  expect(await commission()).toEqual({
    ...{ status: 'onHold', pending: '$0', available: '$0', reserved: '$1.40' },
  })
  await decides(disputeId)
  expect(await commission()).toEqual({
    ...{ status: 'pending', pending: '$1.40', available: '$0', reserved: '$0' },
  })
  harness.clock.advance((DELIVERY_DAYS + 7) * DAY_MS)
  expect(await commission()).toEqual({
    ...{ status: 'available', pending: '$0', available: '$1.40', reserved: '$0' },
  })
})

test('a commission of what isn’t delivered can be canceled for as long as its dispute is open', async () => {
  const disputeId = await disputesBeyondItsDate()
  const cancel = { body: { username: referrer.username, reason: 'Fake accounts' } }
  expect(await (await as(finance)).call(routes.cancelCommissions, cancel)).toEqual({
    ...{ count: 1, amount: '$1.40' },
  })
  await expect((await as(finance)).call(routes.cancelCommissions, cancel)).rejects.toMatchObject({
    code: 'no_commissions',
  })
  const none = { status: 'canceled', pending: '$0', available: '$0', reserved: '$0' }
  expect(await commission()).toEqual(none)
  await decides(disputeId)
  harness.clock.advance(30 * DAY_MS)
  expect(await commission()).toEqual(none)
})
