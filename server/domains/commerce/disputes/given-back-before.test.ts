import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DISPUTED, disputes } from '../../../testing/money/disputes.ts'

const scene = disputes()
const { buy, dispute, decide, refund, settle, traces, accounts } = scene

test.each([
  ['won', 0],
  ['lost', 999],
] as const)(
  'what was refunded before, a bank may take back as well: %s, it is the platform’s alone to bear',
  async (outcome, borne) => {
    const { orderId } = await buy()
    await settle()
    expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200 })
    const over = { ...DISPUTED, payment: 'refunded', lost: true, reserved: '$0' }
    expect(await traces(orderId)).toEqual(over)
    const { gateway = 0, dispute_losses: losses = 0 } = await accounts()
    expect(await dispute(orderId, { amount: '$10' })).toMatchObject({
      ...{ status: 409, body: { code: 'dispute_exceeds_payment' } },
    })
    const { status, body } = await dispute(orderId)
    expect(status).toBe(200)
    expect(await traces(orderId)).toEqual(over)
    expect(await accounts()).toMatchObject({ gateway: gateway - 2499, dispute_losses: losses + 999 })
    expect(await dispute(orderId)).toMatchObject({ status: 409, body: { code: 'not_disputable' } })
    expect(await decide(body._id, outcome)).toMatchObject({ status: 200 })
    expect(await traces(orderId)).toEqual(over)
    expect(await accounts()).toMatchObject({
      ...{ gateway: gateway - 1500 - borne, dispute_losses: losses + borne },
    })
    const seen = await scene.harness.api
      .as(scene.operator)
      .call(routes.payment, { params: { transactionId: orderId } })
    expect(seen).toMatchObject({ refundable: '$0', disputable: borne ? '$0' : '$9.99' })
    const { db } = scene.harness.context
    const told = await db
      .selectFrom('notifications')
      .select('kind')
      .where('user_id', '=', scene.creator.id)
      .execute()
    expect(told.map(({ kind }) => kind).sort()).toEqual(['sale.made', 'sale.refunded'])
  },
)

test('the creator is told of a dispute of the rest also where a part was lost and the whole order is marked as given back', async () => {
  const { db, clock } = scene.harness.context
  const { orderId } = await buy()
  await decide((await dispute(orderId, { amount: '$2' })).body._id, 'lost')
  // As such a part was recorded: the payment stays disputed, and its order is said to be given back.
  const now = clock.now()
  const disputed = { status: 'disputed', source: 'operator', status_at: now } as const
  await db.updateTable('payments').set(disputed).where('order_id', '=', orderId).execute()
  await db.updateTable('orders').set({ refunded_at: now }).where('id', '=', orderId).execute()
  await db.updateTable('entitlements').set({ revoked_at: now }).where('source_id', '=', orderId).execute()

  const recorded = { ...DISPUTED, lost: true }
  const { body } = await dispute(orderId, { amount: '$7.99' })
  expect(await traces(orderId)).toEqual({ ...recorded, reserved: '$6.40' })
  await decide(body._id, 'lost')
  expect(await traces(orderId)).toEqual({ ...recorded, reserved: '$0' })
  const { items } = await scene.harness.api.as(scene.creator).call(routes.notifications, { query: {} })
  const told = items.flatMap(({ event }) => (event.kind === 'sale.disputed' ? [event.data] : []))
  expect(told.map(({ amount, state }) => `${amount} ${state}`).sort()).toEqual([
    ...['$2 lost', '$2 opened', '$7.99 lost', '$7.99 opened'],
  ])
})

test('a bank that takes back all of what was refunded in part leaves that part to the platform', async () => {
  const { orderId } = await buy()
  await settle()
  expect(await refund(orderId, '$4')).toMatchObject({ status: 200 })
  const { dispute_losses: losses = 0 } = await accounts()
  const { body } = await dispute(orderId)
  expect(await traces(orderId)).toEqual({ ...DISPUTED, reserved: '$4.80' })
  expect(await accounts()).toMatchObject({ dispute_losses: losses + 400 })
  await decide(body._id, 'lost')
  expect(await traces(orderId)).toEqual({ ...DISPUTED, lost: true, reserved: '$0' })
  expect(await accounts()).toMatchObject({ dispute_losses: losses + 400 })
})

test('a sale counts in the ratio for good, though it was refunded since', async () => {
  const { orderId } = await buy()
  await settle()
  const ratio = () => scene.harness.api.as(scene.operator).call(routes.disputeRatio, {})
  const before = await ratio()
  expect(await refund(orderId, '$9.99')).toMatchObject({ status: 200 })
  expect(await traces(orderId)).toMatchObject({ payment: 'refunded' })
  expect(await ratio()).toEqual(before)
})
