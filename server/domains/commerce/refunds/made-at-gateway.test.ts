import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { EXCEEDS, GONE, KEPT, refunds } from '../../../testing/money/refunds.ts'
import { enterTransfer, recordOutside, sendOutside } from '../../../testing/outside.ts'

const scene = refunds()
const {
  operator,
  buySettled,
  refundAtGateway,
  tell,
  refund,
  traces,
  refuse,
  sendElsewhere,
  givenBackThere,
  gatewayDoes,
} = scene

test('a part that was given back at the gateway isn’t the whole, and counts once the rest was given back too', async () => {
  const orderId = await buySettled()
  const part = await refundAtGateway(orderId, 500)
  await tell(part)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  expect(await traces(orderId)).toEqual(KEPT)
  expect(await refund(orderId, '$5')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject({ payment: 'captured', access: 1 })
  expect(await refund(orderId, '$5')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded).toEqual([
    [500, expect.not.stringMatching(part)],
    [500, part],
  ])
})

test('parts that were given back at the gateway are the whole together', async () => {
  const orderId = await buySettled()
  const numbers = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 700)]
  for (const number of numbers) await tell(number)
  expect(await refund(orderId, '$3')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toEqual({ ...GONE, refunded: [[1000, numbers[0]]] })
})

test('a refund that was made at the gateway counts for its own charge alone, and is named as that one', async () => {
  const [first, second] = [await buySettled(), await buySettled()]
  const ofFirst = await refundAtGateway(first, 1000)
  await tell(ofFirst)
  const api = await operator()
  const finding = (await api.call(routes.findings, {})).items.find(
    ({ gatewayTransactionId }) => gatewayTransactionId === ofFirst,
  )
  expect(finding).toMatchObject({ kind: 'unknown_refund', transactionId: first, amount: '$10' })
  await api.call(routes.resolveFinding, { body: { findingId: finding?._id ?? '', reason: 'By hand' } })

  const ofSecond = await refundAtGateway(second, 1000)
  expect(await refund(second, '$10')).toMatchObject(EXCEEDS)
  expect(await traces(second)).toEqual(KEPT)
  await tell(ofSecond)
  expect(await refund(second, '$10')).toMatchObject({ status: 200 })
  expect(await traces(second)).toEqual({ ...GONE, refunded: [[1000, ofSecond]] })
  expect(await refund(first, '$10')).toMatchObject({ status: 200 })
  expect(await traces(first)).toEqual({ ...GONE, refunded: [[1000, ofFirst]] })
})

test('a refund that was made at the gateway isn’t recorded as made elsewhere; another one is', async () => {
  const orderId = await buySettled()
  const itself = { status: 409, code: 'refunded_at_gateway' }
  const parts = [await refundAtGateway(orderId, 300), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  for (const amount of ['$3', '$2', '$5']) {
    await refuse(orderId, amount)
    await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  }
  await refuse(orderId, '$4')
  await sendOutside(await operator(), orderId)
  const outside = async (document: string) => recordOutside(await operator(), orderId, document)
  for (const part of parts) await expect(outside(part)).rejects.toMatchObject(itself)
  expect(await traces(orderId)).toEqual(KEPT)
  expect(await outside('WIRE-7')).toMatchObject({ status: 'refunded', amount: '$4' })
  const transfer = { document: 'WIRE-7', amount: '$4', now: scene.harness.clock.now() }
  await enterTransfer([await operator(), await operator()], transfer)
})

test('what was made at the gateway isn’t paid once more after the rest was sent another way', async () => {
  const orderId = await buySettled()
  const part = await refundAtGateway(orderId, 400)
  await tell(part)
  await sendElsewhere(orderId, '$6', 'WIRE-8')
  // The gateway knows nothing of the transfer, and would take it.
  let asked = 0
  gatewayDoes((gateway) => ({
    refundCharge: (wanted) => {
      asked++
      return gateway.refundCharge(wanted)
    },
  }))
  const answer = await refund(orderId, '$4')
  expect(answer).toMatchObject({ status: 200 })
  expect(asked).toBe(0)
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded).toEqual([
    [600, 'outside WIRE-8'],
    [400, part],
  ])
})

test('once the rest was sent another way, no part of what was made at the gateway is paid once more', async () => {
  const orderId = await buySettled()
  const parts = [await refundAtGateway(orderId, 100), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  await sendElsewhere(orderId, '$5', 'WIRE-9')
  // Of $10 it made $3 and knows nothing of the $5, so that it would pay $7 more: of which $2 are owed.
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$1')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 200, 300])
  expect(await givenBackThere(orderId)).toEqual([100, 200, 200])
})

test('parts that were made at the gateway count once, whichever refund is asked for first', async () => {
  const orderId = await buySettled()
  const parts = [await refundAtGateway(orderId, 100), await refundAtGateway(orderId, 200)]
  for (const part of parts) await tell(part)
  await sendElsewhere(orderId, '$5', 'WIRE-10')
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  await refuse(orderId, '$2')
  await sendOutside(await operator(), orderId)
  for (const part of parts)
    await expect(recordOutside(await operator(), orderId, part)).rejects.toMatchObject({
      code: 'refunded_at_gateway',
    })
  await sendOutside(await operator(), orderId, false)
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 300, 200])
  expect(await givenBackThere(orderId)).toEqual([100, 200, 200])
})

test('more than is left at the gateway isn’t sent another way, whether it told of what was made there or not', async () => {
  const itself = { status: 409, code: 'refunded_at_gateway' }
  const untold = await buySettled()
  await refundAtGateway(untold, 500)
  expect(await refund(untold, '$10')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), untold)).rejects.toMatchObject(itself)
  await refuse(untold, '$10')
  await expect(sendOutside(await operator(), untold)).rejects.toMatchObject(itself)

  const told = await buySettled()
  await tell(await refundAtGateway(told, 500))
  await refuse(told, '$10')
  await expect(sendOutside(await operator(), told)).rejects.toMatchObject(itself)
  await refuse(told, '$4')
  expect(await sendOutside(await operator(), told)).toMatchObject({ status: 'refused', amount: '$4' })
})

test('as much as was made there is sent another way once an operator has explained that', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 400)
  await tell(made)
  await refuse(orderId, '$4')
  const itself = { status: 409, code: 'refunded_at_gateway' }
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  const { items } = await (await operator()).call(routes.findings, {})
  const findingId = items.find(({ gatewayTransactionId }) => gatewayTransactionId === made)?._id ?? ''
  const body = { findingId, reason: 'It was for something else' }
  await (await operator()).call(routes.resolveFinding, { body })
  expect(await sendOutside(await operator(), orderId)).toMatchObject({ amount: '$4' })
  await expect(recordOutside(await operator(), orderId, made)).rejects.toMatchObject(itself)
  await sendOutside(await operator(), orderId, false)
  await sendElsewhere(orderId, '$4')
  // No more than is left after it.
  expect(await refund(orderId, '$5')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([400, 400, 200])
  expect(await givenBackThere(orderId)).toEqual([200, 400])
})
