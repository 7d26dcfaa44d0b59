import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { sourcesOf } from '../../../../../contract/media-links.ts'
import type { Api } from '../../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

/** From whom the region is believed, as from an edge that stands before the server. */
const environment = {
  TRUST_PROXY: 'loopback',
  SANDBOX_TOKEN: 'only the operator knows',
  GEO_COUNTRY_HEADER: 'x-country',
  GEO_REGION_HEADER: 'x-region',
}
const oregon = { 'x-country': 'US', 'x-region': 'Oregon' }
const SECOND_MS = 1000

let harness: Harness
let creator: Person
let fan: Person
/** Newest first: the items have tag 0, 1 or 2 in turn, and every fifth one all three. */
const items: string[] = []
let tags: string[]
const people: Record<'hidden' | 'blocking' | 'abroad', Person> = {} as never

beforeAll(async () => {
  harness = await startHarness({ environment })
  const { db, clock } = harness.context
  creator = await buildCreator(harness)
  fan = await buildFan(harness)
  people.hidden = await buildCreator(harness)
  people.blocking = await buildCreator(harness)
  people.abroad = await buildCreator(harness)
  const rows = await db.selectFrom('tags').select('id').orderBy('id').limit(4).execute()
  tags = rows.map(({ id }) => id)
  for (let index = 0; index < 20; index++) {
    for (const person of [people.hidden, people.blocking, people.abroad])
      await tagged(person, tags.slice(0, 3))
    const own = index % 5 === 0 ? tags.slice(0, 3) : tags.slice(index % 3, (index % 3) + 1)
    items.unshift(await tagged(creator, own))
    clock.advance(SECOND_MS)
  }
  await db
    .updateTable('users')
    .set({ deletion_requested_at: clock.now() })
    .where('id', '=', people.hidden.id)
    .execute()
  await harness.api.as(people.blocking).call(routes.block, { body: { blockedId: fan.id } })
  await db
    .insertInto('geo_blocks')
    .values({ creator_id: people.abroad.id, country: 'US', region: 'Oregon' })
    .execute()
})
afterAll(() => harness?.stop())

async function tagged(person: Person, tagIds: string[], options: { mustUnlock?: boolean } = {}) {
  const id = await buildMedia(harness, person, { mustUnlock: false, showInSearch: true, ...options })
  await harness.context.db.updateTable('media').set({ tag_ids: tagIds }).where('id', '=', id).execute()
  return id
}

type Page = { limit?: number; skip?: number; cursor?: string }
const discover = (api: Api, tagIds: string[], page: Page = {}) =>
  api.call(routes.discover, { query: { tagIds, limit: 60, ...page } }, { headers: oregon })
const idsOf = (list: { items: { _id: string }[] }) => list.items.map((item) => item._id)
const carrying = (...wanted: number[]) =>
  items.filter((_, at) => (19 - at) % 5 === 0 || wanted.includes((19 - at) % 3))

describe('discover by tags', () => {
  it('has what carries any of them, each once, newest first, of nobody hidden, blocking or keeping the place out', async () => {
    const api = harness.api.as(fan)
    expect(idsOf(await discover(api, [tags[0] ?? '']))).toEqual(carrying(0))
    expect(idsOf(await discover(api, tags.slice(0, 2)))).toEqual(carrying(0, 1))
    expect(idsOf(await discover(api, [...tags, ...tags]))).toEqual(items)
    expect(idsOf(await discover(api, [tags[3] ?? '']))).toEqual([])
    expect(idsOf(await discover(api, [crypto.randomUUID()]))).toEqual([])
  })

  it.each([
    ['no tag', 0],
    ['one tag', 1],
    ['three tags', 3],
  ])('comes in the same pages by cursor and by skip: %s', async (_, count) => {
    const api = harness.api.as(fan)
    const wanted = tags.slice(0, count)
    const all = idsOf(await discover(api, wanted))
    expect(all).toEqual(count === 1 ? carrying(0) : items)
    const [byCursor, bySkip]: string[][] = [[], []]
    let cursor: string | undefined
    do {
      const page = await discover(api, wanted, { limit: 3, ...(cursor ? { cursor } : {}) })
      byCursor?.push(...idsOf(page))
      cursor = page.nextCursor ?? undefined
      const same = await discover(api, wanted, { limit: 3, skip: bySkip?.length ?? 0 })
      expect(same.hasMore).toBe(page.hasMore)
      bySkip?.push(...idsOf(same))
    } while (cursor)
    expect(byCursor).toEqual(all)
    expect(bySkip).toEqual(all)
  })

  it('never has anything locked or kept out of search, whatever is asked for', async () => {
    const locked = await tagged(creator, tags.slice(0, 1), { mustUnlock: true })
    for (const query of [{}, { mustUnlock: 'true' }, { showInSearch: 'false' }] as const) {
      const list = await harness.api
        .as(fan)
        .call(routes.discover, { query: { tagIds: tags.slice(0, 1), ...query } })
      expect(idsOf(list)).not.toContain(locked)
    }
  })

  it('has nothing of somebody whom the viewer blocked', async () => {
    const viewer = await buildFan(harness)
    const api = harness.api.as(viewer)
    const owners = async () =>
      new Set((await discover(api, tags.slice(0, 3), {})).items.map((item) => item.username))
    expect(await owners()).toContain(creator.username)
    await api.call(routes.block, { body: { blockedId: creator.id } })
    expect(await owners()).not.toContain(creator.username)
  })

  it.each([
    { tagIds: 'x' },
    { tagIds: Array(16).fill(crypto.randomUUID()) },
    { cursor: 'x' },
    { skip: 10_001 },
  ])('refuses %j', async (query) => {
    const { status } = await harness.api.visitor().send('GET', '/media/discover', { query })
    expect(status).toBe(400)
  })

  it('shows a superadmin what others may not reach, but nobody hidden', async () => {
    const { db } = harness.context
    const operator = await buildFan(harness)
    await db.updateTable('users').set({ role: 'superadmin' }).where('id', '=', operator.id).execute()
    for (const page of [{}, { skip: 1 }]) {
      const list = await discover(harness.api.as(operator), tags.slice(0, 3), page)
      const owners = new Set(list.items.map((item) => item.username))
      expect(owners).toEqual(new Set([creator.username, people.blocking.username, people.abroad.username]))
    }
  })
})

describe('what visitors are shown for a moment', () => {
  it('has no link that another visitor was given, and theirs open only for them', async () => {
    const [one, other] = [harness.api.visitor(), harness.api.visitor()]
    const [first, second] = [await discover(one, []), await discover(other, [])]
    expect(idsOf(first)).toEqual(idsOf(second))
    const linksOf = (list: typeof first) =>
      list.items.flatMap((item) => sourcesOf(item).map(({ url }) => url))
    expect(linksOf(first).length).toBeGreaterThan(20)
    expect(linksOf(first).filter((link) => linksOf(second).includes(link))).toEqual([])
    const link = first.items[0]?.url ?? ''
    expect((await one.fetch(link)).status).toBe(200)
    expect((await other.fetch(link)).status).toBe(403)
  })

  it('is that of their own place, and of visitors only', async () => {
    const at = async (headers: Record<string, string>, api = harness.api.visitor()) =>
      new Set(
        (await api.call(routes.discover, { query: { tagIds: [], limit: 60 } }, { headers })).items.map(
          (item) => item.username,
        ),
      )
    const everybody = new Set([creator.username, people.blocking.username, people.abroad.username])
    for (let again = 0; again < 2; again++) {
      expect(await at({ 'x-country': 'US', 'x-region': 'Nevada' })).toEqual(everybody)
      expect(await at(oregon)).toEqual(new Set([creator.username, people.blocking.username]))
      expect(await at({ 'x-country': 'DE' })).toEqual(everybody)
      expect(await at({ 'x-country': 'DE' }, harness.api.as(fan))).toEqual(
        new Set([creator.username, people.abroad.username]),
      )
      expect(await at(oregon, harness.api.as(people.abroad))).toEqual(everybody)
    }
  })

  it.each([
    ['locked', { must_unlock: true }],
    ['deleted', { deleted_at: new Date() }],
    ['taken out of search', { show_in_search: false }],
    ['made private', { show_in_search: false, direct_only: true }],
  ])('forgets within a second what was %s', async (_, change) => {
    const { db, clock } = harness.context
    clock.advance(SECOND_MS)
    const id = await tagged(creator, tags.slice(0, 1))
    const shown = async () => idsOf(await discover(harness.api.visitor(), tags.slice(0, 1)))
    expect(await shown()).toContain(id)
    await db.updateTable('media').set(change).where('id', '=', id).execute()
    clock.advance(SECOND_MS)
    expect(await shown()).not.toContain(id)
  })

  it('forgets within a second who is hidden, and never opens a file of theirs meanwhile', async () => {
    const { db, clock } = harness.context
    clock.advance(SECOND_MS)
    const leaving = await buildCreator(harness)
    const id = await tagged(leaving, tags.slice(0, 1))
    const visitor = harness.api.visitor()
    const list = await discover(visitor, [])
    const link = list.items.find((item) => item._id === id)?.url ?? ''
    expect((await visitor.fetch(link)).status).toBe(200)
    await db
      .updateTable('users')
      .set({ deletion_requested_at: clock.now() })
      .where('id', '=', leaving.id)
      .execute()
    expect((await visitor.fetch(link)).status).toBe(403)
    clock.advance(SECOND_MS)
    expect(idsOf(await discover(visitor, []))).not.toContain(id)
  })
})
