import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildUser } from '../../../testing/builders.ts'
import { refunds } from '../../../testing/money/refunds.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'

const scene = refunds()
const { operator, buySettled, traces, givenBackThere } = scene

const asked = (transactionId: string, more: { left?: string } = {}) => ({
  body: { transactionId, amount: '$4', ...more, reason: 'The buyer asked for it' },
  headers: { 'idempotency-key': crypto.randomUUID() },
})

test('who refunds a part that a colleague has just refunded reads what is left, and gives back nothing', async () => {
  const orderId = await buySettled()
  const [one, other] = [
    await buildUser(scene.harness, { role: 'finance' }),
    await buildUser(scene.harness, { role: 'finance' }),
  ]
  const [first, second] = [
    await reauthenticatedApi(scene.harness, one),
    await reauthenticatedApi(scene.harness, other),
  ]
  const give = (by: Api, left: string) => by.send('POST', '/admin/refund', asked(orderId, { left }))
  const answers = await Promise.all([give(first, '$10'), give(second, '$10')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await give(second, '$10')).toMatchObject({
    status: 409,
    body: {
      code: 'payment_changed',
      details: { left: 'This payment has changed since you opened it: $6 is left.' },
    },
  })
  expect([(await traces(orderId)).refunded.length, await givenBackThere(orderId)]).toEqual([1, [400]])
  expect((await give(second, '$6')).status).toBe(200)
  const { refunds: made } = await second.call(routes.payment, { params: { transactionId: orderId } })
  const faster = answers[0]?.status === 200 ? one : other
  expect(made.map(({ by }) => by?._id)).toEqual([faster.id, other.id])
})

test('a refund that doesn’t say what it was shown as left is refused, and gives back nothing', async () => {
  const orderId = await buySettled()
  expect(await (await operator()).send('POST', '/admin/refund', asked(orderId))).toMatchObject({
    ...{ status: 400, body: { details: { left: expect.any(String) } } },
  })
  expect([(await traces(orderId)).refunded, await givenBackThere(orderId)]).toEqual([[], []])
})
