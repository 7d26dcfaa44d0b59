import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { createPool, type Db, type Tables } from '../../../db/client.ts'
import { buildCreator, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { audienceOf } from '../../../viewer.ts'
import { type LibraryFilter, listChoices, listLibrary, listUploaded } from './data.ts'
import { listDeleted } from './deleting/data.ts'

const NOWHERE = { country: null, region: null }

let harness: Harness
let creator: Person
const tags = { beach: '', night: '' }
const items = { picture: '', video: '', gif: '', sold: '', promoted: '', private: '' }

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  const known = await harness.context.db.selectFrom('tags').select(['id', 'name']).execute()
  const tag = (name: string) => known.find((row) => row.name === name)?.id ?? ''
  tags.beach = tag('Beach')
  tags.night = tag('Night')
  const build = async (
    options: Parameters<typeof buildMedia>[2],
    more: { description?: string; tagIds?: string[] } = {},
    owner = creator,
  ) => {
    const mediaId = await buildMedia(harness, owner, options)
    await harness.api.as(owner).call(routes.editMedia, { body: { mediaId, ...more } })
    return mediaId
  }
  items.picture = await build(
    { title: 'Sunrise 100%', mustUnlock: false, showInSearch: true },
    { tagIds: [tags.beach] },
  )
  items.video = await build({ title: 'Walk', type: 'video' }, { description: 'By the OCEAN at sunrise' })
  const api = harness.api.as(creator)
  items.gif = (await api.call(routes.addRedGif, { body: { redGif: 'fox', tagIds: [tags.night] } }))._id
  items.sold = await build({ title: 'Äpfel', showInStore: true }, { tagIds: [tags.beach, tags.night] })
  items.promoted = await build({ title: 'Hello', redditPromotion: true })
  items.private = await build({ title: 'For you', directOnly: true })
  const stranger = await buildCreator(harness)
  await build({ title: 'Sunrise', showInSearch: true }, { tagIds: [tags.beach] }, stranger)
  const deleted = await build({ title: 'Sunrise' }, { tagIds: [tags.beach] })
  await api.call(routes.deleteMedia, { body: { mediaId: deleted } })
})
afterAll(() => harness?.stop())

type Sent = NonNullable<(typeof routes.manageMedia.query)['_input']>

describe('the own library', () => {
  const all = ['private', 'promoted', 'sold', 'gif', 'video', 'picture'] as const
  it.each<[string, () => Sent, readonly (keyof typeof items)[]]>([
    ['nothing', () => ({}), all],
    ['an empty search', () => ({ search: ' ' }), all],
    [
      'a word of titles and descriptions, whatever its case',
      () => ({ search: 'SUNrise' }),
      ['video', 'picture'],
    ],
    ['an unfinished word', () => ({ search: 'sunri' }), ['video', 'picture']],
    ['all of several words', () => ({ search: 'sunrise ocean' }), ['video']],
    ['a word of a tag', () => ({ search: 'beac' }), ['sold', 'picture']],
    ['letters of another alphabet', () => ({ search: 'äpf' }), ['sold']],
    ['what would be a wildcard', () => ({ search: '100%' }), ['picture']],
    ['a wildcard alone', () => ({ search: '%' }), ['picture']],
    ['an underscore', () => ({ search: '_' }), []],
    ['a backslash', () => ({ search: '\\' }), []],
    ['a word that is nowhere', () => ({ search: 'submarine' }), []],
    ['a tag', () => ({ tagIds: [tags.beach] }), ['sold', 'picture']],
    ['any of two tags', () => ({ tagIds: [tags.beach, tags.night] }), ['sold', 'gif', 'picture']],
    ['a tag that is none', () => ({ tagIds: [crypto.randomUUID()] }), []],
    ['pictures', () => ({ type: 'image' }), ['private', 'promoted', 'sold', 'picture']],
    ['videos', () => ({ type: 'video' }), ['video']],
    ['external gifs', () => ({ type: 'embed' }), ['gif']],
    ['what is open', () => ({ visibility: 'public' }), ['promoted', 'picture']],
    ['what is locked', () => ({ visibility: 'locked' }), ['sold', 'gif', 'video']],
    ['what is for sale', () => ({ visibility: 'store' }), ['sold']],
    ['what is shown in search', () => ({ visibility: 'search' }), ['picture']],
    ['what is promoted', () => ({ visibility: 'promotion' }), ['promoted']],
    ['what is private', () => ({ visibility: 'private' }), ['private']],
    [
      'everything at once',
      () => ({ search: 'sun', tagIds: [tags.beach], type: 'image', visibility: 'public' }),
      ['picture'],
    ],
  ])('narrowed to %s', async (_, query, expected) => {
    const page = await harness.api.as(creator).call(routes.manageMedia, { query: query() })
    const names = page.items.map(({ _id }) => Object.entries(items).find(([, id]) => id === _id)?.[0])
    expect(names).toEqual(expected)
    // Selecting all of them gives the same items in the same order, without loading page by page.
    const api = harness.api.as(creator)
    const selection = await api.call(routes.librarySelection, { query: { ...query(), limit: 2000 } })
    expect(selection.items.map(({ _id }) => _id)).toEqual(page.items.map(({ _id }) => _id))
    expect(selection.count).toBe(expected.length)
  })

  it('says how many match without sending them, sends no more than are wanted, and no links', async () => {
    const api = harness.api.as(creator)
    const counted = await api.call(routes.librarySelection, { query: {} })
    expect(counted).toEqual({ count: all.length, items: [] })
    const two = await api.call(routes.librarySelection, { query: { limit: 2 } })
    expect(two.items.map(({ _id }) => _id)).toEqual([items.private, items.promoted])
    expect(two.count).toBe(all.length)
    expect(two.items[0]).toMatchObject({ title: 'For you', directOnly: true, creatorId: creator.id })
    expect(JSON.stringify(two)).not.toContain('/files/')
    const visitor = harness.api.visitor().send('GET', '/media/managemedia/selection')
    expect((await visitor).status).toBe(401)
  })

  it('tells the name of the file that an item came from, until another replaces it', async () => {
    const named = await buildMedia(harness, creator, { title: 'Named' })
    const { db } = harness.context
    const at = { created_at: new Date(), updated_at: new Date(), expires_at: new Date() }
    const upload = { owner_id: creator.id, status: 'ready' as const, ...at }
    const first = { ...upload, id: named, file_name: 'IMG_2034.HEIC' }
    await db.insertInto('uploads').values(first).execute()
    const names = async () => {
      const { items: shown } = await harness.api.as(creator).call(routes.manageMedia, { query: {} })
      return shown.map(({ _id, fileName }) => (_id === named ? fileName : (fileName ?? 'none')))
    }
    expect(await names()).toEqual(['IMG_2034.HEIC', ...all.map(() => 'none')])
    await db.deleteFrom('uploads').where('id', '=', named).execute()
    await db.deleteFrom('media').where('id', '=', named).execute()
  })

  it('comes page by page, narrowed too', async () => {
    const api = harness.api.as(creator)
    const query = { tagIds: [tags.beach, tags.night], limit: 2 }
    const first = await api.call(routes.manageMedia, { query })
    const cursor = first.nextCursor ?? undefined
    const second = await api.call(routes.manageMedia, { query: { ...query, cursor } })
    expect([...first.items, ...second.items].map(({ _id }) => _id)).toEqual([
      items.sold,
      items.gif,
      items.picture,
    ])
    expect(second).toMatchObject({ hasMore: false, nextCursor: null })
  })
})

describe('with 6,000 items', () => {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const now = new Date('2026-06-01T12:00:00Z')
  let watched: Db
  let owner: Person
  let tagIds: string[]

  beforeAll(async () => {
    const { db } = harness.context
    owner = await buildUser(harness, { isCreator: true, role: 'superadmin' })
    await sql`
      insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
      select 'p' || n || '@example.test', 'p' || n, 'P', 'p', 'x', true, 'r' || n, ${now}
      from generate_series(1, 20) n`.execute(db)
    await sql`insert into tags (name, created_at) select 'Tag ' || n, ${now} from generate_series(1, 2000) n`.execute(
      db,
    )
    tagIds = (await sql<{ id: string }>`select id from tags order by name limit 3`.execute(db)).rows.map(
      ({ id }) => id,
    )
    await sql`
      insert into media (creator_id, type, title, width, height, thumbhash, variants, bytes, tag_ids, created_at, deleted_at)
      select creators.id, case n % 4 when 0 then 'video' else 'image' end, 'Item ' || n, 640, 480, 'x', '[]', 1,
        array[(array(select id from tags order by name))[n % 50 + 1]], ${now}::timestamptz - make_interval(mins => n::int),
        case n % 5 when 0 then ${now}::timestamptz - make_interval(mins => n::int) end
      from generate_series(1, 6000) n
      join (select id, row_number() over (order by id) - 1 as place from users where username ~ '^p\\d' or id = ${owner.id}) creators
        on creators.place = n % 21`.execute(db)
    await sql`update media set deleted_by = creator_id where deleted_at is not null`.execute(db)
    await sql`vacuum analyze media, media_tags, tags, users`.execute(db)
    watched = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: createPool(harness.databaseUrl, { max: 1, onError: () => {} }) }),
      log: ({ query }) => {
        statements.push({ sql: query.sql, parameters: query.parameters })
      },
    })
  })
  afterAll(() => watched?.destroy())

  type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

  /** The plan of the one statement of this read, node by node. */
  async function planOf(read: (viewer: never) => Promise<unknown>): Promise<Plan[]> {
    statements.length = 0
    await read({ ...audienceOf(null, NOWHERE), id: owner.id } as never)
    const [statement, ...more] = statements
    expect(more).toEqual([])
    const client = createPool(harness.databaseUrl, { max: 1, onError: () => {} })
    try {
      const { rows } = await client.query(`explain (format json) ${statement?.sql}`, [
        ...(statement?.parameters ?? []),
      ])
      return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    } finally {
      await client.end()
    }
  }

  /** The large tables that the one statement of this read scans from end to end. */
  async function scannedWhole(read: (viewer: never) => Promise<unknown>): Promise<string[]> {
    const nodes = await planOf(read)
    expect(nodes.some((node) => node['Node Type'].includes('Index'))).toBe(true)
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
    return whole
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => table === 'media' || table === 'media_tags')
  }

  const page = { limit: 15 }
  const cursor = Buffer.from('1780000000.000001|01890000-0000-7000-8000-000000000001').toString('base64url')
  const filters: [string, () => Partial<LibraryFilter>][] = [
    ['nothing', () => ({})],
    ['words', () => ({ search: 'item 12' })],
    ['a tag', () => ({ tagIds: tagIds.slice(0, 1) })],
    ['three tags', () => ({ tagIds })],
    ['a type', () => ({ type: 'embed' })],
    ['a visibility', () => ({ visibility: 'store' })],
    ['all of it', () => ({ search: 'item', tagIds, type: 'image', visibility: 'locked' })],
  ]
  it.each(filters)('the library narrowed to %s reads by index only', async (_, filter) => {
    for (const at of [page, { ...page, cursor }]) {
      const request = { filter: { tagIds: [], ...filter() }, page: at, now }
      expect(await scannedWhole((viewer) => listLibrary(watched, viewer, request))).toEqual([])
    }
  })

  it('the pickers, searched, read by index only', async () => {
    const request = { filter: { search: 'item 12', type: 'image' }, onlyIds: null, page, now } as const
    expect(await scannedWhole((viewer) => listChoices(watched, viewer, request))).toEqual([])
  })

  it('the deleted items stand in their order already, of one person alone', async () => {
    const [first] = await listDeleted(watched, { ...audienceOf(null, NOWHERE), id: owner.id } as never, {
      page,
      now,
    })
    const after = Buffer.from(first?.position ?? '').toString('base64url')
    for (const at of [page, { ...page, cursor: after }]) {
      const nodes = await planOf((viewer) => listDeleted(watched, viewer, { page: at, now }))
      expect(nodes.filter((node) => node['Relation Name'] === 'media')).toEqual([
        expect.objectContaining({ 'Node Type': 'Index Scan', 'Index Name': 'media_restorable' }),
      ])
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
    }
  })

  it.each([
    ['everything', undefined],
    ['images', 'image'],
    ['videos', 'video'],
  ] as const)('the operator’s list of %s reads by index only', async (_, type) => {
    expect(await scannedWhole((viewer) => listUploaded(watched, viewer, { type, page, now }))).toEqual([])
  })
})
