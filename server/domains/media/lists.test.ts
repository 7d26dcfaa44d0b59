import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createKeyring } from '../../crypto/keyring.ts'
import { createSigner } from '../../crypto/signer.ts'
import { createDb, createPool, type Db, type Pool, type Tables, type Tx } from '../../db/client.ts'
import { cloneTemplate } from '../../testing/template.ts'
import { type Audience, audienceOf } from '../../viewer.ts'
import { listCreatorsToFollow } from '../profiles/people/data.ts'
import { findMediaView } from './data.ts'
import { ownedMediaIds } from './entitlements/data.ts'
import { listPremium, listPremiumCreators, listUnlockedIds } from './entitlements/unlocked/data.ts'
import { listLibrary } from './library/data.ts'
import { listDeleted } from './library/deleting/data.ts'
import { searchCreators, searchItems } from './search/data.ts'
import { findDuplicates, findMediaBytes } from './uploads/data.ts'
import { listVersions } from './versions/data.ts'
import { listProfile, listStore, listUnlocks } from './viewing/data.ts'
import { countPopularity } from './viewing/discover/actions.ts'
import { listCreators, listDiscover } from './viewing/discover/data.ts'
import { listNew } from './viewing/followed/data.ts'

const CREATORS = 40
const ITEMS = 20_000
const now = new Date('2026-06-01T12:00:00Z')
const statements: { sql: string; parameters: readonly unknown[] }[] = []
let database: { url: string; drop(): Promise<void> }
let plain: Pool
let watched: Pool
let fan: Audience & { id: string }
let creatorId: string
let mediaId: string
/** Somewhere in the middle of what is popular. */
let popularId: string
let tagIds: string[]
/** Asked from a place that somebody may have blocked. */
const place = { country: 'US', region: 'Texas' }
const visitor = audienceOf(null, place)

beforeAll(async () => {
  database = await cloneTemplate(inject('databaseUrl'))
  plain = createDb(createPool(database.url, { max: 1, onError: () => {}, answerTimeoutMs: 0 }))
  watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createPool(database.url, { max: 1, onError: () => {} }) }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  // The test doesn't depend on how long it takes on a busy machine.
  await sql`set statement_timeout = 0`.execute(plain)
  await plain.transaction().execute(fill)
  await sql`analyze`.execute(plain)
  await countPopularity(plain)
  const { id } = await plain
    .selectFrom('media')
    .select('id')
    .where('popularity', '<=', '20')
    .orderBy('popularity', 'desc')
    .executeTakeFirstOrThrow()
  popularId = id
  await sql`vacuum analyze`.execute(plain)
})

afterAll(async () => {
  await plain.destroy()
  await watched.destroy()
  await database.drop()
})

/** A site with much on it, and a fan who bought a tenth of it and subscribes to a few plans, some of the same items. */
async function fill(db: Tx): Promise<void> {
  await sql`
    insert into users (email, username, first_name, reddit_username, password_hash, is_creator, referral_code, created_at)
    select 'p' || n || '@example.test', 'p' || n, 'P', 'p', 'x', n > 1, 'r' || n, ${now}
    from generate_series(1, ${CREATORS + 1}::int) n`.execute(db)
  const people = await db.selectFrom('users').select(['id', 'is_creator']).orderBy('id').execute()
  const fanId = people.find((person) => !person.is_creator)?.id ?? ''
  creatorId = people.find((person) => person.is_creator)?.id ?? ''
  fan = { ...visitor, id: fanId }
  const tags = await db.selectFrom('tags').select('id').orderBy('id').limit(3).execute()
  tagIds = tags.map(({ id }) => id)
  await sql`
    insert into media (creator_id, type, width, height, thumbhash, variants, bytes, title, tag_ids, must_unlock, show_in_search, show_in_store, created_at)
    select creators.id, case n % 4 when 0 then 'video' else 'image' end, 640, 480, 'x', '[]', 1, 'Item title' || n % 700, (${tagIds}::uuid[])[1 + n / 3 % 3:3],
      n % 3 > 0, n % 3 = 0, n % 3 = 1, ${now}::timestamptz - make_interval(mins => n::int)
    from generate_series(1, ${ITEMS}::int) n
    join (select id, row_number() over (order by id) - 1 as place from users where is_creator) creators
      on creators.place = n % ${CREATORS}::int`.execute(db)
  mediaId = (await db.selectFrom('media').select('id').orderBy('id').executeTakeFirstOrThrow()).id
  await sql`
    with plans as (
      insert into subscription_plans (creator_id, title, price_cents, created_at)
      select id, 'Plan', 999, ${now} from users, generate_series(1, 2) where is_creator
      returning id, creator_id
    ), included as (
      insert into subscription_plan_media (plan_id, media_id, position)
      select plans.id, media.id, 0 from plans join media using (creator_id) where media.must_unlock
    ), started as (
      insert into subscriptions (plan_id, fan_id, creator_id, price_cents, status, anchor_at, current_period_end, created_at)
      select id, ${fanId}, creator_id, 999, 'active', ${now}, ${now}::timestamptz + interval '1 month', ${now} from plans order by creator_id limit 5
      returning id, plan_id
    )
    insert into entitlements (user_id, source_kind, source_id, plan_id, granted_at, valid_until)
    select ${fanId}, 'subscription', id, plan_id, ${now}::timestamptz - row_number() over () / 2 * interval '4 days',
      ${now}::timestamptz + interval '1 month' from started`.execute(db)
  await sql`
    with sets as (
      insert into bundles (creator_id, title, price_cents, created_at)
      select id, 'Set', 999, ${now} from users where is_creator returning id, creator_id
    )
    insert into bundle_media (bundle_id, media_id, position)
    select sets.id, media.id, 0 from sets join media using (creator_id) where abs(hashtext(media.id::text)) % 5 = 0`.execute(
    db,
  )
  await sql`
    with granted as (
      insert into entitlements (user_id, source_kind, source_id, granted_at) select ${fanId}, 'manual', uuidv7(), ${now} returning id
    ), others as (
      insert into entitlements (user_id, source_kind, source_id, granted_at)
      select id, 'manual', uuidv7(), ${now} from users where is_creator returning id, user_id
    ), theirs as (
      insert into entitlement_media (user_id, media_id, version_id, entitlement_id, granted_at)
      select others.user_id, media.id, media.version_id, others.id, ${now} from others join media on media.creator_id <> others.user_id
      where media.show_in_store and abs(hashtext(media.id::text || others.user_id)) % 20 = 0
    )
    insert into entitlement_media (user_id, media_id, version_id, entitlement_id, granted_at)
    select ${fanId}, media.id, media.version_id, granted.id, media.created_at + interval '1 day' from granted, media
    where abs(hashtext(media.id::text)) % 10 = 0`.execute(db)
  await sql`
    with singles as (
      insert into entitlements (user_id, source_kind, source_id, granted_at)
      select users.id, 'manual', uuidv7(), ${now} from users, generate_series(1, 500) where users.is_creator returning id, user_id
    )
    insert into entitlement_media (user_id, media_id, version_id, entitlement_id, granted_at)
    select singles.user_id, item.id, item.version_id, singles.id, ${now}
    from singles, (select id, version_id from media limit 1) item`.execute(db)
  await sql`
    insert into follows (follower_id, following_id, created_at)
    select ${fanId}, id, ${now} from users where is_creator`.execute(db)
  await sql`
    insert into blocks (blocker_id, blocked_id, created_at)
    select a.id, b.id, ${now} from users a join users b on a.id <> b.id where b.id <> ${fanId}`.execute(db)
  await sql`
    insert into geo_blocks (creator_id, country, region)
    select id, 'GB', 'Region ' || n from users, generate_series(1, 50) n`.execute(db)
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The plans of everything that the read asked the database, and the tables that they scan from end to end. */
async function scannedWhole(read: (db: Db) => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await read(watched)
  expect(statements).toHaveLength(1)
  const [statement] = statements
  const client = createPool(database.url, { max: 1, onError: () => {} })
  try {
    const { rows } = await client.query(`explain (format json) ${statement?.sql}`, [
      ...(statement?.parameters ?? []),
    ])
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    expect(nodes.some((node) => node['Node Type'].includes('Index'))).toBe(true)
    return nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? '')
  } finally {
    await client.end()
  }
}

const LARGE = [
  'media',
  'entitlements',
  'entitlement_media',
  'media_versions',
  'subscription_plan_media',
  'blocks',
  'geo_blocks',
  'media_tags',
  'media_search',
  'bundle_media',
]
const page = { limit: 15 }
const popularPage = {
  limit: 15,
  get cursor() {
    return Buffer.from(popularId).toString('base64url')
  },
}
const premium = {
  showing: 'all',
  page,
  signer: createSigner(createKeyring('a secret')),
  companion: { key: 'v.test' },
  now,
} as const
const reads: [name: string, read: (db: Db) => Promise<unknown>][] = [
  ['discover for a fan', (db) => listDiscover(db, fan, { tagIds: [], page, now })],
  ['discover for a visitor', (db) => listDiscover(db, visitor, { tagIds: [], page, now })],
  ['discover, skipping', (db) => listDiscover(db, fan, { tagIds: [], page: { limit: 15, skip: 500 }, now })],
  ['discover by a tag', (db) => listDiscover(db, fan, { tagIds: tagIds.slice(0, 1), page, now })],
  ['discover by any of three tags', (db) => listDiscover(db, visitor, { tagIds, page, now })],
  [
    'what is popular for a fan',
    (db) => listDiscover(db, fan, { tagIds: [], sort: 'popular', page: popularPage, now }),
  ],
  [
    'popular videos for a visitor',
    (db) => listDiscover(db, visitor, { tagIds: [], sort: 'popular', type: 'video', page: popularPage, now }),
  ],
  ['new videos', (db) => listDiscover(db, fan, { tagIds: [], type: 'video', page, now })],
  [
    'popular photos, skipping',
    (db) =>
      listDiscover(db, fan, {
        tagIds: [],
        sort: 'popular',
        type: 'image',
        page: { limit: 15, skip: 500 },
        now,
      }),
  ],
  [
    'new videos of a tag',
    (db) => listDiscover(db, fan, { tagIds: tagIds.slice(0, 1), type: 'video', page, now }),
  ],
  [
    'what is popular of three tags',
    (db) => listDiscover(db, visitor, { tagIds, sort: 'popular', page: popularPage, now }),
  ],
  [
    'popular videos of three tags',
    (db) => listDiscover(db, fan, { tagIds, sort: 'popular', type: 'video', page: popularPage, now }),
  ],
  ['the row of creators', (db) => listCreators(db, fan)],
  ['the row of creators for a visitor', (db) => listCreators(db, visitor)],
  ['what unlocks an item', (db) => listUnlocks(db, visitor, mediaId)],
  [
    'discover by three tags, skipping',
    (db) => listDiscover(db, fan, { tagIds, page: { limit: 15, skip: 500 }, now }),
  ],
  [
    'a search for a rare word',
    (db) => searchItems(db, fan, { words: [{ anyOf: ['title7'], uses: 1 }], page, now }),
  ],
  [
    'a search for creators',
    (db) => searchCreators(db, fan, { words: [{ anyOf: ['p7'], uses: 1 }], typed: 'p7' }),
  ],
  ['a profile for a fan', (db) => listProfile(db, fan, { creatorId, filters: {}, page, now })],
  [
    'the open part of a profile',
    (db) =>
      listProfile(db, visitor, { creatorId, filters: { mustUnlock: false, showInSearch: true }, page, now }),
  ],
  ['what is new for a fan of forty', (db) => listNew(db, fan, { page, now })],
  ['a store', (db) => listStore(db, fan, { creatorId, page, now })],
  [
    'the own library',
    (db) => listLibrary(db, { ...fan, id: creatorId } as never, { filter: { tagIds: [] }, page, now }),
  ],
  ['everything unlocked', (db) => listPremium(db, fan, premium)],
  ['unlocked videos', (db) => listPremium(db, fan, { ...premium, showing: 'videos' })],
  ['what is unlocked of one creator', (db) => listPremium(db, fan, { ...premium, creator: 'P2' })],
  ['what is unlocked with some words', (db) => listPremium(db, fan, { ...premium, search: 'title7 p3' })],
  ['the creators of what is unlocked', (db) => listPremiumCreators(db, fan.id, now)],
  ['creators to follow', (db) => listCreatorsToFollow(db, { ...fan, isCreator: false })],
  ['ids of what is unlocked', (db) => listUnlockedIds(db, fan, { page, now })],
  ['one item', (db) => findMediaView(db, fan, mediaId, now)],
  ['the versions of an item', (db) => listVersions(db, fan, { mediaId, seesCurrent: true })],
  ['the own deleted items', (db) => listDeleted(db, { ...fan, id: creatorId }, { page, now })],
  ['what a person’s media take up', (db) => findMediaBytes(db, creatorId)],
  ['own files of the same content', (db) => findDuplicates(db, creatorId, ['c0ffee'])],
]

describe('with 20,000 items', () => {
  it.each(reads)('%s reads by index only, in one query', async (_, read) => {
    const whole = await scannedWhole(read)
    expect(whole.filter((table) => LARGE.includes(table))).toEqual([])
  })

  it('everything unlocked comes once, in its order, through all pages by cursor and by skip', async () => {
    const { rows } = await sql<{ id: string }>`
      select media_id as id from (
        select distinct on (media_id) media_id, since, date from (
          select media_id, granted_at as since, granted_at as date, entitlement_id from entitlement_media where user_id = ${fan.id}
          union all
          select m.id, greatest(e.granted_at, m.created_at), m.created_at, e.id
          from entitlements e join subscription_plan_media using (plan_id) join media m on m.id = media_id where e.user_id = ${fan.id}
        ) as all_of_it order by media_id, since, entitlement_id
      ) as once order by since desc, date desc, media_id desc
    `.execute(plain)
    const [byCursor, bySkip]: [string[], string[]] = [[], []]
    let cursor: string | undefined
    do {
      const answer = await listPremium(plain, fan, { ...premium, page: { limit: 60, cursor } })
      byCursor.push(...answer.items.map((item) => item._id))
      cursor = answer.nextCursor ?? undefined
    } while (cursor)
    for (const skip of [0, 60, 120, 2000]) {
      const answer = await listPremium(plain, fan, { ...premium, page: { limit: 60, skip } })
      bySkip.push(...answer.items.map((item) => item._id))
    }
    const wanted = rows.map(({ id }) => id)
    expect(wanted.length).toBeGreaterThan(2500)
    expect(byCursor).toEqual(wanted)
    expect(bySkip).toEqual([...wanted.slice(0, 180), ...wanted.slice(2000, 2060)])
  })

  it('says which of many items a fan has', async () => {
    const some = await plain.selectFrom('media').select('id').where('creator_id', '=', creatorId).execute()
    const ids = some.map(({ id }) => id)
    const owned = await ownedMediaIds(plain, fan.id, ids, now)
    const shown = await listProfile(plain, fan, { creatorId, filters: {}, page: { limit: 1000 }, now })
    expect([...owned].sort()).toEqual(
      shown
        .filter((row) => row.owned)
        .map(({ id }) => id)
        .sort(),
    )
    expect(owned.size).toBeGreaterThan(0)
    expect(owned.size).toBeLessThan(ids.length)
  })
})
