import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

/** What a locked item's page offers to unlock it. */
let harness: Harness
let creator: Person
let item: string
let free: string
const ids = { dear: '', cheap: '', bundle: '' }

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  item = await buildMedia(harness, creator, { showInStore: true })
  free = await buildMedia(harness, creator, { mustUnlock: false })
  const video = await buildMedia(harness, creator, { type: 'video' })
  const gone = await buildMedia(harness, creator)
  ids.dear = await buildPlan(harness, creator, {
    title: 'Everything',
    priceCents: 2000,
    mediaIds: [item, video],
  })
  ids.cheap = await buildPlan(harness, creator, {
    title: 'Behind the lens',
    priceCents: 999,
    mediaIds: [item, gone],
  })
  ids.bundle = await buildBundle(harness, creator, { title: 'Autumn set', mediaIds: [video, item, free] })
  const other = await buildPlan(harness, creator, { title: 'Another', mediaIds: [video] })
  const retired = await buildBundle(harness, creator, { title: 'Retired', mediaIds: [item] })
  const { db, clock } = harness.context
  await db.updateTable('bundles').set({ deleted_at: clock.now() }).where('id', '=', retired).execute()
  await db.updateTable('media').set({ deleted_at: clock.now() }).where('id', '=', gone).execute()
  expect(other).not.toBe('')
})
afterAll(() => harness?.stop())

const unlocksOf = async (api: Api, mediaId = item) =>
  (await api.call(routes.viewMedia, { params: { mediaId } })).unlocks

it('names the subscriptions and bundles that hold it with prices and contents, for visitors too', async () => {
  const counts = { photoCount: 1, videoCount: 0, videoSeconds: 0 }
  const wanted = [
    { kind: 'subscription', _id: ids.cheap, title: 'Behind the lens', price: '$9.99', ...counts },
    {
      kind: 'subscription',
      _id: ids.dear,
      title: 'Everything',
      price: '$20',
      ...counts,
      videoCount: 1,
      videoSeconds: 65,
    },
    {
      kind: 'bundle',
      _id: ids.bundle,
      title: 'Autumn set',
      price: '$15',
      photoCount: 2,
      videoCount: 1,
      videoSeconds: 65,
    },
  ]
  expect(await unlocksOf(harness.api.visitor())).toEqual(wanted)
  expect(await unlocksOf(harness.api.as(await buildFan(harness)))).toEqual(wanted)
})

it('offers nothing to who may see it, nor where it is free', async () => {
  const buyer = await buildFan(harness)
  await buildGrant(harness, buyer, [item])
  expect(await unlocksOf(harness.api.as(buyer))).toEqual([])
  expect(await unlocksOf(harness.api.as(creator))).toEqual([])
  expect(await unlocksOf(harness.api.visitor(), free)).toEqual([])
})

it('offers nothing of somebody whom the viewer blocked', async () => {
  const api = harness.api.as(await buildFan(harness))
  expect(await unlocksOf(api)).toHaveLength(3)
  await api.call(routes.block, { body: { blockedId: creator.id } })
  expect(await unlocksOf(api)).toEqual([])
})
