import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { cardToken, chargeBack, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem } from '../../../../testing/purchases.ts'
import { refundPayment } from '../../../../testing/refunds.ts'
import { findBooks } from '../../ledger/books/data.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

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

const run = { attempt: 1, lastAttempt: false }
const recover = () => harness.server.jobs['purchases.recover']({}, run)

async function admin(call: string): Promise<string> {
  const address = `${harness.sandboxOrigin}/sandbox/authorizenet/admin${call}`
  const answer = await fetch(address, { method: 'POST' })
  const { batchId } = (await answer.json()) as { batchId: string | null }
  if (!batchId) throw new Error('there was nothing to settle')
  return batchId
}

/** The gateway settles, or its processor rejects that; the batch's number, once it is compared. */
async function settles(call = '/settle'): Promise<string> {
  const batchId = await admin(call)
  harness.clock.advance(2 * HOUR_MS)
  await compare()
  return batchId
}

async function compare(): Promise<void> {
  await harness.server.jobs['payments.compare']({}, run)
  await harness.runJobs()
}

async function operator() {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token })
}

/** The fan buys something; the order. */
async function buy(priceCents: number, card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) {
  const itemId = await buildItem(harness, creator, 'single', priceCents)
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (purchase as { _id: string })._id
}

const paymentOf = (buyer: Person) =>
  harness.context.db
    .selectFrom('payments')
    .select(['status', 'gateway_transaction_id as number'])
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow()

async function refund(transactionId: string, amount: string): Promise<void> {
  await refundPayment(await operator(), { transactionId, amount })
}

const findings = async () => (await (await operator()).call(routes.findings, {})).items
const found = async () => (await findings()).map(({ kind, amount }) => [kind, amount])
const stateOf = async (batchId: string) =>
  (await (await operator()).call(routes.settlements, { query: {} })).items.find(
    (batch) => batch.batchId === batchId,
  )?.state

/** The platform's own money, in cents. */
async function accounts(): Promise<{ bank: number; gateway: number; suspense: number }> {
  const { totals, discrepancies } = await findBooks(harness.context.db)
  expect(discrepancies).toEqual([])
  const of = (wanted: string) => totals.find(({ kind }) => kind === wanted)?.cents ?? 0
  return { bank: of('bank'), gateway: of('gateway'), suspense: of('suspense') }
}

test('a batch that its processor rejected is found with its payments and refunds, and all of it goes once it was reset and settled', async () => {
  const earlier = await buy(1000)
  await settles()
  const before = await accounts()
  await refund(earlier, '$4')
  const order = await buy(2500)
  const failed = await settles('/settle/fail')
  expect(await stateOf(failed)).toBe('differs')
  expect(await found()).toEqual(
    expect.arrayContaining([
      ['payment_without_charge', null],
      ['refund_not_made', '$4'],
      ['settlement_failed', '-$21'],
    ]),
  )
  const named = (await findings()).flatMap(({ transactionId }) => transactionId ?? [])
  expect(named.toSorted()).toEqual([earlier, order].toSorted())
  expect(await accounts()).toEqual({ ...before, gateway: before.gateway + 2100 })

  // Days later, when charges of that time aren't compared one by one anymore.
  harness.clock.advance(10 * DAY_MS)
  await compare()
  expect(await found()).toHaveLength(3)
  await admin(`/batches/${failed}/reset`)
  const next = await settles()
  expect(await found()).toEqual([])
  expect([await stateOf(failed), await stateOf(next)]).toEqual(['posted', 'posted'])
  expect(await accounts()).toEqual({ ...before, bank: before.bank + 2100 })
})

test('a refund of what a failed batch holds is refused with the batch’s number', async () => {
  const order = await buy(1200)
  const failed = await settles('/settle/fail')
  const refusing = refundPayment(await operator(), { transactionId: order, amount: '$12' })
  await expect(refusing).rejects.toMatchObject({
    ...{ status: 402, code: 'refund_batch_failed', message: expect.stringContaining(`batch ${failed} `) },
  })
  await admin(`/batches/${failed}/reset`)
  await settles()
  await refund(order, '$12')
  await settles()
  expect(await paymentOf(fan)).toMatchObject({ status: 'refunded' })
})

test('one that is found only after its days are over is found all the same', async () => {
  await buy(1500)
  await settles()
  await buy(700)
  await admin('/settle/fail')
  harness.clock.advance(6 * DAY_MS)
  await compare()
  expect(await found()).toEqual([['settlement_failed', '-$7']])
  const [finding] = await findings()
  const before = await accounts()
  const body = { findingId: finding?._id ?? '', reason: 'It is too old to be reset' }
  await (await operator()).call(routes.resolveFinding, { body })
  await compare()
  expect(await found()).toEqual([])
  expect(await accounts()).toEqual({
    ...{ bank: before.bank, gateway: before.gateway - 700, suspense: before.suspense + 700 },
  })
})

test('what was given up and settles after all is found until somebody has taken it out of suspense', async () => {
  const earlier = await buy(1000)
  await settles()
  const before = await accounts()
  await refund(earlier, '$4')
  await buy(2500)
  const failed = await settles('/settle/fail')
  const given = (await findings()).find(({ kind }) => kind === 'settlement_failed')
  const body = { findingId: given?._id ?? '', reason: 'The processor doesn’t answer' }
  await (await operator()).call(routes.resolveFinding, { body })
  await compare()
  expect(await accounts()).toEqual({ ...before, suspense: before.suspense + 2100 })

  await admin(`/batches/${failed}/reset`)
  await buy(300)
  const next = await settles()
  expect(await stateOf(next)).toBe('posted')
  const [found, ...others] = await findings()
  expect(others).toEqual([])
  expect(found).toMatchObject({ ...{ kind: 'settled_after_all', gatewayTransactionId: next, amount: '$21' } })
  // Later comparisons explain nothing of it, and what settles later is nothing more.
  await buy(200)
  harness.clock.advance(6 * DAY_MS)
  await settles()
  expect(await findings()).toMatchObject([found])

  const api = await operator()
  const taken = { from: 'suspense', to: 'gateway', amount: '$21', reference: `BATCH-${failed}` } as const
  const dated = { ...taken, date: harness.clock.now().toISOString().slice(0, 10), reason: 'It was settled' }
  const once = { idempotencyKey: crypto.randomUUID() }
  const { _id: adjustmentId } = await api.call(routes.proposeAdjustment, { body: dated }, once)
  const approval = { adjustmentId, decision: 'approve', reason: 'It was settled' } as const
  await (await operator()).call(routes.decideAdjustment, { body: approval })
  await api.call(routes.resolveFinding, {
    body: { findingId: found?._id ?? '', reason: 'It is in the books' },
  })
  await compare()
  expect(await findings()).toEqual([])
  expect(await accounts()).toMatchObject({ gateway: before.gateway, suspense: before.suspense })
})

test('a charge that counted as not made, as its batch failed, is given back once that settles after all', async () => {
  await buy(900, TEST_CARDS.resetAfter)
  const failed = await admin('/settle/fail')
  harness.clock.advance(2 * HOUR_MS)
  await recover()
  await compare()
  expect(await paymentOf(fan)).toMatchObject({ status: 'refused' })
  // Days later, when nothing of that time is looked up by itself anymore.
  harness.clock.advance(10 * DAY_MS)
  await recover()
  await admin(`/batches/${failed}/reset`)
  const next = await settles()
  expect(await paymentOf(fan)).toMatchObject({ status: 'refunded' })
  const giving = await settles()
  expect([await stateOf(next), await stateOf(giving), await found()]).toEqual(['posted', 'posted', []])
})

test('what settled after all is found no longer, though its bank took it back by then', async () => {
  await buy(800)
  const failed = await settles('/settle/fail')
  expect(await found()).toHaveLength(2)
  harness.clock.advance(10 * DAY_MS)
  await admin(`/batches/${failed}/reset`)
  await admin('/settle')
  await chargeBack(harness, (await paymentOf(fan)).number ?? '')
  harness.clock.advance(2 * HOUR_MS)
  await compare()
  expect(await found()).toEqual([])
})

test('a batch is listed before what it holds, however much that is', async () => {
  const { db, clock } = harness.context
  const moment = new Date(clock.now().getTime() - 10 * DAY_MS)
  const [kind, number] = ['payment_without_charge' as const, crypto.randomUUID()]
  const of = { kind, charged_at: moment, found_at: moment, seen_at: moment }
  await db
    .insertInto('findings')
    .values(Array.from({ length: 500 }, (_, at) => ({ ...of, gateway_transaction_id: `${number} ${at}` })))
    .execute()
  await buy(600)
  await settles('/settle/fail')
  const listed = await found()
  expect(listed).toHaveLength(500)
  expect(listed).toContainEqual(['settlement_failed', '-$6'])
})
