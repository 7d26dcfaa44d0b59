import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildUser } from '../../../testing/builders.ts'
import { cardToken, planFault, reviewHeld, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { ATTEMPT, DAY_MS, peopleWhoLeave } from '../../../testing/leaving.ts'
import { recordOutside, sendOutside } from '../../../testing/outside.ts'
import { emailsTo, leave, reauthenticatedApi } from '../../../testing/security.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { erase, recover, isErased, purchaseOf, forgiveGateway } = peopleWhoLeave(() => harness)

/** A custom request for $20 within 28 days, whose payment is under review when one of the two leaves a day later. */
async function leavesRequest(who: 'fan' | 'creator') {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const wish = {
    creatorId: creator.id,
    requestMessage: 'A birthday song',
    maxMinutes: 5,
    pricePerMinute: '$4',
  }
  const { _id: requestId } = await harness.api.as(fan).call(routes.createCustomRequest, { body: wish })
  await harness.api
    .as(creator)
    .call(routes.acceptCustomRequest, { body: { requestId, price: '$20', deliveryDays: 28 } })
  const held = await cardToken(harness, TEST_CARDS.held)
  const body = { kind: 'custom', itemId: requestId, price: '$20', deliveryDays: 28, ...held }
  expect((await harness.api.as(fan).send('POST', '/users/purchase', { body })).status).toBe(202)
  harness.clock.advance(DAY_MS)
  const leaving = who === 'fan' ? fan : creator
  await leave(harness, leaving)
  harness.clock.advance(2 * DAY_MS)
  await reviewHeld(harness, (await purchaseOf(fan)).transactionId ?? '', 'approve')
  await recover()
  expect((await purchaseOf(fan)).status).toBe('captured')
  return { fan, creator, leaving }
}

const giveBack = () => harness.server.jobs['custom-requests.refund']({}, ATTEMPT)

test.each(['fan', 'creator'] as const)(
  'a custom request that would be delivered after its %s is erased is given back two days before',
  async (who) => {
    const { fan, creator, leaving } = await leavesRequest(who)
    const { due_at: dueAt } = await harness.context.db
      .selectFrom('account_deletions')
      .select('due_at')
      .where('user_id', '=', leaving.id)
      .executeTakeFirstOrThrow()
    harness.clock.advance(dueAt.getTime() - harness.clock.now().getTime() - 2 * DAY_MS - 60_000)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('captured')
    harness.clock.advance(60_000)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('refunded')
    const subjects = (await emailsTo(harness, creator.email)).map(({ subject }) => subject).join()
    expect(subjects).not.toContain('overdue')
    expect(subjects).toContain('We refunded $20 paid for')
    const told = await harness.context.db
      .selectFrom('notifications')
      .select('data')
      .where('user_id', '=', creator.id)
      .where('kind', '=', 'sale.refunded')
      .execute()
    expect(told).toMatchObject([{ data: { amount: '$20', share: '$16' } }])
    const { reason } = await harness.context.db
      .selectFrom('refunds')
      .where('payment_id', '=', (await purchaseOf(fan)).id)
      .select('reason')
      .executeTakeFirstOrThrow()
    expect(reason).toBe('An account is deleted before the delivery')
    harness.clock.advance(2 * DAY_MS)
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)

test.each(['fan', 'creator'] as const)(
  'a custom request that the gateway doesn’t give back keeps its %s until it does',
  async (who) => {
    const { fan, leaving } = await leavesRequest(who)
    await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
    harness.clock.advance(31 * DAY_MS)
    const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
    const { order_id: transactionId, transactionId: gatewayTransactionId } = await purchaseOf(fan)
    const listed = async () =>
      (await operator.call(routes.undecidedPayments, {})).items.filter(
        (payment) => payment.transactionId === transactionId,
      )
    const before = {
      refunds: await figure('payments_undecided', 'status', 'refund_refused'),
      erasures: await figure('erasures_overdue', 'waits_for', 'request'),
    }
    await giveBack()
    harness.clock.advance(DAY_MS / 2)
    await giveBack()
    await erase()
    expect(await isErased(leaving)).toBe(false)
    expect(await listed()).toMatchObject([
      { status: 'refund_refused', amount: '$20', gatewayTransactionId, reference: expect.any(String) },
    ])
    expect(await figure('payments_undecided', 'status', 'refund_refused')).toBe(before.refunds + 1)
    expect(await figure('erasures_overdue', 'waits_for', 'request')).toBe(before.erasures)
    await forgiveGateway()
    harness.clock.advance(DAY_MS / 2)
    await giveBack()
    expect((await purchaseOf(fan)).status).toBe('refunded')
    expect(await listed()).toEqual([])
    expect(await figure('payments_undecided', 'status', 'refund_refused')).toBe(before.refunds)
    expect(await figure('erasures_overdue', 'waits_for', 'request')).toBe(before.erasures - 1)
    await erase()
    expect(await isErased(leaving)).toBe(true)
  },
)

test('a custom request that the gateway never gives back holds nobody once it was given back another way', async () => {
  const { fan, leaving } = await leavesRequest('fan')
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  harness.clock.advance(31 * DAY_MS)
  await giveBack()
  await forgiveGateway()
  await erase()
  expect(await isErased(leaving)).toBe(false)
  const { id } = await buildUser(harness, { role: 'finance' })
  const operator = await reauthenticatedApi(harness, { id })
  const { order_id: transactionId } = await purchaseOf(fan)
  const standing = async () =>
    (await operator.call(routes.undecidedPayments, {})).items
      .filter((payment) => payment.transactionId === transactionId)
      .map(({ status }) => status)
  await sendOutside(operator, transactionId)
  // The gateway would give it back by now, but isn't asked while somebody else does.
  harness.clock.advance(DAY_MS)
  await giveBack()
  await erase()
  expect(await isErased(leaving)).toBe(false)
  expect([(await purchaseOf(fan)).status, await standing()]).toEqual(['captured', ['refund_outside']])
  const confirmed = await reauthenticatedApi(harness, { id })
  await recordOutside(confirmed, transactionId)
  expect([(await purchaseOf(fan)).status, await standing()]).toEqual(['refunded', ['transfer_missing']])
  await erase()
  expect(await isErased(leaving)).toBe(true)
})

test.each(['fan', 'creator'] as const)(
  'a dispute over a custom request that isn’t delivered keeps its %s, and is counted as one',
  async (who) => {
    const { fan, leaving } = await leavesRequest(who)
    const { order_id: transactionId } = await purchaseOf(fan)
    const { id } = await buildUser(harness, { role: 'finance' })
    const operator = async () => reauthenticatedApi(harness, { id })
    const reason = 'The bank’s letter'
    const { _id: disputeId } = await (await operator()).call(routes.openDispute, {
      body: {
        ...{ transactionId, amount: '$20', fee: '$15', cause: 'fraud' },
        ...{ caseNumber: crypto.randomUUID(), reason },
      },
    })
    const held = async () => ({
      dispute: await figure('erasures_overdue', 'waits_for', 'dispute'),
      request: await figure('erasures_overdue', 'waits_for', 'request'),
    })
    const before = await held()
    harness.clock.advance(31 * DAY_MS)
    await erase()
    expect(await isErased(leaving)).toBe(false)
    expect(await held()).toEqual({ ...before, dispute: before.dispute + 1 })
    await (await operator()).call(routes.decideDispute, { body: { disputeId, outcome: 'lost', reason } })
    await erase()
    expect(await isErased(leaving)).toBe(true)
    expect(await held()).toEqual(before)
  },
)

/** The count in `/metrics` under one label; 0 when it is missing. */
async function figure(name: string, label: string, value: string): Promise<number> {
  const figures = await (await fetch(`${harness.origin}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{${label}="${value}"\\} (\\d+)$`, 'm').exec(figures)?.[1] ?? 0)
}
