import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { DAY_MS, GONE, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { sendOutside } from '../../../testing/outside.ts'
import { buildItem } from '../../../testing/purchases.ts'

const scene = refunds()
const { buySettled, givenBackThere, refund, refundUnseen, traces, operator, gatewayDoes, paymentOf } = scene
const { chargeForNothing, recoverAll, showsNone, answersNone, settle, refuse } = scene

/** The gateway says nothing of any refund. */
const saysNothing = () =>
  gatewayDoes(() => ({ lookupRefund: async () => ({ kind: 'unavailable', detail: 'no answer' }) }))

test('what the gateway made, and couldn’t be asked about for days, is neither sent another way nor once more', async () => {
  const orderId = await buySettled()
  await refundUnseen(orderId)
  const putRight = saysNothing()
  scene.harness.clock.advance(4 * DAY_MS)
  const waits = { code: 'refund_in_progress' }
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(waits)
  expect(await refund(orderId, '$10')).toMatchObject(waits)
  putRight()
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(waits)
  expect(await traces(orderId)).toMatchObject(GONE)
  expect(await givenBackThere(orderId)).toEqual([1000])
})

test('the refund of a charge that granted nothing isn’t sent again until the gateway says that it has none', async () => {
  const orderId = await chargeForNothing()
  let sent = 0
  gatewayDoes((gateway) => ({
    async refundCharge(wanted) {
      sent++
      const answer = await gateway.refundCharge(wanted)
      return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
    },
  }))
  const shows = showsNone()
  for (let minute = 0; minute < 20; minute++) {
    scene.harness.clock.advance(MINUTE_MS)
    await recoverAll()
  }
  shows()
  const answers = saysNothing()
  scene.harness.clock.advance(4 * DAY_MS)
  await recoverAll()
  expect(sent).toBe(1)
  answers()
  scene.harness.clock.advance(2 * DAY_MS)
  await recoverAll()
  expect(sent).toBe(1)
  expect(await paymentOf(orderId)).toMatchObject({ status: 'refunded' })
})

/** An order that is paid by the second charge; that the first was given back, as the gateway made both, it doesn't say. */
async function chargedTwice(): Promise<string> {
  const itemId = await buildItem(scene.harness, scene.creator, 'single', 1000)
  const buy = async (card: { cardNumber: string; cardCode: string }) => {
    const body = { kind: 'single', itemId, ...(await cardToken(scene.harness, card)) }
    return (await scene.harness.api.as(scene.fan).send('POST', '/users/purchase', { body })).body
  }
  const knows = gatewayDoes(() => ({ lookup: async () => ({ kind: 'absent' }) }))
  await buy(TEST_CARDS.resetAfter)
  await passes(20)
  const { _id: orderId } = (await buy(TEST_CARDS.approved)) as { _id: string }
  await settle()
  knows()
  const answers = answersNone()
  showsNone()
  await passes(20)
  answers()
  saysNothing()
  scene.harness.clock.advance(3 * DAY_MS)
  return orderId
}

async function passes(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    scene.harness.clock.advance(MINUTE_MS)
    await recoverAll()
  }
}

test('a refund of another charge of the order, of which nobody knows, keeps none of what paid it', async () => {
  const orderId = await chargedTwice()
  const statuses = async () =>
    await scene.harness.context.db
      .selectFrom('payments')
      .leftJoin('refunds', 'refunds.payment_id', 'payments.id')
      .select(['payments.status', 'refunds.failure'])
      .where('payments.order_id', '=', orderId)
      .orderBy('payments.id')
      .execute()
  expect(await statuses()).toEqual([
    { status: 'refused', failure: 'not_refunded' },
    { status: 'captured', failure: null },
  ])
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  await refuse(orderId, '$6')
  const { id: refundId } = await scene.harness.context.db
    .selectFrom('refunds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('amount_cents', '=', 600)
    .executeTakeFirstOrThrow()
  const body = { transactionId: orderId, refundId, sending: true, reason: 'The card is closed' }
  expect(await (await operator()).call(routes.sendOutside, { body })).toMatchObject({ amount: '$6' })
})
