import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildBundle, buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let fan: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
})

const as = (person: Person) => harness.api.as(person)
const bundlesOf = async (person: Person, viewer = fan) =>
  (await as(viewer).call(routes.bundles, { query: { creatorId: person.id } })).bundles

test('a creator puts a bundle on sale', async () => {
  const bundle = await as(creator).call(routes.createBundle, { body: { title: 'Summer', price: '$15' } })
  expect(bundle).toMatchObject({
    userId: creator.id,
    title: 'Summer',
    price: '$15',
    mediaIds: [],
    purchased: false,
  })
  expect((await bundlesOf(creator)).map(({ _id }) => _id)).toEqual([bundle._id])
})

test.each([
  [{ title: '', price: '$4' }, 'Must include title'],
  [{ title: 'T' }, 'Must include price'],
  [{ title: 'T', price: '0' }, 'Enter a price above $0.'],
])('refuses %j and sells nothing', async (body, error) => {
  const answer = await as(creator).send('POST', '/users/create/bundle', { body })
  expect(answer).toMatchObject({ status: 400, body: { error } })
  expect(await bundlesOf(creator)).toEqual([])
})

test('counts photos, videos and seconds, and not what was deleted', async () => {
  const mediaIds = [
    await buildMedia(harness, creator),
    await buildMedia(harness, creator, { type: 'video' }),
    await buildMedia(harness, creator, { type: 'video' }),
    await buildMedia(harness, creator),
  ]
  const [deleted] = mediaIds.slice(-1)
  const bundleId = await buildBundle(harness, creator, { mediaIds })
  await harness.context.db
    .updateTable('media')
    .set({ deleted_at: new Date() })
    .where('id', '=', deleted ?? '')
    .execute()
  expect(await as(fan).call(routes.bundle, { params: { id: bundleId } })).toMatchObject({
    mediaIds: mediaIds.slice(0, 3),
    photoCount: 1,
    videoCount: 2,
    videoSeconds: 130,
    ownedCount: 0,
  })
})

test('says how much of it a fan already has, and whether it was bought as a whole', async () => {
  const single = await buildMedia(harness, creator, { showInStore: true })
  const bundleId = await buildBundle(harness, creator, {
    mediaIds: [single, await buildMedia(harness, creator)],
  })
  const buy = async (kind: 'single' | 'bundle', itemId: string) =>
    as(fan).call(routes.purchase, { body: { kind, itemId, ...(await cardToken(harness)) } })
  await buy('single', single)
  expect(await bundlesOf(creator)).toMatchObject([{ ownedCount: 1, purchased: false }])
  await buy('bundle', bundleId)
  expect(await bundlesOf(creator)).toMatchObject([{ ownedCount: 2, purchased: true }])
  expect(await bundlesOf(creator, await buildFan(harness))).toMatchObject([
    { ownedCount: 0, purchased: false },
  ])
})

test('who has every item for good has the bundle, which they can’t buy', async () => {
  const singles = [
    await buildMedia(harness, creator, { showInStore: true }),
    await buildMedia(harness, creator, { showInStore: true }),
  ]
  const bundleId = await buildBundle(harness, creator, { mediaIds: singles })
  const buy = async (kind: 'single' | 'bundle', itemId: string) =>
    as(fan).call(routes.purchase, { body: { kind, itemId, ...(await cardToken(harness)) } })
  for (const single of singles) await buy('single', single)
  await expect(buy('bundle', bundleId)).rejects.toMatchObject({ code: 'already_owned' })
  expect(await bundlesOf(creator)).toMatchObject([{ ownedCount: 2, purchased: true }])
  expect(await bundlesOf(creator, creator)).toMatchObject([{ purchased: false }])
})

describe('edit', () => {
  test('changes title, price and media', async () => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const bundleId = await buildBundle(harness, creator, { mediaIds: mediaIds.slice(1) })
    const body = { bundleId, title: 'Winter', price: '$20.50', mediaIds }
    expect(await as(creator).call(routes.editBundle, { body })).toMatchObject({
      title: 'Winter',
      price: '$20.50',
      mediaIds,
    })
  })

  test('leaves what is not sent', async () => {
    const bundleId = await buildBundle(harness, creator, { mediaIds: [await buildMedia(harness, creator)] })
    const before = await as(creator).call(routes.bundle, { params: { id: bundleId } })
    const edit = (body: { title?: string; price?: string; lessOwned?: boolean; mediaIds?: string[] }) =>
      as(creator).call(routes.editBundle, { body: { bundleId, ...body } })
    expect(await edit({})).toEqual(before)
    expect(await edit({ title: 'Winter' })).toEqual({ ...before, title: 'Winter' })
    expect(await edit({ price: '$21' })).toMatchObject({
      title: 'Winter',
      price: '$21',
      mediaIds: before.mediaIds,
    })
    expect(await edit({ mediaIds: [] })).toMatchObject({ title: 'Winter', price: '$21', mediaIds: [] })
  })

  test('puts items behind what is there, each once, says which were new, and takes them out again', async () => {
    const [held = '', more = '', most = ''] = [
      await buildMedia(harness, creator),
      await buildMedia(harness, creator),
      await buildMedia(harness, creator),
    ]
    const bundleId = await buildBundle(harness, creator, { mediaIds: [held] })
    const change = (body: { addMediaIds?: string[]; removeMediaIds?: string[] }, person = creator) =>
      as(person).call(routes.editBundleMedia, { body: { bundleId, ...body } })
    const holds = async () => (await bundlesOf(creator))[0]?.mediaIds
    expect(await change({ addMediaIds: [most, held, more, most] })).toEqual({
      addedMediaIds: [most, more],
      removedMediaIds: [],
    })
    expect(await holds()).toEqual([held, most, more])
    expect(await change({ removeMediaIds: [most, more, crypto.randomUUID()] })).toMatchObject({
      addedMediaIds: [],
      removedMediaIds: expect.toSatisfy((ids: string[]) => ids.length === 2 && !ids.includes(held)),
    })
    expect(await holds()).toEqual([held])

    const foreign = await buildMedia(harness, await buildCreator(harness))
    const secret = await buildMedia(harness, creator, { directOnly: true })
    for (const bad of [foreign, secret])
      await expect(change({ addMediaIds: [more, bad] })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(change({ addMediaIds: [more] }, await buildCreator(harness))).rejects.toMatchObject({
      code: 'not_owner',
    })
    expect(await holds()).toEqual([held])
  })

  test('puts in no more than can be edited, and loses nothing to two changes at once', async () => {
    const { db } = harness.context
    const copies = Array.from({ length: 2001 }, () => ({
      creator_id: creator.id,
      type: 'image' as const,
      width: 1,
      height: 1,
      thumbhash: '',
      variants: '[]',
      bytes: 0,
      created_at: new Date(),
    }))
    const ids = (await db.insertInto('media').values(copies).returning('id').execute()).map(({ id }) => id)
    const bundleId = await buildBundle(harness, creator)
    const add = (addMediaIds: string[]) =>
      as(creator).call(routes.editBundleMedia, { body: { bundleId, addMediaIds } })
    await Promise.all([add(ids.slice(0, 1000)), add(ids.slice(1000, 2000))])
    await expect(add(ids.slice(2000))).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await bundlesOf(creator))[0]?.mediaIds.toSorted()).toEqual(ids.slice(0, 2000).toSorted())

    // A bundle from before the limit may still get smaller, but not larger.
    const more = { bundle_id: bundleId, media_id: ids[2000] ?? '', position: 2000 }
    const further = { ...more, media_id: await buildMedia(harness, creator), position: 2001 }
    await db.insertInto('bundle_media').values([more, further]).execute()
    const remove = ids.slice(0, 1)
    const out = as(creator).call(routes.editBundleMedia, { body: { bundleId, removeMediaIds: remove } })
    expect(await out).toEqual({ addedMediaIds: [], removedMediaIds: remove })
    await expect(add(remove)).rejects.toMatchObject({ code: 'invalid_input' })
    const [left] = await bundlesOf(creator)
    expect(left?.mediaIds).toHaveLength(2001)
    expect(left?.mediaIds).not.toContain(remove[0])
  })

  test('leaves what can’t be offered where it was, for when it comes back, and takes nothing private in', async () => {
    const { db } = harness.context
    const mediaIds: string[] = []
    for (let count = 0; count < 4; count++) mediaIds.push(await buildMedia(harness, creator))
    const [first = '', second = '', deleted = '', hidden = ''] = mediaIds
    const bundleId = await buildBundle(harness, creator, { mediaIds })
    const set = (
      id: string,
      change: { deleted_at?: Date | null; direct_only?: boolean; must_unlock?: boolean },
    ) => db.updateTable('media').set(change).where('id', '=', id).execute()
    await set(deleted, { deleted_at: new Date() })
    await set(hidden, { direct_only: true, must_unlock: false })
    expect(await as(fan).call(routes.bundle, { params: { id: bundleId } })).toMatchObject({
      mediaIds: [first, second],
      photoCount: 2,
    })
    const body = { bundleId, title: 'T', price: '$4' }
    await expect(
      as(creator).call(routes.editBundle, { body: { ...body, mediaIds: [first, hidden] } }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await as(creator).call(routes.editBundle, { body: { ...body, mediaIds: [first] } })
    await set(deleted, { deleted_at: null })
    await set(hidden, { direct_only: false, must_unlock: true })
    const { bundles } = await as(fan).call(routes.bundles, { query: { creatorId: creator.id } })
    expect(bundles[0]?.mediaIds).toEqual([first, deleted, hidden])
  })

  test('is only for the owner, with media of their own, while publishing is open', async () => {
    const bundleId = await buildBundle(harness, creator)
    const edit = (person: Person, more: object = {}) =>
      as(person).call(routes.editBundle, {
        body: { bundleId, title: 'Mine', price: '$1', mediaIds: [], ...more },
      })
    await expect(edit(await buildCreator(harness))).rejects.toMatchObject({ status: 403, code: 'not_owner' })
    await expect(edit(creator, { bundleId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'item_not_found',
    })
    const foreign = await buildMedia(harness, await buildCreator(harness))
    const mine = await buildMedia(harness, creator)
    await expect(edit(creator, { mediaIds: [mine, foreign] })).rejects.toMatchObject({
      code: 'invalid_input',
      body: { details: { 'mediaIds.1': 'Some of these items were deleted or made private.' } },
    })
    harness.context.publishingOpen = false
    try {
      await expect(edit(creator)).rejects.toMatchObject({ code: 'publishing_closed' })
    } finally {
      harness.context.publishingOpen = true
    }
    expect(await bundlesOf(creator)).toMatchObject([{ title: 'A bundle', price: '$15', mediaIds: [] }])
  })
})

test('a bundle of a hidden person is gone for fans, and they have no session anymore', async () => {
  const bundleId = await buildBundle(harness, creator)
  await harness.context.db
    .updateTable('users')
    .set({ deletion_requested_at: new Date() })
    .where('id', '=', creator.id)
    .execute()
  expect(await bundlesOf(creator)).toEqual([])
  await expect(as(fan).call(routes.bundle, { params: { id: bundleId } })).rejects.toMatchObject({
    code: 'item_not_found',
  })
  await expect(bundlesOf(creator, creator)).rejects.toMatchObject({ code: 'not_authenticated' })
})
