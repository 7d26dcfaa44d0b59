import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem } from '../../../testing/purchases.ts'
import { findBooks } from '../ledger/books/data.ts'

const MINUTE_MS = 60_000

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
const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

async function operator() {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token })
}

/** Something of $10 that the fan bought, settled at the gateway. */
async function buySettled(): Promise<string> {
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  await settle()
  return (purchase as { _id: string })._id
}

/** Gives back by hand at the gateway; returns its number of the refund. */
async function refundAtGateway(orderId: string, amountCents: number): Promise<string> {
  const { gateway_transaction_id, card_last_four } = await paymentOf(orderId)
  const made = await harness.context.payments.refundCharge({
    transactionId: gateway_transaction_id ?? '',
    amountCents,
    lastFour: card_last_four ?? '',
    reference: crypto.randomUUID().slice(0, 20),
  })
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  return made.transactionId
}
const tell = (transactionId: string) => harness.server.jobs['gateway.look-up']({ transactionId }, run)

async function refund(orderId: string, amount: string) {
  const body = { transactionId: orderId, amount, reason: 'The buyer asked for it' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await (await operator()).send('POST', '/admin/refund', { body, headers })
  return { ...(answer.body as { code?: string }), status: answer.status }
}

const paymentOf = (orderId: string) =>
  harness.context.db
    .selectFrom('payments')
    .select(['status', 'gateway_transaction_id', 'card_last_four'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()

/** How an order stands, with the gateway's numbers of what was given back of it. */
async function traces(orderId: string) {
  const { db } = harness.context
  const refunds = await db
    .selectFrom('refunds')
    .select(['status', 'amount_cents', 'gateway_transaction_id'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  const access = await db
    .selectFrom('entitlements')
    .select('id')
    .where('source_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .execute()
  return {
    payment: (await paymentOf(orderId)).status,
    access: access.length,
    refunded: refunds
      .filter(({ status }) => status === 'refunded')
      .map(({ amount_cents, gateway_transaction_id }) => [amount_cents, gateway_transaction_id]),
    discrepancies: (await findBooks(db)).discrepancies,
  }
}
const KEPT = { payment: 'captured', access: 1, refunded: [], discrepancies: [] }
const GONE = { payment: 'refunded', access: 0, discrepancies: [] }
const EXCEEDS = { status: 409, code: 'refund_exceeds_payment' }

test('a part that was given back at the gateway isn’t the whole, and counts once the rest was given back too', async () => {
  const orderId = await buySettled()
  const part = await refundAtGateway(orderId, 500)
  await tell(part)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  expect(await traces(orderId)).toEqual(KEPT)
  expect(await refund(orderId, '$5')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject({ payment: 'captured', access: 1 })
  expect(await refund(orderId, '$5')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded).toEqual([
    [500, expect.not.stringMatching(part)],
    [500, part],
  ])
})

test('parts that were given back at the gateway are the whole together', async () => {
  const orderId = await buySettled()
  const numbers = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 700)]
  for (const number of numbers) await tell(number)
  expect(await refund(orderId, '$3')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toEqual({ ...GONE, refunded: [[1000, numbers[0]]] })
})

test('a refund that was made at the gateway counts for its own charge alone, and is named as that one', async () => {
  const [first, second] = [await buySettled(), await buySettled()]
  const ofFirst = await refundAtGateway(first, 1000)
  await tell(ofFirst)
  const api = await operator()
  const finding = (await api.call(routes.findings, {})).items.find(
    ({ gatewayTransactionId }) => gatewayTransactionId === ofFirst,
  )
  expect(finding).toMatchObject({ kind: 'unknown_refund', transactionId: first, amount: '$10' })
  await api.call(routes.resolveFinding, { body: { findingId: finding?._id ?? '', reason: 'By hand' } })

  const ofSecond = await refundAtGateway(second, 1000)
  expect(await refund(second, '$10')).toMatchObject(EXCEEDS)
  expect(await traces(second)).toEqual(KEPT)
  await tell(ofSecond)
  expect(await refund(second, '$10')).toMatchObject({ status: 200 })
  expect(await traces(second)).toEqual({ ...GONE, refunded: [[1000, ofSecond]] })
  expect(await refund(first, '$10')).toMatchObject({ status: 200 })
  expect(await traces(first)).toEqual({ ...GONE, refunded: [[1000, ofFirst]] })
})

/** Asks for a refund that the gateway makes, but neither answers nor shows for 20 minutes, up to what happens meanwhile. */
async function refundUnseen(orderId: string, meanwhile = async () => {}): Promise<void> {
  const { context } = harness
  const gateway = context.payments
  context.payments = {
    ...gateway,
    async refundCharge(wanted) {
      const answer = await gateway.refundCharge(wanted)
      return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
    },
    lookupRefund: async () => ({ kind: 'absent' }),
  }
  expect(await refund(orderId, '$10')).toMatchObject({ status: 202 })
  for (let minute = 0; minute < 20; minute++) {
    harness.clock.advance(MINUTE_MS)
    await harness.server.jobs['refunds.recover']({}, run)
  }
  await meanwhile()
  context.payments = gateway
}

test('a refund that shows up late is the one that was made, however often it was asked for meanwhile', async () => {
  const { db } = harness.context
  const orderId = await buySettled()
  await refundUnseen(orderId, async () => {
    expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
    expect(await traces(orderId)).toEqual(KEPT)
  })
  harness.clock.advance(MINUTE_MS)
  await harness.server.jobs['refunds.recover']({}, run)
  const { gateway_transaction_id: charge } = await paymentOf(orderId)
  expect(await traces(orderId)).toEqual({
    ...GONE,
    refunded: [[1000, expect.not.stringMatching(charge ?? '')]],
  })
  const statuses = await db
    .selectFrom('refunds')
    .select('status')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  expect(statuses).toEqual([{ status: 'refunded' }, { status: 'refused' }])
})

test('a refund that shows up once a bank took the same money is booked as the platform’s loss', async () => {
  const { db } = harness.context
  const lossOf = async () => {
    const { rows } = await sql<{ cents: number }>`
      select coalesce(sum(postings.amount_cents), 0)::int as cents from postings
        join ledger_accounts as account on account.id = account_id where account.kind = 'dispute_losses'`.execute(
      db,
    )
    return rows[0]?.cents ?? 0
  }
  const orderId = await buySettled()
  await refundUnseen(orderId)
  const facts = { amount: '$10', fee: '$15', cause: 'fraud', caseNumber: 'CB-77' } as const
  const body = { transactionId: orderId, ...facts, reason: 'The bank’s letter' }
  const api = await operator()
  const { _id: disputeId } = await api.call(
    routes.openDispute,
    { body },
    { idempotencyKey: crypto.randomUUID() },
  )
  const before = await lossOf()
  for (let time = 0; time < 2; time++) {
    harness.clock.advance(MINUTE_MS)
    await harness.server.jobs['refunds.recover']({}, run)
  }
  expect(await lossOf()).toBe(before + 1000)
  const refunds = await db.selectFrom('refunds').select('status').where('order_id', '=', orderId).execute()
  expect(refunds).toEqual([{ status: 'refunded' }])
  const decision = { disputeId, outcome: 'lost' as const, reason: 'The bank’s decision' }
  await (await operator()).call(routes.decideDispute, { body: decision })
  expect(await lossOf()).toBe(before + 1000)
  expect((await findBooks(db)).discrepancies).toEqual([])
})
