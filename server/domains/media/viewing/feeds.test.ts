import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildBundle, buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { buildGrant } from '../../../testing/grants.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { leave } from '../../../testing/security.ts'

let harness: Harness
let creator: Person
let visitor: Api
let fan: Api
let buyer: Api
/** How long visitors are shown a page of discover as it was. */
const VISITORS_PAGE_MS = 1000
const DAY_MS = 24 * 3600 * 1000
const items = { open: '', locked: '', store: '', bundled: '', private: '', deleted: '' }

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  items.open = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  items.locked = await buildMedia(harness, creator)
  items.store = await buildMedia(harness, creator, { showInStore: true, type: 'video' })
  items.bundled = await buildMedia(harness, creator, { showInSearch: true })
  items.private = await buildMedia(harness, creator, { directOnly: true })
  items.deleted = await buildMedia(harness, creator, {
    mustUnlock: false,
    showInSearch: true,
    showInStore: false,
  })
  await harness.api.as(creator).call(routes.deleteMedia, { body: { mediaId: items.deleted } })
  const person = await buildFan(harness)
  await unlock(person, [items.store, items.bundled])
  visitor = harness.api.visitor()
  fan = harness.api.as(await buildFan(harness))
  buyer = harness.api.as(person)
})
afterAll(() => harness?.stop())

const unlock = (person: Person, mediaIds: string[]) => buildGrant(harness, person, mediaIds)

const idsOf = (list: { items: { _id: string }[] }) => list.items.map((media) => media._id)

describe('a profile', () => {
  const profile = (query: { mustUnlock?: 'true' | 'false'; showInSearch?: 'true' | 'false' }) =>
    visitor.call(routes.profileMedia, { query: { creatorId: creator.id, ...query } })

  it('has everything but private and deleted items, newest first, its owner looking or not', async () => {
    const expected = [items.bundled, items.store, items.locked, items.open]
    expect(idsOf(await profile({}))).toEqual(expected)
    const own = await harness.api.as(creator).call(routes.profileMedia, { query: { creatorId: creator.id } })
    expect(idsOf(own)).toEqual(expected)
  })

  it('is filtered by the flags that are sent, as the public grid does', async () => {
    expect(idsOf(await profile({ mustUnlock: 'false', showInSearch: 'true' }))).toEqual([items.open])
    expect(idsOf(await profile({ showInSearch: 'true' }))).toEqual([items.bundled, items.open])
    expect(idsOf(await profile({ mustUnlock: 'true', showInSearch: 'false' }))).toEqual([
      items.store,
      items.locked,
    ])
  })

  it('is narrowed to photos or videos', async () => {
    const typed = async (type: 'image' | 'video') =>
      idsOf(await visitor.call(routes.profileMedia, { query: { creatorId: creator.id, type } }))
    expect(await typed('video')).toEqual([items.store])
    expect(await typed('image')).toEqual([items.bundled, items.locked, items.open])
  })

  it('comes page by page, each item once, by cursor or by skip', async () => {
    const query = { creatorId: creator.id, limit: 3 }
    const first = await visitor.call(routes.profileMedia, { query })
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    const cursor = first.nextCursor ?? ''
    const second = await visitor.call(routes.profileMedia, { query: { ...query, cursor } })
    expect(second).toMatchObject({ hasMore: false, nextCursor: null })
    expect([...idsOf(first), ...idsOf(second)]).toEqual([
      items.bundled,
      items.store,
      items.locked,
      items.open,
    ])
    expect(idsOf(await visitor.call(routes.profileMedia, { query: { ...query, skip: 3 } }))).toEqual(
      idsOf(second),
    )
  })

  it.each([
    [{ skip: 10_001 }, 'skip_too_deep'],
    [{ cursor: 'made up' }, 'bad_cursor'],
  ])('refuses %j', async (page, code) => {
    const call = visitor.call(routes.profileMedia, { query: { creatorId: creator.id, ...page } })
    await expect(call).rejects.toMatchObject({ status: 400, code })
  })
})

describe('discover', () => {
  it('has what is shown in search and free, and nothing by a tag that nothing carries', async () => {
    expect(idsOf(await visitor.call(routes.discover, { query: { tagIds: [] } }))).toEqual([items.open])
    const tagIds = [crypto.randomUUID()]
    expect(idsOf(await visitor.call(routes.discover, { query: { tagIds } }))).toEqual([])
    expect(idsOf(await visitor.call(routes.discover, { query: { tagIds: [], mustUnlock: 'true' } }))).toEqual(
      [],
    )
    expect(
      idsOf(await visitor.call(routes.discover, { query: { tagIds: [], showInSearch: 'false' } })),
    ).toEqual([])
  })

  it('and profile forget whoever is hidden', async () => {
    const { db, clock } = harness.context
    const leaving = await buildCreator(harness)
    const mediaId = await buildMedia(harness, leaving, { mustUnlock: false, showInSearch: true })
    const shown = async () => [
      ...idsOf(await visitor.call(routes.discover, { query: { tagIds: [] } })),
      ...idsOf(await visitor.call(routes.profileMedia, { query: { creatorId: leaving.id } })),
    ]
    clock.advance(VISITORS_PAGE_MS)
    expect(await shown()).toEqual([mediaId, items.open, mediaId])
    await db
      .updateTable('users')
      .set({ deletion_requested_at: clock.now() })
      .where('id', '=', leaving.id)
      .execute()
    clock.advance(VISITORS_PAGE_MS)
    expect(await shown()).toEqual([items.open])
  })
})

describe('an item in a list', () => {
  it('says what pages show of it there and nothing else, one address for all its files', async () => {
    const { items: found } = await fan.call(routes.discover, { query: { tagIds: [] } })
    const { username } = creator
    const url = expect.stringMatching(
      new RegExp(`^/files/media/${items.open}/\\d+\\.[\\w-]{47}/w640\\.webp$`),
    )
    const shown = {
      type: 'image',
      title: 'A test item',
      width: 640,
      height: 480,
      preview: expect.any(String),
    }
    expect(found).toEqual([
      { _id: items.open, username, url, widths: [320, 640], profileImage: null, ...shown },
    ])
    const all = await fan.call(routes.profileMedia, { query: { creatorId: creator.id } })
    expect(all.items.find(({ _id }) => _id === items.locked)).toEqual({
      _id: items.locked,
      username,
      widths: [],
      locked: true,
      ...shown,
    })
  })

  it('is light: a page of fifteen weighs less than 9 kB on the wire', async () => {
    const other = await buildCreator(harness)
    for (let index = 0; index < 16; index++)
      await buildMedia(harness, other, { mustUnlock: false, title: 'A title of quite usual length for one' })
    const answer = await fan.fetch(`/api/media/profile?creatorId=${other.id}`)
    const body = await answer.text()
    expect(JSON.parse(body).items).toHaveLength(15)
    expect(Buffer.byteLength(body)).toBeLessThan(9000)
  })
})

describe('what is for sale', () => {
  it('has its description while locked, which other locked items keep to themselves', async () => {
    const { db } = harness.context
    await db
      .updateTable('media')
      .set({ description: 'Words', title: 'Title' })
      .where('creator_id', '=', creator.id)
      .execute()
    const show = (mediaId: string) => fan.call(routes.media, { params: { mediaId } })
    expect(await show(items.store)).toMatchObject({
      title: 'Title',
      description: 'Words',
      duration: 65,
      type: 'video',
    })
    expect(await show(items.locked)).toMatchObject({ title: 'Title', description: '', duration: null })
  })

  it('says what the fan already has', async () => {
    const query = { creatorId: creator.id }
    const mine = await buyer.call(routes.purchasableMedia, { query })
    expect(mine.items).toMatchObject([{ _id: items.store, owned: true, url: expect.any(String) }])
    expect(mine.items[0]).not.toHaveProperty('locked')
    const others = await fan.call(routes.purchasableMedia, { query })
    expect(others.items).toMatchObject([{ _id: items.store, locked: true, price: '$4' }])
    expect(others.items[0]).not.toHaveProperty('owned')
  })

  it('in a bundle comes in order, with what the fan has; the ids of the call only narrow it', async () => {
    const mediaIds = [items.bundled, items.locked, items.private, items.deleted]
    const bundleId = await buildBundle(harness, creator, { mediaIds })
    const all = await buyer.call(routes.bundleInfo, { query: { bundleId, mediaIds: [] } })
    expect(all.bundleMedia.map((media) => [media._id, media.locked ?? false])).toEqual([
      [items.bundled, false],
      [items.locked, true],
    ])
    expect(all.usersMediaIds).toEqual([items.bundled])
    const some = await buyer.call(routes.bundleInfo, {
      query: { bundleId, mediaIds: [items.locked, items.store] },
    })
    expect(some.bundleMedia.map((media) => media._id)).toEqual([items.locked])
    const absent = buyer.call(routes.bundleInfo, {
      query: { bundleId: crypto.randomUUID(), mediaIds: [items.open] },
    })
    await expect(absent).rejects.toMatchObject({ status: 404, code: 'item_not_found' })
  })
})

it('one item comes with its creator, and nothing private of them', async () => {
  const { media, creator: shown } = await fan.call(routes.viewMedia, { params: { mediaId: items.store } })
  expect(media).toMatchObject({ _id: items.store, locked: true })
  expect(shown).toEqual({
    _id: creator.id,
    username: creator.username,
    firstName: 'Test',
    profileImage: null,
    links: [],
    erasedAt: null,
  })
})

it('who bought is told until when they can download what is left of a creator who leaves', async () => {
  const leaving = await buildCreator(harness)
  const mediaId = await buildMedia(harness, leaving, { showInStore: true })
  await leave(harness, leaving)
  const person = await buildFan(harness)
  await unlock(person, [mediaId])
  const { media, creator: shown } = await harness.api
    .as(person)
    .call(routes.viewMedia, { params: { mediaId } })
  expect(media).toMatchObject({ owned: true, url: expect.any(String) })
  const ahead = Date.parse(shown.erasedAt ?? '') - harness.clock.now().getTime()
  expect(ahead / DAY_MS).toBeCloseTo(28, 1)
})
