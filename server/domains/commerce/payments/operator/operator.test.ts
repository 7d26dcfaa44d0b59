import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../../contract/orders.ts'
import { buildCreator, buildFan, buildSession, buildUser } from '../../../../testing/builders.ts'
import { cardToken, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem } from '../../../../testing/purchases.ts'
import { refundPayment } from '../../../../testing/refunds.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

test('an operator reads the card of a payment, and its evidence, by the name that stands on it', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const card = await cardToken(harness, { cardNumber: '370000000000002', cardCode: '1234' })
  const { _id } = (await harness.api.as(fan).call(routes.purchase, {
    body: { kind: 'single', itemId, ...card },
  })) as { _id: string }
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const operator = harness.api.as({ token })
  const { attempts } = await operator.call(routes.payment, { params: { transactionId: _id } })
  expect(attempts.map((attempt) => attempt.card)).toEqual(['Amex 0002'])
  const dispute = await operator.call(routes.openDispute, {
    body: {
      ...{ transactionId: _id, amount: '$10', fee: '$15', cause: 'fraud', caseNumber: 'CB-1' },
      reason: 'The bank’s letter',
    },
  })
  const evidence = await operator.call(routes.disputeEvidence, { params: { disputeId: dispute._id } })
  expect(evidence.sections.flatMap(({ facts }) => facts)).toContainEqual({
    ...{ label: 'Card', value: 'Amex ending in 0002' },
  })
})

test('who is suspended is named to operators, and who leaves is not', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const { _id: transactionId } = (await harness.api.as(fan).call(routes.purchase, {
    body: { kind: 'single', itemId, ...(await cardToken(harness)) },
  })) as { _id: string }
  const { id } = await buildUser(harness, { role: 'superadmin' })
  const session = () => buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const operator = harness.api.as({ token: await session() })
  const opened = await operator.call(routes.openDispute, {
    body: {
      ...{ transactionId, amount: '$10', fee: '$15', cause: 'fraud', caseNumber: 'CB-2' },
      reason: 'The bank’s letter',
    },
  })
  const people = async () => {
    const payment = await operator.call(routes.payment, { params: { transactionId } })
    const { items } = await operator.call(routes.disputes, { query: {} })
    const dispute = items.find(({ _id }) => _id === opened._id)
    return [payment, dispute].map((of) => [of?.buyer.username, of?.creator.username])
  }
  for (const { id: userId } of [creator, fan])
    await operator.call(routes.suspendPerson, { body: { userId, reason: 'Trying it out' } })
  expect(await people()).toEqual([
    [fan.username, creator.username],
    [fan.username, creator.username],
  ])
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: harness.clock.now() })
    .where('id', 'in', [creator.id, fan.id])
    .execute()
  expect(await people()).toEqual([
    ['Deleted User', 'Deleted User'],
    ['Deleted User', 'Deleted User'],
  ])
})

test('an operator reads what the gateway said of the card, and that a checkout isn’t a renewal', async () => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const body = { kind: 'single' as const, itemId: await buildItem(harness, creator, 'single', 1000) }
  const card = await cardToken(harness, { ...TEST_CARDS.approved, cardCode: '901' })
  const { _id: transactionId } = (await harness.api.as(fan).call(routes.purchase, {
    body: { ...body, ...card },
  })) as { _id: string }
  const operator = harness.api.as(await buildUser(harness, { role: 'finance' }))
  const { attempts } = await operator.call(routes.payment, { params: { transactionId } })
  expect(attempts).toMatchObject([{ isRenewal: false, avs: 'Y', cvv: 'N' }])
})

test.each([
  ['a whole charge', '$10', ['$0', '$0']],
  ['a part', '$5', ['$4', '$1']],
])('what is shared of a payment is what is left of it after a refund of %s', async (_what, amount, left) => {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const { _id: transactionId } = (await harness.api.as(fan).call(routes.purchase, {
    body: { kind: 'single', itemId, ...(await cardToken(harness)) },
  })) as { _id: string }
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const operator = harness.api.as({ token })
  const shared = async () => {
    const payment = await operator.call(routes.payment, { params: { transactionId } })
    return [payment.creatorShare, payment.platformFee]
  }
  expect(await shared()).toEqual(['$8', '$2'])
  if (amount === '$5')
    await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await refundPayment(operator, { transactionId, amount })
  expect(await shared()).toEqual(left)
})

test('an operator finds a person’s payments by the email that they write from', async () => {
  const operator = harness.api.as(await buildUser(harness, { role: 'finance' }))
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness)) }
  const { _id } = (await harness.api.as(fan).call(routes.purchase, { body })) as { _id: string }
  for (const search of [fan.email, fan.email.toUpperCase(), creator.email, fan.username]) {
    const { items } = await operator.call(routes.payments, { query: { search } })
    expect(items.map((payment) => payment._id)).toEqual([_id])
  }
  const other = await operator.call(routes.payments, { query: { search: `x${fan.email}` } })
  expect(other.items).toEqual([])
})

test('payments that stand in one way are listed page by page, by how their order was paid or not in the end', async () => {
  const operator = harness.api.as(await buildUser(harness, { role: 'finance' }))
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const buy = async (itemId: string, card: { cardNumber: string; cardCode: string }) => {
    harness.clock.advance(11 * 60_000)
    const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
    const token = await buildSession(harness, fan.id)
    await harness.api.as({ token }).send('POST', '/users/purchase', { body })
  }
  for (const [first, then] of [
    [TEST_CARDS.declined],
    [TEST_CARDS.held],
    [TEST_CARDS.approved],
    [TEST_CARDS.declined, TEST_CARDS.approved],
    [TEST_CARDS.declined, TEST_CARDS.declined],
  ] as const) {
    const itemId = await buildItem(harness, creator, 'single', 1000)
    await buy(itemId, first)
    if (then) await buy(itemId, then)
  }
  const listed = async (query: { status?: PaymentStatus; search?: string; limit?: number }) => {
    const statuses: [string, PaymentStatus][] = []
    let cursor: string | undefined
    do {
      const page = await operator.call(routes.payments, {
        query: { ...query, ...(cursor ? { cursor } : {}) },
      })
      statuses.push(...page.items.map(({ _id, status }): [string, PaymentStatus] => [_id, status]))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return statuses
  }
  const search = fan.username
  const all = await listed({ search })
  expect(all.map(([, status]) => status)).toEqual(['declined', 'captured', 'captured', 'held', 'declined'])
  for (const status of PAYMENT_STATUSES) {
    const matching = all.filter((one) => one[1] === status)
    expect(await listed({ search, status })).toEqual(matching)
    expect(await listed({ search: creator.username, status, limit: 1 })).toEqual(matching)
    const everyones = await listed({ status })
    expect(everyones.filter(([id]) => all.some(([own]) => own === id))).toEqual(matching)
    expect(new Set(everyones.map((one) => one[1]))).toEqual(new Set(everyones.length ? [status] : []))
  }
})
