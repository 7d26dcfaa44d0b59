import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../testing/builders.ts'
import { cardToken, decodedKey, reviewHeld, TEST_CARDS, webhookSignature } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildItem, ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'

type Notice = { notificationId: string; eventType: string; transId: string; body: string; lastAnswer: string }

let harness: Harness
let creator: Person
let fan: Person
beforeAll(async () => {
  harness = await startHarness({ webhooks: true })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const admin = async (path: string, method = 'POST') =>
  (await fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/webhooks${path}`, { method })).json()
/** Everything that the gateway wrote of a transaction, in its order, once it is sent. */
async function noticesOf(transId: string): Promise<Notice[]> {
  const { items } = (await admin('/deliver')) as { items: Notice[] }
  return items.filter((item) => item.transId === transId).reverse()
}

async function deliver(body: string, signature = webhookSignature(body)) {
  const answer = await fetch(`${harness.origin}/api/payments/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-anet-signature': signature },
    body,
  })
  return [answer.status, ((await answer.json()) as { code?: string }).code]
}
const noticeOf = (transId: string, notificationId: string = crypto.randomUUID()) =>
  JSON.stringify({
    notificationId,
    eventType: 'net.authorize.payment.authcapture.created',
    payload: { responseCode: 1, entityName: 'transaction', id: transId },
  })

async function buy(buyer: Person, card: { cardNumber: string; cardCode: string } = TEST_CARDS.approved) {
  const itemId = await buildItem(harness, creator, 'single')
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  await harness.api.as(buyer).send('POST', '/users/purchase', { body })
  const [payment] = await paymentsOf(buyer)
  return payment?.gateway_transaction_id ?? ''
}
const paymentsOf = (buyer: Person) =>
  harness.context.db
    .selectFrom('payments')
    .select(['id', 'status', 'gateway_transaction_id', 'lookups'])
    .where('buyer_id', '=', buyer.id)
    .execute()
const eventsOf = (buyer: Person) =>
  harness.context.db
    .selectFrom('payment_events')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['to_status', 'payment_events.source'])
    .where('buyer_id', '=', buyer.id)
    .orderBy('payment_events.id')
    .execute()
const keptNotices = async () =>
  (await harness.context.db.selectFrom('gateway_notices').select('notification_id').execute()).length
async function waitingLookUps(): Promise<number | undefined> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from graphile_worker.jobs where task_identifier = 'gateway.look-up'`.execute(
    harness.context.db,
  )
  return rows[0]?.waiting
}
async function found() {
  const operator = await buildUser(harness, { role: 'finance' })
  return (await harness.api.as(operator).call(routes.findings, {})).items
}

describe('a webhook is refused, and nothing is kept,', () => {
  const body = noticeOf('60100000001')
  test.each<[what: string, body: string, signature: string, status: number, code: string]>([
    ['without a signature', body, '', 400, 'webhook_signature_invalid'],
    [
      'signed with another key',
      body,
      webhookSignature(body, 'A5'.repeat(64)),
      400,
      'webhook_signature_invalid',
    ],
    [
      'signed with the decoded key',
      body,
      webhookSignature(body, decodedKey),
      400,
      'webhook_signature_invalid',
    ],
    ['without the prefix', body, webhookSignature(body).slice(7), 400, 'webhook_signature_invalid'],
    ['one byte longer than signed', `${body} `, webhookSignature(body), 400, 'webhook_signature_invalid'],
    ['that is no JSON', 'charged', webhookSignature('charged'), 400, 'malformed_body'],
    ['without an id', '{"eventType":"x","payload":{}}', '', 400, 'webhook_signature_invalid'],
    ['signed, without an id', '{"payload":{}}', webhookSignature('{"payload":{}}'), 400, 'malformed_body'],
    ['that is too large', body.padEnd(65 * 1024), webhookSignature(body), 413, 'body_too_large'],
  ])('%s', async (_, sent, signature, status, code) => {
    const before = await keptNotices()
    expect(await deliver(sent, signature)).toEqual([status, code])
    expect(await keptNotices()).toBe(before)
  })
})

test('any other signature, or any other bytes under it, is refused', async () => {
  const { readWebhook } = harness.context.payments
  const body = Buffer.from(noticeOf('60100000001'))
  expect(readWebhook?.({ body, signature: webhookSignature(body).toLowerCase() })).toMatchObject({
    transactionId: '60100000001',
  })
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const tampered = Buffer.from(body)
      tampered[place] = (tampered[place] ?? 0) ^ change
      return readWebhook?.({ body: tampered, signature: webhookSignature(body) }) === 'forged'
    }),
  )
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }),
      (signature) => readWebhook?.({ body, signature }) === 'forged',
    ),
  )
})

test('a held payment that the gateway approves is granted by the webhook, before the look-up has its turn', async () => {
  const transactionId = await buy(fan, TEST_CARDS.held)
  expect((await noticesOf(transactionId)).map(({ eventType }) => eventType)).toEqual([
    'net.authorize.payment.fraud.held',
  ])
  await harness.runJobs()
  expect((await purchaseTraces(harness, fan)).statuses).toEqual(['held'])
  await reviewHeld(harness, transactionId, 'approve')
  const notices = await noticesOf(transactionId)
  expect(notices.map(({ lastAnswer }) => lastAnswer)).toEqual(['200', '200'])
  await harness.runJobs()
  expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
  expect((await eventsOf(fan)).at(-1)).toEqual({ to_status: 'captured', source: 'webhook' })
})

test('a held payment that the gateway declines is declined by the webhook', async () => {
  const transactionId = await buy(fan, TEST_CARDS.held)
  await reviewHeld(harness, transactionId, 'decline')
  await noticesOf(transactionId)
  await harness.runJobs()
  expect((await eventsOf(fan)).at(-1)).toEqual({ to_status: 'declined', source: 'webhook' })
  expect(await purchaseTraces(harness, fan)).toMatchObject({ granted: 0, sales: 0 })
})

test('the webhook says what to ask, not what is so', async () => {
  const transactionId = await buy(fan, TEST_CARDS.held)
  const body = noticeOf(transactionId).replace('authcapture.created', 'fraud.approved')
  expect(await deliver(body)).toEqual([200, undefined])
  await harness.runJobs()
  expect((await purchaseTraces(harness, fan)).statuses).toEqual(['held'])
})

test('fifty of one webhook at once are one, and one look-up', async () => {
  const transactionId = await buy(fan)
  await noticesOf(transactionId)
  await harness.runJobs()
  const before = await keptNotices()
  const body = noticeOf(transactionId)
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(body)))
  expect(answers).toEqual(Array.from({ length: 50 }, () => [200, undefined]))
  expect([await keptNotices(), await waitingLookUps()]).toEqual([before + 1, 1])
  await harness.runJobs()
  await deliver(body)
  expect(await waitingLookUps()).toBe(0)
  expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
})

test('whatever the order and however often they come, the end is the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<'approve' | 'decline'>('approve', 'decline'),
      fc.array(fc.record({ place: fc.nat(), runsJobs: fc.boolean() }), { minLength: 2, maxLength: 6 }),
      async (decision, order) => {
        const buyer = await buildFan(harness)
        const transactionId = await buy(buyer, TEST_CARDS.held)
        await reviewHeld(harness, transactionId, decision)
        const bodies = (await noticesOf(transactionId)).map(({ body }) => body)
        expect(bodies).toHaveLength(2)
        for (const { place, runsJobs } of order) {
          // A new id each time, so that every one of them has to be harmless.
          const sent = {
            ...JSON.parse(bodies[place % bodies.length] ?? ''),
            notificationId: crypto.randomUUID(),
          }
          expect(await deliver(JSON.stringify(sent))).toEqual([200, undefined])
          if (runsJobs) await harness.runJobs()
        }
        await harness.runJobs()
        const traces = await purchaseTraces(harness, buyer)
        if (decision === 'approve') expect(traces).toEqual(ONE_SALE)
        else expect(traces).toMatchObject({ statuses: ['declined'], granted: 0, sales: 0 })
      },
    ),
    { numRuns: 8 },
  )
})

test('an answer that was lost is found by the webhook', async () => {
  await buy(fan, TEST_CARDS.resetAfter)
  expect((await paymentsOf(fan)).map(({ status }) => status)).toEqual(['unknown'])
  await admin('/deliver')
  await harness.runJobs()
  expect(await purchaseTraces(harness, fan)).toEqual(ONE_SALE)
  expect((await eventsOf(fan)).at(-1)).toEqual({ to_status: 'captured', source: 'webhook' })
})

test('our own refund makes no finding; a void that nobody here made does, and so does a charge that nobody knows', async () => {
  const transactionId = await buy(fan)
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  const { order_id } = await harness.context.db
    .selectFrom('payments')
    .select('order_id')
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  await refundPayment(harness.api.as({ token }), { transactionId: order_id, amount: '$9.99' })
  expect((await noticesOf(transactionId)).map(({ eventType }) => eventType.slice(22))).toEqual([
    'authcapture.created',
    'void.created',
  ])
  await harness.runJobs()
  expect(await found()).toEqual([])

  const other = await buildFan(harness)
  const voided = await buy(other)
  await harness.context.payments.voidCharge(voided)
  const outcome = await harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents: 1234,
    description: 'Not ours',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: fan.id, email: fan.email },
  })
  await admin('/deliver')
  await harness.runJobs()
  const findings = await found()
  expect(findings).toHaveLength(2)
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'payment_without_charge', gatewayTransactionId: voided }),
      expect.objectContaining({
        kind: 'unknown_charge',
        gatewayTransactionId: outcome.kind === 'approved' ? outcome.transactionId : '',
        amount: '$12.34',
      }),
    ]),
  )
})

test.each(['ours', 'made there'])('a void, %s, is none of a part that the gateway refused', async (whose) => {
  const { db, payments } = harness.context
  const voided = await buy(fan)
  const finance = await reauthenticatedApi(harness, await buildUser(harness, { role: 'finance' }))
  const { order_id: transactionId } = await db
    .selectFrom('payments')
    .select('order_id')
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  const refund = (amount: string) => refundPayment(finance, { transactionId, amount })
  // Parts are refused before the settlement.
  await expect(refund('$4')).rejects.toMatchObject({ code: 'refund_refused' })
  if (whose === 'ours') await refund('$9.99')
  else await payments.voidCharge(voided)
  await harness.server.jobs['gateway.look-up']({ transactionId: voided }, { attempt: 1, lastAttempt: false })
  const refunds = db
    .selectFrom('refunds')
    .select('status')
    .where('order_id', '=', transactionId)
    .orderBy('id')
  expect((await refunds.execute()).map(({ status }) => status)).toEqual(
    whose === 'ours' ? ['refused', 'voided'] : ['refused'],
  )
  const findings = (await found()).filter(({ gatewayTransactionId }) => gatewayTransactionId === voided)
  expect(findings.map(({ kind }) => kind)).toEqual(whose === 'ours' ? [] : ['payment_without_charge'])
})

test('a refund made at the gateway itself stops payouts until somebody says why', async () => {
  const transactionId = await buy(fan)
  const DAY_MS = 24 * 3600 * 1000
  harness.clock.advance(2 * DAY_MS)
  const reference = crypto.randomUUID().slice(0, 20)
  const refunded = await harness.context.payments.refundCharge({
    ...{ transactionId, reference, amountCents: 500, lastFour: '1111' },
  })
  await admin('/deliver')
  await harness.runJobs()
  harness.clock.advance(DAY_MS)
  await harness.server.jobs['payments.compare']({}, { attempt: 1, lastAttempt: false })
  const made = refunded.kind === 'refunded' ? refunded.transactionId : ''
  expect((await found()).filter(({ gatewayTransactionId }) => gatewayTransactionId === made)).toMatchObject([
    { kind: 'unknown_refund', amount: '$5' },
  ])
})

test('a payment whose answer is still on its way is left to that', async () => {
  const transactionId = await buy(fan)
  const { db, clock } = harness.context
  const [payment] = await paymentsOf(fan)
  // As it stands while the gateway is being asked.
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update payments set status = 'submitting', submitted_at = ${clock.now()} where id = ${payment?.id}`.execute(
      tx,
    )
  })
  await deliver(noticeOf(transactionId))
  await harness.runJobs()
  expect((await paymentsOf(fan)).map(({ status }) => status)).toEqual(['submitting'])
})

test('notices of long ago are forgotten', async () => {
  const id = crypto.randomUUID()
  await deliver(noticeOf('60100000001', id))
  harness.clock.advance(91 * 24 * 3600 * 1000)
  await harness.server.jobs['gateway.forget-notices']({}, { attempt: 1, lastAttempt: false })
  // Others may be on their way from the gateway meanwhile.
  const kept = await harness.context.db
    .selectFrom('gateway_notices')
    .select('notification_id')
    .where('notification_id', '=', id)
    .execute()
  expect(kept).toEqual([])
})

test('without a key for signatures there is no such call', async () => {
  const { payments } = harness.context
  harness.context.payments = { ...payments, readWebhook: null }
  expect(await deliver(noticeOf('60100000001'))).toEqual([404, 'not_found'])
  harness.context.payments = payments
})
