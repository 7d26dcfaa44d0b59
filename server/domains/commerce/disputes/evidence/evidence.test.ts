import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { peopleWhoLeave } from '../../../../testing/leaving.ts'
import { disputes } from '../../../../testing/money/disputes.ts'

const scene = disputes()
const { erase, remove, isErased } = peopleWhoLeave(() => scene.harness)

test.each(['creator', 'fan'] as const)(
  'it says from when until when there was access, though the %s’s account was erased',
  async (who) => {
    const { orderId } = await scene.buy('bundle')
    await remove(scene[who])
    await erase()
    expect(await isErased(scene[who])).toBe(true)
    scene.harness.clock.advance(3600_000)
    scene.operator.token = await scene.recentSession(scene.operator)
    const { status, body } = await scene.dispute(orderId)
    expect(status).toBe(200)
    const { sections } = await scene.harness.api
      .as(scene.operator)
      .call(routes.disputeEvidence, { params: { disputeId: body._id } })
    const access = sections.flatMap(({ title, facts }) => (title === 'Access' ? facts : []))
    const { granted_at: from, started_at: until } = await scene.harness.context.db
      .selectFrom('entitlements')
      .innerJoin('account_deletions', (join) => join.on('account_deletions.user_id', '=', scene[who].id))
      .select(['granted_at', 'started_at'])
      .where('source_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const [begun, ended] = [from, until].map(
      (moment) => `${moment?.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    )
    expect(access).toEqual([{ label: 'Unlocked', value: `${begun} to ${ended}` }])
  },
)

test.each([
  ['before the order alone', -60, []],
  ['before the order and after it', 60, ['from 192.0.2.0/24']],
])('of what was viewed %s it says what came after', async (_when, minutes, shown) => {
  const { orderId } = await scene.buy('single')
  const { db } = scene.harness.context
  const { media_id, created_at } = await db
    .selectFrom('order_items')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(['media_id', 'orders.created_at'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const lastAt = new Date(created_at.getTime() + minutes * 60_000)
  const seen = { user_id: scene.fan.id, media_id: media_id ?? '', days: 2 }
  const first = {
    first_at: new Date(created_at.getTime() - 2 * 24 * 3600_000),
    first_network: '198.51.100.0/24',
  }
  await db
    .insertInto('media_deliveries')
    .values({ ...seen, ...first, last_at: lastAt, last_network: '192.0.2.0/24' })
    .execute()
  const { body } = await scene.dispute(orderId)
  const { sections } = await scene.harness.api
    .as(scene.operator)
    .call(routes.disputeEvidence, { params: { disputeId: body._id } })
  const views = sections.flatMap(({ facts }) => facts.filter(({ label }) => label.startsWith('Viewed')))
  expect(views.map(({ value }) => value.slice(value.indexOf('from')))).toEqual(shown)
})
