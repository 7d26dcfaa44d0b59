import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { planFault } from '../../../testing/gateway.ts'
import { renewals } from '../../../testing/money/renewals.ts'

const scene = renewals()
const { api, renew, moveTo, onDay } = scene

test('a renewal under review of a subscription that its fan ended meanwhile isn’t said to renew it', async () => {
  await planFault(scene.harness, { call: 'createTransactionRequest', effect: 'heldForReview' })
  moveTo(onDay(0))
  await renew()
  const own = await api()
  const { items } = await own.call(routes.ownSubscriptions, { query: {} })
  const ended = await own.call(routes.cancelSubscription, { body: { subscriptionId: items[0]?._id ?? '' } })
  const { pending } = await own.call(routes.receipts, { query: {} })
  expect([ended.status, pending.map(({ message }) => message)]).toEqual([
    'expired',
    [expect.not.stringContaining('renews automatically')],
  ])
})
