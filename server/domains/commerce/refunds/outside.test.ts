import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, planFault, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { enterTransfer, recordOutside, refusedRefund, sendOutside } from '../../../testing/outside.ts'
import { emailsTo, reauthenticatedApi } from '../../../testing/security.ts'
import { violations } from '../../../testing/year/accounts.ts'
import { findBooks } from '../ledger/books/data.ts'

let harness: Harness
let creator: Person
let fan: Person
let operatorId: string
let mediaId: string
let transactionId: string
beforeAll(async () => {
  harness = await startHarness()
  operatorId = (await buildUser(harness, { role: 'finance' })).id
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  transactionId = await buy()
})

/** The fan buys something for $10; the order's number. */
async function buy(): Promise<string> {
  mediaId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  const body = { kind: 'single' as const, itemId: mediaId, ...(await cardToken(harness)) }
  const bought = (await harness.api.as(fan).call(routes.purchase, { body })) as { _id: string }
  return bought._id
}

const operator = () => reauthenticatedApi(harness, { id: operatorId })
const key = () => ({ idempotencyKey: crypto.randomUUID() })
const refund = async (amount: string) => {
  const body = { transactionId, amount, reason: 'The buyer asked for it' }
  return (await operator()).call(routes.refund, { body }, key())
}
const send = async (sending = true) => sendOutside(await operator(), transactionId, sending)
const record = async (document?: string) => recordOutside(await operator(), transactionId, document)
const outside = async (document?: string) => {
  await send()
  return record(document)
}
const payment = async () => (await operator()).call(routes.payment, { params: { transactionId } })
const isLocked = async () => (await harness.api.as(fan).call(routes.media, { params: { mediaId } })).locked
const share = async () => (await harness.api.as(creator).call(routes.balance, { query: {} })).pending

/** The gateway refuses whatever it is asked for meanwhile. */
async function whileRefusing(work: () => Promise<unknown>): Promise<void> {
  const forgive = await planFault(harness, {
    ...{ call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 },
  })
  try {
    await expect(work()).rejects.toMatchObject({ status: 402, code: 'refund_refused' })
  } finally {
    await forgive()
  }
}

test('what the gateway refuses to give back ends like any refund once it was given back another way', async () => {
  expect(await payment()).toMatchObject({ outside: null })
  await whileRefusing(() => refund('$10'))
  expect([await isLocked(), await share()]).toEqual([false, '$8'])
  expect(await outside()).toMatchObject({ transactionId, status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({
    ...{ status: 'refunded', refunded: '$10', refundable: '$0', refunds: [{ status: 'refunded' }] },
  })
  expect([await isLocked(), await share()]).toEqual([true, '$0'])
  const [mail] = (await emailsTo(harness, fan.email)).filter(({ subject }) =>
    subject.includes('refund of $10'),
  )
  expect(mail?.text).toContain('Your card couldn’t be refunded, so we sent it another way.')
  const audit = await harness.context.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'detail'])
    .where('target_id', '=', transactionId)
    .where('action', '=', 'order.refunded-outside')
    .execute()
  expect(audit).toMatchObject([
    {
      actor_id: operatorId,
      detail: { cents: 1000, document: 'WIRE-7' },
      reason: expect.stringContaining('wired'),
    },
  ])
  expect(await payment()).toMatchObject({ outside: null, refunds: [{ document: 'WIRE-7' }] })
})

test('a part that was given back another way leaves the rest, of which no more can be given back', async () => {
  // Parts are refused before the settlement.
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside()
  expect(await payment()).toMatchObject({ status: 'captured', refunded: '$4', refundable: '$6' })
  expect([await isLocked(), await share()]).toEqual([false, '$4.80'])
  await settle()
  await expect(refund('$7')).rejects.toMatchObject({ code: 'refund_exceeds_payment' })
  expect(await refund('$6')).toMatchObject({ status: 'refunded' })
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10' })
})

const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
const run = { attempt: 1, lastAttempt: false }
const DAY_MS = 24 * 3600 * 1000

/** The fan is charged for what can't be granted by then, and the gateway refuses to give that back. */
async function chargeForNothing(): Promise<void> {
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness, TEST_CARDS.resetAfter)) }
  const bought = (await harness.api.as(fan).call(routes.purchase, { body })) as { _id: string }
  transactionId = bought._id
  const item = harness.context.db.updateTable('media').where('id', '=', itemId)
  await item.set({ quarantined_at: harness.clock.now() }).execute()
  await recoverRefused()
}

/** The gateway refuses what recovery asks it for. */
async function recoverRefused(): Promise<void> {
  const fault = { call: 'createTransactionRequest', effect: 'tokenUsed', times: 100 }
  const forgive = await planFault(harness, fault)
  await recover()
  await forgive()
}

async function recover(): Promise<void> {
  harness.clock.advance(5 * 60_000)
  await harness.server.jobs['purchases.recover']({}, run)
}

/** The attempt to pay, as the gateway knows it. */
async function charge() {
  const { attempts } = await payment()
  const [attempt] = attempts
  if (!attempt?.gatewayTransactionId) throw new Error('nothing was charged')
  return { ...attempt, number: attempt.gatewayTransactionId }
}

/** Gives back by hand at the gateway; returns what has it tell of that. */
async function refundUntold(amountCents: number): Promise<() => Promise<void>> {
  const { number } = await charge()
  const wanted = { transactionId: number, amountCents, lastFour: '1111', reference: 'by hand' }
  const made = await harness.context.payments.refundCharge(wanted)
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  const { transactionId: refunded } = made
  return async () => harness.server.jobs['gateway.look-up']({ transactionId: refunded }, run)
}
const refundAtGateway = async (amountCents: number) => (await refundUntold(amountCents))()

/** Of refunds made there the gateway lists none. */
function listsNone(): void {
  const { context } = harness
  const gateway = context.payments
  context.payments = { ...gateway, listRefunds: async () => ({ kind: 'listed', refundIds: [] }) }
  onTestFinished(() => {
    context.payments = gateway
  })
}

/** The gateway's refunds of the charge, in cents. */
async function refundedAtGateway(): Promise<number[]> {
  const { number } = await charge()
  const transactions = await gatewayTransactions(harness)
  return transactions.filter(({ refTransId }) => refTransId === number).map(({ amountCents }) => amountCents)
}

test('of a charge that granted nothing the rest alone is sent, once a part was made at the gateway itself', async () => {
  await chargeForNothing()
  await settle()
  await refundAtGateway(400)
  await expect(send()).rejects.toMatchObject({ status: 409, code: 'rest_not_refused' })
  await recoverRefused()
  expect((await payment()).outside).toMatchObject({ amount: '$6', sending: null })
  await send()
  // The amount being sent stays the same.
  await refundAtGateway(100)
  expect((await payment()).outside).toMatchObject({ amount: '$6', sending: { by: { _id: operatorId } } })
  const document = `Wire ${crypto.randomUUID()}`
  expect(await record(document)).toMatchObject({ status: 'refunded', amount: '$6' })
  expect(await charge()).toMatchObject({ status: 'refunded' })
  expect((await payment()).refunds).toMatchObject([{ status: 'refunded', amount: '$6', document }])
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === transactionId)).toMatchObject([
    { status: 'transfer_missing', amount: '$6', reference: document },
  ])
  await transfer(document, '$6')
  expect((await findBooks(harness.context.db)).discrepancies.filter(({ id }) => id === document)).toEqual([])
  expect((await refundedAtGateway()).toSorted()).toEqual([100, 400])
})

test('what the gateway has too little left for isn’t sent until it was asked for what is left, and refused that', async () => {
  const unasked = { status: 409, code: 'rest_not_refused' }
  await chargeForNothing()
  await settle()
  listsNone()
  const [tellOfOne, tellOfOther] = [await refundUntold(100), await refundUntold(300)]
  await recover()
  await expect(send()).rejects.toMatchObject(unasked)
  await recoverRefused()
  await expect(send()).rejects.toMatchObject(unasked)
  await tellOfOne()
  await expect(send()).rejects.toMatchObject(unasked)
  await recover()
  await expect(send()).rejects.toMatchObject(unasked)
  await tellOfOther()
  await expect(send()).rejects.toMatchObject(unasked)
  await recoverRefused()
  for (const sending of [true, false, true]) await send(sending)
  expect((await payment()).outside).toMatchObject({ amount: '$6', sending: { by: { _id: operatorId } } })
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded' })
  expect((await refundedAtGateway()).toSorted()).toEqual([100, 300])
})

test('what the gateway has too little left for, and never says why, is sent another way after days', async () => {
  await chargeForNothing()
  await settle()
  listsNone()
  await refundUntold(400)
  await recover()
  harness.clock.advance(2 * DAY_MS)
  await recoverRefused()
  await expect(send()).rejects.toMatchObject({ code: 'rest_not_refused' })
  harness.clock.advance(DAY_MS)
  await send()
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await charge()).toMatchObject({ status: 'refunded' })
  expect(await refundedAtGateway()).toEqual([400])
})

test('what the gateway was asked for stays known when it isn’t sent another way after all', async () => {
  const asked = () =>
    harness.context.db
      .selectFrom('refunds')
      .select('made_cents')
      .where('order_id', '=', transactionId)
      .executeTakeFirstOrThrow()
  await chargeForNothing()
  await settle()
  await refundAtGateway(400)
  await recoverRefused()
  for (const sending of [true, false]) {
    await send(sending)
    expect(await asked()).toEqual({ made_cents: 400 })
  }
})

test('the gateway is asked for the rest alone, too', async () => {
  await chargeForNothing()
  await settle()
  await refundAtGateway(400)
  await recover()
  expect(await charge()).toMatchObject({ status: 'refunded' })
  expect((await refundedAtGateway()).toSorted()).toEqual([400, 600])
  expect(await payment()).toMatchObject({ outside: null })
})

test('what was to be given back when its process was killed ends as its charge did, which was voided by hand', async () => {
  const { db } = harness.context
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 1000 })
  const body = { kind: 'single' as const, itemId, ...(await cardToken(harness, TEST_CARDS.resetAfter)) }
  const bought = (await harness.api.as(fan).call(routes.purchase, { body })) as { _id: string }
  transactionId = bought._id
  const { id: paymentId, reference } = await db
    .selectFrom('payments')
    .select(['id', 'reference'])
    .where('order_id', '=', transactionId)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('refunds')
    .values({
      ...{
        payment_id: paymentId,
        order_id: transactionId,
        amount_cents: 1000,
        reason: 'no_longer_available',
      },
      ...{ requested_by: null, idempotency_key: null, request_hash: null, created_at: harness.clock.now() },
      reference: crypto.randomUUID().slice(0, 20),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const transactions = await gatewayTransactions(harness)
  const made = transactions.find(({ invoiceNumber }) => invoiceNumber === reference)
  expect(await harness.context.payments.voidCharge(made?.transId ?? '')).toEqual({ kind: 'voided' })
  await recover()
  expect(await charge()).toMatchObject({ status: 'voided' })
  harness.clock.advance(60 * 60_000)
  await harness.server.jobs['refunds.recover']({}, run)
  const refunds = await db.selectFrom('refunds').select('status').where('id', '=', id).execute()
  expect(refunds).toEqual([{ status: 'voided' }])
})

test('what is on its way stays in sight when the gateway voids the charge meanwhile', async () => {
  await chargeForNothing()
  await send()
  const { number } = await charge()
  expect(await harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await recover()
  expect(await charge()).toMatchObject({ status: 'voided' })
  expect((await payment()).outside).toMatchObject({ amount: '$10', sending: { by: { _id: operatorId } } })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === transactionId)).toMatchObject([
    { status: 'refund_outside_over', amount: '$10' },
  ])
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await charge()).toMatchObject({ status: 'voided' })
  expect(await othersThanTransfers()).toEqual([])
})

test('what is on its way of a payment stays in sight when the gateway voids that meanwhile', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const { number } = await charge()
  expect(await harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  expect((await payment()).outside).toMatchObject({ amount: '$10', sending: { by: { _id: operatorId } } })
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === transactionId)).toMatchObject([
    { kind: 'payment_without_charge', gatewayTransactionId: number },
  ])
  // It wasn't sent: it is refunded here, as the finding says.
  await send(false)
  expect(await refund('$10')).toMatchObject({ status: 'voided' })
  await harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  expect(await payment()).toMatchObject({ status: 'voided', refunded: '$10', outside: null })
  expect(await othersThanTransfers()).toEqual([])
})

test('that the gateway voided what was sent another way stays a finding once that is recorded', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const { number } = await charge()
  expect(await harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  await record(`Wire ${crypto.randomUUID()}`)
  harness.clock.advance(2 * 60 * 60_000)
  await harness.server.jobs['payments.compare']({}, run)
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === transactionId)).toMatchObject([
    { kind: 'payment_without_charge', gatewayTransactionId: number },
  ])
})

test('so it does when the refund shows up after all, which is as if somebody had made it there', async () => {
  await settle()
  const { context } = harness
  const gateway = context.payments
  context.payments = {
    ...gateway,
    async refundCharge(wanted) {
      await gateway.refundCharge(wanted)
      return { kind: 'unavailable', detail: 'the answer was lost' }
    },
    lookupRefund: async () => ({ kind: 'absent' }),
  }
  expect(await refund('$10')).toMatchObject({ status: 'unknown' })
  for (let minute = 0; minute < 20; minute++) {
    harness.clock.advance(60_000)
    await harness.server.jobs['refunds.recover']({}, run)
  }
  harness.clock.advance(3 * DAY_MS)
  await send()
  context.payments = gateway
  const { number } = await charge()
  const made = (await gatewayTransactions(harness)).find(({ refTransId }) => refTransId === number)
  const late = () => harness.server.jobs['gateway.look-up']({ transactionId: made?.transId ?? '' }, run)
  await late()
  expect((await payment()).outside).toMatchObject({ amount: '$10', sending: { by: { _id: operatorId } } })
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter((finding) => finding.transactionId === transactionId)).toMatchObject([
    { kind: 'unknown_refund', amount: '$10', gatewayTransactionId: made?.transId },
  ])
  const document = `Wire ${crypto.randomUUID()}`
  expect(await record(document)).toMatchObject({ status: 'refunded', amount: '$10' })
  await late()
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10', refunds: [{ document }] })
  expect(await othersThanTransfers()).toEqual([])
})

test('what isn’t sent after all ends as its charge did when the gateway voided that meanwhile', async () => {
  await chargeForNothing()
  await send()
  const { number } = await charge()
  expect(await harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await recover()
  await send(false)
  expect(await payment()).toMatchObject({
    ...{ outside: null, attempts: [{ status: 'voided' }] },
    refunds: [{ status: 'voided', amount: '$10', document: null }],
  })
  expect(await othersThanTransfers()).toEqual([])
})

test('a charge that granted nothing is listed as one that is sent another way, and not at the gateway too', async () => {
  await chargeForNothing()
  const listed = async () => {
    const api = await operator()
    const { items: stuck } = await api.call(routes.stuckCharges, {})
    const { items } = await api.call(routes.undecidedPayments, {})
    return [
      ...stuck.filter(({ purchaseId }) => purchaseId === transactionId).map(() => 'stuck'),
      ...items.filter((one) => one.transactionId === transactionId).map(({ status }) => status),
    ]
  }
  expect(await listed()).toContain('stuck')
  await send()
  expect(await listed()).toEqual(['refund_outside'])
  const { attempts, outside: sending } = await payment()
  expect(attempts.map(({ _id }) => _id)).toEqual([sending?.attemptId])
  await send(false)
  expect(await listed()).toContain('stuck')
  await outside(`Wire ${crypto.randomUUID()}`)
  expect(await listed()).toEqual(['transfer_missing'])
})

test('two operators who record it at once record it once', async () => {
  await whileRefusing(() => refund('$10'))
  const begun = await Promise.allSettled([send(), send()])
  expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const attempts = await Promise.allSettled([record('WIRE-8'), record('WIRE-9')])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await payment()).toMatchObject({ refunded: '$10' })
})

/** Records that the bank took so much of it back; returns the dispute's id. */
async function dispute(amount = '$10'): Promise<string> {
  const body = {
    ...{ transactionId, amount, fee: '$15', cause: 'fraud' as const },
    ...{ caseNumber: 'CB-1', reason: 'The bank’s letter' },
  }
  return (await (await operator()).call(routes.openDispute, { body }, key()))._id
}
const decide = async (disputeId: string, outcome: 'won' | 'lost') => {
  const body = { disputeId, outcome, reason: 'The bank’s decision' }
  await (await operator()).call(routes.decideDispute, { body })
}
/** Other tests leave their transfers out. */
const othersThanTransfers = async () =>
  (await findBooks(harness.context.db)).discrepancies.filter(
    ({ what }) => !what.startsWith('Refund made elsewhere'),
  )

test('what a bank has taken back isn’t sent another way from then on', async () => {
  await whileRefusing(() => refund('$10'))
  const refundId = await refusedRefund(await operator(), transactionId)
  await dispute()
  const body = { transactionId, refundId, sending: true, reason: 'The card is closed' }
  const sending = (await operator()).call(routes.sendOutside, { body })
  await expect(sending).rejects.toMatchObject({ code: 'not_refundable' })
  expect(await payment()).toMatchObject({ status: 'disputed', outside: null })
})

test('what was on its way when a bank took the same money is recorded, and is the platform’s loss', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const disputeId = await dispute()
  expect((await payment()).outside).toMatchObject({ amount: '$10', sending: { by: { _id: operatorId } } })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === transactionId)).toMatchObject([
    { status: 'refund_outside', amount: '$10' },
  ])
  expect(await record()).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({ status: 'disputed', refunded: '$10', outside: null })
  const { sections } = await (await operator()).call(routes.disputeEvidence, { params: { disputeId } })
  const facts = sections.flatMap((section) => section.facts.map(({ value }) => value))
  expect(facts).toContainEqual(expect.stringMatching(/^\$10, refunded, .*document number WIRE-7$/))
  expect(await othersThanTransfers()).toEqual([])
  await decide(disputeId, 'won')
  expect(await payment()).toMatchObject({ status: 'refunded', refunded: '$10' })
  expect(await othersThanTransfers()).toEqual([])
  expect(await share()).toBe('$0')
})

test('a bank reads of what was sent, and not of what was made at the gateway itself before', async () => {
  await whileRefusing(() => refund('$10'))
  await send()
  const disputeId = await dispute()
  const sent = harness.context.db.updateTable('refunds').where('order_id', '=', transactionId)
  await sent.set({ made_cents: 300 }).execute()
  await record()
  const { sections } = await (await operator()).call(routes.disputeEvidence, { params: { disputeId } })
  const facts = sections.flatMap((section) => section.facts.map(({ value }) => value))
  expect(facts).toContainEqual(expect.stringMatching(/^\$7, refunded, .*document number WIRE-7$/))
  await decide(disputeId, 'won')
})

test.each(['$4', '$10'])('so it is once the bank has kept %s', async (amount) => {
  await whileRefusing(() => refund('$10'))
  await send()
  await decide(await dispute(amount), 'lost')
  expect(await record()).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await payment()).toMatchObject({ refunded: '$10', refundable: '$0', outside: null })
  expect(await othersThanTransfers()).toEqual([])
})

test('what is sent another way isn’t refunded at the gateway, until that is taken back', async () => {
  await whileRefusing(() => refund('$10'))
  const refundId = await refusedRefund(await operator(), transactionId)
  const body = { transactionId, refundId, document: 'WIRE-7', reason: 'We wired it' }
  const early = (await operator()).call(routes.refundOutside, { body }, key())
  await expect(early).rejects.toMatchObject({ status: 409, code: 'outside_not_started' })
  await send()
  await expect(send()).rejects.toMatchObject({ code: 'refund_outside' })
  await expect(refund('$10')).rejects.toMatchObject({ status: 409, code: 'refund_outside' })
  expect((await payment()).outside).toMatchObject({
    refundId,
    amount: '$10',
    sending: { by: { _id: operatorId } },
  })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === transactionId)).toMatchObject([
    { status: 'refund_outside', amount: '$10' },
  ])
  await send(false)
  await expect(send(false)).rejects.toMatchObject({ code: 'refund_changed' })
  expect((await payment()).outside).toMatchObject({ sending: null })
  expect(await refund('$10')).toMatchObject({ status: 'voided' })
  expect(await payment()).toMatchObject({ refunded: '$10', outside: null })
})

test('a page that shows an older refund records nothing', async () => {
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  const shown = await refusedRefund(await operator(), transactionId)
  await expect(refund('$6')).rejects.toMatchObject({ code: 'refund_refused' })
  await send()
  const body = { transactionId, refundId: shown, reason: 'We wired it' }
  const changed = { status: 409, code: 'refund_changed' }
  const begin = (await operator()).call(routes.sendOutside, { body: { ...body, sending: true } })
  await expect(begin).rejects.toMatchObject(changed)
  const stale = (await operator()).call(
    routes.refundOutside,
    { body: { ...body, document: 'WIRE-7' } },
    key(),
  )
  await expect(stale).rejects.toMatchObject(changed)
  expect(await payment()).toMatchObject({ refunded: null })
  expect(await record()).toMatchObject({ amount: '$6' })
})

test('a document counts once for an order, and is missing until the books have its transfer', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside(document)
  await expect(refund('$2')).rejects.toMatchObject({ code: 'refund_refused' })
  await expect(outside(document.toUpperCase())).rejects.toMatchObject({
    status: 409,
    code: 'document_recorded',
  })
  await send(false)
  const missing = async () =>
    (await (await operator()).call(routes.undecidedPayments, {})).items.filter(
      (item) => item.status === 'transfer_missing' && item.transactionId === transactionId,
    )
  const differing = async () =>
    (await findBooks(harness.context.db)).discrepancies.filter(({ id }) => id === document)
  expect(await missing()).toMatchObject([{ amount: '$4', reference: document }])
  expect(await differing()).toMatchObject([{ expected: 400, found: 0 }])
  await transfer(document, '$4')
  expect(await missing()).toEqual([])
  expect(await differing()).toEqual([])
})

type Entry = Omit<Parameters<typeof enterTransfer>[1], 'now'>

/** The books say that it was transferred. */
async function transfer(
  document: string,
  amount: string,
  moved: Pick<Entry, 'from' | 'to'> = {},
): Promise<void> {
  const second = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const entry = { document, amount, now: harness.clock.now(), ...moved }
  await enterTransfer([await operator(), second], entry)
}

test('a document stands for all that it paid back, and for all its lines in the books', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  const orders: string[] = []
  const differing = async () => {
    const { items } = await (await operator()).call(routes.undecidedPayments, {})
    const { discrepancies } = await findBooks(harness.context.db)
    return {
      listed: items
        .filter((item) => item.status === 'transfer_missing' && orders.includes(item.transactionId))
        .map(({ amount }) => amount),
      books: discrepancies
        .filter(({ id }) => id.toLowerCase() === document.toLowerCase())
        .map(({ expected, found }) => [expected, found]),
    }
  }
  const giveBack = async (amount: string, by: string) => {
    transactionId = await buy()
    orders.push(transactionId)
    await expect(refund(amount)).rejects.toMatchObject({ code: 'refund_refused' })
    await outside(by)
  }
  const none = { listed: [], books: [] }
  await giveBack('$4', document)
  await transfer(document, '$6', { to: 'suspense' })
  expect(await differing()).toEqual({ listed: ['$4'], books: [[400, 600]] })
  await transfer(`${document}/2`, '$2', { from: 'gateway', to: 'bank' })
  expect(await differing()).toEqual(none)

  await giveBack('$3', document.toUpperCase())
  expect(await differing()).toEqual({ listed: ['$4', '$3'], books: [[700, 400]] })
  await transfer(`${document}/3`, '$3')
  expect(await differing()).toEqual(none)

  // The same transfer paid something else, too, and some of that came back.
  await transfer(`${document}/5`, '$6', { to: 'suspense' })
  expect(await differing()).toEqual(none)
  await transfer(`${document}/6`, '$1', { from: 'suspense', to: 'bank' })
  expect(await differing()).toEqual(none)

  // A line that is a document of its own is that alone.
  await giveBack('$1', `${document}/4`)
  await transfer(`${document}/4`, '$1')
  expect(await differing()).toEqual(none)
})

test('what the same transfer paid beside a refund is none of it, and what came back of it is', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  await outside(document)
  const differing = async () =>
    (await findBooks(harness.context.db)).discrepancies
      .filter(({ id }) => id === document)
      .map(({ expected, found }) => [expected, found])
  await transfer(document, '$6', { to: 'suspense' })
  expect(await differing()).toEqual([[400, 600]])
  await transfer(`${document}/2`, '$4', { to: 'suspense' })
  expect(await differing()).toEqual([])
  await transfer(`${document}/3`, '$4')
  expect(await differing()).toEqual([])
  await transfer(`${document}/4`, '$4', { from: 'gateway', to: 'bank' })
  await transfer(`${document}/5`, '$10', { from: 'suspense', to: 'bank' })
  expect(await differing()).toEqual([[400, 0]])
})

test('what was recorded before there was a first step is left out of what the books compare', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await whileRefusing(() => refund('$10'))
  await outside(document)
  await harness.context.db
    .updateTable('refunds')
    .set({ outside_since: null, outside_by: null })
    .where('order_id', '=', transactionId)
    .execute()
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === transactionId)).toEqual([])
  const { discrepancies } = await findBooks(harness.context.db)
  expect(discrepancies.filter(({ id }) => id === document)).toEqual([])
})

test('what was given back another way, once its transfers are entered, leaves nothing that doesn’t match', async () => {
  const document = `Wire ${crypto.randomUUID()}`
  await whileRefusing(() => refund('$10'))
  await outside(document)
  await transfer(document, '$10')
  const { discrepancies } = await findBooks(harness.context.db)
  // Other tests leave their transfers out.
  expect(discrepancies.filter(({ what }) => !what.startsWith('Refund made elsewhere'))).toEqual([])
  expect(discrepancies.filter(({ id }) => id === document)).toEqual([])
  expect(await violations(harness)).toEqual({})
})
