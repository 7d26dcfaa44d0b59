import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { posters } from '../../../../testing/posters.ts'
import { connectForum, forumAdmin, submitDue } from '../../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, told } = scene
const HOUR_MINUTES = 60
const commentsOf = async (poster: Parameters<typeof postsOf>[0]) =>
  (await postsOf(poster)).map(({ comments }) => comments.map(({ body }) => body))

test('a refused comment is told with its reason, can be pasted, and goes up when its person says so', async () => {
  const [poster, stranger] = [await buildPoster(), await buildPoster()]
  await fault({
    kind: 'refuse',
    code: 'THREAD_LOCKED',
    message: 'It’s locked.',
    path: '/api/comment',
    account: poster.account,
    times: 1,
  })
  const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
  const body = { itemId }
  await expect(poster.api.call(routes.retryComment, { body })).rejects.toMatchObject({ status: 409 })
  later(10)
  await submitDue(scene.harness)
  expect(await commentsOf(poster)).toEqual([[]])
  expect(await find(poster, itemId)).toMatchObject({
    ...{ state: 'posted', commentState: 'failed', commentToPaste: expect.stringContaining('Hello there') },
    commentFailure: 'The forum says: It’s locked.',
  })
  expect(await told(poster)).toMatchObject([{ event: { data: { state: 'uncommented' } } }])
  await expect(stranger.api.call(routes.retryComment, { body })).rejects.toMatchObject({ status: 404 })
  await Promise.allSettled([1, 2].map(() => poster.api.call(routes.retryComment, { body })))
  await submitDue(scene.harness)
  expect(await commentsOf(poster)).toEqual([['Hello there']])
  expect(await find(poster, itemId)).toMatchObject({ commentState: 'posted', commentFailure: null })
})

test.each([
  ['the forum is down', { kind: 'status', status: 503, path: '/api/comment', times: null }],
  ['its account has to be connected again', null],
] as const)('while %s a comment waits, as its post would', async (_when, trouble) => {
  const poster = await buildPoster()
  await fault({ kind: 'status', status: 500, path: '/api/comment', account: poster.account, times: 1 })
  const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
  later(10)
  await submitDue(scene.harness)
  if (trouble) await fault({ ...trouble, account: poster.account })
  else await forumAdmin(scene.harness, 'POST', 'tokens/revoke', { account: poster.account })
  for (let hour = 0; hour < 8; hour++) {
    later(HOUR_MINUTES)
    await submitDue(scene.harness)
  }
  expect((await find(poster, itemId)).commentState).toMatch(/^(due|sending)$/)
  expect(await told(poster)).toEqual([])
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  await connectForum(scene.harness, poster.person, poster.account)
  later(2 * HOUR_MINUTES)
  await submitDue(scene.harness)
  expect(await commentsOf(poster)).toEqual([['Hello there']])
  expect(await find(poster, itemId)).toMatchObject({ commentState: 'posted' })
})

test('a comment that the forum didn’t take for a day is given up, and its person told once', async () => {
  const poster = await buildPoster()
  await fault({ kind: 'status', status: 503, path: '/api/comment', account: poster.account, times: null })
  const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
  later(10)
  for (let hour = 0; hour < 30; hour++) {
    await submitDue(scene.harness)
    later(HOUR_MINUTES)
  }
  expect(await commentsOf(poster)).toEqual([[]])
  expect(await find(poster, itemId)).toMatchObject({ state: 'posted', commentState: 'failed' })
  expect(await told(poster)).toMatchObject([{ event: { data: { state: 'uncommented' } } }])
})

test('a comment whose account lost its connection for a day says to connect it, and has another day from then', async () => {
  const poster = await buildPoster()
  const revoke = () => forumAdmin(scene.harness, 'POST', 'tokens/revoke', { account: poster.account })
  await fault({ kind: 'status', status: 503, path: '/api/comment', account: poster.account, times: 1 })
  const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
  later(10)
  await submitDue(scene.harness)
  await revoke()
  for (let hour = 0; hour < 30; hour++) {
    later(HOUR_MINUTES)
    await submitDue(scene.harness)
  }
  const reason = `u/${poster.account} lost its connection. Connect it again, then post the comment again.`
  expect(await find(poster, itemId)).toMatchObject({ commentState: 'failed', commentFailure: reason })
  const uncommented = (await told(poster)).map(({ event }) => event.data)
  expect(uncommented).toMatchObject([{ state: 'uncommented', reason }])
  await connectForum(scene.harness, poster.person, poster.account)
  await fault({ kind: 'status', status: 503, path: '/api/comment', account: poster.account, times: null })
  await poster.api.call(routes.retryComment, { body: { itemId } })
  for (let hour = 0; hour < 8; hour++) {
    await submitDue(scene.harness)
    later(HOUR_MINUTES)
  }
  expect((await find(poster, itemId)).commentState).toMatch(/^(due|sending)$/)
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  later(2 * HOUR_MINUTES)
  await submitDue(scene.harness)
  expect(await commentsOf(poster)).toEqual([['Hello there']])
})

test.each([
  ['first', 'comment.answered'],
  ['latest', 'post.answered'],
] as const)(
  'a comment whose answer was lost is found among the %s of more than a hundred, and isn’t sent again',
  async (_, when) => {
    const [poster, stranger] = [await buildPoster(), await buildPoster()]
    const crowd = async () => {
      scene.meanwhile = {}
      const [post] = await postsOf(poster)
      for (let number = 0; number < 110; number++)
        await forumAdmin(scene.harness, 'POST', 'comments', {
          ...{ from: stranger.account, parent: post?.name, body: `Comment ${number}` },
        })
    }
    await fault({ kind: 'dropAfter', path: '/api/comment', account: poster.account, times: 1 })
    const { _id: itemId } = await scheduleOne(poster, { comment: 'Hello there' })
    scene.meanwhile[when] = crowd
    later(10)
    await submitDue(scene.harness)
    later(10)
    await submitDue(scene.harness)
    const [bodies = []] = await commentsOf(poster)
    expect(bodies).toHaveLength(111)
    expect(bodies.filter((body) => body === 'Hello there')).toHaveLength(1)
    expect(await find(poster, itemId)).toMatchObject({ commentState: 'posted' })
  },
)
