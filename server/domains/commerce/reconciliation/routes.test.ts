import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Checkpoint } from '../../../context.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, chargeBack, gatewayThatIsDown, gatewayTransactions } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { MASTERCARD } from '../../../testing/money/cards.ts'
import { buildItem, insertPurchase, ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { listCompared } from './data.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let harness: Harness
let creator: Person
let fan: Person
let operator: Person
let breakAt: Checkpoint | null = null
beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === breakAt) throw new Error('broken down on purpose')
    },
  })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  operator = await buildUser(harness, { role: 'finance' })
})

const run = { attempt: 1, lastAttempt: false }
const compare = () => harness.server.jobs['payments.compare']({}, run)
const recover = () => harness.server.jobs['purchases.recover']({}, run)
const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
async function found() {
  operator = await buildUser(harness, { role: 'finance' })
  return (await harness.api.as(operator).call(routes.findings, {})).items
}

async function buy(): Promise<string> {
  const itemId = await buildItem(harness, creator, 'single')
  const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (purchase as { _id: string })._id
}

test('what was captured here and there makes no finding, settled or not, refunded or not', async () => {
  await buy()
  await settle()
  await buy()
  await compare()
  expect(await found()).toEqual([])
})

test('more charges than a statement has parameters are compared', async () => {
  await buy()
  const { db, clock } = harness.context
  const own = await db
    .selectFrom('payments')
    .select(['id', 'reference'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: 70_000 }, () => crypto.randomUUID())
  const now = clock.now()
  const compared = await listCompared(db, { since: now, until: now, references: [...others, own.reference] })
  expect(compared.filter(({ id }) => id === own.id)).toHaveLength(1)
})

test('a payment that the gateway doesn’t list is found once, and gone when it is explained', async () => {
  const { orderId, paymentId } = await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 400, status: 'captured', created_at: harness.clock.now() },
  })
  // It may have been captured after the gateway's list was read.
  await compare()
  expect(await found()).toEqual([])
  harness.clock.advance(DAY_MS)
  await compare()
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await found()).toMatchObject([
    { kind: 'payment_without_charge', transactionId: orderId, amount: null },
  ])
  await harness.context.db
    .updateTable('payments')
    .set({ status: 'voided' })
    .where('id', '=', paymentId)
    .execute()
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await found()).toEqual([])
})

test('a charge that nobody here knows of is found', async () => {
  const outcome = await harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents: 1234,
    description: 'Not ours',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: fan.id, email: fan.email },
  })
  const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
  await compare()
  expect(await found()).toMatchObject([
    { kind: 'unknown_charge', transactionId: null, gatewayTransactionId: transactionId, amount: '$12.34' },
  ])
  await harness.context.payments.voidCharge(transactionId)
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await found()).toEqual([])
})

test('a second charge of one payment is found, by its list and by its webhook, and voiding it says nothing of the first', async () => {
  // Early in a day: what is charged late in one is settled two hours later, and can't be voided.
  const hour = 60 * MINUTE_MS
  harness.clock.advance(DAY_MS - ((harness.clock.now().getTime() - hour) % DAY_MS))
  const orderId = await buy()
  const { db, payments } = harness.context
  const { reference, amount_cents: amountCents } = await db
    .selectFrom('payments')
    .select(['reference', 'amount_cents'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  harness.clock.advance(10 * MINUTE_MS)
  const outcome = await payments.charge({
    ...{ reference, amountCents, description: 'Once more', occasion: 'single' },
    source: { token: await cardToken(harness, MASTERCARD), saveCard: false },
    customer: { id: fan.id, email: fan.email },
  })
  const transactionId = outcome.kind === 'approved' ? outcome.transactionId : ''
  expect(transactionId).not.toBe('')
  const expected = [
    {
      ...{ kind: 'unknown_charge', transactionId: orderId, amount: '$9.99' },
      gatewayTransactionId: transactionId,
    },
  ]
  const lookUp = () => harness.server.jobs['gateway.look-up']({ transactionId }, run)
  await lookUp()
  expect(await found()).toMatchObject(expected)
  harness.clock.advance(2 * 60 * MINUTE_MS)
  await compare()
  expect(await found()).toMatchObject(expected)
  await payments.voidCharge(transactionId)
  await lookUp()
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await found()).toEqual([])
})

test('a refund that could not be voided is no charge that nobody knows of', async () => {
  const orderId = await buy()
  await settle()
  const { api } = await operatorNow()
  await refundPayment(api, { transactionId: orderId, amount: '$9.99' })
  const [refund] = await gatewayTransactions(harness)
  expect(refund).toMatchObject({ type: 'refundTransaction', status: 'refundPendingSettlement' })
  const address = `${harness.sandboxOrigin}/sandbox/authorizenet/admin/transactions/${refund?.transId}/couldNotVoid`
  expect((await fetch(address, { method: 'POST' })).status).toBe(200)
  await compare()
  expect(await found()).toEqual([])
})

test('a charge that was called not made is found after the look-ups are over, and given back by itself', async () => {
  const gateway = harness.context.payments
  harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
  breakAt = 'purchase.gateway-answered'
  await buy()
  breakAt = null
  for (const wait of [16 * MINUTE_MS, MINUTE_MS, MINUTE_MS, 3.1 * DAY_MS]) {
    harness.clock.advance(wait)
    await recover()
  }
  harness.context.payments = gateway
  await recover()
  expect(await purchaseTraces(harness, fan)).toEqual({
    ...ONE_SALE,
    ...{ statuses: ['refused'], granted: 0, sales: 0 },
  })
  await compare()
  // Its batch was settled with it.
  expect(await found()).toMatchObject([
    { kind: 'settlement_differs', amount: '$9.99' },
    { kind: 'charge_not_recorded', amount: '$9.99' },
  ])
  await recover()
  // Its order is void by then: nothing is kept without a grant.
  const [payment] = await harness.context.db
    .selectFrom('payments')
    .select(['status', 'reference'])
    .where('buyer_id', '=', fan.id)
    .execute()
  expect(['voided', 'refunded']).toContain(payment?.status)
  expect(await purchaseTraces(harness, fan)).toMatchObject({ granted: 0, sales: 0 })
  const given = (await gatewayTransactions(harness)).filter(
    ({ type, status }) => type === 'refundTransaction' || status === 'voided',
  )
  expect(given.length).toBeGreaterThan(0)
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await found()).toEqual([])
})

test('a gateway that does not answer makes no finding, and ends none', async () => {
  await insertPurchase(harness.context.db, {
    ...{ buyer_id: fan.id, creator_id: creator.id, kind: 'single', item_id: crypto.randomUUID() },
    ...{ amount_cents: 400, status: 'captured', created_at: harness.clock.now() },
  })
  harness.clock.advance(DAY_MS)
  await compare()
  const before = await found()
  expect(before).toHaveLength(1)
  const gateway = harness.context.payments
  harness.context.payments = gatewayThatIsDown(harness)
  harness.clock.advance(MINUTE_MS)
  await compare()
  harness.context.payments = gateway
  expect(await found()).toEqual(before)
})

/** A charge at the gateway that nobody here knows of; returns the gateway's number of it. */
async function chargeUnknown(): Promise<string> {
  const outcome = await harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents: 1234,
    description: 'Not ours',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: fan.id, email: fan.email },
  })
  return outcome.kind === 'approved' ? outcome.transactionId : ''
}

const operatorNow = async () => {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return { id, api: harness.api.as({ token }) }
}

const foundOf = async (number: string) =>
  (await found()).filter(({ gatewayTransactionId }) => gatewayTransactionId === number)

test('a charge that the bank took back is found, however long ago, until its dispute is recorded', async () => {
  const orderId = await buy()
  await settle()
  const { gateway_transaction_id } = await harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const foundNow = async () =>
    (await found())
      .filter(
        ({ transactionId, amount }) =>
          transactionId === orderId || (transactionId === null && amount === '-$9.99'),
      )
      .map(({ kind, amount }) => [kind, amount])
  await compare()
  expect(await foundNow()).toEqual([])
  await chargeBack(harness, gateway_transaction_id ?? '')
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await foundNow()).toEqual([['chargeback_not_recorded', '$9.99']])
  // It comes off a batch of the next days.
  harness.clock.advance(8 * DAY_MS)
  await compare()
  const both = [
    ['settlement_differs', '-$9.99'],
    ['chargeback_not_recorded', '$9.99'],
  ]
  expect(await foundNow()).toEqual(both)
  const { api } = await operatorNow()
  const reason = 'The bank’s letter'
  await api.call(
    routes.openDispute,
    {
      body: {
        ...{ transactionId: orderId, amount: '$9.99', fee: '$15', cause: 'fraud', caseNumber: 'CB-2' },
        reason,
      },
    },
    { idempotencyKey: crypto.randomUUID() },
  )
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await foundNow()).toEqual([])
})

test('a difference that ages out of the compared days stays, until an operator takes it and resolves it with a reason', async () => {
  const gatewayTransactionId = await chargeUnknown()
  await compare()
  harness.clock.advance(6 * DAY_MS)
  await compare()
  const [finding] = await foundOf(gatewayTransactionId)
  expect(finding).toMatchObject({ kind: 'unknown_charge', gatewayTransactionId, owner: null })
  const findingId = finding?._id ?? ''
  const taker = await operatorNow()
  await taker.api.call(routes.takeFinding, { body: { findingId } })
  expect(await foundOf(gatewayTransactionId)).toMatchObject([{ _id: findingId, owner: { _id: taker.id } }])

  const other = await operatorNow()
  await other.api.call(routes.resolveFinding, { body: { findingId, reason: 'A test by the gateway' } })
  expect(await foundOf(gatewayTransactionId)).toEqual([])
  await expect(
    other.api.call(routes.resolveFinding, { body: { findingId, reason: 'Once more' } }),
  ).rejects.toMatchObject({ code: 'finding_resolved' })
  await expect(other.api.call(routes.takeFinding, { body: { findingId } })).rejects.toMatchObject({
    code: 'finding_resolved',
  })
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason'])
    .where('target_id', '=', findingId)
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { action: 'finding.taken', actor_id: taker.id, reason: 'Took it over' },
    { action: 'finding.resolved', actor_id: other.id, reason: 'A test by the gateway' },
  ])
})

test('what an operator resolved by hand isn’t found again by the next comparison', async () => {
  const gatewayTransactionId = await chargeUnknown()
  await compare()
  const [finding] = await foundOf(gatewayTransactionId)
  const { api } = await operatorNow()
  const body = { findingId: finding?._id ?? '', reason: 'A test by the gateway' }
  await api.call(routes.resolveFinding, { body })
  harness.clock.advance(MINUTE_MS)
  await compare()
  expect(await foundOf(gatewayTransactionId)).toEqual([])
})

test('only who may refund takes and resolves findings, and only after a re-authentication', async () => {
  const body = { findingId: crypto.randomUUID(), reason: 'No reason' }
  const refused = { status: 403, code: 'permission_required' }
  await expect(harness.api.as(fan).call(routes.takeFinding, { body })).rejects.toMatchObject(refused)
  await expect(harness.api.as(fan).call(routes.resolveFinding, { body })).rejects.toMatchObject(refused)
  await expect(harness.api.as(operator).call(routes.resolveFinding, { body })).rejects.toMatchObject({
    code: 'reauthentication_required',
  })
  const { api } = await operatorNow()
  await expect(api.call(routes.takeFinding, { body })).rejects.toMatchObject({ code: 'not_found' })
})

test('only who may refund sees findings', async () => {
  const asked = harness.api.as(fan).call(routes.findings, {})
  await expect(asked).rejects.toMatchObject({ status: 403, code: 'permission_required' })
})
