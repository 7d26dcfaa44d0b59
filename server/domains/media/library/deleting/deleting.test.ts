import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import {
  buildBundle,
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { cardToken } from '../../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

const DAY_MS = 24 * 3600 * 1000

let harness: Harness
let creator: Person
let operator: Person

beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

const as = (person: Person) => harness.api.as(person)
const remove = (mediaIds: string[], person = creator) =>
  as(person).call(routes.bulkDeleteMedia, { body: { mediaIds } })
const restore = (mediaIds: string[], person = creator) =>
  as(person).call(routes.restoreMedia, { body: { mediaIds } })
const unlock = (customer: Person, mediaId: string, reason?: string) =>
  as(operator).call(routes.unlockMedia, { body: { customerId: customer.id, mediaId, reason } })
const library = async (person = creator) =>
  (await as(person).call(routes.manageMedia, { query: {} })).items.map(({ _id }) => _id)
const buySingle = async (fan: Person, itemId: string) =>
  as(fan).call(routes.purchase, { body: { kind: 'single', itemId, ...(await cardToken(harness)) } })
const deleted = (query: object = {}, person = creator) => as(person).call(routes.deletedMedia, { query })
const stored = (mediaId: string) =>
  harness.context.db.selectFrom('media').selectAll().where('id', '=', mediaId).executeTakeFirstOrThrow()
describe('what deleting would touch', () => {
  it('is who keeps an item, each once, and what is sold with it', async () => {
    const [one, two, three] = [
      await buildMedia(harness, creator, { showInStore: true }),
      await buildMedia(harness, creator, { showInStore: true }),
      await buildMedia(harness, creator),
    ]
    const bundle = await buildBundle(harness, creator, { title: 'Both', mediaIds: [one, two] })
    await buildBundle(harness, creator, { title: 'Other', mediaIds: [three] })
    const plan = await buildPlan(harness, creator, { title: 'Monthly', mediaIds: [two] })
    const [fan, given, refunded] = [await buildFan(harness), await buildFan(harness), await buildFan(harness)]
    await buySingle(fan, one)
    await buySingle(fan, two)
    await unlock(given, one)
    await unlock(refunded, one)
    await harness.context.db
      .updateTable('entitlements')
      .set({ revoked_at: harness.clock.now() })
      .where('user_id', '=', refunded.id)
      .execute()
    const effects = (person: Person, mediaIds: string[]) =>
      as(person).call(routes.deletionEffects, { body: { mediaIds } })
    const expected = {
      buyers: 2,
      bundles: [{ _id: bundle, title: 'Both' }],
      subscriptions: [{ _id: plan, title: 'Monthly' }],
    }
    expect(await effects(creator, [one, two, two])).toEqual(expected)
    expect(await effects(operator, [one, two])).toEqual(expected)
    expect(await effects(creator, [one])).toEqual({ ...expected, subscriptions: [] })
    const refusal = { status: 404, code: 'media_not_found' }
    await expect(effects(await buildCreator(harness), [one])).rejects.toMatchObject(refusal)
    await remove([three])
    await expect(effects(creator, [one, three])).rejects.toMatchObject(refusal)
  })
})

describe('deleting several', () => {
  it('takes all out, and who bought one keeps it', async () => {
    const fan = await buildFan(harness)
    const ids = [
      await buildMedia(harness, creator, { showInStore: true }),
      await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true }),
    ]
    const [sold = '', open = ''] = ids
    await buySingle(fan, sold)
    expect(await remove([...ids, open])).toEqual({ success: true })
    expect(await library()).toEqual([])
    const show = (mediaId: string) => as(fan).call(routes.media, { params: { mediaId } })
    expect(await show(sold)).toMatchObject({ locked: false, owned: true })
    await expect(show(open)).rejects.toMatchObject({ code: 'media_not_found' })
  })

  it('takes none when one is another’s, gone or deleted already, the operator’s call included', async () => {
    const [own, deleted] = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const foreign = await buildMedia(harness, await buildCreator(harness))
    await remove([deleted])
    for (const [person, second] of [
      [creator, foreign],
      [creator, deleted],
      [creator, crypto.randomUUID()],
      [operator, foreign],
    ] as const)
      await expect(remove([own, second], person)).rejects.toMatchObject({
        status: 404,
        code: 'media_not_found',
      })
    expect(await library()).toEqual([own])
    expect((await stored(foreign)).deleted_at).toBeNull()
  })
})

describe('the list of deleted items', () => {
  it('has the person’s own that can come back, the last deleted first, each with its days', async () => {
    const { db, clock } = harness.context
    // One after the other, so that the library's order is that of their ids.
    const built: string[] = []
    for (let n = 0; n < 6; n++) built.push(await buildMedia(harness, creator, { title: 'Gone' }))
    const [kept, first, second, taken, old, edge] = built
    const foreign = await buildCreator(harness)
    await remove([await buildMedia(harness, foreign)], foreign)
    await remove([first ?? ''])
    await remove([second ?? '', old ?? '', edge ?? ''])
    await as(operator).call(routes.deleteMedia, { body: { mediaId: taken ?? '', reason: 'Stolen' } })
    const now = clock.now().getTime()
    for (const [mediaId, agoMs] of [
      [first, 12 * DAY_MS + 1],
      [old, 30 * DAY_MS],
      [edge, 30 * DAY_MS - 60_000],
    ] as const)
      await db
        .updateTable('media')
        .set({ deleted_at: new Date(now - agoMs) })
        .where('id', '=', mediaId ?? '')
        .execute()
    const { items, hasMore } = await deleted()
    expect(items.map(({ _id, daysLeft }) => [_id, daysLeft])).toEqual([
      [second, 30],
      [first, 18],
      [edge, 1],
    ])
    expect(hasMore).toBe(false)
    expect(items[0]).toMatchObject({
      title: 'Gone',
      deletedAt: (await stored(second ?? '')).deleted_at?.toISOString(),
    })
    // Deleted, its bytes are out of reach for its owner too.
    expect(items.every(({ url, widths, locked }) => locked && url === null && widths.length === 0)).toBe(true)
    expect((await deleted({}, operator)).items).toEqual([])
    await restore([second ?? ''])
    expect((await deleted()).items.map(({ _id }) => _id)).toEqual([first, edge])
    expect(await library()).toEqual([second, kept])
  })

  it('comes page by page, items deleted together too', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => buildMedia(harness, creator)))
    await remove(ids)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await deleted({ limit: 2, cursor })
      seen.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(ids.toSorted().toReversed())
    expect((await deleted({ limit: 2, skip: 4 })).items.map(({ _id }) => _id)).toEqual(seen.slice(4))
    await expect(deleted({ cursor: 'x' })).rejects.toMatchObject({ status: 400, code: 'bad_cursor' })
  })
})

describe('taking a deletion back', () => {
  it('brings the items as they were, with tags, and into what they are sold in', async () => {
    const { db } = harness.context
    const { id: tagId } = await db.selectFrom('tags').select('id').limit(1).executeTakeFirstOrThrow()
    const ids = [
      await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true }),
      await buildMedia(harness, creator),
    ]
    await as(creator).call(routes.bulkEditMedia, { body: { mediaIds: ids, addTagIds: [tagId] } })
    const bundleId = await buildBundle(harness, creator, { mediaIds: ids })
    const bundle = () => as(creator).call(routes.bundle, { params: { id: bundleId } })
    const before = await Promise.all(ids.map(stored))
    await remove(ids)
    expect((await bundle()).mediaIds).toEqual([])
    const { items } = await restore(ids)
    expect(items.map(({ _id }) => _id)).toEqual(ids)
    expect(await Promise.all(ids.map(stored))).toEqual(before)
    expect((await bundle()).mediaIds).toEqual(ids)
    const found = await as(creator).call(routes.manageMedia, { query: { tagIds: [tagId] } })
    expect(found.items).toHaveLength(2)
  })

  it('can be said twice, and in parallel', async () => {
    const ids = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    await remove(ids)
    const calls = await Promise.all([restore(ids), restore(ids.toReversed()), restore(ids)])
    expect(calls.map(({ items }) => items.length)).toEqual([2, 2, 2])
    expect((await library()).toSorted()).toEqual(ids.toSorted())
  })

  it('is the owner’s alone, for 30 days, and not of what the operator took out', async () => {
    const [own, taken, old] = [
      await buildMedia(harness, creator),
      await buildMedia(harness, creator),
      await buildMedia(harness, creator),
    ]
    await remove([own])
    await as(operator).call(routes.deleteMedia, { body: { mediaId: taken, reason: 'Stolen' } })
    await harness.context.db
      .updateTable('media')
      .set({ deleted_at: new Date(harness.clock.now().getTime() - 30 * DAY_MS) })
      .where('id', '=', old)
      .execute()
    for (const [person, ids] of [
      [operator, [own]],
      [creator, [own, taken]],
      [creator, [own, old]],
      [creator, [own, crypto.randomUUID()]],
    ] as const)
      await expect(restore([...ids], person)).rejects.toMatchObject({
        status: 404,
        code: 'media_not_found',
      })
    expect(await library()).toEqual([])
    expect((await restore([own])).items).toHaveLength(1)
  })
})
