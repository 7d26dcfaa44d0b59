import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { MAX_SUBREDDITS_NAMED } from '../../../../contract/promotion.ts'
import { buildCreator, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'

let harness: Harness
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
  await buildSubreddits(harness, ['Asters', 'Begonias', 'Camellias'])
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)
const create = (person: Person, titles = ['A title', 'Another']) =>
  as(person).call(routes.createPost, { body: { titles, comment: 'Hello', link: 'quietlake' } })
const edit = (person: Person, redditPostId: string, body: object) =>
  as(person).call(routes.editPost, { params: { redditPostId }, body })

test('a post keeps its link as the embed URL, its titles in order, and its subreddits as they were chosen', async () => {
  const { _id: id } = await create(creator)
  expect(await as(creator).call(routes.post, { params: { redditPostId: id } })).toEqual({
    _id: id,
    userId: creator.id,
    title: 'A title',
    testTitles: false,
    titles: ['A title', 'Another'],
    link: 'https://www.redgifs.com/ifr/quietlake',
    mediaId: null,
    offerId: null,
    comment: 'Hello',
    nsfw: true,
    hidden: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    usableSubreddits: [],
    discardedSubreddits: [],
    subredditsOnTimeline: [],
    postedSubreddits: [],
    usableSubredditsCount: 0,
    subredditsOnTimelineCount: 0,
    postedSubredditsCount: 0,
  })
  await edit(creator, id, { usableSubreddits: ['camellias', 'Asters'], discardedSubreddits: ['Begonias'] })
  const moved = await edit(creator, id, { usableSubreddits: ['Camellias', 'Asters', 'Begonias'] })
  expect(moved).toMatchObject({
    usableSubreddits: ['Camellias', 'Asters', 'Begonias'],
    discardedSubreddits: [],
    comment: 'Hello',
  })
  const discarded = await edit(creator, id, { discardedSubreddits: ['Camellias'] })
  expect(discarded).toMatchObject({
    usableSubreddits: ['Asters', 'Begonias'],
    discardedSubreddits: ['Camellias'],
  })
  const renamed = await edit(creator, id, {
    titles: ['New'],
    comment: '',
    link: 'https://www.redgifs.com/watch/OtherLake',
  })
  expect(renamed).toMatchObject({
    titles: ['New'],
    comment: '',
    link: 'https://www.redgifs.com/ifr/otherlake',
  })
})

test('a refused change changes nothing', async () => {
  const { _id: id } = await create(creator)
  const refusals = [
    { link: 'https://example.test/elsewhere' },
    { titles: [] },
    { titles: ['x'.repeat(301)] },
    { usableSubreddits: ['not a name'] },
    { titles: ['Changed'], link: 'https://redgifs.com.example/watch/lake' },
  ]
  for (const body of refusals) {
    const answer = await as(creator).send('POST', `/reddit/post/edit/${id}`, { body })
    expect(answer.status, JSON.stringify(body)).toBe(400)
  }
  expect(await as(creator).call(routes.post, { params: { redditPostId: id } })).toMatchObject({
    titles: ['A title', 'Another'],
    link: 'https://www.redgifs.com/ifr/quietlake',
  })
})

test('a post of somebody else isn’t there', async () => {
  const { _id: id } = await create(creator)
  const stranger = await buildCreator(harness)
  const answers = [
    await as(stranger).send('GET', `/reddit/post/${id}`),
    await as(stranger).send('POST', `/reddit/post/edit/${id}`, { body: { comment: 'Mine now' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  expect(await as(creator).call(routes.post, { params: { redditPostId: id } })).toMatchObject({
    comment: 'Hello',
  })
})

test('posts are listed page by page, the newest first, one’s own alone', async () => {
  const person = await buildCreator(harness)
  for (const title of ['one', 'two', 'three']) {
    harness.clock.advance(1000)
    await create(person, [title])
  }
  const first = await as(person).call(routes.posts, { query: { limit: 2 } })
  const second = await as(person).call(routes.posts, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(['three', 'two', 'one'])
  expect(second.hasMore).toBe(false)
})

test('a list names the first subreddits of each post and counts them all', async () => {
  const person = await buildCreator(harness)
  const many = Array.from({ length: MAX_SUBREDDITS_NAMED + 5 }, (_, index) => `Clover${index + 10}`)
  await buildSubreddits(harness, many)
  const { _id: id } = await create(person)
  await edit(person, id, { usableSubreddits: many, discardedSubreddits: ['Asters'] })
  await as(person).call(routes.createTimelineItem, {
    body: { postId: id, selectedSubreddit: 'Clover12', byHand: true },
  })
  const whole = await as(person).call(routes.post, { params: { redditPostId: id } })
  expect(whole).toMatchObject({
    usableSubreddits: many.filter((name) => name !== 'Clover12'),
    usableSubredditsCount: many.length - 1,
    subredditsOnTimelineCount: 1,
    postedSubredditsCount: 0,
  })
  const { items } = await as(person).call(routes.posts, { query: {} })
  const usableSubreddits = whole.usableSubreddits.slice(0, MAX_SUBREDDITS_NAMED)
  expect(items).toEqual([{ ...whole, usableSubreddits }])
})

test('changes at once leave each subreddit in one place', async () => {
  const { _id: id } = await create(creator)
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      edit(creator, id, index % 2 ? { usableSubreddits: ['Asters'] } : { discardedSubreddits: ['Asters'] }),
    ),
  )
  const { usableSubreddits, discardedSubreddits } = await as(creator).call(routes.post, {
    params: { redditPostId: id },
  })
  expect([...usableSubreddits, ...discardedSubreddits]).toEqual(['Asters'])
})
