import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { CANDIDATE_ORDERS } from '../../../../contract/promotion.ts'
import { buildCreator, buildFan, buildMedia, buildSession, type Person } from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { expectDueEarnings } from './actions.ts'

const HOUR_MS = 3_600_000
const PLACES = ['CozyKnits', 'GardenPortraits', 'QuietKilns', 'SlowBread']

let harness: Harness
let names = 0
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, PLACES)
})
afterAll(() => harness?.stop())

async function buildPoster() {
  const person = await buildCreator(harness)
  await connectForum(harness, person, `Ranker${names++}`)
  return { person, api: harness.api.as(person) }
}
type Poster = Awaited<ReturnType<typeof buildPoster>>

/** A post that went up an hour ago; answers the code of its link. */
async function posted({ person, api }: Poster, subreddit: string, removedBy: string | null = null) {
  const postId = await buildPost(harness, person, { subreddits: [subreddit] })
  const postTime = new Date(harness.clock.now().getTime() + 60_000 * ++names).toISOString()
  const { _id } = await api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, title: 'A quiet lake', postTime },
  })
  const at = new Date(harness.clock.now().getTime() - HOUR_MS)
  const { rows } = await sql<{ code: string }>`
    update scheduled_posts set state = 'posted', post_at = ${at}, posted_at = ${at}, removed_by = ${removedBy}
    where id = ${_id} returning code`.execute(harness.context.db)
  return rows[0]?.code ?? ''
}

async function sell(creator: Person, code: string): Promise<void> {
  const fan = await buildFan(harness)
  const api = harness.api.as({ token: await buildSession(harness, fan.id) })
  await api.call(routes.visitPost, { body: { code } })
  const itemId = await buildMedia(harness, creator, { showInStore: true, priceCents: 700 })
  await api.call(routes.purchase, { body: { kind: 'single', itemId, ...(await cardToken(harness)) } })
}

const candidates = async ({ api }: Poster, query: object = {}) =>
  (await api.call(routes.scheduleCandidates, { query: { limit: 60, ...query } })).items
const orderBy = ({ api }: Poster, candidateOrder: (typeof CANDIDATE_ORDERS)[number]) =>
  api.call(routes.editQueue, { body: { candidateOrder } })

const nameOf = ({ _id, subreddit }: { _id: string; subreddit: string }) => `${_id} ${subreddit}`

async function pageByPage({ api }: Poster, limit: number): Promise<string[]> {
  let cursor: string | undefined
  const names: string[] = []
  do {
    const query = { limit, ...(cursor ? { cursor } : {}) }
    const page = await api.call(routes.scheduleCandidates, { query })
    names.push(...page.items.map(nameOf))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return names
}

test('a shuffled queue has every candidate once, each post once in a round, in an order of chance that stays', async () => {
  const poster = await buildPoster()
  const posts = await Promise.all(
    Array.from({ length: 9 }, () => buildPost(harness, poster.person, { subreddits: PLACES })),
  )
  const chosen = (await candidates(poster)).map(nameOf)
  await orderBy(poster, 'shuffled')
  const shuffled = await candidates(poster)
  expect(shuffled.map(nameOf).toSorted()).toEqual(chosen.toSorted())
  expect(shuffled.map(nameOf)).not.toEqual(chosen)
  for (let round = 0; round < PLACES.length; round += 1) {
    const once = shuffled.slice(round * posts.length, (round + 1) * posts.length).map(({ _id }) => _id)
    expect(once.toSorted()).toEqual(posts.toSorted())
  }
  expect(new Set(shuffled.slice(0, posts.length).map(({ subreddit }) => subreddit)).size).toBeGreaterThan(1)
  expect(await pageByPage(poster, 4)).toEqual(shuffled.map(nameOf))
  await orderBy(poster, 'roundRobin')
  expect((await candidates(poster)).map(nameOf)).toEqual(chosen)
})

test('the best-earning subreddit of each post comes first where the queue goes by earnings, page by page', async () => {
  const poster = await buildPoster()
  const { person, api } = poster
  const [cozy, garden, , slow] = PLACES as [string, string, string, string]
  await posted(poster, slow)
  await sell(person, await posted(poster, garden))
  const first = await buildPost(harness, person, { subreddits: PLACES })
  const second = await buildPost(harness, person, { subreddits: [slow, cozy] })
  const places = async () =>
    (await candidates(poster)).map(({ _id, subreddit }) => [_id === first ? 'first' : 'second', subreddit])
  const chosen = await places()
  expect(chosen.slice(0, 2)).toEqual([
    ['second', slow],
    ['first', cozy],
  ])
  await orderBy(poster, 'earnings')
  // Where nothing went up yet a post is worth what all are on average.
  expect(await places()).toEqual([
    ['second', cozy],
    ['first', garden],
    ['second', slow],
    ['first', cozy],
    ['first', 'QuietKilns'],
    ['first', slow],
  ])
  const told = await candidates(poster)
  expect(told.map(({ expected }) => expected)).toEqual([null, '$4.08', '$2.92', null, null, '$2.92'])
  expect(await pageByPage(poster, 2)).toEqual(told.map(nameOf))
  // A plan takes the first of them.
  const plan = await api.call(routes.planCandidates, { body: { limit: 2 } })
  expect(plan.rows.map(({ postId, subreddit }) => [postId, subreddit])).toEqual([
    [second, cozy],
    [first, garden],
  ])
  await orderBy(poster, 'roundRobin')
  expect(await places()).toEqual(chosen)
  expect((await candidates(poster)).every(({ expected }) => expected === null)).toBe(true)
})

test('what is expected is worked out again after a day, of who goes by it and nobody else', async () => {
  const [poster, other] = [await buildPoster(), await buildPoster()]
  await orderBy(poster, 'earnings')
  await orderBy(other, 'earnings')
  await orderBy(other, 'roundRobin')
  const [cozy] = PLACES as [string]
  for (const one of [poster, other]) {
    await sell(one.person, await posted(one, cozy))
    await buildPost(harness, one.person, { subreddits: [cozy] })
  }
  const expected = async (of: Poster) => {
    const api = harness.api.as({ ...of.person, token: await buildSession(harness, of.person.id) })
    return (await candidates({ ...of, api }))[0]?.expected
  }
  await expectDueEarnings(harness.context)
  expect(await expected(poster)).toBeNull()
  harness.clock.advance(25 * HOUR_MS)
  // Two workers at once come to the same.
  await Promise.all([1, 2].map(() => expectDueEarnings(harness.context)))
  expect(await expected(poster)).toBe('$7')
  expect(await expected(other)).toBeNull()
  const stored = await sql`
    select from forum_expected_earnings where user_id = ${other.person.id}`.execute(harness.context.db)
  expect(stored.rows).toEqual([])
})

test('a candidate says how many of the latest posts there were removed, of somebody’s own and of more than a few', async () => {
  const [poster, other] = [await buildPoster(), await buildPoster()]
  const [cozy, garden] = PLACES as [string, string]
  for (const removedBy of ['moderator', null, null, 'reddit', null]) await posted(poster, cozy, removedBy)
  for (let more = 0; more < 4; more++) await posted(poster, garden, 'moderator')
  for (const one of [poster, other]) await buildPost(harness, one.person, { subreddits: [cozy, garden] })
  expect((await candidates(poster)).map(({ removals }) => removals)).toEqual([{ posts: 5, removed: 2 }, null])
  expect((await candidates(other)).map(({ removals }) => removals)).toEqual([null, null])
})

test('titles that are compared are used in turn, also by many at once; a title that is named is taken', async () => {
  const poster = await buildPoster()
  const { person, api } = poster
  const titles = ['The lake', 'Five in the morning']
  const redditPostId = await buildPost(harness, person, { subreddits: PLACES, titles })
  const edit = (testTitles: boolean) =>
    api.call(routes.editPost, { params: { redditPostId }, body: { testTitles } })
  const create = (selectedSubreddit: string, title?: string) =>
    api.call(routes.createTimelineItem, {
      body: { postId: redditPostId, selectedSubreddit, ...(title ? { title } : {}) },
    })
  expect((await edit(true)).testTitles).toBe(true)
  expect((await candidates(poster))[0]).toMatchObject({ title: 'The lake', testTitles: true })
  const made = await Promise.all(PLACES.slice(0, 2).map((place) => create(place)))
  expect(made.map(({ title }) => title).sort()).toEqual([...titles].sort())
  expect((await create('QuietKilns', 'Five in the morning')).title).toBe('Five in the morning')
  expect((await candidates(poster))[0]).toMatchObject({ title: 'The lake' })
  const plan = await api.call(routes.previewPlan, {
    body: { rows: [{ postId: redditPostId, subreddit: 'SlowBread' }] },
  })
  expect(plan.rows[0]?.title).toBe('The lake')
  await edit(false)
  await api.call(routes.cancelTimelineItem, { body: { itemId: made[0]?._id ?? '' } })
  expect((await create('SlowBread')).title).toBe('The lake')
})

test('the timeline of one post has that alone, and its titles are compared for nobody else', async () => {
  const [poster, other] = [await buildPoster(), await buildPoster()]
  const { person, api } = poster
  const [one, two] = [
    await buildPost(harness, person, { subreddits: PLACES }),
    await buildPost(harness, person, { subreddits: PLACES }),
  ]
  for (const postId of [one, two])
    await api.call(routes.createTimelineItem, { body: { postId, selectedSubreddit: 'CozyKnits' } })
  const of = async (by: Poster, postId: string) =>
    (await by.api.call(routes.timeline, { query: { postId } })).items.map((item) => item.postId)
  expect(await of(poster, one)).toEqual([one])
  expect(await of(other, one)).toEqual([])
  const params = { redditPostId: one }
  expect(await api.call(routes.comparedTitles, { params })).toEqual({
    titles: [],
    verdict: expect.stringContaining('Too early'),
  })
  await expect(other.api.call(routes.comparedTitles, { params })).rejects.toMatchObject({ status: 404 })
})
