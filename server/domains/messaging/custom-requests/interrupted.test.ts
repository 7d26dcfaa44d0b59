import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { customRequests, WISH } from '../../../testing/custom-requests.ts'
import { ONE_SALE, purchaseTraces } from '../../../testing/purchases.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 3600 * 1000

/** Requests and tips whose process crashed between a charge and its record. */
const { scene, as, ask, accept, remove, pay, tip, conversation, stateOf } = customRequests()

const recover = () => scene.harness.server.jobs['purchases.recover']({}, { attempt: 1, lastAttempt: false })

async function breakDown(buying: () => Promise<unknown>) {
  scene.breakAt = 'purchase.gateway-answered'
  await buying()
  scene.breakAt = null
}

test('between the charge and its record a request is paid once, and a tip stands there once', async () => {
  const requestId = await ask()
  await accept(requestId)
  await breakDown(() => pay(requestId))
  expect(await remove(requestId)).toMatchObject({ body: { code: 'custom_request_being_paid' } })
  expect(await stateOf()).toBe('accepted')
  scene.harness.clock.advance(5 * MINUTE_MS)
  for (let run = 0; run < 2; run++) await recover()
  expect(await stateOf()).toBe('paid')
  expect(await purchaseTraces(scene.harness, scene.fan)).toEqual(ONE_SALE)
  await breakDown(() => tip('$10'))
  expect((await conversation()).messages).toHaveLength(1)
  scene.harness.clock.advance(5 * MINUTE_MS)
  for (let run = 0; run < 2; run++) await recover()
  const amounts = (await conversation()).messages.map((message) => message.tip?.amount)
  expect(amounts).toEqual([undefined, '$10'])
})

test('a charge that shows up once the request was deleted is given back', async () => {
  const requestId = await ask()
  await accept(requestId)
  const gateway = scene.harness.context.payments
  scene.harness.context.payments = { ...gateway, lookup: async () => ({ kind: 'absent' }) }
  await breakDown(() => pay(requestId))
  scene.harness.clock.advance(16 * MINUTE_MS)
  for (let run = 0; run < 3; run++) await recover()
  scene.harness.context.payments = gateway
  expect((await remove(requestId)).status).toBe(200)
  scene.harness.clock.advance(2 * DAY_MS)
  for (let run = 0; run < 2; run++) await recover()
  const { statuses, sales, granted } = await purchaseTraces(scene.harness, scene.fan)
  expect({ statuses, sales, granted }).toEqual({ statuses: ['refunded'], sales: 0, granted: 0 })
})

test('who asks again, as no answer came, asked once', async () => {
  const body = { ...WISH, creatorId: scene.creator.id }
  const key = { idempotencyKey: crypto.randomUUID() }
  const { _id } = await as(scene.fan).call(routes.createCustomRequest, { body }, key)
  expect(await as(scene.fan).call(routes.createCustomRequest, { body }, key)).toMatchObject({ _id })
  expect((await conversation()).messages).toHaveLength(1)
})
