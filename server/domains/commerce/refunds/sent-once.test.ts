import { expect, test } from 'vitest'
import { cardToken, TEST_CARDS } from '../../../testing/gateway.ts'
import { DAY_MS, GONE, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { sendOutside } from '../../../testing/outside.ts'
import { buildItem } from '../../../testing/purchases.ts'

const scene = refunds()
const { buySettled, givenBackThere, refund, refundUnseen, traces, operator, gatewayDoes } = scene

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
  const { db } = scene.harness.context
  const jobs = scene.harness.server.jobs
  const recover = async () => {
    await jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })
    await scene.recover()
  }
  const itemId = await buildItem(scene.harness, scene.creator, 'single', 1000)
  const body = { kind: 'single', itemId, ...(await cardToken(scene.harness, TEST_CARDS.resetAfter)) }
  await scene.harness.api.as(scene.fan).send('POST', '/users/purchase', { body })
  await scene.settle()
  const item = db.updateTable('media').where('id', '=', itemId)
  await item.set({ quarantined_at: scene.harness.clock.now() }).execute()
  let sent = 0
  gatewayDoes((gateway) => ({
    async refundCharge(wanted) {
      sent++
      const answer = await gateway.refundCharge(wanted)
      return answer.kind === 'refunded' ? { kind: 'unavailable', detail: 'the answer was lost' } : answer
    },
  }))
  const shows = gatewayDoes(() => ({ lookupRefund: async () => ({ kind: 'absent' }) }))
  for (let minute = 0; minute < 20; minute++) {
    scene.harness.clock.advance(MINUTE_MS)
    await recover()
  }
  shows()
  const answers = saysNothing()
  scene.harness.clock.advance(4 * DAY_MS)
  await recover()
  expect(sent).toBe(1)
  answers()
  scene.harness.clock.advance(2 * DAY_MS)
  await recover()
  expect(sent).toBe(1)
  const payment = await db
    .selectFrom('payments')
    .select('status')
    .where('buyer_id', '=', scene.fan.id)
    .executeTakeFirst()
  expect(payment).toEqual({ status: 'refunded' })
})
