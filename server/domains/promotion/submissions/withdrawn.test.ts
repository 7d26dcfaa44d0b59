import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildMedia, buildUser } from '../../../testing/builders.ts'
import { MINUTE_MS, type Poster, posters } from '../../../testing/posters.ts'
import { submitDue } from '../../../testing/promotion.ts'
import { reauthenticatedApi } from '../../../testing/security.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told } = scene

describe('a creator who is suspended, or asked for deletion', () => {
  const suspend = async ({ person }: Poster, suspended: boolean) => {
    const set = suspended
      ? { suspended_at: scene.harness.clock.now(), suspension_reason: 'Stolen pictures' }
      : { suspended_at: null, suspension_reason: null }
    await scene.harness.context.db.updateTable('users').set(set).where('id', '=', person.id).execute()
  }

  test('posts nothing and is asked for nothing, until they are back', async () => {
    const poster = await buildPoster()
    await scheduleOne(poster)
    const byHand = await scheduleOne(poster, { byHand: true, title: 'By hand' })
    await suspend(poster, true)
    later(10)
    await submitDue(scene.harness)
    expect(await postsOf(poster)).toEqual([])
    await suspend(poster, false)
    expect(await find(poster, byHand._id)).toMatchObject({ state: 'scheduled' })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
    expect(await find(poster, byHand._id)).toMatchObject({ state: 'waiting' })
  })

  test('comments on nothing that is up already', async () => {
    const poster = await buildPoster()
    await fault({ kind: 'status', status: 500, path: '/api/comment', account: poster.account, times: 1 })
    const item = await scheduleOne(poster, { comment: 'Hello' })
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted' })
    await suspend(poster, true)
    for (let round = 0; round < 3; round++) {
      later(30)
      await submitDue(scene.harness)
    }
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([0])
    await suspend(poster, false)
    later(30)
    await submitDue(scene.harness)
    expect((await postsOf(poster)).map(({ comments }) => comments.length)).toEqual([1])
  })
})

describe('an item that may not be shown', () => {
  const change = (mediaId: string, set: object) =>
    scene.harness.context.db.updateTable('media').set(set).where('id', '=', mediaId).execute()
  const deleted = () => ({ deleted_at: scene.harness.clock.now() })
  const cases = [
    ['was deleted', deleted],
    ['was taken down', () => ({ quarantined_at: scene.harness.clock.now() })],
    ['no longer promotes', () => ({ reddit_promotion: false })],
  ] as const
  const build = async ({ person, api }: Poster, comment = '') => {
    const mediaId = await buildMedia(scene.harness, person, { redditPromotion: true, mustUnlock: false })
    const { _id: postId } = await api.call(routes.createPost, {
      body: { titles: ['A lake'], comment, mediaId },
    })
    await api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: ['Lanterns', 'Gardens'] },
    })
    return { mediaId, postId }
  }
  const schedule = ({ api }: Poster, postId: string, byHand = false) =>
    api.send('POST', '/reddit/timeline/item/create', {
      body: {
        postId,
        selectedSubreddit: 'Lanterns',
        title: 'A lake',
        postTime: new Date(scene.harness.clock.now().getTime() + 10 * MINUTE_MS).toISOString(),
        byHand,
      },
    })

  const ways = cases.flatMap(([name, how]) => [
    [name, 'isn’t posted', how, false] as const,
    [name, 'isn’t to be posted by hand', how, true] as const,
  ])
  test.each(ways)('since it %s %s, and its person is told why', async (_, __, how, byHand) => {
    const poster = await buildPoster()
    const { mediaId, postId } = await build(poster)
    const item = (await schedule(poster, postId, byHand)).body as { _id: string }
    await change(mediaId, how())
    later(10)
    await submitDue(scene.harness)
    expect(await postsOf(poster)).toEqual([])
    expect(await find(poster, item._id)).toMatchObject({
      state: 'failed',
      failure: { code: 'media', message: expect.stringContaining('media of this post') },
    })
    expect(await told(poster)).toMatchObject([{ event: { data: { state: 'failed' } } }])
  })

  test('and was taken down after its post went up gets no comment there, until it is released and its person asks again', async () => {
    const poster = await buildPoster()
    const { mediaId, postId } = await build(poster, 'Hello')
    await fault({ kind: 'status', status: 503, path: '/api/comment', account: poster.account, times: 1 })
    const item = (await schedule(poster, postId)).body as { _id: string }
    later(10)
    await submitDue(scene.harness)
    expect(await find(poster, item._id)).toMatchObject({ state: 'posted', commentState: 'sending' })
    await change(mediaId, { quarantined_at: scene.harness.clock.now() })
    later(30)
    await submitDue(scene.harness)
    const comments = async () => (await postsOf(poster)).map((post) => post.comments.length)
    expect(await comments()).toEqual([0])
    const reason = 'The media of this post was taken down.'
    expect(await find(poster, item._id)).toMatchObject({ commentState: 'failed', commentFailure: reason })
    expect(await told(poster)).toMatchObject([{ event: { data: { state: 'uncommented', reason } } }])
    await change(mediaId, { quarantined_at: null })
    await poster.api.call(routes.retryComment, { body: { itemId: item._id } })
    await submitDue(scene.harness)
    expect(await comments()).toEqual([1])
  })

  test.each(cases)('since it %s is no candidate, can’t be scheduled, and fills no slot', async (_, how) => {
    const poster = await buildPoster()
    const { mediaId, postId } = await build(poster)
    const candidates = async () => (await poster.api.call(routes.scheduleCandidates, { query: {} })).count
    expect(await candidates()).toBe(2)
    await change(mediaId, how())
    expect(await candidates()).toBe(0)
    expect(await schedule(poster, postId)).toMatchObject({ status: 409, body: { code: 'post_breaks_rule' } })
    const slot = {
      days: [0, 1, 2, 3, 4, 5, 6],
      time: '18:30',
      subreddit: null,
      accountId: null,
      byHand: false,
    }
    expect(await poster.api.call(routes.saveSlot, { body: slot })).toMatchObject({ scheduled: 0 })
  })
})

test('a gif that was taken down is in no new post, isn’t posted, and is no candidate, until it is released', async () => {
  const poster = await buildPoster()
  const { api } = poster
  const operator = await reauthenticatedApi(
    scene.harness,
    await buildUser(scene.harness, { role: 'superadmin' }),
  )
  const create = (link: string) =>
    api.call(routes.createPost, { body: { titles: ['A fox'], comment: '', link } })
  const edit = (redditPostId: string, body: object) =>
    api.call(routes.editPost, { params: { redditPostId }, body })
  const candidates = async () => (await api.call(routes.scheduleCandidates, { query: {} })).count
  const item = await scheduleOne(poster)
  const { link } = await find(poster, item._id)
  const other = (await create('otherlake'))._id
  await edit(other, { usableSubreddits: ['Lanterns'] })
  const open = await candidates()
  const gifs = await Promise.all(
    [link, 'otherlake'].map((redGif) => api.call(routes.addRedGif, { body: { redGif } })),
  )
  for (const { _id: mediaId } of gifs)
    await operator.call(routes.quarantineMedia, {
      body: { mediaId, reason: 'Reported', ground: 'consent', blockFile: true },
    })

  const blocked = { status: 409, code: 'media_blocked' }
  await expect(create('https://www.redgifs.com/watch/OtherLake')).rejects.toMatchObject(blocked)
  await expect(edit(other, { link })).rejects.toMatchObject(blocked)
  // What stays as it is can be edited beside.
  expect(await edit(other, { link: 'otherlake', titles: ['A vixen'] })).toMatchObject({ title: 'A vixen' })
  expect(await candidates()).toBe(open - 1)
  later(10)
  await submitDue(scene.harness)
  expect(await postsOf(poster)).toEqual([])
  expect(await find(poster, item._id)).toMatchObject({
    state: 'failed',
    failure: { code: 'media', message: 'The media of this post was taken down.' },
  })

  for (const { _id: mediaId } of gifs)
    await operator.call(routes.releaseMedia, { body: { mediaId, reason: 'All is well' } })
  expect(await candidates()).toBe(open)
  await edit(other, { link })
})
