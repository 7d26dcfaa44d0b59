import { expect, test } from 'vitest'
import { DAY_MS, GONE, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { sendOutside } from '../../../testing/outside.ts'

const scene = refunds()
const { buySettled, givenBackThere, refund, refundUnseen, traces, operator, gatewayDoes, paymentOf } = scene
const { chargeForNothing, recoverAll, showsNone } = scene

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
