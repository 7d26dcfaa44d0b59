import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'

/** The products on a locked item's page that unlock it. */
let harness: Harness
let creator: Person
let item: string
let free: string
const ids = { dear: '', cheap: '', bundle: '' }

beforeAll(async () => {
  harness = await startHarness({
    environment: {
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
    },
  })
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
  await buildPlan(harness, creator, { title: 'Another', mediaIds: [video] })
  const retired = await buildBundle(harness, creator, { title: 'Retired', mediaIds: [item] })
  const { db, clock } = harness.context
  await db.updateTable('bundles').set({ deleted_at: clock.now() }).where('id', '=', retired).execute()
  await db.updateTable('media').set({ deleted_at: clock.now() }).where('id', '=', gone).execute()
})
afterAll(() => harness?.stop())

const unlocksOf = async (api: Api, mediaId = item) =>
  (await api.call(routes.viewMedia, { params: { mediaId } })).unlocks

it('names the subscriptions and bundles that hold it with prices and contents, for visitors too', async () => {
  const own = { reduced: null, pastDue: false, owed: null, retired: false }
  const counts = { photoCount: 1, videoCount: 0, videoSeconds: 0, ...own }
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
      contentsVersion: expect.any(String),
      ...counts,
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

it('names no more than the cheapest two of each kind', async () => {
  const wanted = await buildMedia(harness, creator)
  const offers = { mediaIds: [wanted] }
  for (const priceCents of [700, 500, 600]) {
    await buildPlan(harness, creator, { ...offers, priceCents })
    await buildBundle(harness, creator, { ...offers, priceCents })
  }
  const found = await unlocksOf(harness.api.visitor(), wanted)
  expect(found.map(({ kind, price }) => [kind, price])).toEqual([
    ['subscription', '$5'],
    ['subscription', '$6'],
    ['bundle', '$5'],
    ['bundle', '$6'],
  ])
})

/** A locked item of a creator of its own that a subscription and a bundle hold. */
async function buildOffered() {
  const seller = await buildCreator(harness)
  const mediaId = await buildMedia(harness, seller)
  await buildPlan(harness, seller, { mediaIds: [mediaId] })
  await buildBundle(harness, seller, { mediaIds: [mediaId] })
  return { seller, mediaId }
}

it('offers nothing where the creator hides from the place', async () => {
  const { seller, mediaId } = await buildOffered()
  await harness.api.as(seller).call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } })
  const look = (country: string) =>
    harness.api
      .visitor()
      .call(routes.viewMedia, { params: { mediaId } }, { headers: { 'x-country': country } })
  expect((await look('FR')).unlocks).toHaveLength(2)
  await expect(look('DE')).rejects.toMatchObject({ status: 404, code: 'media_not_found' })
})

it('offers nothing of who is suspended, to support either', async () => {
  const { seller, mediaId } = await buildOffered()
  const support = harness.api.as(await buildUser(harness, { role: 'support' }))
  expect(await unlocksOf(support, mediaId)).toHaveLength(2)
  const operator = await reauthenticatedApi(harness, await buildUser(harness, { role: 'superadmin' }))
  await operator.call(routes.suspendPerson, { body: { userId: seller.id, reason: 'Trying it out' } })
  expect(await unlocksOf(support, mediaId)).toEqual([])
  await expect(unlocksOf(harness.api.visitor(), mediaId)).rejects.toMatchObject({ code: 'media_not_found' })
})

it('offers nothing of what was taken down, to its owner and operators either', async () => {
  const { seller, mediaId } = await buildOffered()
  const operator = harness.api.as(await buildUser(harness, { role: 'superadmin' }))
  await operator.call(routes.quarantineMedia, { body: { mediaId, reason: 'A complaint' } })
  expect(await unlocksOf(harness.api.as(seller), mediaId)).toEqual([])
  expect(await unlocksOf(operator, mediaId)).toEqual([])
  await expect(unlocksOf(harness.api.visitor(), mediaId)).rejects.toMatchObject({ code: 'media_not_found' })
})
