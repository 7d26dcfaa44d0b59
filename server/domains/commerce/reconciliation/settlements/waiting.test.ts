import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildSession, buildUser } from '../../../../testing/builders.ts'
import { cardToken, planFault, TEST_CARDS } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { buildItem } from '../../../../testing/purchases.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())
beforeEach(() => harness.clock.advance(8 * DAY_MS))

const run = { attempt: 1, lastAttempt: false }
const compare = () => harness.server.jobs['payments.compare']({}, run)
const recover = () => harness.server.jobs['purchases.recover']({}, run)
const sandbox = (path: string, method: string) =>
  fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin${path}`, { method })

/** Settles at the gateway, and goes on to when the batch is compared; the gateway's number of the batch. */
async function settles(): Promise<string> {
  const { batchId } = (await (await sandbox('/settle', 'POST')).json()) as { batchId: string | null }
  harness.clock.advance(2 * HOUR_MS)
  return batchId ?? ''
}

/** Charges $10 for an item; its id, and how the payment stands. */
async function buy(card: { cardNumber: string; cardCode: string }) {
  const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
  const itemId = await buildItem(harness, creator, 'single', 1000)
  const body = { kind: 'single', itemId, ...(await cardToken(harness, card)) }
  await harness.api.as(fan).send('POST', '/users/purchase', { body })
  const payment = await harness.context.db
    .selectFrom('payments')
    .select(['reference', 'status'])
    .where('buyer_id', '=', fan.id)
    .executeTakeFirstOrThrow()
  return { itemId, ...payment }
}

/** Beside a charge that is known, as nothing is compared before the first one, one whose answer is lost. */
async function buyUnanswered() {
  await buy(TEST_CARDS.approved)
  const unanswered = await buy(TEST_CARDS.resetAfter)
  expect(unanswered.status).toBe('unknown')
  return unanswered
}

/** A charge at the gateway that nobody here knows of. */
async function chargeUnknown(): Promise<void> {
  await harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents: 1234,
    description: 'Not ours',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: crypto.randomUUID().slice(0, 20), email: 'nobody@example.test' },
  })
}

async function stateOf(batchId: string): Promise<string | undefined> {
  const { id } = await buildUser(harness, { role: 'finance' })
  const api = harness.api.as({ token: await buildSession(harness, id) })
  const { items } = await api.call(routes.settlements, { query: {} })
  return items.find((batch) => batch.batchId === batchId)?.state
}

test('a batch that differs waits three days for a charge that is undecided, and then for nobody', async () => {
  await buyUnanswered()
  const { payments } = harness.context
  const lookup = async () => ({ kind: 'unavailable' as const, detail: 'no answer' })
  harness.context.payments = { ...payments, lookup }
  onTestFinished(() => {
    harness.context.payments = payments
  })
  const batchId = await settles()
  await compare()
  expect(await stateOf(batchId)).toBe('waiting')
  harness.clock.advance(3 * DAY_MS)
  await recover()
  await compare()
  expect(await stateOf(batchId)).toBe('differs')

  // A difference in a batch of later days can't be that charge.
  await chargeUnknown()
  const later = await settles()
  await compare()
  expect(await stateOf(later)).toBe('differs')

  harness.context.payments = payments
  harness.clock.advance(HOUR_MS)
  await recover()
  await compare()
  expect([await stateOf(batchId), await stateOf(later)]).toEqual(['posted', 'differs'])
})

test('a refund made at the gateway itself is found while its batch waits', async () => {
  await buy(TEST_CARDS.approved)
  const charged = await harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('status', '=', 'captured')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await settles()
  const made = await harness.context.payments.refundCharge({
    ...{ transactionId: charged.gateway_transaction_id ?? '', amountCents: 400, lastFour: '1111' },
    reference: crypto.randomUUID().slice(0, 20),
  })
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  await buy(TEST_CARDS.resetAfter)
  const batchId = await settles()
  await compare()
  expect(await stateOf(batchId)).toBe('waiting')
  await harness.runJobs()
  const { id } = await buildUser(harness, { role: 'finance' })
  const { items } = await harness.api.as({ token: await buildSession(harness, id) }).call(routes.findings, {})
  const found = items.filter(({ gatewayTransactionId }) => gatewayTransactionId === made.transactionId)
  expect(found).toMatchObject([{ kind: 'unknown_refund', amount: '$4' }])
})

test('a charge that an operator has to give back keeps its batch from being a finding no longer', async () => {
  const { reference, itemId } = await buyUnanswered()
  const { db } = harness.context
  const item = db.updateTable('media').where('id', '=', itemId)
  await item.set({ quarantined_at: harness.clock.now() }).execute()
  const batchId = await settles()
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 10 })
  await recover()
  await sandbox('/faults', 'DELETE')
  const payment = await db
    .selectFrom('payments')
    .select(['status', 'stuck_at'])
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  expect(payment).toEqual({ status: 'unknown', stuck_at: expect.any(Date) })
  await compare()
  expect(await stateOf(batchId)).toBe('differs')
})
