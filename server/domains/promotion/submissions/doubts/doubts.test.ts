import { describe, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { posters } from '../../../../testing/posters.ts'
import { forumAdmin, submitDue } from '../../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told } = scene

describe('an answer that never came', () => {
  test.each([
    ['the connection broke after the post went up', { kind: 'dropAfter' }],
    ['the forum answered an error after the post went up', { kind: 'statusAfter', status: 502 }],
    ['half of the answer came', { kind: 'malformed' }],
  ])('is looked up and found: %s', async (_, how) => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    await fault({ ...how, path: '/api/submit', account: poster.account, times: 1 })
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'submitting' })
    later(3)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    expect(await postsOf(poster)).toHaveLength(1)
    expect(await told(poster)).toEqual([])
  })

  test.each([
    ['the connection broke before', { kind: 'drop' }],
    ['the forum answered an error', { kind: 'status', status: 503 }],
  ])('is left to its person where nothing is found: %s', async (_, how) => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster)
    const next = await scheduleOne(poster, { title: 'The next one', minutes: 11 })
    await fault({ ...how, path: '/api/submit', account: poster.account, times: 1 })
    for (let round = 0; round < 5; round++) {
      later(round === 0 ? 10 : 3)
      await submitDue(scene.harness)
    }
    expect(await find(poster, item._id)).toMatchObject({
      state: 'unknown',
      failure: { code: 'unconfirmed', remedy: 'check' },
    })
    expect(await told(poster)).toHaveLength(1)
    // It is never sent again by itself, and keeps nothing else waiting.
    later(60)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['The next one'])
    expect(await find(poster, next._id)).toMatchObject({ state: 'posted' })
    await poster.api.call(routes.cancelTimelineItem, { body: { itemId: item._id } })
    const post = await poster.api.call(routes.post, { params: { redditPostId: item.postId } })
    expect(post).toMatchObject({ usableSubreddits: ['Lanterns'], subredditsOnTimeline: [] })
  })

  test('takes no other post of the same words for its own', async () => {
    const poster = await buildPoster()
    const earlier = await scheduleOne(poster)
    later(10)
    await submitDue(scene.harness)
    const { postId } = earlier
    await poster.api.call(routes.forgetPosted, { body: { redditPostId: postId, subreddit: 'Lanterns' } })
    await poster.api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: ['Lanterns'] },
    })
    const again = await poster.api.call(routes.createTimelineItem, {
      body: {
        postId,
        selectedSubreddit: 'Lanterns',
        title: 'A quiet lake',
        postTime: new Date(scene.harness.clock.now().getTime() + 1000).toISOString(),
      },
    })
    await fault({ kind: 'drop', path: '/api/submit', account: poster.account, times: 1 })
    for (let round = 0; round < 5; round++) {
      later(round === 0 ? 0.5 : 3)
      await submitDue(scene.harness)
    }
    expect(await find(poster, again._id)).toMatchObject({ state: 'unknown' })
    expect(await find(poster, earlier._id)).toMatchObject({ state: 'posted' })
  })

  test('keeps a comment from being doubled', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'dropAfter', path: '/api/comment', account: poster.account, times: 1 })
    for (let round = 0; round < 4; round++) {
      later(10)
      await submitDue(scene.harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })

  test('keeps a comment in doubt while nobody can look it up', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'dropAfter', path: '/api/comment', account: poster.account, times: 1 })
    await fault({ kind: 'status', status: 500, path: '/comments', account: poster.account, times: 6 })
    for (let round = 0; round < 6; round++) {
      later(30)
      await submitDue(scene.harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })

  test('lets a comment that has to wait go before the next post, however many follow', async () => {
    const poster = await buildPoster()
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { linkKarma: 1, commentKarma: 1 })
    for (let number = 0; number < 8; number++)
      await scheduleOne(poster, { title: `Number ${number}`, comment: 'Hi', minutes: 10 + number * 240 })
    later(10)
    for (let round = 0; round < 20; round++) {
      await submitDue(scene.harness)
      later(240)
    }
    const posts = await postsOf(poster)
    expect(posts.map(({ title }) => title)).toEqual(
      Array.from({ length: 8 }, (_, number) => `Number ${number}`),
    )
    expect(posts.map(({ comments }) => comments.length)).toEqual(Array(8).fill(1))
  })

  test('tries a comment again that never arrived, and never the post', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Only once' })
    await fault({ kind: 'status', status: 500, path: '/api/comment', account: poster.account, times: 2 })
    for (let round = 0; round < 6; round++) {
      later(30)
      await submitDue(scene.harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'posted' })
  })
})
