import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Input } from '../../../../../contract/route.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

const as = (person: Person) => harness.api.as(person)
const read = (id: string, person = creator) => as(person).call(routes.subscription, { params: { id } })
const held = async (id: string) => (await read(id)).mediaIds.toSorted()
const create = async (body: object = {}) =>
  (
    await as(creator).call(routes.createSubscription, {
      body: { title: 'All', price: '$5', includes: 'allLocked', ...body },
    })
  )._id
type Edit = Partial<Input<typeof routes.editSubscription>['body']>
const edit = (subscriptionId: string, body: Edit) =>
  as(creator).call(routes.editSubscription, {
    body: {
      ...{ subscriptionId, title: 'All', price: '$5', chatEnabled: false, mediaIds: [] },
      ...{ includes: 'allLocked' as const, ...body },
    },
  })
const flags = (mediaId: string, change: object) =>
  as(creator).call(routes.editMedia, { body: { mediaId, ...change } })
const change = (subscriptionId: string, body: object) =>
  as(creator).call(routes.editSubscriptionMedia, { body: { subscriptionId, ...body } })

describe('a subscription to all locked media', () => {
  test('holds what is locked, of its creator alone; one without a choice holds nothing yet', async () => {
    const [locked, single] = [
      await buildMedia(harness, creator),
      await buildMedia(harness, creator, { showInStore: true, type: 'video' }),
    ]
    await buildMedia(harness, creator, { mustUnlock: false })
    await buildMedia(harness, creator, { directOnly: true })
    await buildMedia(harness, await buildCreator(harness))
    const deleted = await buildMedia(harness, creator)
    await as(creator).call(routes.deleteMedia, { body: { mediaId: deleted } })
    const id = await create()
    expect(await read(id)).toMatchObject({
      ...{ includes: 'allLocked', excludedMediaIds: [], photoCount: 1, videoCount: 1, videoSeconds: 65 },
      mediaIds: [single, locked],
    })
    expect(await held(await create({ includes: undefined }))).toEqual([])
  })

  test('takes in what is uploaded, locked, or comes back; subscribers see it at once', async () => {
    const id = await create()
    const fan = await buildFan(harness)
    await as(fan).call(routes.purchase, {
      body: { kind: 'subscription', itemId: id, ...(await cardToken(harness)) },
    })
    const stranger = await buildFan(harness)
    const isLocked = async (person: Person, mediaId: string) =>
      (await as(person).call(routes.media, { params: { mediaId } })).locked
    const item = await buildMedia(harness, creator, { published: false })
    expect(await held(id)).toEqual([item])
    expect([await isLocked(fan, item), await isLocked(stranger, item)]).toEqual([false, true])
    const feed = await as(fan).call(routes.premiumContent, { query: {} })
    expect(feed.items.map(({ _id }) => _id)).toEqual([item])

    await flags(item, { directOnly: true })
    expect([await held(id), (await read(id)).photoCount]).toEqual([[], 0])
    await expect(isLocked(fan, item)).rejects.toMatchObject({ code: 'media_not_found' })
    await flags(item, { mustUnlock: true })
    expect([await held(id), (await read(id)).photoCount]).toEqual([[item], 1])
    await flags(item, { mustUnlock: false })
    expect([await held(id), (await read(id)).photoCount]).toEqual([[], 0])
    await flags(item, { mustUnlock: true })

    await as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds: [item] } })
    expect([await held(id), (await read(id)).photoCount]).toEqual([[], 0])
    await as(creator).call(routes.restoreMedia, { body: { mediaIds: [item] } })
    expect([await held(id), (await read(id)).photoCount]).toEqual([[item], 1])
  })

  test('takes in nothing that was taken down, and has it once it is released', async () => {
    const operator = await buildUser(harness, { role: 'superadmin' })
    const item = await buildMedia(harness, creator)
    const body = { mediaId: item, reason: 'A report' }
    await as(operator).call(routes.quarantineMedia, { body })
    const id = await create()
    expect(await held(id)).toEqual([])
    await as(operator).call(routes.releaseMedia, { body })
    expect(await held(id)).toEqual([item])
  })

  test('leaves out what its creator took out, whatever becomes of it, until it is put in again', async () => {
    const [kept, out] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const id = await create()
    expect(await change(id, { removeMediaIds: [out] })).toEqual({ addedMediaIds: [], removedMediaIds: [out] })
    await flags(out, { mustUnlock: false })
    await flags(out, { mustUnlock: true })
    await as(creator).call(routes.bulkDeleteMedia, { body: { mediaIds: [out] } })
    await as(creator).call(routes.restoreMedia, { body: { mediaIds: [out] } })
    expect(await read(id)).toMatchObject({ mediaIds: [kept], excludedMediaIds: [out] })
    expect((await read(id, await buildFan(harness))).excludedMediaIds).toEqual([])
    const rest = { subscriptionId: id, title: 'Renamed', price: '$5', chatEnabled: false, mediaIds: [] }
    expect(await as(creator).call(routes.editSubscription, { body: rest })).toMatchObject({
      ...{ title: 'Renamed', includes: 'allLocked', mediaIds: [kept], excludedMediaIds: [out] },
    })
    // Saving the rest of it keeps the choice, and another choice takes its place.
    expect(await edit(id, { title: 'New', excludedMediaIds: [out] })).toMatchObject({ mediaIds: [kept] })
    expect(await edit(id, { excludedMediaIds: [kept] })).toMatchObject({
      mediaIds: [out],
      excludedMediaIds: [kept],
    })
    expect(await change(id, { addMediaIds: [kept] })).toMatchObject({ addedMediaIds: [kept] })
    expect(await read(id)).toMatchObject({
      mediaIds: [out, kept].toSorted().toReversed(),
      excludedMediaIds: [],
    })
  })

  test('excludes nothing of others’', async () => {
    const foreign = await buildMedia(harness, await buildCreator(harness))
    const id = await create()
    expect((await edit(id, { excludedMediaIds: [foreign] })).excludedMediaIds).toEqual([])
    expect(await change(id, { removeMediaIds: [foreign] })).toMatchObject({ removedMediaIds: [] })
  })

  test('becomes one of chosen items and back; an existing one stays as it was chosen', async () => {
    const [one, two] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const id = await buildPlan(harness, creator, { mediaIds: [one] })
    await buildMedia(harness, creator)
    expect(await read(id)).toMatchObject({ includes: 'chosen', mediaIds: [one] })
    expect((await edit(id, {})).mediaIds).toHaveLength(3)
    expect(await edit(id, { includes: 'chosen', mediaIds: [two, one] })).toMatchObject({
      ...{ includes: 'chosen', mediaIds: [two, one], photoCount: 2 },
    })
    await buildMedia(harness, creator)
    expect((await read(id)).mediaIds).toEqual([two, one])
  })

  test('misses nothing that is uploaded or locked while it is created or changed', async () => {
    const hidden = await Promise.all(
      Array.from({ length: 8 }, () => buildMedia(harness, creator, { mustUnlock: false })),
    )
    const chosen = await create({ includes: 'chosen' })
    const [id] = await Promise.all([
      create(),
      edit(chosen, {}),
      ...hidden.map((mediaId) => flags(mediaId, { mustUnlock: true })),
      ...Array.from({ length: 8 }, () => buildMedia(harness, creator)),
    ])
    const locked = await as(creator).call(routes.manageMedia, { query: { limit: 60 } })
    const all = locked.items.map(({ _id }) => _id).toSorted()
    expect(all).toHaveLength(16)
    expect(await held(id)).toEqual(all)
    expect(await held(chosen)).toEqual(all)
    expect(await read(id)).toMatchObject({ photoCount: 16 })
  })

  test('keeps out what is taken out while it is being locked', async () => {
    const id = await create()
    for (let round = 0; round < 5; round++) {
      const item = await buildMedia(harness, creator, { mustUnlock: false })
      await Promise.all([flags(item, { mustUnlock: true }), change(id, { removeMediaIds: [item] })])
      expect(await held(id)).toEqual([])
    }
  })
})
