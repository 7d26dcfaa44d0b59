import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildMedia } from '../../../testing/builders.ts'
import { cardToken, gatewayTransactions, TEST_CARDS } from '../../../testing/gateway.ts'
import { DAY_MS, outsideRefunds, run } from '../../../testing/money/outside-refunds.ts'
import { findBooks } from '../ledger/books/data.ts'

const scene = outsideRefunds()
const {
  operator,
  send,
  record,
  outside,
  payment,
  settle,
  chargeForNothing,
  recoverRefused,
  recover,
  charge,
  refundUntold,
  refundAtGateway,
  listsNone,
  refundedAtGateway,
  othersThanTransfers,
  transfer,
} = scene

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
  expect((await payment()).outside).toMatchObject({
    amount: '$6',
    sending: { by: { _id: scene.operatorId } },
  })
  const document = `Wire ${crypto.randomUUID()}`
  expect(await record(document)).toMatchObject({ status: 'refunded', amount: '$6' })
  expect(await charge()).toMatchObject({ status: 'refunded' })
  expect((await payment()).refunds).toMatchObject([{ status: 'refunded', amount: '$6', document }])
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === scene.transactionId)).toMatchObject([
    { status: 'transfer_missing', amount: '$6', reference: document },
  ])
  await transfer(document, '$6')
  expect(
    (await findBooks(scene.harness.context.db)).discrepancies.filter(({ id }) => id === document),
  ).toEqual([])
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
  expect((await payment()).outside).toMatchObject({
    amount: '$6',
    sending: { by: { _id: scene.operatorId } },
  })
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded' })
  expect((await refundedAtGateway()).toSorted()).toEqual([100, 300])
})

test('what the gateway has too little left for, and never says why, is sent another way after days', async () => {
  await chargeForNothing()
  await settle()
  listsNone()
  await refundUntold(400)
  await recover()
  scene.harness.clock.advance(2 * DAY_MS)
  await recoverRefused()
  await expect(send()).rejects.toMatchObject({ code: 'rest_not_refused' })
  scene.harness.clock.advance(DAY_MS)
  await send()
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await charge()).toMatchObject({ status: 'refunded' })
  expect(await refundedAtGateway()).toEqual([400])
})

test('what the gateway was asked for stays known when it isn’t sent another way after all', async () => {
  const asked = () =>
    scene.harness.context.db
      .selectFrom('refunds')
      .select('made_cents')
      .where('order_id', '=', scene.transactionId)
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
  const { db } = scene.harness.context
  const itemId = await buildMedia(scene.harness, scene.creator, { showInStore: true, priceCents: 1000 })
  const body = { kind: 'single' as const, itemId, ...(await cardToken(scene.harness, TEST_CARDS.resetAfter)) }
  const bought = (await scene.harness.api.as(scene.fan).call(routes.purchase, { body })) as { _id: string }
  scene.transactionId = bought._id
  const { id: paymentId, reference } = await db
    .selectFrom('payments')
    .select(['id', 'reference'])
    .where('order_id', '=', scene.transactionId)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('refunds')
    .values({
      ...{
        payment_id: paymentId,
        order_id: scene.transactionId,
        amount_cents: 1000,
        reason: 'no_longer_available',
      },
      ...{
        requested_by: null,
        idempotency_key: null,
        request_hash: null,
        created_at: scene.harness.clock.now(),
      },
      reference: crypto.randomUUID().slice(0, 20),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const transactions = await gatewayTransactions(scene.harness)
  const made = transactions.find(({ invoiceNumber }) => invoiceNumber === reference)
  expect(await scene.harness.context.payments.voidCharge(made?.transId ?? '')).toEqual({ kind: 'voided' })
  await recover()
  expect(await charge()).toMatchObject({ status: 'voided' })
  scene.harness.clock.advance(60 * 60_000)
  await scene.harness.server.jobs['refunds.recover']({}, run)
  const refunds = await db.selectFrom('refunds').select('status').where('id', '=', id).execute()
  expect(refunds).toEqual([{ status: 'voided' }])
})

/** What is found of the charge at the gateway. */
const foundOf = async (number: string) =>
  (await (await operator()).call(routes.findings, {})).items.flatMap((finding) =>
    finding.gatewayTransactionId === number ? [[finding.kind, finding.transactionId, finding.amount]] : [],
  )

test('what is on its way stays in sight when the gateway voids the charge meanwhile, and is found as given twice once it is recorded', async () => {
  await chargeForNothing()
  await send()
  const { number } = await charge()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await recover()
  expect(await charge()).toMatchObject({ status: 'voided' })
  expect((await payment()).outside).toMatchObject({
    amount: '$10',
    sending: { by: { _id: scene.operatorId } },
  })
  const { items } = await (await operator()).call(routes.undecidedPayments, {})
  expect(items.filter((item) => item.transactionId === scene.transactionId)).toMatchObject([
    { status: 'refund_outside_over', amount: '$10' },
  ])
  expect(await foundOf(number)).toEqual([])
  expect(await record(`Wire ${crypto.randomUUID()}`)).toMatchObject({ status: 'refunded', amount: '$10' })
  expect(await charge()).toMatchObject({ status: 'voided' })
  expect(await othersThanTransfers()).toEqual([])
  scene.harness.clock.advance(DAY_MS)
  await scene.harness.server.jobs['payments.compare']({}, run)
  expect(await foundOf(number)).toEqual([['refund_made_after_all', scene.transactionId, '$10']])
})

test('a charge that was sent another way and is voided at the gateway then is found as given twice', async () => {
  await chargeForNothing()
  const { number } = await charge()
  await outside(`Wire ${crypto.randomUUID()}`)
  expect(await foundOf(number)).toEqual([])
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  await scene.harness.server.jobs['gateway.look-up']({ transactionId: number }, run)
  expect(await foundOf(number)).toEqual([['refund_made_after_all', scene.transactionId, '$10']])
})

test('what isn’t sent after all ends as its charge did when the gateway voided that meanwhile', async () => {
  await chargeForNothing()
  await send()
  const { number } = await charge()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
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
      ...stuck.filter(({ purchaseId }) => purchaseId === scene.transactionId).map(() => 'stuck'),
      ...items.filter((one) => one.transactionId === scene.transactionId).map(({ status }) => status),
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
