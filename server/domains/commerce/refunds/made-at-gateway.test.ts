import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayThatIsDown, gatewayTransactions, planFault } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  enterTransfer,
  refundAtGateway as madeAtGateway,
  recordOutside,
  sendOutside,
} from '../../../testing/outside.ts'
import { buildItem } from '../../../testing/purchases.ts'
import { violations } from '../../../testing/year/accounts.ts'
import { findBooks } from '../ledger/books/data.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let harness: Harness
let creator: Person
let fan: Person
/** What happens before what came of a refund is committed. */
let beforeCommit: (() => Promise<void>) | null = null
beforeAll(async () => {
  harness = await startHarness({
    checkpoint: async (name) => {
      if (name === 'refund.before-record-commit') await beforeCommit?.()
    },
  })
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

const refundAtGateway = (orderId: string, cents: number) => madeAtGateway(harness, orderId, cents)
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
    .select(['status', 'gateway_transaction_id'])
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
/** Asks for a refund that the gateway refuses. */
async function refuse(orderId: string, amount: string): Promise<void> {
  const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 }
  const forgive = await planFault(harness, fault)
  expect(await refund(orderId, amount)).toMatchObject({ code: 'refund_refused' })
  await forgive()
}

/** Sends another way what the gateway refuses, and enters its transfer. */
async function sendElsewhere(
  orderId: string,
  amount: string,
  document: string = crypto.randomUUID(),
): Promise<void> {
  await refuse(orderId, amount)
  await sendOutside(await operator(), orderId)
  await recordOutside(await operator(), orderId, document)
  await enterTransfer([await operator(), await operator()], { document, amount, now: harness.clock.now() })
}

/** What the gateway gave back of an order's charge, in cents, the least first. */
async function givenBackThere(orderId: string): Promise<number[]> {
  const { gateway_transaction_id: charge } = await paymentOf(orderId)
  const there = (await gatewayTransactions(harness)).filter(({ refTransId }) => refTransId === charge)
  return there.map(({ amountCents }) => amountCents).toSorted((one, other) => one - other)
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

test('a refund that was made at the gateway isn’t recorded as made elsewhere; another one is', async () => {
  const orderId = await buySettled()
  const itself = { status: 409, code: 'refunded_at_gateway' }
  const parts = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  for (const amount of ['$3', '$2', '$5']) {
    await refuse(orderId, amount)
    await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  }
  await refuse(orderId, '$4')
  await sendOutside(await operator(), orderId)
  const outside = async (document: string) => recordOutside(await operator(), orderId, document)
  for (const part of parts) await expect(outside(part)).rejects.toMatchObject(itself)
  expect(await traces(orderId)).toEqual(KEPT)
  expect(await outside('WIRE-7')).toMatchObject({ status: 'refunded', amount: '$4' })
  const transfer = { document: 'WIRE-7', amount: '$4', now: harness.clock.now() }
  await enterTransfer([await operator(), await operator()], transfer)
})

test('what was made at the gateway isn’t paid once more after the rest was sent another way', async () => {
  const orderId = await buySettled()
  const part = await refundAtGateway(orderId, 400)
  await tell(part)
  await sendElsewhere(orderId, '$6', 'WIRE-8')
  // The gateway knows nothing of the transfer, and would take it.
  const gateway = harness.context.payments
  let asked = 0
  harness.context.payments = {
    ...gateway,
    refundCharge: (wanted) => {
      asked++
      return gateway.refundCharge(wanted)
    },
  }
  const answer = await refund(orderId, '$4')
  harness.context.payments = gateway
  expect(answer).toMatchObject({ status: 200 })
  expect(asked).toBe(0)
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded).toEqual([
    [600, 'outside WIRE-8'],
    [400, part],
  ])
})

test('once the rest was sent another way, no part of what was made at the gateway is paid once more', async () => {
  const orderId = await buySettled()
  const parts = [await refundAtGateway(orderId, 100), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  await sendElsewhere(orderId, '$5', 'WIRE-9')
  // Of $10 it made $3 and knows nothing of the $5, so that it would pay $7 more: of which $2 are owed.
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$1')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 200, 300])
  expect(await givenBackThere(orderId)).toEqual([100, 200, 200])
})

test('parts that were made at the gateway count once, whichever refund is asked for first', async () => {
  const orderId = await buySettled()
  const parts = [await refundAtGateway(orderId, 100), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  await sendElsewhere(orderId, '$5', 'WIRE-10')
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  await refuse(orderId, '$2')
  await sendOutside(await operator(), orderId)
  for (const part of parts)
    await expect(recordOutside(await operator(), orderId, part)).rejects.toMatchObject({
      code: 'refunded_at_gateway',
    })
  await sendOutside(await operator(), orderId, false)
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 300, 200])
  expect(await givenBackThere(orderId)).toEqual([100, 200, 200])
})

test('more than is left at the gateway isn’t sent another way, whether it told of what was made there or not', async () => {
  const itself = { status: 409, code: 'refunded_at_gateway' }
  const untold = await buySettled()
  await refundAtGateway(untold, 500)
  expect(await refund(untold, '$10')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), untold)).rejects.toMatchObject(itself)
  await refuse(untold, '$10')
  await expect(sendOutside(await operator(), untold)).rejects.toMatchObject(itself)

  const told = await buySettled()
  await tell(await refundAtGateway(told, 500))
  await refuse(told, '$10')
  await expect(sendOutside(await operator(), told)).rejects.toMatchObject(itself)
  await refuse(told, '$4')
  expect(await sendOutside(await operator(), told)).toMatchObject({ status: 'refused', amount: '$4' })
})

test('what the gateway hasn’t told of isn’t paid once more after the rest was sent another way', async () => {
  const settled = await buySettled()
  await refundAtGateway(settled, 400)
  await settle()
  const unsettled = await buySettled()
  await refundAtGateway(unsettled, 400)
  for (const orderId of [settled, unsettled]) {
    await sendElsewhere(orderId, '$6')
    // Of $10 it made $4 and knows nothing of the $6, so that it would pay either.
    expect(await refund(orderId, '$3')).toMatchObject(EXCEEDS)
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toMatchObject(GONE)
    expect(await givenBackThere(orderId)).toEqual([400])
  }
})

test('until it says what it made, the gateway isn’t asked for more once some was sent another way', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 300)
  await sendElsewhere(orderId, '$5')
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, listRefunds: gatewayThatIsDown(harness).listRefunds }
  expect(await refund(orderId, '$3')).toMatchObject({ status: 202 })
  await showRefunds()
  expect(await refund(orderId, '$2')).toMatchObject({ code: 'refund_in_progress' })
  expect(await givenBackThere(orderId)).toEqual([300])
  context.payments = gateway
  await showRefunds()
  expect(await givenBackThere(orderId)).toEqual([300])
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 300, 200])
})

test('a refund that waits for what the gateway made is listed after a day, and keeps no other waiting', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 300)
  await sendElsewhere(orderId, '$5')
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, listRefunds: gatewayThatIsDown(harness).listRefunds }
  onTestFinished(() => {
    context.payments = gateway
  })
  expect(await refund(orderId, '$3')).toMatchObject({ status: 202 })
  const other = await buySettled()
  await refundUnseen(other, { minutes: 0 })
  const listed = async () => {
    const { items } = await (await operator()).call(routes.undecidedPayments, {})
    return items.filter(({ transactionId }) => transactionId === orderId)
  }
  harness.clock.advance(HOUR_MS)
  for (let time = 0; time < 2; time++) {
    await harness.server.jobs['refunds.recover']({}, run)
    harness.clock.advance(MINUTE_MS)
  }
  expect(await traces(other)).toMatchObject(GONE)
  expect(await listed()).toEqual([])
  harness.clock.advance(DAY_MS)
  expect(await listed()).toMatchObject([{ status: 'refund_waiting', amount: '$3' }])
  context.payments = gateway
  await showRefunds()
  expect(await listed()).toEqual([])
  expect(await givenBackThere(orderId)).toEqual([300])
})

test('what the gateway told of, and knows no longer, still counts as made, and is waited for no more', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 300)
  await tell(made)
  await sendElsewhere(orderId, '$5')
  const { context } = harness
  const gateway = context.payments
  context.payments = {
    ...gateway,
    findTransaction: async (number) =>
      number === made ? { kind: 'absent' } : gateway.findTransaction(number),
  }
  onTestFinished(() => {
    context.payments = gateway
  })
  expect(await refund(orderId, '$4')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  expect(await givenBackThere(orderId)).toEqual([200, 300])
})

test('of two who ask for what was made there, and isn’t told of, one records it', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 400)
  await sendElsewhere(orderId, '$6')
  const answers = await Promise.all([refund(orderId, '$4'), refund(orderId, '$4')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([600, 400])
  expect(await givenBackThere(orderId)).toEqual([400])
})

test('as much as was made there is sent another way once an operator has explained that', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  await tell(made)
  await refuse(orderId, '$4')
  const itself = { status: 409, code: 'refunded_at_gateway' }
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  const { items } = await (await operator()).call(routes.findings, {})
  const findingId = items.find(({ gatewayTransactionId }) => gatewayTransactionId === made)?._id ?? ''
  const body = { findingId, reason: 'It was for something else' }
  await (await operator()).call(routes.resolveFinding, { body })
  expect(await sendOutside(await operator(), orderId)).toMatchObject({ amount: '$4' })
  await expect(recordOutside(await operator(), orderId, made)).rejects.toMatchObject(itself)
  await sendOutside(await operator(), orderId, false)
  await sendElsewhere(orderId, '$4')
  // No more than is left after it.
  expect(await refund(orderId, '$5')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([400, 400, 200])
  expect(await givenBackThere(orderId)).toEqual([200, 400])
})

test('what was made at the gateway and voided there was never made, whether it told of that or not', async () => {
  for (const isTold of [true, false]) {
    const orderId = await buySettled()
    const made = await refundAtGateway(orderId, 400)
    await tell(made)
    expect(await harness.context.payments.voidCharge(made)).toEqual({ kind: 'voided' })
    if (isTold) await tell(made)
    await sendElsewhere(orderId, '$6')
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
    const { refunded, ...rest } = await traces(orderId)
    expect(rest).toEqual(GONE)
    expect(refunded).toEqual([
      [600, expect.stringMatching(/^outside/)],
      [400, expect.not.stringMatching(made)],
    ])
    const { items } = await (await operator()).call(routes.findings, {})
    expect(items.filter(({ gatewayTransactionId }) => gatewayTransactionId === made)).toEqual([])
  }
})

test('what was voided there, and isn’t known otherwise, is no finding', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  expect(await harness.context.payments.voidCharge(made)).toEqual({ kind: 'voided' })
  await tell(made)
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter(({ gatewayTransactionId }) => gatewayTransactionId === made)).toEqual([])
  await refuse(orderId, '$10')
  expect(await sendOutside(await operator(), orderId)).toMatchObject({ amount: '$10' })
})

test('what was given back by hand since the gateway first had too little left isn’t sent another way, however long ago that is', async () => {
  const orderId = await buySettled()
  const first = await refundAtGateway(orderId, 400)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  const second = await refundAtGateway(orderId, 600)
  harness.clock.advance(2 * HOUR_MS)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, listRefunds: gatewayThatIsDown(harness).listRefunds }
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject({
    ...{ status: 409, code: 'gateway_refunds_unknown' },
  })
  context.payments = gateway
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject({
    ...{ status: 409, code: 'refunded_at_gateway' },
  })
  const { items } = await (await operator()).call(routes.findings, {})
  const found = items.map(({ gatewayTransactionId }) => gatewayTransactionId)
  expect(found).toEqual(expect.arrayContaining([first, second]))
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject(GONE)
  expect(await givenBackThere(orderId)).toEqual([400, 600])
})

test('a refund that the gateway called voided is a finding again once it is settled after all', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  await tell(made)
  const api = await operator()
  const findings = async () => {
    const { items } = await api.call(routes.findings, {})
    return items.filter(({ gatewayTransactionId }) => gatewayTransactionId === made)
  }
  const [finding] = await findings()
  await api.call(routes.resolveFinding, { body: { findingId: finding?._id ?? '', reason: 'By mistake' } })
  const { context } = harness
  const gateway = context.payments
  context.payments = {
    ...gateway,
    async findTransaction(number) {
      const found = await gateway.findTransaction(number)
      return found.kind === 'found' ? { ...found, is: 'unmade refund' as const } : found
    },
  }
  await tell(made)
  context.payments = gateway
  await settle()
  harness.clock.advance(2 * HOUR_MS)
  await harness.server.jobs['payments.compare']({}, run)
  await harness.runJobs()
  expect(await findings()).toMatchObject([{ kind: 'unknown_refund', transactionId: orderId, amount: '$4' }])
})

/** Of refunds made there the gateway lists none. */
function listsNone(): void {
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, listRefunds: async () => ({ kind: 'listed', refundIds: [] }) }
  onTestFinished(() => {
    context.payments = gateway
  })
}

test('what the gateway has too little left for, and never says why, is sent another way after days', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 500)
  listsNone()
  const itself = { status: 409, code: 'refunded_at_gateway' }
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  harness.clock.advance(3 * DAY_MS - HOUR_MS)
  // Asked again, it doesn't begin anew.
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  harness.clock.advance(2 * HOUR_MS)
  await sendOutside(await operator(), orderId)
  const document = crypto.randomUUID()
  await recordOutside(await operator(), orderId, document)
  const transfer = { document, amount: '$10', now: harness.clock.now() }
  await enterTransfer([await operator(), await operator()], transfer)
  expect(await traces(orderId)).toEqual({ ...GONE, refunded: [[1000, `outside ${document}`]] })
})

/** Asks for a refund that the gateway makes, but neither answers nor shows for minutes, up to what happens meanwhile. */
async function refundUnseen(
  orderId: string,
  {
    amount = '$10',
    minutes = 20,
    meanwhile = async () => {},
  }: { amount?: string; minutes?: number; meanwhile?: () => Promise<void> } = {},
): Promise<void> {
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
  expect(await refund(orderId, amount)).toMatchObject({ status: 202 })
  for (let minute = 0; minute < minutes; minute++) {
    harness.clock.advance(MINUTE_MS)
    await harness.server.jobs['refunds.recover']({}, run)
  }
  await meanwhile()
  context.payments = gateway
}

/** The platform's loss by disputes, in cents. */
async function losses(): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(postings.amount_cents), 0)::int as cents from postings
      join ledger_accounts as account on account.id = account_id where account.kind = 'dispute_losses'`.execute(
    harness.context.db,
  )
  return rows[0]?.cents ?? 0
}

/** Records that a bank took all of it back; returns the dispute's id. */
async function dispute(orderId: string): Promise<string> {
  const facts = { amount: '$10', fee: '$15', cause: 'fraud', caseNumber: orderId } as const
  const body = { transactionId: orderId, ...facts, reason: 'The bank’s letter' }
  const key = { idempotencyKey: crypto.randomUUID() }
  return (await (await operator()).call(routes.openDispute, { body }, key))._id
}

/** Goes on to when the gateway shows what it made. */
async function showRefunds(): Promise<void> {
  for (let time = 0; time < 2; time++) {
    harness.clock.advance(MINUTE_MS)
    await harness.server.jobs['refunds.recover']({}, run)
  }
}

test('a refund that shows up late is the one that was made, however often it was asked for meanwhile', async () => {
  const { db } = harness.context
  const orderId = await buySettled()
  await refundUnseen(orderId, {
    meanwhile: async () => {
      expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
      expect(await traces(orderId)).toEqual(KEPT)
    },
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

test('what was made there is told of while one that shows up late, and is sent another way, is being recorded', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId, { amount: '$4' })
  harness.clock.advance(3 * DAY_MS)
  // It says once more that it made none.
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, lookupRefund: async () => ({ kind: 'absent' }) }
  await sendOutside(await operator(), orderId)
  context.payments = gateway
  const { gateway_transaction_id: charge } = await paymentOf(orderId)
  const late = (await gatewayTransactions(harness)).find(({ refTransId }) => refTransId === charge)
  const made = await refundAtGateway(orderId, 300)
  beforeCommit = async () => {
    beforeCommit = null
    await tell(made)
  }
  onTestFinished(() => {
    beforeCommit = null
  })
  await tell(late?.transId ?? '')
  const { items } = await (await operator()).call(routes.findings, {})
  const found = items.filter(({ transactionId }) => transactionId === orderId)
  expect(found.map(({ amount }) => amount).toSorted()).toEqual(['$3', '$4'])
})

test('a refund that shows up once a bank took the same money is booked as the platform’s loss', async () => {
  const { db } = harness.context
  const orderId = await buySettled()
  await refundUnseen(orderId)
  const disputeId = await dispute(orderId)
  const before = await losses()
  await showRefunds()
  expect(await losses()).toBe(before + 1000)
  const refunds = await db.selectFrom('refunds').select('status').where('order_id', '=', orderId).execute()
  expect(refunds).toEqual([{ status: 'refunded' }])
  const decision = { disputeId, outcome: 'lost' as const, reason: 'The bank’s decision' }
  await (await operator()).call(routes.decideDispute, { body: decision })
  expect(await losses()).toBe(before + 1000)
  expect((await findBooks(db)).discrepancies).toEqual([])
})

test.each([
  { part: 'all', amount: '$10', left: { payment: 'refunded', access: 0 }, pending: '$0', share: '$8' },
  {
    part: 'a part',
    amount: '$4',
    left: { payment: 'captured', access: 1 },
    pending: '$4.80',
    share: '$3.20',
  },
])(
  'once the dispute is won, such a refund of $part was given back once, as any other',
  async ({ amount, left, pending, share }) => {
    const orderId = await buySettled()
    const before = await losses()
    await refundUnseen(orderId, { amount })
    const disputeId = await dispute(orderId)
    await showRefunds()
    const balance = async () => {
      const { pending, reserved } = await harness.api.as(creator).call(routes.balance, { query: {} })
      return { pending, reserved }
    }
    expect(await traces(orderId)).toMatchObject({ payment: 'disputed', access: 0 })
    expect(await balance()).toEqual({ pending: '$0', reserved: '$8' })
    const body = { disputeId, outcome: 'won' as const, reason: 'The bank’s decision' }
    await (await operator()).call(routes.decideDispute, { body })
    expect(await traces(orderId)).toMatchObject({ ...left, discrepancies: [] })
    expect(await balance()).toEqual({ pending, reserved: '$0' })
    expect(await losses()).toBe(before)
    expect(await violations(harness)).toEqual({})
    const { items } = await harness.api.as(creator).call(routes.notifications, { query: {} })
    expect(items.flatMap(({ event }) => (event.kind === 'sale.refunded' ? [event.data] : []))).toEqual([
      { title: expect.any(String), amount, share, access: left.access === 1 ? 'kept' : 'none' },
    ])
    const again = await refund(orderId, amount)
    expect(again).toMatchObject(left.access === 1 ? { status: 200 } : { code: 'not_refundable' })
    expect((await findBooks(harness.context.db)).discrepancies).toEqual([])
  },
)
