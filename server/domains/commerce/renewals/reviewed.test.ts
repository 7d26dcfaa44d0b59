import { expect, test } from 'vitest'
import { planFault, reviewHeld } from '../../../testing/gateway.ts'
import { MINUTE_MS, renewals } from '../../../testing/money/renewals.ts'

/** What becomes of a renewal that was held for review, where the gateway's answer is another than a decline. */
const scene = renewals()
const { renew, recover, moveTo, onDay, traces, subscription } = scene

async function isHeld(): Promise<string> {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(0))
  await renew()
  const { gateway_transaction_id: number } = await scene.harness.context.db
    .selectFrom('payments')
    .select('gateway_transaction_id')
    .where('buyer_id', '=', scene.fan.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  return number ?? ''
}

test('a renewal that the merchant voids under review isn’t charged again within the hour', async () => {
  const number = await isHeld()
  expect(await scene.harness.context.payments.voidCharge(number)).toEqual({ kind: 'voided' })
  scene.harness.clock.advance(5 * MINUTE_MS)
  await recover()
  expect((await traces()).attempts).toEqual(['captured', 'voided'])
  scene.harness.clock.advance(61 * MINUTE_MS)
  await renew()
  expect((await traces()).attempts).toEqual(['captured', 'voided'])
})

test('a renewal that is still reviewed on day 14 ends the subscription, and its approval is given back', async () => {
  const number = await isHeld()
  moveTo(onDay(13.9))
  await renew()
  expect(await subscription()).toMatchObject({ status: 'active' })
  moveTo(onDay(14))
  await renew()
  expect(await subscription()).toMatchObject({ status: 'expired' })
  await reviewHeld(scene.harness, number, 'approve')
  await recover()
  await renew()
  const { attempts, paid, sales } = await traces()
  expect({ attempts, paid, sales }).toEqual({
    attempts: ['captured', expect.stringMatching(/^(voided|refunded)$/)],
    ...{ paid: [1], sales: 1 },
  })
})
