import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { posters } from '../../../testing/posters.ts'
import { forumAdmin, lookUpDue, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf } = scene
const runs = { attempt: 1, lastAttempt: false }
const asked = (path: string, account: string) =>
  forumAdmin<{ count: number }>(scene.harness, 'GET', `requests?path=${path}&account=${account}`)

test('what becomes due while an account has many posts to make goes up before the last of them', async () => {
  const [busy, other] = [await buildPoster(), await buildPoster()]
  for (let number = 0; number < 12; number++) await scheduleOne(busy, { title: `Busy ${number}` })
  const item = await scheduleOne(other, { title: 'Other', minutes: 24 * 60 })
  let upBefore = 0
  scene.meanwhile['post.answered'] = async () => {
    scene.meanwhile = {}
    await scene.harness.context.db
      .updateTable('scheduled_posts')
      .set({ post_at: scene.harness.clock.now() })
      .where('id', '=', item._id)
      .execute()
    scene.meanwhile['post.answered'] = async () => {
      if (upBefore === 0 && (await titlesOf(other)).length > 0) upBefore = (await postsOf(busy)).length
    }
  }
  later(10)
  await submitDue(scene.harness)
  expect(await titlesOf(other)).toEqual(['Other'])
  expect(upBefore).toBeGreaterThan(0)
  expect(upBefore).toBeLessThan(12)
  expect(await postsOf(busy)).toHaveLength(12)
})

test('an account whose turn takes long keeps no other from its next ones', async () => {
  const both = [await buildPoster(), await buildPoster()]
  for (const poster of both)
    for (let number = 0; number < 9; number++) await scheduleOne(poster, { title: `Number ${number}` })
  const end = Promise.withResolvers<void>()
  let answered = 0
  scene.meanwhile['post.answered'] = async () => {
    answered++
    // The first waits for all nine of the other account.
    if (answered === 1) await end.promise
    if (answered === 10) end.resolve()
  }
  later(10)
  await submitDue(scene.harness)
  for (const poster of both) expect(await titlesOf(poster)).toHaveLength(9)
})

test('what becomes due while a single turn takes long doesn’t wait for its end, of an account that had its turn as well', async () => {
  const [again, slow, other] = [await buildPoster(), await buildPoster(), await buildPoster()]
  await scheduleOne(again, { title: 'First' })
  const alone = await scheduleOne(slow, { title: 'Slow', minutes: 60 })
  const others = [await scheduleOne(other, { minutes: 60 }), await scheduleOne(again, { minutes: 60 })]
  const falls = (items: { _id: string }[]) =>
    scene.harness.context.db
      .updateTable('scheduled_posts')
      .set({ post_at: scene.harness.clock.now() })
      .where(
        'id',
        'in',
        items.map(({ _id }) => _id),
      )
      .execute()
  const isUp = async () => (await titlesOf(other)).length === 1 && (await titlesOf(again)).length === 2
  const end = Promise.withResolvers<void>()
  let answered = 0
  scene.meanwhile['post.answered'] = async () => {
    answered++
    if (answered === 1) await falls([alone])
    else if (answered === 2) {
      await falls(others)
      await end.promise
    } else if (await isUp()) end.resolve()
  }
  later(10)
  await submitDue(scene.harness)
  expect(await titlesOf(slow)).toEqual(['Slow'])
  expect(await isUp()).toBe(true)
})

test('what is due goes up although others’ posts are in doubt and can’t be looked up', async () => {
  const [doubtful, other] = [await buildPoster(), await buildPoster()]
  const item = await scheduleOne(doubtful)
  await fault({ kind: 'dropAfter', path: '/api/submit', account: doubtful.account, times: 1 })
  later(10)
  await submitDue(scene.harness)
  await scheduleOne(other, { minutes: 3 })
  later(3)
  await scene.harness.server.jobs['posts.submit']({}, runs)
  expect(await titlesOf(other)).toEqual(['A quiet lake'])
  expect(await asked('/user/', doubtful.account)).toMatchObject({ count: 0 })
  await lookUpDue(scene.harness)
  expect(await find(doubtful, item._id)).toMatchObject({ state: 'posted' })
})

test('after a comment in doubt the account’s other comments are left to the next run', async () => {
  const poster = await buildPoster()
  for (const title of ['One', 'Two', 'Three']) await scheduleOne(poster, { title, comment: title })
  await fault({ kind: 'drop', path: '/api/comment', account: poster.account, times: null })
  later(10)
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['One', 'Two', 'Three'])
  expect(await asked('/api/comment', poster.account)).toMatchObject({ count: 1 })
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  later(5)
  await submitDue(scene.harness)
  expect((await postsOf(poster)).map(({ comments }) => comments.map(({ body }) => body))).toEqual([
    ['One'],
    ['Two'],
    ['Three'],
  ])
  const { items } = await poster.api.call(routes.timeline, { query: {} })
  expect(items.map(({ commentState }) => commentState)).toEqual(['posted', 'posted', 'posted'])
})
