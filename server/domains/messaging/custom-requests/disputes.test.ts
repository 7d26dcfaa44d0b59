import { beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { sourcesOf } from '../../../../contract/media-links.ts'
import { buildMedia, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { customRequests, WISH } from '../../../testing/custom-requests.ts'
import type { Harness } from '../../../testing/harness.ts'
import { beginMinute } from '../../../testing/schedule.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * 3600 * 1000

const { scene, as, deliver, askAndPay, cardOf, stateOf, openOf, giveBack } = customRequests()
let harness: Harness
let creator: Person
let fan: Person

beforeAll(() => {
  ;({ harness } = scene)
})
beforeEach(() => {
  ;({ creator, fan } = scene)
})

/** A bank takes back this much of a request's payment; returns a function that records its decision. */
async function dispute(requestId: string, amount: string) {
  const { id: transactionId } = await harness.context.db
    .selectFrom('orders')
    .select('id')
    .where('item_id', '=', requestId)
    .executeTakeFirstOrThrow()
  const operator = await buildUser(harness, { role: 'superadmin' })
  const api = async () => {
    const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
    return harness.api.as({ token })
  }
  const what = { cause: 'fraud' as const, caseNumber: crypto.randomUUID(), reason: 'The bank took it back' }
  const { _id: disputeId } = await (await api()).call(routes.openDispute, {
    body: { transactionId, amount, fee: '$15', ...what },
  })
  return async (outcome: 'won' | 'lost') =>
    (await api()).call(routes.decideDispute, { body: { disputeId, outcome, reason: 'The bank decided' } })
}

test('a dispute takes back what was delivered until the bank decides for the creator', async () => {
  const requestId = await askAndPay()
  await deliver(requestId, [await buildMedia(harness, creator)])
  const decide = await dispute(requestId, '$20')
  expect([await stateOf(), await openOf()]).toEqual(['disputed', 0])
  await decide('won')
  expect([await stateOf(), await openOf()]).toEqual(['delivered', 1])
})

test('the evidence for its dispute says what was asked for, when it was delivered, and what of it was viewed', async () => {
  const requestId = await askAndPay()
  const mediaId = await buildMedia(harness, creator, { title: 'A song' })
  await deliver(requestId, [mediaId])
  const viewer = as(fan)
  const media = await viewer.call(routes.media, { params: { mediaId } })
  expect((await viewer.fetch(sourcesOf(media)[0]?.url ?? '')).ok).toBe(true)
  await dispute(requestId, '$20')
  const finance = as(await buildUser(harness, { role: 'finance' }))
  const { items } = await finance.call(routes.disputes, { query: {} })
  const params = { disputeId: items.find(({ buyer }) => buyer._id === fan.id)?._id ?? '' }
  const { sections } = await finance.call(routes.disputeEvidence, { params })
  const facts = sections.flatMap((section) =>
    section.facts.map(({ label, value }) => `${section.title}: ${label}: ${value}`),
  )
  expect(facts).toEqual(
    expect.arrayContaining([
      `What was bought: Buyer’s request: ${WISH.requestMessage}`,
      'What was bought: Agreed delivery: Within 3 days',
      expect.stringMatching(/^What was bought: Delivered: \d/),
      'What was bought: Item 1: A song (image)',
      expect.stringMatching(/^Access: Viewed “A song”: .* from 127\.0\.0\.0/),
    ]),
  )
})

test('the evidence of a request that isn’t delivered says nothing of access, and of one that is, since when', async () => {
  const finance = as(await buildUser(harness, { role: 'finance' }))
  const unlocked = async (requestId: string) => {
    await dispute(requestId, '$20')
    const { items } = await finance.call(routes.disputes, { query: {} })
    const params = { disputeId: items[0]?._id ?? '' }
    const { sections } = await finance.call(routes.disputeEvidence, { params })
    return sections.flatMap(({ facts }) => facts).filter(({ label }) => label === 'Unlocked')
  }
  expect(await unlocked(await askAndPay())).toEqual([])
  const requestId = await askAndPay()
  harness.clock.advance(DAY_MS)
  beginMinute(harness)
  const since = harness.clock.now().toISOString().slice(0, 16).replace('T', ' ')
  await deliver(requestId, [await buildMedia(harness, creator)])
  expect((await unlocked(requestId))[0]?.value).toMatch(new RegExp(`^${since} UTC to `))
})

test('the days to deliver stand still while a dispute is open', async () => {
  const requestId = await askAndPay()
  const before = (await cardOf())?.deliverBy ?? ''
  harness.clock.advance(2 * DAY_MS)
  const decide = await dispute(requestId, '$20')
  harness.clock.advance(35 * DAY_MS)
  await giveBack()
  expect(await stateOf()).toBe('disputed')
  await decide('won')
  await giveBack()
  const after = await cardOf()
  expect(after?.state).toBe('paid')
  expect(Date.parse(after?.deliverBy ?? '')).toBeGreaterThanOrEqual(Date.parse(before) + 35 * DAY_MS)
  harness.clock.advance(DAY_MS - HOUR_MS)
  await giveBack()
  const back = { ...creator, token: await buildSession(harness, creator.id) }
  expect(await deliver(requestId, [await buildMedia(harness, creator)], back)).toMatchObject({ status: 200 })
})

test.each([
  ['$20', 'won', '$16'],
  ['$20', 'lost', '$0'],
  ['$5', 'won', '$16'],
  ['$5', 'lost', '$12'],
] as const)(
  'of one that isn’t delivered nothing can be paid out before the new date, once a dispute of %s is %s',
  async (amount, outcome, left) => {
    const requestId = await askAndPay()
    const balance = async () => {
      const api = as({ ...creator, token: await buildSession(harness, creator.id) })
      const { pending, available, reserved } = await api.call(routes.balance, { query: {} })
      return { pending, available, reserved }
    }
    harness.clock.advance(DAY_MS)
    const decide = await dispute(requestId, amount)
    harness.clock.advance(29 * DAY_MS)
    expect(await balance()).toEqual({ pending: '$0', available: '$0', reserved: '$16' })
    await decide(outcome)
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    const back = { ...creator, token: await buildSession(harness, creator.id) }
    if (left !== '$0')
      expect(await deliver(requestId, [await buildMedia(harness, creator)], back)).toMatchObject({
        status: 200,
      })
    harness.clock.advance(9 * DAY_MS - HOUR_MS)
    expect(await balance()).toEqual({ pending: left, available: '$0', reserved: '$0' })
    harness.clock.advance(2 * HOUR_MS)
    expect(await balance()).toEqual({ pending: '$0', available: left, reserved: '$0' })
  },
)

test('one that isn’t delivered after a dispute was won leaves its creator nothing', async () => {
  const requestId = await askAndPay()
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const decide = await dispute(requestId, '$5')
  harness.clock.advance(30 * DAY_MS)
  await decide('won')
  harness.clock.advance(3 * DAY_MS + HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const api = as({ ...creator, token: await buildSession(harness, creator.id) })
  expect(await api.call(routes.balance, { query: {} })).toMatchObject({
    ...{ pending: '$0', available: '$0', reserved: '$0' },
  })
})

test('what is not delivered once those days are over is refunded, and of what a bank kept a part the rest', async () => {
  const requestId = await askAndPay()
  // A settled payment can be refunded in part.
  await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const decide = await dispute(requestId, '$5')
  harness.clock.advance(10 * DAY_MS)
  await decide('lost')
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('paid')
  harness.clock.advance(2 * HOUR_MS)
  await giveBack()
  expect(await stateOf()).toBe('refunded')
  const refunds = await harness.context.db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.amount_cents', 'refunds.status'])
    .where('item_id', '=', requestId)
    .execute()
  expect(refunds).toEqual([{ amount_cents: 1500, status: 'refunded' }])
})
