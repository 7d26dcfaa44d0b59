import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { streamOf } from '../../../../contract/media-links.ts'
import { unzip } from '../../../testing/archive.ts'
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
import { beginLongAnswer } from '../../../testing/long-answer.ts'
import { storeFiles, streamedVideo } from '../../../testing/media-files.ts'

let harness: Harness
let creator: Person
let buyer: Person
let operator: Person
let mediaId: string
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  buyer = await buildFan(harness)
  mediaId = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  await buildGrant(harness, buyer, [mediaId])
})

const as = (person: Person) => harness.api.as(person)
const takeDown = () =>
  as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: 'Reported by its subject' } })
const release = () =>
  as(operator).call(routes.releaseMedia, { body: { mediaId, reason: 'Consent was shown' } })

test('nobody gets a byte of what was taken down, by any link that they hold, until it is released', async () => {
  const apis = [as(creator), as(buyer), as(operator), harness.api.visitor()]
  const links = await Promise.all(
    apis.map(async (api) => (await api.call(routes.media, { params: { mediaId } })).url ?? ''),
  )
  const open = () => Promise.all(apis.map(async (api, at) => (await api.fetch(links[at] ?? '')).status))
  expect(await open()).toEqual([200, 200, 200, 200])
  expect((await fetch(`${harness.origin}/files/preview/${mediaId}`)).status).toBe(200)
  await takeDown()
  expect(await open()).toEqual([403, 403, 403, 403])
  expect((await fetch(`${harness.origin}/files/preview/${mediaId}`)).status).toBe(404)
  for (const api of [as(creator), as(operator)])
    expect(await api.call(routes.media, { params: { mediaId } })).toMatchObject({
      locked: true,
      url: null,
      widths: [],
      takenDownAt: expect.any(String),
      preview: expect.not.stringContaining('1QcSHQ'),
    })
  for (const api of [as(buyer), harness.api.visitor()])
    await expect(api.call(routes.media, { params: { mediaId } })).rejects.toMatchObject({ status: 404 })
  await release()
  expect(await open()).toEqual([200, 200, 200, 200])
  expect(await as(buyer).call(routes.media, { params: { mediaId } })).not.toHaveProperty('takenDownAt')
})

test('it is in no list, count or search, and stays in its owner’s library with a notice', async () => {
  const bundleId = await buildBundle(harness, creator, { mediaIds: [mediaId] })
  const planId = await buildPlan(harness, creator, { mediaIds: [mediaId] })
  await harness.context.db.updateTable('media').set({ title: 'Quokka' }).where('id', '=', mediaId).execute()
  const ids = ({ items }: { items: { _id: string }[] }) => items.filter(({ _id }) => _id === mediaId).length
  const seen = async () => {
    const query = { creatorId: creator.id }
    const api = as(buyer)
    return [
      ids(await api.call(routes.profileMedia, { query })),
      ids(await api.call(routes.discover, { query: {} })),
      ids(await harness.api.visitor().call(routes.discover, { query: {} })),
      ids(await api.call(routes.premiumContent, { query: {} })),
      ids(await api.call(routes.search, { query: { query: 'quokka' } })),
      (await api.call(routes.bundleInfo, { query: { bundleId } })).bundleMedia.length,
      (await api.call(routes.bundle, { params: { id: bundleId } })).photoCount,
      (await api.call(routes.subscription, { params: { id: planId } })).photoCount,
    ]
  }
  expect(await seen()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  await takeDown()
  harness.clock.advance(2000)
  expect(await seen()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  const { items } = await as(creator).call(routes.manageMedia, { query: {} })
  expect(items).toMatchObject([{ _id: mediaId, locked: true, takenDownAt: expect.any(String) }])
})

test('no post for the forum is made of it until it is released', async () => {
  await harness.context.db
    .updateTable('media')
    .set({ reddit_promotion: true })
    .where('id', '=', mediaId)
    .execute()
  const post = () => as(creator).call(routes.createPost, { body: { titles: ['A lake'], mediaId } })
  await takeDown()
  await expect(post()).rejects.toMatchObject({ status: 404, code: 'post_media_not_found' })
  await release()
  expect((await post())._id).toEqual(expect.any(String))
})

test('an export that holds it can’t be downloaded anymore, and a new one leaves it out', async () => {
  const api = as(creator)
  const otherId = await buildMedia(harness, creator)
  const ready = async () => (await api.call(routes.exports, {})).items.filter(({ url }) => url)
  const open = (url: string | null | undefined) => api.fetch(url ?? '')
  const askForOne = async () => {
    await api.call(routes.requestExport, {})
    await harness.runJobs()
    const [newest] = await ready()
    const answer = await open(newest?.url)
    expect(answer.status).toBe(200)
    const names = unzip(Buffer.from(await answer.arrayBuffer())).keys()
    return { url: newest?.url, files: [...names].filter((name) => name.startsWith('files/media/')).sort() }
  }
  const fileOf = (id: string) => `files/media/${id}.webp`
  const before = await askForOne()
  expect(before.files).toEqual([mediaId, otherId].map(fileOf).sort())
  harness.clock.advance(1000)
  await takeDown()
  expect((await open(before.url)).status).toBe(403)
  expect(await ready()).toEqual([])
  expect((await askForOne()).files).toEqual([fileOf(otherId)])
})

test('a stream that plays gets no further part, nor its playlists, until it is released', async () => {
  const video = await buildMedia(harness, creator, { type: 'video' })
  await storeFiles(harness, video, streamedVideo('moving pictures:'))
  await buildGrant(harness, buyer, [video])
  const api = as(buyer)
  const playlist = streamOf(await api.call(routes.media, { params: { mediaId: video } })) ?? ''
  const beside = (name: string) => playlist.replace('hls.m3u8', name)
  const part = (first: number) =>
    api.fetch(beside('hls-720.mp4'), { headers: { range: `bytes=${first}-${first + 9}` } })
  const statuses = async () => [
    (await part(10)).status,
    (await api.fetch(playlist)).status,
    (await api.fetch(beside('hls-720.m3u8'))).status,
  ]
  expect((await part(0)).status).toBe(206)
  mediaId = video
  await takeDown()
  expect(await statuses()).toEqual([403, 403, 403])
  await release()
  expect(await statuses()).toEqual([206, 200, 200])
})

test('an answer under way is cut off within 5 seconds', async () => {
  const download = await beginLongAnswer(harness, as(buyer), mediaId)
  await takeDown()
  const started = performance.now()
  await expect(download.rest()).rejects.toThrow()
  expect(performance.now() - started).toBeLessThan(5000)
})

test('only the operator takes down and releases, with a reason, and both are recorded', async () => {
  for (const person of [creator, buyer])
    for (const route of [routes.quarantineMedia, routes.releaseMedia])
      await expect(as(person).call(route, { body: { mediaId, reason: 'Because' } })).rejects.toMatchObject({
        status: 403,
      })
  await expect(
    as(operator).call(routes.quarantineMedia, { body: { mediaId, reason: '' } }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  await takeDown()
  await takeDown()
  await release()
  const log = await harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason'])
    .where('target_id', '=', mediaId)
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { actor_id: operator.id, action: 'media.quarantined', reason: 'Reported by its subject' },
    { actor_id: operator.id, action: 'media.released', reason: 'Consent was shown' },
  ])
})
