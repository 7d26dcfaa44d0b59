import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { planFault, TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { ATTEMPT, DAY_MS, peopleWhoLeave } from '../../../testing/leaving.ts'
import { recordOutside, sendOutside } from '../../../testing/outside.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'
import { findBooks } from '../../commerce/ledger/books/data.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { erase, recover, remove, isErased, buy, purchaseOf, forgiveGateway } = peopleWhoLeave(() => harness)

/** A charge that shows up only after it was recorded as not made, when its item, or its buyer, is gone. */
async function lateCharge(fan: Person, { gone = 'item' }: { gone?: 'item' | 'buyer' } = {}): Promise<void> {
  const creator = await buildCreator(harness)
  await buy(fan, 'single', await buildMedia(harness, creator, { showInStore: true }), TEST_CARDS.resetAfter)
  await settle()
  const { id } = await purchaseOf(fan)
  const payments = harness.context.db.updateTable('payments').where('id', '=', id)
  await payments.set({ status: 'refused', reason: 'not_charged' }).execute()
  const person = gone === 'item' ? creator : fan
  await remove(person)
  await erase()
  expect(await isErased(person)).toBe(true)
  // It had shown up at the gateway in time, while another attempt was under way.
  await payments.set({ gateway_transaction_id: 'shown late' }).execute()
}

const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

test('a late charge for an item that was erased is refunded, as it has settled by then', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  await recover()
  expect(await purchaseOf(fan)).toMatchObject({
    status: 'refunded',
    reason: 'no_longer_available',
    stuck_at: null,
  })
})

test('what the gateway neither voids nor refunds, nor ever will, ends once it was given back another way', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const { id } = await buildUser(harness, { role: 'superadmin' })
  const operator = await reauthenticatedApi(harness, { id })
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  await recover()
  const { order_id: orderId, transactionId } = await purchaseOf(fan)
  await sendOutside(operator, orderId)
  await forgiveGateway()
  for (let hour = 0; hour < 25; hour += 1) {
    harness.clock.advance(DAY_MS / 24)
    await recover()
  }
  expect((await purchaseOf(fan)).stuck_at).toBeInstanceOf(Date)
  const { journals, sales } = await findBooks(harness.context.db)
  const confirmed = await reauthenticatedApi(harness, { id })
  const document = `Wire ${crypto.randomUUID()}`
  await recordOutside(confirmed, orderId, document)
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null, transactionId })
  const { items } = await confirmed.call(routes.stuckCharges, {})
  expect(items.map(({ purchaseId }) => purchaseId)).not.toContain(orderId)
  expect(await findBooks(harness.context.db)).toMatchObject({ journals, sales })
  const kept = await harness.context.db
    .selectFrom('refunds')
    .select(['status', 'gateway_transaction_id as number'])
    .where('order_id', '=', orderId)
    .execute()
  expect(kept).toEqual([{ status: 'refunded', number: `outside ${document}` }])
  harness.clock.advance(DAY_MS)
  await recover()
  const token = await buildSession(harness, fan.id, { reauthenticatedAt: harness.clock.now() })
  await remove({ ...fan, token })
  await erase()
  expect(await isErased(fan)).toBe(true)
})

test('a charge that granted nothing is refunded once, however late its refund shows up', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const { context } = harness
  const gateway = context.payments
  onTestFinished(() => {
    context.payments = gateway
  })
  let sent = 0
  context.payments = {
    ...gateway,
    async refundCharge(wanted) {
      sent += 1
      const answer = await gateway.refundCharge(wanted)
      return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
    },
    lookupRefund: async () => ({ kind: 'absent' }),
  }
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      harness.clock.advance(60_000)
      await recover()
      await harness.server.jobs['refunds.recover']({}, ATTEMPT)
    }
  }
  await minutes(20)
  expect((await purchaseOf(fan)).stuck_at).toBeInstanceOf(Date)
  await minutes(10)
  context.payments = gateway
  await minutes(60)
  expect(sent).toBe(1)
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null })
})

test('what the gateway neither voids nor refunds is shown to the operator, and asked about once a day', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan)
  const operator = await buildUser(harness, { role: 'superadmin' })
  const listed = async () => (await harness.api.as(operator).call(routes.stuckCharges, {})).items
  await planFault(harness, { call: 'createTransactionRequest', effect: 'tokenUsed', times: 1000 })
  for (let hour = 0; hour < 3; hour += 1) {
    await recover()
    harness.clock.advance(DAY_MS / 24)
  }
  const { id, order_id: orderId, stuck_at, transactionId } = await purchaseOf(fan)
  expect(stuck_at).toBeInstanceOf(Date)
  expect(await listed()).toMatchObject([
    { purchaseId: orderId, buyerUsername: fan.username, reason: 'no_longer_available' },
  ])
  harness.clock.advance(4 * DAY_MS)
  const lookups = async () =>
    (
      await harness.context.db
        .selectFrom('payments')
        .select('lookups')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).lookups
  const before = await lookups()
  await recover()
  for (let hour = 0; hour < 23; hour += 1) {
    harness.clock.advance(DAY_MS / 24)
    await recover()
  }
  expect(await lookups()).toBe(before + 1)

  // The operator gives it back at the gateway, by hand; from then on nothing keeps the buyer from leaving.
  await forgiveGateway()
  const refund = {
    transactionId: transactionId ?? '',
    amountCents: 400,
    lastFour: '1111',
    reference: 'by hand',
  }
  const made = await harness.context.payments.refundCharge(refund)
  if (made.kind !== 'refunded') throw new Error(`the gateway answered ${made.kind}`)
  const told = { transactionId: made.transactionId }
  await harness.server.jobs['gateway.look-up'](told, ATTEMPT)
  harness.clock.advance(DAY_MS)
  await recover()
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded', stuck_at: null })
  expect(await listed()).toEqual([])
  const token = await buildSession(harness, fan.id, { reauthenticatedAt: harness.clock.now() })
  await remove({ ...fan, token })
  await erase()
  expect(await isErased(fan)).toBe(true)
})

test('an erased buyer of a late charge is told nothing, and nothing is kept of it', async () => {
  const fan = await buildFan(harness)
  await lateCharge(fan, { gone: 'buyer' })
  await recover()
  await harness.runJobs()
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded' })
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', fan.id)
    .execute()
  expect(rows).toEqual([])
  const cards = await harness.context.db
    .selectFrom('stored_cards')
    .select('id')
    .where('user_id', '=', fan.id)
    .execute()
  expect(cards).toEqual([])
})
