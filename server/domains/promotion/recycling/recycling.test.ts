import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { Input } from '../../../../contract/route.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  openSubreddits,
  submitDue,
} from '../../../testing/promotion.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
let harness: Harness
let names: string[]
let accounts = 0
beforeAll(async () => {
  harness = await startHarness()
  await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  names = await openSubreddits(harness)
  await buildSubreddits(harness, names)
})
afterAll(() => harness?.stop())

const run = { attempt: 1, lastAttempt: false }
const recycle = () => harness.server.jobs['posts.recycle']({}, run)
const takeDown = () => harness.server.jobs['posts.take-down']({}, run)
const follow = () => harness.server.jobs['posts.follow']({}, run)
const wait = (ms: number) => harness.clock.advance(ms)

async function buildPoster() {
  const person = await buildCreator(harness)
  const account = `Recycler${accounts++}`
  await connectForum(harness, person, account)
  const api = harness.api.as(person)
  const item = async (id: string) =>
    (await api.call(routes.timeline, { query: { limit: 60 } })).items.find(({ _id }) => _id === id)
  return {
    person,
    api,
    item,
    rules: (body: Input<typeof routes.editQueue>['body']) => api.call(routes.editQueue, { body }),
    own: async () => (await forumPosts(harness)).filter(({ author }) => author === account),
    /** Puts a post up in a subreddit; its title says whether moderators remove it. */
    async posts(subreddit: string, title = 'A quiet lake') {
      const postId = await buildPost(harness, person, { subreddits: [subreddit], titles: [title] })
      return { postId, itemId: await this.again(postId, subreddit) }
    },
    async again(postId: string, subreddit: string) {
      const postTime = new Date(harness.clock.now().getTime() + 60_000).toISOString()
      const { _id } = await api.call(routes.createTimelineItem, {
        body: { postId, selectedSubreddit: subreddit, postTime },
      })
      wait(120_000)
      await submitDue(harness)
      return _id
    },
    places: async (postId: string) => {
      const { usableSubreddits, postedSubreddits } = await api.call(routes.post, {
        params: { redditPostId: postId },
      })
      return { usable: usableSubreddits, posted: postedSubreddits.map(({ subreddit }) => subreddit) }
    },
  }
}

/** Gives the post of this title its score, and has it looked at. */
async function scores(poster: Awaited<ReturnType<typeof buildPoster>>, title: string, score: number) {
  const entry = (await poster.own()).findLast((post) => post.title === title)
  await forumAdmin(harness, 'POST', `posts/${entry?.name}/score`, { score })
  wait(3 * HOUR_MS)
  await follow()
}

test('a post that did well can be used again after the days that were set, and not before; no other', async () => {
  const poster = await buildPoster()
  const [place = ''] = names
  const well = await poster.posts(place, 'A good pond')
  const badly = await poster.posts(place, 'A bad pond')
  const removed = await poster.posts(place, 'A pond [moderator]')
  await scores(poster, 'A good pond', 90_000)
  await scores(poster, 'A pond [moderator]', 90_000)
  await scores(poster, 'A bad pond', -90_000)
  await recycle()
  wait(7 * DAY_MS)
  await recycle()
  expect(await poster.places(well.postId)).toEqual({ usable: [], posted: [place] })
  await poster.rules({ recycleDays: 14, recycleMinScore: 1000 })
  await recycle()
  expect(await poster.places(well.postId)).toEqual({ usable: [], posted: [place] })
  wait(7 * DAY_MS)
  await recycle()
  expect(await poster.places(well.postId)).toEqual({ usable: [place], posted: [] })
  for (const { postId } of [badly, removed])
    expect(await poster.places(postId)).toEqual({ usable: [], posted: [place] })
  // It goes up a second time, though the link stands there already.
  const again = await poster.again(well.postId, place)
  expect(await poster.item(again)).toMatchObject({ state: 'posted' })
  expect((await poster.own()).filter(({ title }) => title === 'A good pond')).toHaveLength(2)
  const history = await poster.api.call(routes.postHistory, {
    params: { redditPostId: well.postId },
    query: {},
  })
  expect(history.items.map(({ _id }) => _id)).toEqual([again, well.itemId])
})

test('another post of a link that stands there goes up as well', async () => {
  const poster = await buildPoster()
  const [place = ''] = names
  const link = 'https://www.redgifs.com/watch/StillPond'
  const [first, second] = await Promise.all(
    ['A pond at dawn', 'A pond at dusk'].map((title) =>
      buildPost(harness, poster.person, { subreddits: [place], titles: [title], link }),
    ),
  )
  await poster.again(first ?? '', place)
  wait(2 * DAY_MS)
  const again = await poster.again(second ?? '', place)
  expect(await poster.item(again)).toMatchObject({ state: 'posted' })
  expect((await poster.own()).map(({ title }) => title).sort()).toEqual(['A pond at dawn', 'A pond at dusk'])
})

test('a post that stayed below the score is deleted on the forum after its hours, once, and nobody else’s', async () => {
  const [place = '', other = ''] = names
  const poster = await buildPoster()
  const neighbor = await buildPoster()
  const badly = await poster.posts(place, 'A dull pond')
  const well = await poster.posts(other, 'A bright pond')
  const theirs = await neighbor.posts(place, 'A neighbor’s pond')
  await scores(poster, 'A bright pond', 90_000)
  await scores(poster, 'A dull pond', -90_000)
  await scores(neighbor, 'A neighbor’s pond', -90_000)
  const preview = (below: number, afterHours: number) =>
    poster.api.call(routes.removalPreview, { query: { below, afterHours } })
  expect(await preview(1, 6)).toEqual({ count: 1 })
  expect(await preview(1, 72)).toEqual({ count: 0 })
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: null, removedBy: null })
  await poster.rules({ removeBelow: 1, removeAfterHours: 24 })
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: null })
  wait(20 * HOUR_MS)
  await forumAdmin(harness, 'POST', 'faults', { path: '/api/del', kind: 'status', times: 1 })
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: null })
  await takeDown()
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: expect.any(String) })
  await follow()
  expect(await poster.item(badly.itemId)).toMatchObject({ removedBy: 'deleted' })
  for (const [whose, id] of [
    [poster, well.itemId],
    [neighbor, theirs.itemId],
  ] as const)
    expect(await whose.item(id)).toMatchObject({ takenDownAt: null, removedBy: null })
  expect(await preview(1, 1)).toEqual({ count: 0 })
  // Deleting one's own post isn't shown as a removal by the subreddit.
  const { items } = await poster.api.call(routes.notifications, { query: {} })
  expect(items.filter(({ event }) => event.kind === 'post.changed')).toEqual([])
})

test('a post that the forum doesn’t let its account delete keeps no later one, and is asked for a day later', async () => {
  const [one = '', two = ''] = names
  const poster = await buildPoster()
  const first = await poster.posts(one, 'A locked pond')
  const second = await poster.posts(two, 'A plain pond')
  await scores(poster, 'A locked pond', -90_000)
  await scores(poster, 'A plain pond', -90_000)
  await poster.rules({ removeBelow: 1, removeAfterHours: 1 })
  wait(2 * HOUR_MS)
  const isDown = async ({ itemId }: typeof first) => (await poster.item(itemId))?.takenDownAt !== null
  const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', { path: '/api/del', ...body })
  await fault({ kind: 'status', status: 403, times: 1 })
  await takeDown()
  expect([await isDown(first), await isDown(second)]).toEqual([false, true])
  await takeDown()
  expect(await isDown(first)).toBe(false)
  wait(25 * HOUR_MS)
  await takeDown()
  expect(await isDown(first)).toBe(true)
})

test('a post that is still up after its deletion isn’t called deleted, and the account that made it is asked a day later', async () => {
  const [place = ''] = names
  const poster = await buildPoster()
  const { itemId } = await poster.posts(place, 'A stubborn pond')
  const author = (await poster.item(itemId))?.account
  const other = await connectForum(harness, poster.person, `Recycler${accounts++}`)
  // As of a link that was pasted while the forum couldn't say whose it is.
  const item = harness.context.db.updateTable('scheduled_posts').where('id', '=', itemId)
  await item.set({ account_id: other._id }).execute()
  await scores(poster, 'A stubborn pond', -90_000)
  await poster.rules({ removeBelow: 1, removeAfterHours: 1 })
  await takeDown()
  expect(await poster.item(itemId)).toMatchObject({ takenDownAt: expect.any(String), account: other.name })
  await follow()
  await takeDown()
  expect(await poster.item(itemId)).toMatchObject({ takenDownAt: null, removedBy: null, account: author })
  expect(await poster.own()).toHaveLength(1)
  wait(25 * HOUR_MS)
  await takeDown()
  await follow()
  expect(await poster.item(itemId)).toMatchObject({ takenDownAt: expect.any(String), removedBy: 'deleted' })
})

test('a token that can’t be renewed while the forum is down counts as the forum’s, not the post’s', async () => {
  const [one = ''] = names
  const poster = await buildPoster()
  const badly = await poster.posts(one, 'A far pond')
  await scores(poster, 'A far pond', -90_000)
  await poster.rules({ removeBelow: 1, removeAfterHours: 1 })
  wait(2 * DAY_MS)
  await forumAdmin(harness, 'POST', 'faults', {
    path: '/api/v1/access_token',
    kind: 'status',
    status: 503,
    times: null,
  })
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: null })
  await forumAdmin(harness, 'DELETE', 'faults')
  await takeDown()
  expect(await poster.item(badly.itemId)).toMatchObject({ takenDownAt: expect.any(String) })
})

test('the history of a post has what others of the same picture did, page by page, and nothing of anybody else’s', async () => {
  const poster = await buildPoster()
  const [one = '', two = '', three = ''] = names
  const link = 'https://www.redgifs.com/watch/SharedPond'
  const first = await buildPost(harness, poster.person, { subreddits: [one, two], titles: ['First'], link })
  const second = await buildPost(harness, poster.person, { subreddits: [three], titles: ['Second'], link })
  await poster.again(first, one)
  await poster.again(second, three)
  await poster.again(first, two)
  const history = (redditPostId: string, query: { limit?: number; cursor?: string } = {}) =>
    poster.api.call(routes.postHistory, { params: { redditPostId }, query })
  const page = await history(first, { limit: 2 })
  const rest = await history(first, { limit: 2, cursor: page.nextCursor ?? '' })
  const all = [...page.items, ...rest.items]
  expect(all.map(({ subreddit, ofOtherPost }) => [subreddit, ofOtherPost])).toEqual([
    [two, false],
    [three, true],
    [one, false],
  ])
  expect(rest.hasMore).toBe(false)
  const stranger = harness.api.as(await buildCreator(harness))
  await expect(
    stranger.call(routes.postHistory, { params: { redditPostId: first }, query: {} }),
  ).rejects.toMatchObject({ code: 'post_not_found' })
})
