import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../testing/builders.ts'
import { type Harness, startHarness } from '../../testing/harness.ts'
import { waitingForLocks, waitingForTurns } from '../../testing/locks.ts'

/** How much a subscription and a bundle hold is kept as it changes; nothing of it may differ from a count. */
let harness: Harness
let creator: Person
let operator: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

const api = () => harness.api.as(creator)

/** The stored row of an offer, and the count of its items. */
async function kept(offerId: string) {
  const { rows } = await sql<{ kept: string; counted: string }>`
    select concat_ws(' ', photos, videos, video_seconds) as kept, (
      select concat_ws(' ', count(*) filter (where type = 'image'), count(*) filter (where type = 'video'),
        coalesce(sum(duration_seconds) filter (where type = 'video'), 0))
      from media where deleted_at is null and quarantined_at is null and not direct_only and id in (
        select media_id from subscription_plan_media where plan_id = offer_id
        union all select media_id from bundle_media where bundle_id = offer_id)
    ) as counted
    from offer_contents where offer_id = ${offerId}`.execute(harness.context.db)
  return rows[0]
}

async function expectKept(offerId: string, contents: string) {
  expect(await kept(offerId)).toEqual({ kept: contents, counted: contents })
}

async function buildOffers() {
  const photo = await buildMedia(harness, creator)
  const other = await buildMedia(harness, creator)
  const video = await buildMedia(harness, creator, { type: 'video' })
  const mediaIds = [photo, other, video]
  const planId = await buildPlan(harness, creator, { mediaIds })
  const bundleId = await buildBundle(harness, creator, { mediaIds })
  return { photo, other, video, planId, bundleId }
}

it('follows what is put in, taken out, deleted, restored, made private and taken down', async () => {
  const { photo, other, video, planId, bundleId } = await buildOffers()
  const both = async (contents: string) => {
    await expectKept(planId, contents)
    await expectKept(bundleId, contents)
  }
  await both('2 1 65')
  await api().call(routes.bulkDeleteMedia, { body: { mediaIds: [photo, video] } })
  await both('1 0 0')
  await api().call(routes.restoreMedia, { body: { mediaIds: [photo, video] } })
  await both('2 1 65')
  await harness.api
    .as(operator)
    .call(routes.quarantineMedia, { body: { mediaId: video, reason: 'A complaint' } })
  await both('2 0 0')
  await api().call(routes.editBundleMedia, { body: { bundleId, addMediaIds: [], removeMediaIds: [photo] } })
  await expectKept(bundleId, '1 0 0')
  await expectKept(planId, '2 0 0')
  await api().call(routes.editBundleMedia, {
    body: { bundleId, addMediaIds: [photo, other], removeMediaIds: [] },
  })
  await both('2 0 0')
  await harness.context.db
    .updateTable('media')
    .set({ direct_only: true, show_in_store: false, show_in_search: false, must_unlock: false })
    .where('id', 'in', [photo, other])
    .execute()
  await both('0 0 0')
})

it('stays right where items change while an offer that holds them is edited', async () => {
  const { photo, other, video, planId, bundleId } = await buildOffers()
  const all = [photo, other, video]
  const turns = Array.from({ length: 12 }, (_, turn) => turn)
  // An item that was deleted meanwhile can't be added or deleted again: that call changes nothing.
  const outcomes = await Promise.allSettled(
    turns.flatMap((turn): Promise<unknown>[] => {
      const mediaIds = all.filter((_, place) => (turn + place) % 3 !== 0)
      if (turn % 4 === 0) return [api().call(routes.bulkDeleteMedia, { body: { mediaIds } })]
      if (turn % 4 === 1) return [api().call(routes.restoreMedia, { body: { mediaIds } })]
      const change = {
        addMediaIds: turn % 4 === 2 ? mediaIds : [],
        removeMediaIds: turn % 4 === 3 ? mediaIds : [],
      }
      return [
        api().call(routes.editBundleMedia, { body: { bundleId, ...change } }),
        api().call(routes.editSubscriptionMedia, { body: { subscriptionId: planId, ...change } }),
      ]
    }),
  )
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.status] : [],
  )
  expect(refused.filter((status) => status >= 500)).toEqual([])
  expect(refused.length).toBeLessThan(outcomes.length)
  for (const offerId of [planId, bundleId]) {
    const found = await kept(offerId)
    expect(found?.kept).toBe(found?.counted)
  }
})

it.each<[string, (mediaId: string) => Promise<unknown>]>([
  ['restored', (mediaId) => api().call(routes.restoreMedia, { body: { mediaIds: [mediaId] } })],
  ['edited', (mediaId) => api().call(routes.editMedia, { body: { mediaId, mustUnlock: false } })],
  [
    'edited with others',
    (mediaId) => api().call(routes.bulkEditMedia, { body: { mediaIds: [mediaId], mustUnlock: false } }),
  ],
  [
    'released',
    (mediaId) =>
      harness.api.as(operator).call(routes.releaseMedia, { body: { mediaId, reason: 'It may be shown' } }),
  ],
])(
  'an item is %s before or after an edit of a plan; neither holds what the other waits for',
  async (_, changes) => {
    const { db } = harness.context
    const { photo, planId } = await buildOffers()
    const calls: Promise<unknown>[] = []
    await db.transaction().execute(async (other) => {
      await other.selectFrom('media').select('id').where('id', '=', photo).forUpdate().execute()
      calls.push(changes(photo))
      await expect.poll(() => waitingForLocks(db, 'media')).toBe(1)
      const change = { addMediaIds: [], removeMediaIds: [photo] }
      calls.push(api().call(routes.editSubscriptionMedia, { body: { subscriptionId: planId, ...change } }))
      await expect.poll(() => waitingForTurns(harness.context.db)).toBe(1)
    })
    await Promise.all(calls)
    await expectKept(planId, '1 1 65')
  },
)
