import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildFan } from '../../../../testing/builders.ts'
import { cardToken, gatewayThatIsDown } from '../../../../testing/gateway.ts'
import { waitingForLocks } from '../../../../testing/locks.ts'
import { settlements } from '../../../../testing/money/settlements.ts'
import { refundPayment } from '../../../../testing/refunds.ts'

const DAY_MS = 24 * 3600 * 1000

const scene = settlements()
const { compare, recover, operator, settles, buy, refundAtGateway, batch, findingOf, accounts } = scene

/** A charge at the gateway that nobody here knows of. */
async function chargeUnknown(amountCents: number): Promise<void> {
  await scene.harness.context.payments.charge({
    reference: crypto.randomUUID().slice(0, 20),
    amountCents,
    description: 'Not ours',
    source: { token: await cardToken(scene.harness), saveCard: false },
    occasion: 'single',
    customer: { id: scene.fan.id, email: scene.fan.email },
  })
}

/** How many journals moved a batch. */
async function journalsOf(batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from journals join settlements on settlements.id = source_id
    where source_type = 'settlement' and batch_id = ${batchId}`.execute(scene.harness.context.db)
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
  await refundPayment(await operator(), { transactionId: orderId, amount: '$4' })
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
  const gateway = scene.harness.context.payments
  scene.harness.context.payments = {
    ...gateway,
    listCharges: () => Promise.reject(new Error('broken down on purpose')),
  }
  onTestFinished(() => {
    scene.harness.context.payments = gateway
  })
  await expect(compare()).rejects.toThrow('broken down on purpose')
  expect(await batch(batchId)).toMatchObject({ charged: '$10', state: 'posted' })
})

test('a batch with a charge that is still undecided is no finding, and is posted by itself once that is decided', async () => {
  const before = await accounts()
  scene.breakAt = 'purchase.gateway-answered'
  await buy(1500)
  scene.breakAt = null
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
  scene.breakAt = 'purchase.gateway-answered'
  await buy(1600)
  scene.breakAt = null
  const batchId = await settles()
  await compare()
  const { db } = scene.harness.context
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
  scene.harness.clock.advance(8 * DAY_MS)
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

test('batches of months in which nobody compared are all posted, and a gateway that is down posts none', async () => {
  const before = await accounts()
  const batchIds: string[] = []
  for (let month = 0; month < 3; month++) {
    // A login doesn't last as long.
    scene.fan = await buildFan(scene.harness)
    await buy(700)
    batchIds.push(await settles())
    scene.harness.clock.advance(35 * DAY_MS)
  }
  const { payments } = scene.harness.context
  scene.harness.context.payments = gatewayThatIsDown(scene.harness)
  await compare()
  scene.harness.context.payments = payments
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
  const { db } = scene.harness.context
  const change = db.updateTable('settlements').set({ charged_cents: 1 }).where('posted_at', 'is not', null)
  await expect(change.execute()).rejects.toThrow('stays as it is')
  await expect(db.deleteFrom('settlements').execute()).rejects.toThrow()
})
