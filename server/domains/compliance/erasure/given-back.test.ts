import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCreator, buildFan, buildMedia } from '../../../testing/builders.ts'
import { TEST_CARDS } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { peopleWhoLeave } from '../../../testing/leaving.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

const { erase, recover, remove, isErased, buy, purchaseOf } = peopleWhoLeave(() => harness)

const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

test('an erased buyer of a late charge is told nothing, and nothing is kept of it', async () => {
  const fan = await buildFan(harness)
  const creator = await buildCreator(harness)
  await buy(fan, 'single', await buildMedia(harness, creator, { showInStore: true }), TEST_CARDS.resetAfter)
  await settle()
  const { id } = await purchaseOf(fan)
  const payments = harness.context.db.updateTable('payments').where('id', '=', id)
  await payments.set({ status: 'refused', reason: 'not_charged' }).execute()
  await remove(fan)
  await erase()
  expect(await isErased(fan)).toBe(true)
  await payments.set({ gateway_transaction_id: 'shown late' }).execute()
  await recover()
  await harness.runJobs()
  expect(await purchaseOf(fan)).toMatchObject({ status: 'refunded' })
  const rows = await harness.context.db
    .selectFrom('notifications')
    .select('kind')
    .where('user_id', '=', fan.id)
    .execute()
  expect(rows).toEqual([])
  const cards = await harness.context.db
    .selectFrom('stored_cards')
    .select('id')
    .where('user_id', '=', fan.id)
    .execute()
  expect(cards).toEqual([])
})
