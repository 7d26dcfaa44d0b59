import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Checkpoint } from '../../../../context.ts'
import { buildCreator, buildFan, buildSession, buildUser, type Person } from '../../../../testing/builders.ts'
import { cardToken, chargeBack, gatewayThatIsDown } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { buildItem } from '../../../../testing/purchases.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

let harness: Harness
let creator: Person
let fan: Person
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
})

const run = { attempt: 1, lastAttempt: false }
const compare = () => harness.server.jobs['payments.compare']({}, run)
const recover = () => harness.server.jobs['purchases.recover']({}, run)

/** Settles at the gateway, and goes on to when the batch is compared; the gateway's number of the batch. */
async function settles(): Promise<string> {
  const admin = `${harness.sandboxOrigin}/sandbox/authorizenet/admin`
  const answer = await fetch(`${admin}/settle`, { method: 'POST' })
  const { batchId } = (await answer.json()) as { batchId: string | null }
  if (!batchId) throw new Error('nothing was settled')
  harness.clock.advance(2 * HOUR_MS)
  return batchId
}

async function operator() {
  const { id } = await buildUser(harness, { role: 'finance' })
  const token = await buildSession(harness, id, { reauthenticatedAt: harness.clock.now() })
  return harness.api.as({ token })
}

async function buy(priceCents = 1000): Promise<string> {
  const itemId = await buildItem(harness, creator, 'single', priceCents)
  const body = { kind: 'single', itemId, ...(await cardToken(harness)) }
  const { body: purchase } = await harness.api.as(fan).send('POST', '/users/purchase', { body })
  return (purchase as { _id: string })._id
}

/** A charge at the gateway that nobody here knows of. */
async function chargeUnknown(amountCents: number): Promise<void> {
  await harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents,
    description: 'Not ours',
    source: { token: await cardToken(harness), saveCard: false },
    occasion: 'single',
    customer: { id: fan.id, email: fan.email },
  })
}

/** A refund of an order's charge, made at the gateway itself, of which a webhook tells or not. */
async function refundAtGateway(orderId: string, amountCents: number, isToldOf = true): Promise<void> {
  const { gateway_transaction_id, card_last_four } = await harness.context.db
    .selectFrom('payments')
    .select(['gateway_transaction_id', 'card_last_four'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const made = await harness.context.payments.refundCharge({
    transactionId: gateway_transaction_id ?? '',
    amountCents,
    lastFour: card_last_four ?? '',
    reference: crypto.randomUUID().slice(0, 20),
  })
  expect(made.kind).toBe('refunded')
  if (!isToldOf || made.kind !== 'refunded') return
  await harness.server.jobs['gateway.look-up']({ transactionId: made.transactionId }, run)
}

const settled = async () => (await (await operator()).call(routes.settlements, { query: {} })).items
const batch = async (batchId: string) => (await settled()).find((one) => one.batchId === batchId)
const findingOf = async (batchId: string) =>
  (await (await operator()).call(routes.findings, {})).items.find(
    ({ kind, gatewayTransactionId }) => kind === 'settlement_differs' && gatewayTransactionId === batchId,
  )

/** Balances of the platform's accounts, in cents. */
async function accounts(): Promise<Record<'bank' | 'gateway' | 'suspense', number>> {
  const { rows } = await sql<{ kind: 'bank' | 'gateway' | 'suspense'; cents: number }>`
    select kind, sum(amount_cents)::bigint as cents from postings join ledger_accounts on ledger_accounts.id = account_id
    where user_id is null group by kind`.execute(harness.context.db)
  return {
    bank: 0,
    gateway: 0,
    suspense: 0,
    ...Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents])),
  }
}

/** How many journals moved a batch. */
async function journalsOf(batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from journals join settlements on settlements.id = source_id
    where source_type = 'settlement' and batch_id = ${batchId}`.execute(harness.context.db)
  return rows[0]?.count ?? 0
}

test('what the gateway settled is moved to the bank account once, whoever compares at the same time', async () => {
  const before = await accounts()
  const orderId = await buy(1000)
  await buy(2500)
  const batchId = await settles()
  await Promise.all([compare(), compare(), compare()])
  expect(await journalsOf(batchId)).toBe(1)
  expect(await batch(batchId)).toMatchObject({
    ...{ charged: '$35', refunded: '$0', chargedBack: '$0', net: '$35', state: 'posted', difference: null },
  })
  expect(await accounts()).toEqual({
    ...before,
    ...(await accounts()),
    bank: before.bank + 3500,
    gateway: before.gateway,
  })

  // A refund comes off the batch in which it is settled.
  const body = { transactionId: orderId, amount: '$4', reason: 'Part of it' }
  await (await operator()).call(routes.refund, { body }, { idempotencyKey: crypto.randomUUID() })
  expect((await accounts()).gateway).toBe(before.gateway - 400)
  const refunding = await settles()
  await compare()
  await compare()
  expect(await batch(refunding)).toMatchObject({ charged: '$0', refunded: '$4', net: '-$4', state: 'posted' })
  expect(await journalsOf(refunding)).toBe(1)
  expect(await accounts()).toMatchObject({ bank: before.bank + 3100, gateway: before.gateway })
})

test('a batch is posted also where the charges of the last days can’t be compared', async () => {
  await buy(1000)
  const batchId = await settles()
  const gateway = harness.context.payments
  harness.context.payments = {
    ...gateway,
    listCharges: () => Promise.reject(new Error('broken down on purpose')),
  }
  onTestFinished(() => {
    harness.context.payments = gateway
  })
  await expect(compare()).rejects.toThrow('broken down on purpose')
  expect(await batch(batchId)).toMatchObject({ charged: '$10', state: 'posted' })
})

test('a batch with a charge that is still undecided is no finding, and is posted by itself once that is decided', async () => {
  const before = await accounts()
  breakAt = 'purchase.gateway-answered'
  await buy(1500)
  breakAt = null
  const batchId = await settles()
  await compare()
  expect(await batch(batchId)).toMatchObject({ net: '$15', state: 'waiting', difference: '$15' })
  expect(await findingOf(batchId)).toBeUndefined()
  expect([await journalsOf(batchId), (await accounts()).bank]).toEqual([0, before.bank])
  await recover()
  await compare()
  expect(await batch(batchId)).toMatchObject({ state: 'posted', difference: null })
  expect(await findingOf(batchId)).toBeUndefined()
  expect(await accounts()).toMatchObject({ bank: before.bank + 1500, gateway: before.gateway })
})

test('a charge that is decided while its batch is compared makes no finding', async () => {
  breakAt = 'purchase.gateway-answered'
  await buy(1600)
  breakAt = null
  const batchId = await settles()
  await compare()
  const { db } = harness.context
  let comparing: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('settlements').select('id').where('batch_id', '=', batchId).forUpdate().execute()
    comparing = compare()
    await expect.poll(() => waitingForLocks(db, 'settlements')).toBe(1)
    await recover()
  })
  await comparing
  expect(await findingOf(batchId)).toBeUndefined()
  await compare()
  expect(await batch(batchId)).toMatchObject({ net: '$16', state: 'posted', difference: null })
})

test('a difference that an operator resolves goes to suspense, and what is ours to the bank account', async () => {
  const before = await accounts()
  await buy(1000)
  await chargeUnknown(1234)
  const batchId = await settles()
  await compare()
  const finding = await findingOf(batchId)
  expect(finding).toMatchObject({ amount: '$12.34', transactionId: null, owner: null })
  expect(await batch(batchId)).toMatchObject({ net: '$22.34', state: 'differs', difference: '$12.34' })
  // It isn't explained by time.
  harness.clock.advance(8 * DAY_MS)
  await compare()
  expect(await findingOf(batchId)).toMatchObject({ _id: finding?._id })
  const body = { findingId: finding?._id ?? '', reason: 'A charge by hand at the gateway' }
  await (await operator()).call(routes.resolveFinding, { body })
  await Promise.all([compare(), compare()])
  expect(await batch(batchId)).toMatchObject({ net: '$22.34', state: 'posted', difference: '$12.34' })
  expect(await journalsOf(batchId)).toBe(1)
  expect(await accounts()).toMatchObject({
    ...{ bank: before.bank + 2234, gateway: before.gateway, suspense: before.suspense - 1234 },
  })
})

test('what operators called resolved charge by charge and refund by refund makes no finding of its batch', async () => {
  const before = await accounts()
  const orderId = await buy(1000)
  await chargeUnknown(1777)
  await compare()
  const resolve = async (kind: string, amount: string) => {
    const api = await operator()
    const found = (await api.call(routes.findings, {})).items
    const finding = found.find((one) => one.kind === kind && one.amount === amount)
    const body = { findingId: finding?._id ?? '', reason: 'Made at the gateway by hand' }
    await api.call(routes.resolveFinding, { body })
  }
  await resolve('unknown_charge', '$17.77')
  const batchId = await settles()
  await compare()
  expect(await findingOf(batchId)).toBeUndefined()
  expect(await batch(batchId)).toMatchObject({ net: '$27.77', state: 'posted', difference: '$17.77' })

  await refundAtGateway(orderId, 321)
  await resolve('unknown_refund', '$3.21')
  const refunding = await settles()
  await compare()
  expect(await findingOf(refunding)).toBeUndefined()
  expect(await batch(refunding)).toMatchObject({ net: '-$3.21', state: 'posted', difference: '-$3.21' })
  expect(await accounts()).toMatchObject({
    ...{ bank: before.bank + 2456, gateway: before.gateway, suspense: before.suspense - 1456 },
  })
})

/** Asks for a refund on our own page; the code of what it was refused for, if it was. */
async function refund(orderId: string, amount: string): Promise<string | undefined> {
  const body = { transactionId: orderId, amount, reason: 'Asked for' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await (await operator()).send('POST', '/admin/refund', { body, headers })
  return (answer.body as { code?: string }).code
}

/** The bank takes back an order's charge, at the gateway alone. */
async function chargeBackOrder(orderId: string): Promise<void> {
  const { gateway_transaction_id } = await harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await chargeBack(harness, gateway_transaction_id ?? '')
}

async function recordDispute(transactionId: string, amount: string): Promise<void> {
  const about = { fee: '$0', cause: 'fraud' as const, caseNumber: crypto.randomUUID(), reason: 'A letter' }
  const once = { idempotencyKey: crypto.randomUUID() }
  await (await operator()).call(routes.openDispute, { body: { transactionId, amount, ...about } }, once)
}

test('a batch that a chargeback comes off waits until its dispute is recorded, each for a dispute of its own', async () => {
  const before = await accounts()
  const [first, second] = [await buy(1000), await buy(700)]
  await settles()
  await compare()
  await chargeBackOrder(first)
  const one = await settles()
  await chargeBackOrder(second)
  const other = await settles()
  await compare()
  expect(await batch(one)).toMatchObject({
    ...{ chargedBack: '$10', net: '-$10', state: 'differs', difference: '-$10' },
  })
  expect(await batch(other)).toMatchObject({ net: '-$7', state: 'differs', difference: '-$7' })
  expect((await accounts()).bank).toBe(before.bank + 1700)

  await recordDispute(first, '$10')
  expect((await accounts()).gateway).toBe(before.gateway - 1000)
  await Promise.all([compare(), compare()])
  expect(await batch(one)).toMatchObject({ state: 'posted', difference: null })
  expect(await findingOf(one)).toBeUndefined()
  expect(await batch(other)).toMatchObject({ state: 'differs', difference: '-$7' })
  expect(await accounts()).toMatchObject({ bank: before.bank + 700, gateway: before.gateway })

  const body = { findingId: (await findingOf(other))?._id ?? '', reason: 'The bank gave it back at once' }
  await (await operator()).call(routes.resolveFinding, { body })
  await compare()
  expect(await batch(other)).toMatchObject({ state: 'posted', difference: '-$7' })
  expect(await accounts()).toEqual({
    ...(await accounts()),
    ...{ bank: before.bank, gateway: before.gateway, suspense: before.suspense + 700 },
  })
})

test.each([
  ['before its difference is resolved', ['record', 'resolve']],
  ['after that, and before the batch is compared again', ['resolve', 'record']],
] as const)(
  'a dispute that is recorded %s is that of its batch, and hides no other chargeback',
  async (_when, steps) => {
    const before = await accounts()
    const [first, second] = [await buy(3300), await buy(3300)]
    await settles()
    await compare()
    await chargeBackOrder(first)
    const one = await settles()
    await compare()
    const found = await findingOf(one)
    for (const step of steps) {
      const body = { findingId: found?._id ?? '', reason: 'The dispute is recorded' }
      if (step === 'record') await recordDispute(first, '$33')
      else await (await operator()).call(routes.resolveFinding, { body })
    }
    await compare()
    expect(await batch(one)).toMatchObject({ state: 'posted', difference: null })
    expect(await accounts()).toMatchObject({
      ...{ bank: before.bank + 3300, gateway: before.gateway, suspense: before.suspense },
    })
    await chargeBackOrder(second)
    const other = await settles()
    await compare()
    expect(await batch(other)).toMatchObject({ state: 'differs', difference: '-$33' })
    await recordDispute(second, '$33')
    await harness.runJobs()
    expect(await batch(other)).toMatchObject({ state: 'posted', difference: null })
    const { items } = await (await operator()).call(routes.findings, {})
    expect(items.filter(({ transactionId }) => transactionId === first || transactionId === second)).toEqual(
      [],
    )
  },
)

test('a refund that was made at the gateway before ours counts in the batch of its own', async () => {
  const before = await accounts()
  const orderId = await buy(1000)
  const charging = await settles()
  await refundAtGateway(orderId, 1000)
  expect(await refund(orderId, '$10')).toBeUndefined()
  await compare()
  expect(await findingOf(charging)).toBeUndefined()
  expect(await batch(charging)).toMatchObject({ net: '$10', state: 'posted', difference: null })
  const refunding = await settles()
  await compare()
  expect(await batch(refunding)).toMatchObject({ net: '-$10', state: 'posted', difference: null })
  expect(await accounts()).toMatchObject({ bank: before.bank, gateway: before.gateway })
})

test('a refund that was made at the gateway, of which no webhook told, is found by its batch, and counts once it is asked for here', async () => {
  const before = await accounts()
  const orderId = await buy(1000)
  await settles()
  await refundAtGateway(orderId, 1000, false)
  expect(await refund(orderId, '$10')).toBe('refund_exceeds_payment')
  const refunding = await settles()
  await compare()
  expect(await batch(refunding)).toMatchObject({ net: '-$10', state: 'differs', difference: '-$10' })
  await harness.runJobs()
  const { items } = await (await operator()).call(routes.findings, {})
  expect(items.filter(({ transactionId }) => transactionId === orderId)).toMatchObject([
    { kind: 'unknown_refund', amount: '$10' },
  ])
  expect(await refund(orderId, '$10')).toBeUndefined()
  await compare()
  expect(await batch(refunding)).toMatchObject({ state: 'posted', difference: null })
  expect(await findingOf(refunding)).toBeUndefined()
  expect(await accounts()).toMatchObject({ bank: before.bank, gateway: before.gateway })
})

test('batches of months in which nobody compared are all posted, and a gateway that is down posts none', async () => {
  const before = await accounts()
  const batchIds: string[] = []
  for (let month = 0; month < 3; month++) {
    // A login doesn't last as long.
    fan = await buildFan(harness)
    await buy(700)
    batchIds.push(await settles())
    harness.clock.advance(35 * DAY_MS)
  }
  const { payments } = harness.context
  harness.context.payments = gatewayThatIsDown(harness)
  await compare()
  harness.context.payments = payments
  expect((await accounts()).bank).toBe(before.bank)
  await compare()
  for (const batchId of batchIds) expect(await batch(batchId)).toMatchObject({ net: '$7', state: 'posted' })
  expect(await accounts()).toMatchObject({ bank: before.bank + 2100, gateway: before.gateway })
})

test('the list goes on page by page, and what is posted stays as it is', async () => {
  const api = await operator()
  const all = (await api.call(routes.settlements, { query: { limit: 60 } })).items
  const read: typeof all = []
  let cursor: string | null | undefined
  do {
    const page: { items: typeof all; nextCursor: string | null } = await api.call(routes.settlements, {
      query: { limit: 2, ...(cursor ? { cursor } : {}) },
    })
    read.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(read).toEqual(all)
  const { db } = harness.context
  const change = db.updateTable('settlements').set({ charged_cents: 1 }).where('posted_at', 'is not', null)
  await expect(change.execute()).rejects.toThrow('stays as it is')
  await expect(db.deleteFrom('settlements').execute()).rejects.toThrow()
})
