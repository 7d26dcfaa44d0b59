import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  lookUpDue,
  postOnForum,
  submitDue,
} from '../../../../testing/promotion.ts'

const MINUTE_MS = 60_000
let harness: Harness
let names = 0
beforeAll(async () => {
  harness = await startHarness()
  await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  await buildSubreddits(harness, ['Lanterns', 'Gardens'])
})
beforeEach(() => forumAdmin(harness, 'DELETE', 'faults'))
afterAll(() => harness?.stop())

type Poster = { person: Person; account: string; api: ReturnType<Harness['api']['as']> }
async function buildPoster(): Promise<Poster> {
  const person = await buildCreator(harness)
  const account = `ByHand${names++}`
  await connectForum(harness, person, account)
  return { person, account, api: harness.api.as(person) }
}

/** Schedules a post that is made by hand, and lets its time come. */
async function waitFor({ person, api }: Pick<Poster, 'person' | 'api'>, comment = '') {
  const title = `A quiet lake ${names++}`
  const postId = await buildPost(harness, person, { subreddits: ['Lanterns'], titles: [title] })
  const item = await api.call(routes.createTimelineItem, {
    body: {
      postId,
      selectedSubreddit: 'Lanterns',
      title,
      comment,
      byHand: true,
      postTime: new Date(harness.clock.now().getTime() + MINUTE_MS).toISOString(),
    },
  })
  later(1)
  await submitDue(harness)
  const { items } = await api.call(routes.timeline, { query: { postId } })
  const url = new URL(items[0]?.submitUrl ?? '').searchParams.get('url') ?? ''
  return { ...item, ...items[0], _id: item._id, post: { subreddit: 'Lanterns', title, url } }
}

const later = (minutes: number) => harness.clock.advance(minutes * MINUTE_MS)
async function find({ api }: Pick<Poster, 'api'>, id: string) {
  const { items } = await api.call(routes.timeline, { query: { limit: 60 } })
  return items.find(({ _id }) => _id === id)
}
const confirmLink = ({ api }: Pick<Poster, 'api'>, itemId: string, link: string) =>
  api.send('POST', '/reddit/timeline/item/confirm', { body: { itemId, link } })
const confirm = (poster: Pick<Poster, 'api'>, itemId: string, path: string) =>
  confirmLink(poster, itemId, `https://www.reddit.com${path}`)
const postsOf = async ({ account }: Poster) =>
  (await forumPosts(harness)).filter(({ author }) => author === account)

test('a post that is made by hand is asked for at its time, and its link brings everything else', async () => {
  const poster = await buildPoster()
  const stranger = await buildPoster()
  const item = await waitFor(poster)
  await submitDue(harness)
  expect(await postsOf(poster)).toEqual([])
  const { items } = await poster.api.call(routes.notifications, { query: {} })
  expect(items.filter(({ event }) => event.kind === 'post.changed')).toHaveLength(1)
  expect(item).toMatchObject({ state: 'waiting', byHand: true })
  expect(item.submitUrl).toContain(
    `/r/Lanterns/submit?${new URLSearchParams({ type: 'LINK', title: item.post.title })}`,
  )
  const path = await postOnForum(harness, poster.account, item.post)
  expect((await confirm(poster, item._id, '/other')).status).toBe(400)
  expect((await confirm(poster, item._id, path.replace('Lanterns', 'Gardens'))).status).toBe(400)
  expect((await confirm(stranger, item._id, path)).status).toBe(404)
  expect(await find(poster, item._id)).toMatchObject({ state: 'waiting' })
  expect((await confirm(poster, item._id, path)).body).toMatchObject({ state: 'posted' })
  const twin = await waitFor(poster)
  expect(await confirm(poster, twin._id, path)).toMatchObject({
    status: 409,
    body: { code: 'forum_link_used' },
  })
})

test('a post can be made by hand without an account', async () => {
  const person = await buildCreator(harness)
  const item = await waitFor({ person, api: harness.api.as(person) })
  expect(item).toMatchObject({ state: 'waiting', byHand: true, account: null })
})

describe('the link of', () => {
  test('somebody else’s post is refused, and so is one that isn’t there or is in another subreddit', async () => {
    const poster = await buildPoster()
    const stranger = await buildPoster()
    const item = await waitFor(poster)
    const foreign = await postOnForum(harness, stranger.account, item.post)
    expect(await confirm(poster, item._id, foreign)).toMatchObject({
      status: 409,
      body: { code: 'forum_post_of_other' },
    })
    expect(await confirm(poster, item._id, '/r/Lanterns/comments/zzzzzz/x')).toMatchObject({
      status: 404,
      body: { code: 'forum_post_not_found' },
    })
    expect(await find(poster, item._id)).toMatchObject({ state: 'waiting' })
  })

  test('a phone finds its post where it is the short one, and is told which works where it is one to share', async () => {
    const poster = await buildPoster()
    const item = await waitFor(poster)
    const path = await postOnForum(harness, poster.account, item.post)
    const id = path.split('/')[4] ?? ''
    for (const link of [
      'https://www.reddit.com/r/Lanterns/s/aB3dE5fG7h',
      'https://reddit.com/u/ByHand/s/aB3dE5fG7h?x=1',
    ])
      expect(await confirmLink(poster, item._id, link)).toMatchObject({
        status: 400,
        body: { code: 'forum_link_shared' },
      })
    for (const link of [`https://v.redd.it/${id}`, `https://i.redd.it/${id}.jpg`, `https://redd.it/${id}/x`])
      expect(await confirmLink(poster, item._id, link)).toMatchObject({
        status: 400,
        body: { code: 'forum_link_invalid' },
      })
    expect(await confirmLink(poster, item._id, `https://redd.it/${id}?share=1`)).toMatchObject({
      status: 200,
      body: { state: 'posted', permalink: expect.stringContaining(path) },
    })
  })

  test('a post can be confirmed although somebody else did so while the forum was down', async () => {
    const [poster, stranger] = [await buildPoster(), await buildPoster()]
    const [mine, theirs] = [await waitFor(poster), await waitFor(stranger)]
    const path = await postOnForum(harness, poster.account, mine.post)
    await forumAdmin(harness, 'POST', 'faults', {
      kind: 'status',
      status: 503,
      path: '/api/info',
      times: null,
    })
    expect((await confirm(stranger, theirs._id, path)).status).toBe(200)
    await forumAdmin(harness, 'DELETE', 'faults')
    expect(await confirm(poster, mine._id, path)).toMatchObject({ status: 200, body: { state: 'posted' } })
  })
})

describe('the first comment of a post that is made by hand', () => {
  test('stands there to be copied, with its link, and is sent once the post is found', async () => {
    const poster = await buildPoster()
    const item = await waitFor(poster, 'More here: {link}')
    expect(item.commentToPaste).toMatch(/^More here: http.*\/go\/\w+$/)
    await confirm(poster, item._id, await postOnForum(harness, poster.account, item.post))
    await submitDue(harness)
    const [post] = await postsOf(poster)
    expect(post?.comments).toEqual([{ author: poster.account, body: item.commentToPaste }])
    expect(await find(poster, item._id)).toMatchObject({ commentState: 'posted' })
  })

  test('isn’t sent where its person sent it already', async () => {
    const poster = await buildPoster()
    const item = await waitFor(poster, 'More here')
    const path = await postOnForum(harness, poster.account, item.post)
    const [post] = await postsOf(poster)
    await forumAdmin(harness, 'POST', 'comments', {
      from: poster.account,
      parent: post?.name,
      body: 'More here',
    })
    await confirm(poster, item._id, path)
    await submitDue(harness)
    expect((await postsOf(poster))[0]?.comments).toHaveLength(1)
    expect(await find(poster, item._id)).toMatchObject({ commentState: 'posted' })
  })
})

describe('a post that its person made', () => {
  test('is found by itself, with everything that follows', async () => {
    const poster = await buildPoster()
    const item = await waitFor(poster, 'Hello')
    await postOnForum(harness, poster.account, item.post)
    later(6)
    await submitDue(harness)
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      commentState: 'posted',
      permalink: expect.stringContaining('/comments/'),
    })
  })

  test('is looked for ever more seldom, and not after a week', async () => {
    const poster = await buildPoster()
    await waitFor(poster)
    await forumAdmin(harness, 'DELETE', 'requests')
    const searches = async () =>
      (await forumAdmin<{ count: number }>(harness, 'GET', `requests?path=/user/${poster.account}/submitted`))
        .count
    for (let hour = 0; hour < 24; hour++) {
      later(60)
      await submitDue(harness)
    }
    const day = await searches()
    expect(day).toBeGreaterThan(3)
    expect(day).toBeLessThan(24)
    later(8 * 24 * 60)
    await submitDue(harness)
    await forumAdmin(harness, 'DELETE', 'requests')
    later(24 * 60)
    await submitDue(harness)
    expect(await searches()).toBe(0)
  })

  test('is looked for no further once the forum answers for nobody, and keeps no due post waiting', async () => {
    const posters = await Promise.all(Array.from({ length: 5 }, buildPoster))
    for (const poster of posters) await waitFor(poster)
    const due = await buildPoster()
    const postId = await buildPost(harness, due.person, { subreddits: ['Lanterns'] })
    const postTime = new Date(harness.clock.now().getTime() + MINUTE_MS).toISOString()
    await due.api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: 'Lanterns', title: 'Due', comment: '', postTime },
    })
    later(30)
    await forumAdmin(harness, 'DELETE', 'requests')
    await forumAdmin(harness, 'POST', 'faults', { kind: 'status', status: 503, path: '/user/', times: null })
    const searches = async () => {
      const { items } = await forumAdmin<{ items: { path: string }[] }>(
        harness,
        'GET',
        'requests?path=/user/',
      )
      return new Set(items.map(({ path }) => path)).size
    }
    await harness.server.jobs['posts.submit']({}, { attempt: 1, lastAttempt: false })
    expect(await searches()).toBe(0)
    expect(await postsOf(due)).toHaveLength(1)
    await lookUpDue(harness)
    expect(await searches()).toBe(3)
  })
})
