import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildMedia, buildSession } from '../../../testing/builders.ts'
import { customRequests } from '../../../testing/custom-requests.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { lockConversation } from '../conversations/actions.ts'
import { conversationIdOf } from '../data.ts'

const { scene, askAndPay, deliver } = customRequests()

/** How many wait for a lock of whatever kind. */
const waiting = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    scene.harness.context.db,
  )
  return rows.length
}

test('what the fan buys while it is being delivered is paid for once', async () => {
  const { harness, creator, fan } = scene
  const { db } = harness.context
  const item = await buildMedia(harness, creator, { showInStore: true, priceCents: 500 })
  const request = await askAndPay()
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  const both = await db.transaction().execute(async (tx) => {
    await lockConversation(tx, conversationIdOf(creator.id, fan.id))
    const delivered = deliver(request, [item])
    await expect.poll(() => waiting()).toBe(1)
    let hasEnded = false
    const bought = api
      .send('POST', '/users/purchase', {
        body: { kind: 'single', itemId: item, ...(await cardToken(harness)) },
      })
      .finally(() => {
        hasEnded = true
      })
    // It is paid for by now, or waits for the delivery.
    await expect.poll(async () => hasEnded || (await waiting()) > 1).toBe(true)
    return [delivered, bought]
  })
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})

test('one new item delivers one of two paid requests, however close the two deliveries are', async () => {
  const { harness, creator, fan } = scene
  const { db } = harness.context
  const item = await buildMedia(harness, creator)
  const [one, other] = [await askAndPay(), await askAndPay()]
  const both = await db.transaction().execute(async (tx) => {
    await lockConversation(tx, conversationIdOf(creator.id, fan.id))
    const first = deliver(one, [item])
    const second = deliver(other, [item])
    await expect.poll(() => waiting()).toBe(2)
    return [first, second]
  })
  const statuses = (await Promise.all(both)).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 409])
})
