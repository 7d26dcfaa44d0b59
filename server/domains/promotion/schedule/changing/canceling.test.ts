import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  submitDue,
} from '../../../../testing/promotion.ts'

const MINUTE_MS = 60_000
let harness: Harness
let names = 0
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, ['Lanterns', 'Ceramics'])
})
beforeEach(() => forumAdmin(harness, 'DELETE', 'faults'))
afterAll(() => harness?.stop())

const later = (minutes: number) => harness.clock.advance(minutes * MINUTE_MS)

/** A post of a new creator that is scheduled in r/Lanterns, ten minutes from now. */
async function buildScheduled(more: { byHand?: boolean } = {}) {
  const person: Person = await buildCreator(harness)
  const account = `Restorer${names++}`
  await connectForum(harness, person, account)
  const api = harness.api.as(person)
  const postId = await buildPost(harness, person, { subreddits: ['Lanterns'] })
  const create = (body: object = {}) =>
    api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: 'Lanterns', title: 'A quiet lake', ...body },
    })
  const postTime = new Date(harness.clock.now().getTime() + 10 * MINUTE_MS).toISOString()
  const { _id: itemId } = await create({ comment: 'Hello', postTime, ...more })
  const timeline = async () => (await api.call(routes.timeline, { query: { limit: 60 } })).items
  const post = () => api.call(routes.post, { params: { redditPostId: postId } })
  return {
    ...{ person, api, account, itemId, create, timeline, post },
    cancel: () => api.call(routes.cancelTimelineItem, { body: { itemId } }),
    restore: () => api.call(routes.restoreTimelineItem, { body: { itemId } }),
    up: async () => (await forumPosts(harness)).filter(({ author }) => author === account),
  }
}

test('a post that was taken off is put back as it was, and its subreddit is no candidate again', async () => {
  const { timeline, post, cancel, restore } = await buildScheduled()
  const before = await timeline()
  await cancel()
  expect(await timeline()).toEqual([])
  expect(await restore()).toMatchObject({ state: 'scheduled', comment: 'Hello' })
  expect(await timeline()).toEqual(before)
  expect(await post()).toMatchObject({ usableSubreddits: [], subredditsOnTimeline: ['Lanterns'] })
  await expect(restore()).rejects.toMatchObject({ status: 404, code: 'timeline_item_not_found' })
})

test('one whose time has come meanwhile goes to the end of the queue, not up at once', async () => {
  const { cancel, restore, up } = await buildScheduled()
  await cancel()
  later(30)
  const { postTime, state } = await restore()
  expect([state, Date.parse(postTime) > harness.clock.now().getTime()]).toEqual(['scheduled', true])
  await submitDue(harness)
  expect(await up()).toEqual([])
})

test('one that waits for its person waits again', async () => {
  const { cancel, restore, timeline } = await buildScheduled({ byHand: true })
  later(10)
  await submitDue(harness)
  const before = await timeline()
  expect(before).toMatchObject([{ state: 'waiting' }])
  await cancel()
  await restore()
  expect(await timeline()).toEqual(before)
})

test.each([
  [
    'failed',
    { kind: 'refuse', code: 'SUBREDDIT_NOTALLOWED_BANNED', message: 'Banned.' },
    { state: 'failed', failure: { code: 'SUBREDDIT_NOTALLOWED_BANNED' } },
  ],
  ['nobody is sure of', { kind: 'drop' }, { state: 'unknown', failure: { code: 'unconfirmed' } }],
])('one that %s is put back as such, and never sent by that', async (_, fault, expected) => {
  const { account, timeline, cancel, restore, up } = await buildScheduled()
  await forumAdmin(harness, 'POST', 'faults', { ...fault, path: '/api/submit', account, times: 1 })
  for (let round = 0; round < 4; round++) {
    later(round === 0 ? 10 : 3)
    await submitDue(harness)
  }
  const before = await timeline()
  expect(before).toMatchObject([expected])
  await cancel()
  await restore()
  expect(await timeline()).toEqual(before)
  later(24 * 60)
  await submitDue(harness)
  expect(await up()).toEqual([])
})

test('one whose account was disconnected meanwhile waits for that account, whichever other there is', async () => {
  const { person, api, account, cancel, restore, timeline, up } = await buildScheduled()
  await cancel()
  const [left] = (await api.call(routes.forumAccounts, {})).items
  await api.call(routes.disconnectForum, { body: { accountId: left?._id ?? '' } })
  await connectForum(harness, person, `${account}Other`)
  expect(await restore()).toMatchObject({
    state: 'failed',
    account: null,
    failure: { code: 'disconnected', remedy: 'reconnect' },
  })
  await connectForum(harness, person, account)
  expect(await timeline()).toMatchObject([{ state: 'scheduled', account, failure: null }])
  later(10)
  await submitDue(harness)
  expect(await up()).toHaveLength(1)
})

test('one that was scheduled again meanwhile stays off, and so does another person’s', async () => {
  const { itemId, create, timeline, cancel, restore } = await buildScheduled()
  const stranger = harness.api.as(await buildCreator(harness))
  await cancel()
  await expect(stranger.call(routes.restoreTimelineItem, { body: { itemId } })).rejects.toMatchObject({
    code: 'timeline_item_not_found',
  })
  const again = await create()
  await expect(restore()).rejects.toMatchObject({ status: 409, code: 'post_on_timeline' })
  expect((await timeline()).map(({ _id }) => _id)).toEqual([again._id])
})

test('of twenty that put it back at once one does', async () => {
  const { timeline, cancel, restore } = await buildScheduled()
  await cancel()
  const results = await Promise.allSettled(Array.from({ length: 20 }, restore))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await timeline()).toHaveLength(1)
})
