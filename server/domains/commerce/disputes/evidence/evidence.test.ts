import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { sourcesOf } from '../../../../../contract/media-links.ts'
import { peopleWhoLeave } from '../../../../testing/leaving.ts'
import { storeFiles } from '../../../../testing/media-files.ts'
import { disputes } from '../../../../testing/money/disputes.ts'
import { beginNoon } from '../../../../testing/schedule.ts'

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
  const views = await viewsIn(body._id)
  expect(views.map((value) => value.slice(value.indexOf('from')))).toEqual(shown)
})

/** What the evidence says of when items were viewed, to the hour. */
async function viewsIn(disputeId: string): Promise<string[]> {
  const operator = scene.harness.api.as({ token: await scene.recentSession(scene.operator) })
  const { sections } = await operator.call(routes.disputeEvidence, { params: { disputeId } })
  const facts = sections.flatMap((section) => section.facts)
  return facts
    .filter(({ label }) => label.startsWith('Viewed'))
    .map(({ value }) => value.replaceAll(/:\d\d UTC/g, 'h'))
}

/** The fan looks at the item on its page; answers the day and the hour. */
async function looks(mediaId: string): Promise<string> {
  const api = scene.harness.api.as(scene.fan)
  const media = await api.call(routes.media, { params: { mediaId } })
  const response = await api.fetch(sourcesOf(media)[0]?.url ?? '/files/nothing')
  await response.arrayBuffer()
  expect(response.status).toBe(200)
  return scene.harness.clock.now().toISOString().slice(0, 13).replace('T', ' ')
}

async function buyWithFile(): Promise<{ orderId: string; itemId: string }> {
  const { orderId, itemId } = await scene.buy('single')
  const body = Buffer.from('a picture')
  await storeFiles(scene.harness, itemId, [{ name: 'w320.webp', mime: 'image/webp', body, width: 320 }])
  return { orderId, itemId }
}

const HOUR_MS = 3600_000

test('what was viewed by an earlier purchase and again by the disputed one on the same day was viewed after it', async () => {
  const { harness } = scene
  beginNoon(harness)
  const { orderId, itemId } = await buyWithFile()
  await looks(itemId)
  scene.operator.token = await scene.recentSession(scene.operator)
  expect((await scene.refund(orderId, '$9.99')).status).toBe(200)
  harness.clock.advance(HOUR_MS)
  const again = await scene.buy('single', itemId)
  expect(again.status).toBe(200)
  harness.clock.advance(HOUR_MS)
  const after = await looks(itemId)
  harness.clock.advance(HOUR_MS)
  await looks(itemId)
  scene.operator.token = await scene.recentSession(scene.operator)
  const { body } = await scene.dispute(again.orderId)
  expect(await viewsIn(body._id)).toEqual([`${after}h from 127.0.0.0/24`])
  // One day of views, though they were written down twice.
  const { days } = await harness.context.db
    .selectFrom('media_deliveries')
    .select('days')
    .where('media_id', '=', itemId)
    .executeTakeFirstOrThrow()
  expect(days).toBe(1)
})

test('of the last day of several it names the day, as only its first view is kept', async () => {
  const { harness } = scene
  beginNoon(harness)
  const { orderId, itemId } = await buyWithFile()
  const first = await looks(itemId)
  harness.clock.advance(24 * HOUR_MS)
  await looks(itemId)
  harness.clock.advance(HOUR_MS)
  const last = await looks(itemId)
  scene.operator.token = await scene.recentSession(scene.operator)
  const { body } = await scene.dispute(orderId)
  expect(await viewsIn(body._id)).toEqual([
    `${first}h from 127.0.0.0/24, on 2 days (UTC), last on ${last.slice(0, 10)} from 127.0.0.0/24`,
  ])
})
