import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Api } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let mara: Person
let other: Person
let visitor: Api

beforeAll(async () => {
  harness = await startHarness({
    environment: {
      TRUST_PROXY: 'loopback',
      GEO_COUNTRY_HEADER: 'x-country',
      GEO_REGION_HEADER: 'x-region',
    },
  })
  mara = await buildCreator(harness, { username: 'Mara.Peak' })
  other = await buildCreator(harness, { username: 'quietlight' })
  visitor = harness.api.visitor()
})
afterAll(() => harness?.stop())

type Item = {
  title?: string
  description?: string
  tags?: string[]
  mustUnlock?: boolean
  showInStore?: boolean
  showInSearch?: boolean
  directOnly?: boolean
}

async function item(owner: Person, { description = '', tags = [], ...flags }: Item): Promise<string> {
  const { db } = harness.context
  harness.clock.advance(1000)
  const id = await buildMedia(harness, owner, { mustUnlock: false, showInSearch: true, ...flags })
  const tagIds = await Promise.all(
    tags.map((name) => harness.api.as(owner).call(routes.addTag, { body: { name } })),
  )
  await db
    .updateTable('media')
    .set({ description, tag_ids: tagIds.map(({ _id }) => _id) })
    .where('id', '=', id)
    .execute()
  return id
}

const search = (
  query: string,
  more: { limit?: number; skip?: number; cursor?: string } = {},
  api = visitor,
) => api.call(routes.search, { query: { query, ...more } })
const found = async (query: string, api = visitor) =>
  (await search(query, { limit: 60 }, api)).items.map(({ _id }) => _id)

describe('a search', () => {
  it('finds items by title, tags, creator and description, ranked in this order', async () => {
    const inDescription = await item(other, { title: 'One', description: 'A glimmering evening' })
    const inTag = await item(other, { title: 'Two', tags: ['Glimmering'] })
    const inTitle = await item(other, { title: 'Glimmering Three' })
    const glimmering = await buildCreator(harness, { username: 'glimmering' })
    const byCreator = await item(glimmering, { title: 'Four' })
    const answer = await search('glimmering')
    expect(answer.items.map(({ _id }) => _id)).toEqual([inTitle, inTag, byCreator, inDescription])
    expect(answer.creators.map(({ username }) => username)).toEqual(['glimmering'])
    expect(answer.tags.map(({ name }) => name)).toEqual(['Glimmering'])
    expect(answer).toMatchObject({ corrected: null, hasMore: false, nextCursor: null })
  })

  it('wants all words, in any order and case and with or without accents; the last may be unfinished', async () => {
    const id = await item(mara, { title: 'Café Crème at Daybreak' })
    for (const query of [
      'cafe',
      'CRÈME café',
      'daybreak creme',
      'mara café',
      'cafe dayb',
      'at c',
      '  café,  "creme"! ',
    ])
      expect(await found(query), query).toContain(id)
    for (const query of ['cafe zeppelin', 'dayb cafe']) expect(await found(query), query).not.toContain(id)
  })

  it('knows who is meant by a name or its beginning, exact names first', async () => {
    await buildCreator(harness, { username: 'mara.peaks' })
    const namesFor = async (query: string) => (await search(query)).creators.map(({ username }) => username)
    expect(await namesFor('mara.peak')).toEqual(['Mara.Peak', 'mara.peaks'])
    expect(await namesFor('quietl')).toEqual(['quietlight'])
    const fan = await buildFan(harness, { username: 'onlyafan' })
    expect(await namesFor(fan.username)).toEqual([])
  })

  it.each([
    ['lantren', 'lantern'],
    ['lanern', 'lantern'],
    ['lanterrn', 'lantern'],
    ['lamtern', 'lantern'],
    ['paper lantren', 'paper lantern'],
  ])('takes %s for %s', async (typed, meant) => {
    const id = await item(other, { title: 'Paper lantern' })
    const answer = await search(typed)
    expect(answer.corrected).toBe(meant)
    expect(answer.items[0]?._id).toBe(id)
  })

  it('forgives a second slip in a long word', async () => {
    const id = await item(other, { title: 'Chandelier' })
    expect(await search('chandaleer')).toMatchObject({ corrected: 'chandelier', items: [{ _id: id }] })
  })

  it('corrects nothing that something is really called, nor numbers', async () => {
    const lanterns = await item(other, { title: 'Lantren 2041' })
    expect(await search('lantren')).toMatchObject({ corrected: null, items: [{ _id: lanterns }] })
    expect(await search('2042')).toMatchObject({ corrected: null, items: [] })
    expect(await search('xylophonist')).toMatchObject({ corrected: null, items: [], creators: [], tags: [] })
  })

  it('comes page by page, each item once, by cursor and by skip, also when all are equally good', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index++) ids.unshift(await item(other, { title: 'Meadowland' }))
    const [byCursor, bySkip]: string[][] = [[], []]
    let cursor: string | undefined
    do {
      const page = await search('meadowland', { limit: 3, ...(cursor ? { cursor } : {}) })
      byCursor?.push(...page.items.map(({ _id }) => _id))
      cursor = page.nextCursor ?? undefined
      const same = await search('meadowland', { limit: 3, skip: bySkip?.length ?? 0 })
      bySkip?.push(...same.items.map(({ _id }) => _id))
    } while (cursor)
    expect(byCursor).toEqual(ids)
    expect(bySkip).toEqual(ids)
    expect((await search('other', { limit: 3, skip: 3 })).creators).toEqual([])
  })

  it('of words that are everywhere has the newest, and what is older where they seldom meet', async () => {
    const { db } = harness.context
    const ids: string[] = []
    for (let index = 0; index < 4; index++) ids.unshift(await item(other, { title: 'Ubiquitous' }))
    await db.updateTable('search_words').set({ uses: 500_000 }).where('word', '=', 'ubiquitous').execute()
    expect(await found('ubiquitous')).toEqual(ids)
    await harness.server.jobs['search.count']({}, { attempt: 1, lastAttempt: true })
    const known = await db.selectFrom('search_words').selectAll().where('word', '=', 'ubiquitous').execute()
    expect(known).toEqual([{ word: 'ubiquitous', uses: 4 }])
    expect(await found('ubiquitous')).toEqual(ids)
  })
})

describe('what is not everybody’s', () => {
  it('comes locked, without a link, and its description finds nothing unless it is for sale', async () => {
    const description = 'Obsidian words'
    const locked = await item(mara, { title: 'Velvet', description, mustUnlock: true })
    const sold = await item(mara, { title: 'Velvet', description, mustUnlock: true, showInStore: true })
    const open = await item(mara, { title: 'Velvet', description })
    const answer = await search('velvet')
    expect(
      answer.items.map(({ _id, locked = false, url, widths }) => [
        _id,
        locked,
        url === undefined,
        widths.length > 0,
      ]),
    ).toEqual([
      [open, false, false, true],
      [sold, true, true, false],
      [locked, true, true, false],
    ])
    expect(await found('obsidian')).toEqual([open, sold])
    await harness.context.db.updateTable('media').set({ must_unlock: true }).where('id', '=', open).execute()
    expect(await found('obsidian')).toEqual([sold])
  })

  it.each([
    ['kept out of search', { show_in_search: false }],
    ['private', { show_in_search: false, direct_only: true }],
    ['deleted', { deleted_at: new Date() }],
  ])('is not found: %s', async (_, change) => {
    const id = await item(mara, { title: 'Basilisk' })
    const owner = harness.api.as(mara)
    expect(await found('basilisk', owner)).toEqual([id])
    await harness.context.db.updateTable('media').set(change).where('id', '=', id).execute()
    expect(await found('basilisk')).toEqual([])
    expect(await found('basilisk', owner)).toEqual([])
  })

  it('is not found of somebody hidden, blocking or keeping the place out, nor are they themselves', async () => {
    const { db, clock } = harness.context
    const [hidden, blocking, abroad] = [
      await buildCreator(harness, { username: 'chrysalis.one' }),
      await buildCreator(harness, { username: 'chrysalis.two' }),
      await buildCreator(harness, { username: 'chrysalis.three' }),
    ]
    for (const person of [hidden, blocking, abroad]) await item(person, { title: 'Chrysalis' })
    const fan = await buildFan(harness)
    const seen = async (api: Api) => {
      const { items, creators } = await api.call(
        routes.search,
        { query: { query: 'chrysalis' } },
        { headers: { 'x-country': 'US', 'x-region': 'Oregon' } },
      )
      return [
        new Set(items.map(({ username }) => username)),
        new Set(creators.map(({ username }) => username)),
      ]
    }
    const all = new Set([hidden.username, blocking.username, abroad.username])
    expect(await seen(harness.api.as(fan))).toEqual([all, all])
    await db
      .updateTable('users')
      .set({ deletion_requested_at: clock.now() })
      .where('id', '=', hidden.id)
      .execute()
    await harness.api.as(blocking).call(routes.block, { body: { blockedId: fan.id } })
    await db
      .insertInto('geo_blocks')
      .values({ creator_id: abroad.id, country: 'US', region: 'Oregon' })
      .execute()
    expect(await seen(harness.api.as(fan))).toEqual([new Set(), new Set()])
    expect(await seen(visitor)).toEqual([new Set([blocking.username]), new Set([blocking.username])])
    await db.updateTable('users').set({ deletion_requested_at: null }).where('id', '=', hidden.id).execute()
    expect(await seen(harness.api.as(fan))).toEqual([new Set([hidden.username]), new Set([hidden.username])])
  })
})

it('follows every change: title, tags, and the creator’s name', async () => {
  const { db } = harness.context
  const person = await buildCreator(harness, { username: 'oldname' })
  const id = await item(person, { title: 'Harlequin' })
  await db.updateTable('media').set({ title: 'Marionette' }).where('id', '=', id).execute()
  await db.updateTable('users').set({ username: 'newname' }).where('id', '=', person.id).execute()
  expect(await found('harlequin')).toEqual([])
  expect(await found('marionette newname')).toEqual([id])
  expect(await found('marionette oldname')).toEqual([])
  expect((await search('newname')).creators).toHaveLength(1)
  await db.deleteFrom('media').where('id', '=', id).execute()
  expect(await found('marionette')).toEqual([])
  await harness.server.jobs['search.count']({}, { attempt: 1, lastAttempt: true })
  const words = await db
    .selectFrom('search_words')
    .select('word')
    .where('word', 'in', ['marionette', 'newname'])
    .execute()
  expect(words).toEqual([{ word: 'newname' }])
})

describe('hostile words', () => {
  const hostile = [
    `' or 1=1 --`,
    `"; drop table media; --`,
    'a & b | !c <-> d:*',
    `\\'\\\\`,
    '((((((((',
    '::::',
    '%_%',
    '\u202eright to left',
    'مرحبا بالعالم',
    'שלום',
    '🔥🔥🔥',
    '👩\u200d👩\u200d👧',
    '日本語の写真',
    '\ud800',
    'e\u0301'.repeat(50),
    'x'.repeat(100),
    'a '.repeat(50),
    "' ''' '",
    '1e308 -5 0x1F',
    'http://a.b/c?d=e&f=g user@example.test',
    '<b>bold</b>',
    'ﬁ ﷺ ①',
  ]
  it.each(hostile)('%j is answered', async (query) => {
    const answer = await visitor.send('GET', '/media/search', { query: { query } })
    expect(answer.status).toBe(200)
  })

  it.each(['', '   ', 'a\u0000b', 'x'.repeat(101), 'a\nb'])('%j is refused', async (query) => {
    const answer = await visitor.send('GET', '/media/search', { query: { query } })
    expect(answer.status).toBe(400)
  })

  it.each([
    'x',
    Buffer.from('1|2').toString('base64url'),
    Buffer.from('1e99|2026-13-45T00:00:00.000000|x').toString('base64url'),
  ])('the cursor %j is refused', async (cursor) => {
    await expect(search('velvet', { cursor })).rejects.toMatchObject({ status: 400, code: 'bad_cursor' })
  })

  it('of any kind never fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), async (query) => {
        const { status } = await visitor.send('GET', '/media/search', { query: { query } })
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })

  it('written into an item are found again', async () => {
    const id = await item(mara, { title: `O'Brien & "sons" <-> 100% «Привет» שלום`, tags: ['🔥'] })
    for (const query of [`o'brien`, 'brien sons', 'привет', 'שלום', '100%'])
      expect(await found(query), query).toContain(id)
    expect((await search('🔥')).tags.map(({ name }) => name)).toEqual(['🔥'])
  })
})
