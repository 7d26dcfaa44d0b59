import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { createPool, type Tables } from '../../../db/client.ts'
import { buildCreator, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { track } from './actions.ts'

let harness: Harness
let creator: Person
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  operator = await buildUser(harness, { role: 'superadmin' })
  await buildSubreddits(harness, ['Dahlias', 'Asters', 'Camellias', 'Begonias'])
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)
const INFO = {
  srName: 'Asters',
  srTagIds: [] as string[],
  verificationType: 'required' as const,
  notes: 'Evenings only',
  womenOnly: 'unknown' as const,
  toysAllowed: false,
  sexActsAllowed: false,
  watermarkType: 'not allowed' as const,
  malesAllowed: 'true' as const,
  boyAndGirlRequired: false,
  couplesOnly: false,
  sellingAccountsAllowed: true,
  ocSettings: 'ocOnly' as const,
  categorized: true,
  pfMaxPosts: 1,
  pfIntervalAmount: 24,
  pfIntervalUnit: 'hours' as const,
  rpfMaxPosts: null,
  rpfIntervalAmount: null,
  rpfIntervalUnit: null,
  faceRequired: true,
}
const names = async (query: Record<string, unknown>, person = creator) =>
  (await as(person).call(routes.searchCategorizedSubreddits, { query: query as never })).items.map(
    ({ name }) => name,
  )

describe('what operators note of a subreddit', () => {
  test('is kept whole, shown to everybody logged in, and in the audit log without its texts', async () => {
    const [tag] = (await as(creator).call(routes.subredditTags, {})).items
    const body = { ...INFO, srTagIds: [tag?._id ?? ''] }
    const saved = await as(operator).call(routes.editSubreddit, { body })
    expect(saved).toMatchObject({
      name: 'Asters',
      verificationType: 'required',
      notes: 'Evenings only',
      postFrequency: { maxPosts: 1, intervalAmount: 24, intervalUnit: 'hours' },
      repostFrequency: null,
      srTagIds: [tag?._id],
      faceRequired: true,
      state: 'unread',
    })
    const fan = await buildUser(harness)
    const { items } = await as(creator).call(routes.searchSubreddits, { query: { search: 'asters' } })
    const { description: _, state: __, readAt: ___, changed: ____, ...notes } = saved
    expect(items).toEqual([{ ...notes, status: null, confirmed: null }])
    expect(await as(fan).call(routes.subreddit, { params: { subreddit: 'asters' } })).toEqual(saved)
    const { detail } = await harness.context.db
      .selectFrom('audit_log')
      .select('detail')
      .where('action', '=', 'subreddit.edited')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(detail)).not.toContain('Evenings')
  })

  test('stays where it isn’t sent, so that nobody takes back what another operator saved', async () => {
    const body = { srName: 'Asters', couplesOnly: true }
    const saved = await as(operator).call(routes.editSubreddit, { body })
    expect(saved).toMatchObject({
      notes: 'Evenings only',
      couplesOnly: true,
      postFrequency: { maxPosts: 1, intervalAmount: 24, intervalUnit: 'hours' },
      srTagIds: [expect.any(String)],
    })
    await as(operator).call(routes.editSubreddit, { body: { srName: 'Asters', couplesOnly: false } })
    expect(await as(operator).call(routes.editSubreddit, { body: { srName: 'Asters' } })).toEqual({
      ...saved,
      couplesOnly: false,
    })
  })

  test('begins to track one that nobody named before', async () => {
    await as(operator).call(routes.editSubreddit, {
      body: { ...INFO, srName: '/r/Foxgloves', categorized: false },
    })
    expect(await names({ search: 'fox', categorized: 'no' })).toEqual(['Foxgloves'])
  })

  test.each([
    ['half an interval', { pfIntervalUnit: null }],
    ['a name with spaces', { srName: 'two words' }],
    ['another verification type', { verificationType: 'maybe' }],
    ['no posts at all', { pfMaxPosts: 0 }],
  ])('is refused with %s', async (_, wrong) => {
    const answer = await as(operator).send('POST', '/reddit/srinfo/edit', {
      body: { ...INFO, notes: 'Changed', ...wrong },
    })
    expect(answer.status).toBe(400)
    const kept = await as(creator).call(routes.subreddit, { params: { subreddit: 'Asters' } })
    expect(kept.notes).toBe('Evenings only')
  })

  test('names no tag that isn’t there', async () => {
    const body = { ...INFO, notes: 'Changed', srTagIds: [creator.id] }
    const answer = await as(operator).send('POST', '/reddit/srinfo/edit', { body })
    expect(answer).toMatchObject({ status: 404, body: { code: 'subreddit_tag_not_found' } })
    expect((await as(creator).call(routes.subreddit, { params: { subreddit: 'Asters' } })).notes).toBe(
      'Evenings only',
    )
  })

  test('is theirs alone to change', async () => {
    for (const path of ['edit', 'import', 'delete']) {
      const body = path === 'import' ? { names: ['Tulips'] } : { ...INFO, notes: 'Mine' }
      expect((await as(creator).send('POST', `/reddit/srinfo/${path}`, { body })).status).toBe(403)
    }
    expect((await as(creator).send('POST', '/reddit/srtags', { body: { name: 'Mine' } })).status).toBe(403)
    expect(await names({ search: 'tulips' })).toEqual([])
  })
})

describe('the table of tracked subreddits', () => {
  test('comes the largest first or by name, page by page', async () => {
    const all = async (sortBy: string) => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await as(creator).call(routes.searchSubreddits, {
          query: { sortBy, limit: 2, cursor, search: 'a' } as never,
        })
        found.push(...page.items.map(({ name }) => name))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return found
    }
    expect(await all('subscribers')).toEqual(['Dahlias', 'Asters', 'Camellias', 'Begonias'])
    expect(await all('name')).toEqual(['Asters', 'Begonias', 'Camellias', 'Dahlias'])
  })

  test('passes by every filter', async () => {
    const [first, second] = (await as(creator).call(routes.subredditTags, {})).items
    await as(operator).call(routes.editSubreddit, {
      body: {
        ...INFO,
        srName: 'Camellias',
        srTagIds: [first?._id ?? '', second?._id ?? ''],
        verificationType: 'other',
        ocSettings: 'noOc',
        malesAllowed: 'false',
        womenOnly: 'true',
        couplesOnly: true,
        boyAndGirlRequired: true,
        sellingAccountsAllowed: false,
      },
    })
    const passes: Record<string, unknown>[] = [
      { verificationSetting: 'other' },
      { ocSettings: 'noOc' },
      { malesAllowed: 'false' },
      { womenOnly: 'true' },
      { couplesOnly: 'true' },
      { boyAndGirlRequired: 'true' },
      { srTagIds: [first?._id, second?._id] },
    ]
    for (const query of passes) expect(await names(query), JSON.stringify(query)).toEqual(['Camellias'])
    expect(await names({ sellingAccountsAllowed: 'true', categorized: 'yes' })).toEqual(['Asters'])
    expect(await names({ srTagIds: [first?._id], sortBy: 'name' })).toEqual(['Asters', 'Camellias'])
    expect(await names({ srTagIds: [first?._id], excludeTagIds: [second?._id] })).toEqual(['Asters'])
    expect(await names({ search: 'r/CAM' })).toEqual(['Camellias'])
    expect(await names({ search: '%' })).toEqual([])
  })

  test('shows one’s own verification and no other’s', async () => {
    const other = await buildCreator(harness)
    await as(other).call(routes.updateVerification, {
      body: { srName: 'Dahlias', status: 'done', confirmed: 'true' },
    })
    const row = async (person: Person) =>
      (await as(person).call(routes.searchSubreddits, { query: { search: 'dahlias' } })).items[0]
    expect(await row(other)).toMatchObject({ status: 'done', confirmed: 'true' })
    expect(await row(creator)).toMatchObject({ status: null, confirmed: null })
    expect(await names({ status: 'done' }, other)).toEqual(['Dahlias'])
    expect(await names({ status: 'done' })).toEqual([])
    expect(await names({ status: 'none', search: 'dahlias' })).toEqual(['Dahlias'])
    expect(await names({ status: 'none', search: 'dahlias' }, other)).toEqual([])
  })
})

test('the same subreddits tracked at once in another order never wait for each other', async () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ name: `Meadow${index}` }))
  const now = harness.clock.now()
  // Without the product’s retries, which would hide that two waited for each other.
  const pool = createPool(harness.databaseUrl, { max: 3, onError: () => {} })
  const plain = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const { tracked } = await plain.transaction().execute(async (tx) => {
    await track(tx, many.slice(10, 11), now)
    const tracked = [many, many.toReversed()].map((order) =>
      plain.transaction().execute((other) => track(other, order, now)),
    )
    await expect.poll(() => waitingForLocks(harness.context.db)).toBe(2)
    return { tracked: Promise.allSettled(tracked) }
  })
  const added = (await tracked).map((each) => (each.status === 'fulfilled' ? each.value.length : each.reason))
  expect(added.toSorted()).toEqual([0, 19])
  await plain.destroy()
})

test('a subreddit that is removed while somebody chooses it isn’t found', async () => {
  await buildSubreddits(harness, ['Vanishing'])
  const { db } = harness.context
  const { _id: listId } = await as(creator).call(routes.createSubredditList, { body: { title: 'Chosen' } })
  const choices = [
    () =>
      as(creator).send('POST', '/reddit/updateusersrinfo', { body: { srName: 'Vanishing', status: 'todo' } }),
    () =>
      as(creator).send('POST', '/reddit/srlists/update', {
        body: { listId, title: 'Chosen', subreddits: ['Vanishing'], removeFromSearch: false },
      }),
  ]
  const answers = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('subreddits').where('name', '=', 'Vanishing').execute()
    const asked = choices.map((choose) => choose())
    await expect.poll(() => waitingForLocks(db)).toBe(2)
    return asked
  })
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ status: 404, body: { code: 'subreddit_not_found' } })
})

test('a subreddit that a creator uses stays; another can be removed', async () => {
  await buildSubreddits(harness, ['Peonies', 'Poppies'])
  await as(creator).call(routes.updateVerification, { body: { srName: 'Peonies', status: 'todo' } })
  const remove = (srName: string) => as(operator).send('POST', '/reddit/srinfo/delete', { body: { srName } })
  expect(await remove('Peonies')).toMatchObject({ status: 409, body: { code: 'subreddit_in_use' } })
  expect((await remove('poppies')).status).toBe(200)
  expect(await names({ search: 'p', sortBy: 'name' })).toContain('Peonies')
  expect(await names({ search: 'poppies' })).toEqual([])
})

test('a subreddit on a timeline, or closed for an account, stays too', async () => {
  await buildSubreddits(harness, ['Marigolds', 'Petunias'])
  const poster = await buildCreator(harness)
  const { _id: account } = await connectForum(harness, poster, 'Sower')
  const postId = await buildPost(harness, poster, { subreddits: ['Marigolds'] })
  const { _id } = await as(poster).call(routes.createTimelineItem, {
    body: {
      ...{ postId, selectedSubreddit: 'Marigolds', title: 'A quiet lake', comment: '' },
      postTime: new Date(harness.clock.now().getTime() + 3_600_000).toISOString(),
    },
  })
  const { db } = harness.context
  await db.deleteFrom('forum_post_subreddits').where('post_id', '=', postId).execute()
  expect(_id).toBeTruthy()
  const closed = await db.selectFrom('subreddits').select('id').where('name', '=', 'Petunias').execute()
  await db
    .insertInto('forum_closed_pairs')
    .values(
      closed.map(({ id }) => ({
        ...{ account_id: account, subreddit_id: id, code: 'FORBIDDEN', message: '' },
        closed_at: harness.clock.now(),
      })),
    )
    .execute()
  for (const srName of ['Marigolds', 'Petunias'])
    expect(await as(operator).send('POST', '/reddit/srinfo/delete', { body: { srName } })).toMatchObject({
      status: 409,
      body: { code: 'subreddit_in_use' },
    })
})

test('a tag is added once, whatever letters are capital, of twenty at once too', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      as(operator).call(routes.addSubredditTag, { body: { name: index % 2 ? 'MEADOWS' : 'Meadows' } }),
    ),
  )
  expect(new Set(answers.map(({ _id }) => _id)).size).toBe(1)
  // The database has another small letter for this one.
  const izmir = () => as(operator).call(routes.addSubredditTag, { body: { name: 'İzmir' } })
  expect(await izmir()).toEqual(await izmir())
})
