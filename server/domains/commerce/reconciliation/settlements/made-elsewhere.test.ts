import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { chargeBack } from '../../../../testing/gateway.ts'
import { settlements } from '../../../../testing/money/settlements.ts'
import { refundPayment } from '../../../../testing/refunds.ts'

/** What banks take back, and what is refunded at the gateway itself, in the batches in which it is settled. */
const scene = settlements()
const { compare, operator, settles, buy, refundAtGateway, batch, findingOf, accounts } = scene

/** Asks for a refund on our own page; the code of what it was refused for, if it was. */
async function refund(orderId: string, amount: string): Promise<string | undefined> {
  return refundPayment(await operator(), { transactionId: orderId, amount }).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )
}

/** The bank takes back an order's charge, at the gateway alone. */
async function chargeBackOrder(orderId: string): Promise<void> {
  const { gateway_transaction_id } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await chargeBack(scene.harness, gateway_transaction_id ?? '')
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
    await scene.harness.runJobs()
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
  await scene.harness.runJobs()
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
