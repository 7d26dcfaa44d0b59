import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DAY_MS, EXCEEDS, GONE, HOUR_MS, MINUTE_MS, refunds } from '../../../testing/money/refunds.ts'
import { enterTransfer, recordOutside, sendOutside } from '../../../testing/outside.ts'

const scene = refunds()
const {
  operator,
  settle,
  buySettled,
  refundAtGateway,
  tell,
  recover,
  refund,
  traces,
  sendElsewhere,
  givenBackThere,
  gatewayDoes,
  listsNoRefunds,
  refundUnseen,
  showRefunds,
} = scene

test('what the gateway hasn’t told of isn’t paid once more after the rest was sent another way', async () => {
  const settled = await buySettled()
  await refundAtGateway(settled, 400)
  await settle()
  const unsettled = await buySettled()
  await refundAtGateway(unsettled, 400)
  for (const orderId of [settled, unsettled]) {
    await sendElsewhere(orderId, '$6')
    // Of $10 it made $4 and knows nothing of the $6, so that it would pay either.
    expect(await refund(orderId, '$3')).toMatchObject(EXCEEDS)
    expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toMatchObject(GONE)
    expect(await givenBackThere(orderId)).toEqual([400])
  }
})

test('until it says what it made, the gateway isn’t asked for more once some was sent another way', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 300)
  await sendElsewhere(orderId, '$5')
  const putRight = listsNoRefunds()
  expect(await refund(orderId, '$3')).toMatchObject({ status: 202 })
  await showRefunds()
  expect(await refund(orderId, '$2')).toMatchObject({ code: 'refund_in_progress' })
  expect(await givenBackThere(orderId)).toEqual([300])
  putRight()
  await showRefunds()
  expect(await givenBackThere(orderId)).toEqual([300])
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([500, 300, 200])
})

test('a refund that waits for what the gateway made is listed after a day, and keeps no other waiting', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 300)
  await sendElsewhere(orderId, '$5')
  const putRight = listsNoRefunds()
  expect(await refund(orderId, '$3')).toMatchObject({ status: 202 })
  const other = await buySettled()
  await refundUnseen(other, { minutes: 0 })
  const listed = async () => {
    const { items } = await (await operator()).call(routes.undecidedPayments, {})
    return items.filter(({ transactionId }) => transactionId === orderId)
  }
  scene.harness.clock.advance(HOUR_MS)
  for (let time = 0; time < 2; time++) {
    await recover()
    scene.harness.clock.advance(MINUTE_MS)
  }
  expect(await traces(other)).toMatchObject(GONE)
  expect(await listed()).toEqual([])
  scene.harness.clock.advance(DAY_MS)
  expect(await listed()).toMatchObject([{ status: 'refund_waiting', amount: '$3' }])
  putRight()
  await showRefunds()
  expect(await listed()).toEqual([])
  expect(await givenBackThere(orderId)).toEqual([300])
})

test('what the gateway told of, and knows no longer, still counts as made, and is waited for no more', async () => {
  const orderId = await buySettled()
  const made = await refundAtGateway(orderId, 300)
  await tell(made)
  await sendElsewhere(orderId, '$5')
  gatewayDoes((gateway) => ({
    findTransaction: async (number) =>
      number === made ? { kind: 'absent' } : gateway.findTransaction(number),
  }))
  expect(await refund(orderId, '$4')).toMatchObject(EXCEEDS)
  expect(await refund(orderId, '$2')).toMatchObject({ status: 200 })
  expect(await refund(orderId, '$3')).toMatchObject({ status: 200 })
  expect(await givenBackThere(orderId)).toEqual([200, 300])
})

test('of two who ask for what was made there, and isn’t told of, one records it', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 400)
  await sendElsewhere(orderId, '$6')
  const answers = await Promise.all([refund(orderId, '$4'), refund(orderId, '$4')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { refunded, ...rest } = await traces(orderId)
  expect(rest).toEqual(GONE)
  expect(refunded.map(([cents]) => cents)).toEqual([600, 400])
  expect(await givenBackThere(orderId)).toEqual([400])
})

test('what was given back by hand since the gateway first had too little left isn’t sent another way, however long ago that is', async () => {
  const orderId = await buySettled()
  const first = await refundAtGateway(orderId, 400)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  scene.harness.clock.advance(3 * DAY_MS - HOUR_MS)
  const second = await refundAtGateway(orderId, 600)
  scene.harness.clock.advance(2 * HOUR_MS)
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  const putRight = listsNoRefunds()
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject({
    ...{ status: 409, code: 'gateway_refunds_unknown' },
  })
  putRight()
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject({
    ...{ status: 409, code: 'refunded_at_gateway' },
  })
  const { items } = await (await operator()).call(routes.findings, {})
  const found = items.map(({ gatewayTransactionId }) => gatewayTransactionId)
  expect(found).toEqual(expect.arrayContaining([first, second]))
  expect(await refund(orderId, '$10')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject(GONE)
  expect(await givenBackThere(orderId)).toEqual([400, 600])
})

test('what the gateway has too little left for, and never says why, is sent another way after days', async () => {
  const orderId = await buySettled()
  await refundAtGateway(orderId, 500)
  gatewayDoes(() => ({ listRefunds: async () => ({ kind: 'listed', refundIds: [] }) }))
  const itself = { status: 409, code: 'refunded_at_gateway' }
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  scene.harness.clock.advance(3 * DAY_MS - HOUR_MS)
  // Asked again, it doesn't begin anew.
  expect(await refund(orderId, '$10')).toMatchObject(EXCEEDS)
  await expect(sendOutside(await operator(), orderId)).rejects.toMatchObject(itself)
  scene.harness.clock.advance(2 * HOUR_MS)
  await sendOutside(await operator(), orderId)
  const document = crypto.randomUUID()
  await recordOutside(await operator(), orderId, document)
  const transfer = { document, amount: '$10', now: scene.harness.clock.now() }
  await enterTransfer([await operator(), await operator()], transfer)
  expect(await traces(orderId)).toEqual({ ...GONE, refunded: [[1000, `outside ${document}`]] })
})
