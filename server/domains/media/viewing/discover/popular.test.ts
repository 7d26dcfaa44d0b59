import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import type { Api } from '../../../../testing/api.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildPlan,
  buildUser,
  type Person,
} from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import { insertPurchase } from '../../../../testing/purchases.ts'

const oregon = { 'x-country': 'US', 'x-region': 'Oregon' }
const SECOND_MS = 1000

let harness: Harness
let tagId: string
let fan: Person
const people: Record<'loved' | 'liked' | 'unknown' | 'hidden' | 'blocking' | 'abroad', Person> = {} as never
/** A title is the creator’s name and the item’s place, the newest first. */
const FREE = { mustUnlock: false, showInSearch: true } as const

beforeAll(async () => {
  harness = await startHarness({
    environment: {
      TRUST_PROXY: 'loopback',
      SANDBOX_TOKEN: 'only the operator knows',
      GEO_COUNTRY_HEADER: 'x-country',
      GEO_REGION_HEADER: 'x-region',
    },
  })
  const { db, clock } = harness.context
  tagId = (await db.selectFrom('tags').select('id').orderBy('id').executeTakeFirstOrThrow()).id
  fan = await buildFan(harness)
  for (const name of ['loved', 'liked', 'unknown', 'hidden', 'blocking', 'abroad'] as const)
    people[name] = await buildCreator(harness, { username: name })
  for (const name of ['unknown', 'liked', 'loved', 'hidden', 'blocking', 'abroad'] as const)
    for (const place of [3, 2, 1]) {
      await shows(people[name], `${name} ${place}`, place === 2 ? 'video' : 'image')
      clock.advance(SECOND_MS)
    }
  // Twelve followers for `loved` and for those who are hidden, five for `liked`, none for `unknown`.
  const followers = await Promise.all(Array.from({ length: 12 }, () => buildFan(harness)))
  for (const name of ['loved', 'hidden', 'blocking', 'abroad'] as const)
    await followedBy(people[name], followers)
  await followedBy(people.liked, followers.slice(0, 5))
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
  await counts()
})
afterAll(() => harness?.stop())

async function shows(creator: Person, title: string, type: 'image' | 'video' = 'image') {
  const id = await buildMedia(harness, creator, { ...FREE, title, type })
  await harness.context.db
    .updateTable('media')
    .set({ tag_ids: [tagId] })
    .where('id', '=', id)
    .execute()
  return id
}

function followedBy(creator: Person, fans: Person[]) {
  const created_at = harness.clock.now()
  const rows = fans.map(({ id }) => ({ follower_id: id, following_id: creator.id, created_at }))
  return harness.context.db.insertInto('follows').values(rows).execute()
}

const counts = () => harness.server.jobs['popularity.count']({}, { attempt: 1, lastAttempt: true })

type Filter = { sort?: 'new' | 'popular'; type?: 'image' | 'video'; tagIds?: string[] }
type Page = { limit?: number; skip?: number; cursor?: string }
const discover = (api: Api, filter: Filter, page: Page = {}) =>
  api.call(routes.discover, { query: { limit: 60, tagIds: [], ...filter, ...page } }, { headers: oregon })
const titlesOf = (list: { items: { title: string }[] }) => list.items.map(({ title }) => title)

const POPULAR = [
  ...['loved 1', 'loved 2', 'liked 1', 'loved 3'],
  ...['liked 2', 'liked 3', 'unknown 1', 'unknown 2', 'unknown 3'],
]

describe('discover by what is popular', () => {
  it.each([
    ['everything', false],
    ['of a tag', true],
  ])('gives each creator places by how many fans they have, their newest first: %s', async (_, tagged) => {
    const filter: Filter = { sort: 'popular', ...(tagged ? { tagIds: [tagId] } : {}) }
    for (const api of [harness.api.as(fan), harness.api.as(people.abroad)]) {
      const shown = titlesOf(await discover(api, filter))
      expect(shown.filter((title) => POPULAR.includes(title))).toEqual(POPULAR)
      expect(shown.some((title) => title.startsWith('hidden'))).toBe(false)
    }
    expect(titlesOf(await discover(harness.api.as(fan), filter))).toEqual(POPULAR)
    const visitors = titlesOf(await discover(harness.api.visitor(), filter))
    expect(visitors.filter((title) => title.startsWith('blocking'))).toHaveLength(3)
    expect(visitors.filter((title) => /^(hidden|abroad)/.test(title))).toEqual([])
  })

  it.each([
    ['popular', undefined, false],
    ['popular', 'video', false],
    ['popular', 'image', true],
    ['new', 'image', false],
    ['new', 'video', true],
    ['popular', undefined, true],
  ] as const)(
    'comes in the same pages by cursor and by skip: %s, %s, a tag: %s',
    async (sort, type, tagged) => {
      const api = harness.api.as(fan)
      const filter = { sort, ...(type ? { type } : {}), ...(tagged ? { tagIds: [tagId] } : {}) }
      const all = titlesOf(await discover(api, filter))
      expect(all).toHaveLength(type === 'video' ? 3 : type === 'image' ? 6 : 9)
      if (type) expect(all.every((title) => title.endsWith('2') === (type === 'video'))).toBe(true)
      const [byCursor, bySkip]: [string[], string[]] = [[], []]
      let cursor: string | undefined
      do {
        const page = await discover(api, filter, { limit: 2, ...(cursor ? { cursor } : {}) })
        byCursor.push(...titlesOf(page))
        cursor = page.nextCursor ?? undefined
        bySkip.push(...titlesOf(await discover(api, filter, { limit: 2, skip: bySkip.length })))
      } while (cursor)
      expect(byCursor).toEqual(all)
      expect(bySkip).toEqual(all)
    },
  )

  it('is kept apart for visitors from what is new and from the other kind', async () => {
    const visitor = harness.api.visitor()
    const lists = await Promise.all(
      [{}, { sort: 'popular' }, { type: 'video' }, { sort: 'popular', type: 'image' }, { type: 'image' }].map(
        async (filter) => titlesOf(await discover(visitor, filter as Filter)).join(),
      ),
    )
    expect(new Set(lists).size).toBe(lists.length)
  })

  it('refuses a place of the other order, and what it does not know', async () => {
    const api = harness.api.as(fan)
    const { nextCursor } = await discover(api, { sort: 'popular' }, { limit: 2 })
    // An item's popularity would tell how many fans its creator has.
    expect(Buffer.from(nextCursor ?? '', 'base64url').toString()).toMatch(/^[0-9a-f-]{36}$/)
    for (const query of [{ cursor: nextCursor }, { sort: 'cheap' }, { type: 'embed' }, { sort: '' }])
      expect((await api.send('GET', '/media/discover', { query })).status, JSON.stringify(query)).toBe(400)
  })

  it('counts a person once, whatever they did, and nobody whose purchase was given back', async () => {
    const { db, clock } = harness.context
    const now = clock.now()
    const creator = await buildCreator(harness)
    const item = await buildMedia(harness, creator, FREE)
    const buyers = await Promise.all([0, 1, 2].map(() => buildFan(harness)))
    for (const [index, { id }] of buyers.entries())
      await insertPurchase(db, {
        buyer_id: id,
        creator_id: creator.id,
        kind: 'single',
        item_id: item,
        amount_cents: 100,
        status: index === 2 ? 'refunded' : 'captured',
        created_at: now,
      })
    await followedBy(creator, buyers.slice(0, 1))
    await counts()
    const { fans } = await db
      .selectFrom('creator_popularity')
      .select('fans')
      .where('creator_id', '=', creator.id)
      .executeTakeFirstOrThrow()
    expect(fans).toBe(2)
    await db.updateTable('media').set({ deleted_at: now }).where('id', '=', item).execute()
  })

  it('waits for nobody who is editing an item', async () => {
    const { db } = harness.context
    const item = await shows(people.unknown, 'unknown 0')
    await followedBy(people.unknown, [fan])
    const popularity = async () =>
      (await db.selectFrom('media').select('popularity').where('id', '=', item).executeTakeFirstOrThrow())
        .popularity
    await db.transaction().execute(async (tx) => {
      await sql`select from media where id = ${item} for update`.execute(tx)
      await counts()
    })
    expect(await popularity()).toBe('0')
    await counts()
    expect(await popularity()).toBe('7')
    await db.deleteFrom('media').where('id', '=', item).execute()
  })
})

describe('a count', () => {
  /** So many items of a creator, the newest first, which no count has seen yet. */
  async function many(creator: Person, count: number) {
    const { db } = harness.context
    const first = await shows(creator, 'one of many')
    const { rows } = await sql<{ id: string }>`
      insert into media (creator_id, type, title, width, height, thumbhash, variants, bytes, show_in_search, must_unlock, created_at)
      select creator_id, type, title, width, height, thumbhash, variants, bytes, show_in_search, must_unlock, created_at - n * interval '1 s'
      from media, generate_series(1, ${count - 1}::int) as n where id = ${first} order by n returning id`.execute(
      db,
    )
    return [first, ...rows.map(({ id }) => id)]
  }

  it('holds no item that it has counted: nobody’s takedown waits for the rest', async () => {
    const { db } = harness.context
    const operator = await buildUser(harness, { role: 'superadmin' })
    const creator = await buildCreator(harness)
    await followedBy(creator, [fan])
    const ids = await many(creator, 150)
    const [newest = '', oldest = ''] = [ids[0], ids.at(-1)]
    // All changes made with the last item are done before its trigger, which waits until it is released.
    await sql
      .raw(`create function wait_for_test() returns trigger language plpgsql as $$ begin
        perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(4711); return null; end $$;
        create trigger wait_for_test after update of popularity on media
          for each row when (new.id = '${oldest}') execute function wait_for_test()`)
      .execute(db)
    const waiting = sql`select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
    let counting: Promise<void> | undefined
    await db.connection().execute(async (one) => {
      await sql`select pg_advisory_lock(4711)`.execute(one)
      try {
        counting = counts()
        await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1)
        await sql`select from media where id = ${newest} for update nowait`.execute(db)
        await harness.api
          .as(operator)
          .call(routes.quarantineMedia, { body: { mediaId: newest, reason: 'A complaint' } })
        expect((await waiting.execute(db)).rows).toHaveLength(1)
      } finally {
        await sql`select pg_advisory_unlock(4711)`.execute(one)
      }
    })
    await counting
    await sql`drop trigger wait_for_test on media; drop function wait_for_test()`.execute(db)
    await db.deleteFrom('media').where('id', 'in', ids).execute()
  })

  it('writes again only what has another place, and goes on where one ended', async () => {
    const { db } = harness.context
    await counts()
    const versions = async () =>
      (await sql<{ xmin: string }>`select xmin::text from media order by id`.execute(db)).rows
    const before = await versions()
    await counts()
    expect(await versions()).toEqual(before)
    const creator = await buildCreator(harness)
    const item = await shows(creator, 'behind where the count has come')
    await followedBy(creator, [fan])
    const popularity = async () =>
      (await db.selectFrom('media').select('popularity').where('id', '=', item).executeTakeFirstOrThrow())
        .popularity
    await db.updateTable('popularity_run').set({ counted_to: creator.id }).execute()
    await counts()
    expect(await popularity()).toBe('0')
    await counts()
    expect(await popularity()).toBe('7')
    await db.deleteFrom('media').where('id', '=', item).execute()
  })
})

describe('the row of creators', () => {
  const creators = async (api: Api, headers = oregon as Record<string, string>) =>
    (await api.call(routes.creators, {}, { headers })).creators.map(({ username }) => username)

  it('lists the creators whom the viewer can see, the most popular first', async () => {
    const nobodyElse = (names: string[]) => names.filter((name) => name in people)
    expect(nobodyElse(await creators(harness.api.as(fan)))).toEqual(['loved', 'liked', 'unknown'])
    const visitors = nobodyElse(await creators(harness.api.visitor()))
    expect(visitors.slice(0, 2).toSorted()).toEqual(['blocking', 'loved'])
    expect(visitors.slice(2)).toEqual(['liked', 'unknown'])
    const elsewhere = await creators(harness.api.visitor(), { 'x-country': 'DE' })
    expect(elsewhere).toEqual(expect.arrayContaining(['abroad', 'blocking', 'loved']))
    expect(elsewhere).not.toContain('hidden')
  })

  it('has nobody whom the viewer blocked, whoever is suspended, and who stopped creating', async () => {
    const { db, clock } = harness.context
    const viewer = await buildFan(harness)
    const [blocked, suspended, stopped] = await Promise.all([0, 1, 2].map(() => buildCreator(harness)))
    for (const person of [blocked, suspended, stopped]) await buildMedia(harness, person as Person, FREE)
    const api = harness.api.as(viewer)
    const names = [blocked, suspended, stopped].map((person) => person?.username ?? '')
    expect(await creators(api)).toEqual(expect.arrayContaining(names))
    await api.call(routes.block, { body: { blockedId: blocked?.id ?? '' } })
    const operator = await buildUser(harness, { role: 'superadmin' })
    await db
      .updateTable('users')
      .set({ suspended_at: clock.now(), suspension_reason: 'A test', suspended_by: operator.id })
      .where('id', '=', suspended?.id ?? '')
      .execute()
    await db
      .updateTable('users')
      .set({ is_creator: false })
      .where('id', '=', stopped?.id ?? '')
      .execute()
    clock.advance(SECOND_MS)
    for (const who of [api, harness.api.visitor()]) {
      const shown = await creators(who)
      expect(shown).toContain('loved')
      expect(shown.filter((name) => names.slice(who === api ? 0 : 1).includes(name))).toEqual([])
    }
  })

  it('has a creator from their first published item on, and no longer than they have one', async () => {
    const { db, clock } = harness.context
    const api = harness.api.as(fan)
    const creator = await buildCreator(harness)
    const item = await buildMedia(harness, creator, { published: false })
    expect(await creators(api)).not.toContain(creator.username)
    await db.updateTable('media').set({ must_unlock: false }).where('id', '=', item).execute()
    expect(await creators(api)).toContain(creator.username)
    await db.updateTable('media').set({ deleted_at: clock.now() }).where('id', '=', item).execute()
    expect(await creators(api)).not.toContain(creator.username)
  })

  it('says of a creator what a row shows and nothing else', async () => {
    const { db } = harness.context
    await db
      .updateTable('profiles')
      .set({ profile_image: 'p.webp' })
      .where('user_id', '=', people.loved.id)
      .execute()
    const { creators: found } = await harness.api.as(fan).call(routes.creators, {}, { headers: oregon })
    expect(found[0]).toEqual({
      _id: people.loved.id,
      username: 'loved',
      profileImage: `/files/profile/${people.loved.id}/p.webp`,
      monthPrice: null,
    })
  })

  it('says what a month of their cheapest subscription costs, of those that are sold', async () => {
    const creator = await buildCreator(harness)
    await buildMedia(harness, creator, FREE)
    const seen = async () =>
      (await harness.api.as(fan).call(routes.creators, {})).creators.find(({ _id }) => _id === creator.id)
        ?.monthPrice
    expect(await seen()).toBeNull()
    await buildPlan(harness, creator, { priceCents: 1250 })
    const subscriptionId = await buildPlan(harness, creator, { priceCents: 725 })
    expect(await seen()).toBe('$7.25')
    await harness.api.as(creator).call(routes.retireSubscription, { body: { subscriptionId, retired: true } })
    expect(await seen()).toBe('$12.50')
  })
})

it('an item in discover says whose it is, with their picture where they have one, and stays light', async () => {
  const { db } = harness.context
  const creator = await buildCreator(harness, { username: 'a_name_of_usual_length' })
  const name = '0190a0a0-0000-7000-8000-000000000000.webp'
  for (let index = 0; index < 16; index++)
    await buildMedia(harness, creator, { ...FREE, title: 'A title of quite usual length for one' })
  const read = async () => {
    const answer = await harness.api.as(fan).send('GET', '/media/discover', { headers: oregon })
    return answer.body as { items: Record<string, unknown>[] }
  }
  expect((await read()).items[0]).toMatchObject({ profileImage: null })
  await db.updateTable('profiles').set({ profile_image: name }).where('user_id', '=', creator.id).execute()
  const page = await read()
  expect(page.items[0]).toMatchObject({
    username: creator.username,
    profileImage: `/files/profile/${creator.id}/${name}`,
  })
  expect(page.items).toHaveLength(15)
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(9000)
  const found = await harness.api.as(fan).call(routes.search, { query: { query: 'usual length' } })
  expect(found.items[0]).toMatchObject({ profileImage: `/files/profile/${creator.id}/${name}` })
})
