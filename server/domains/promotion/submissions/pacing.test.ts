import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { posters } from '../../../testing/posters.ts'
import { buildPost, forumAdmin, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, find, postsOf, titlesOf } = scene

test('after a late post the others wait at our own pace, its comment and what its person submits now don’t', async () => {
  const poster = await buildPoster()
  const late = await scheduleOne(poster, { title: 'Late', comment: 'Hello there' })
  await scheduleOne(poster, { title: 'Later', minutes: 20 })
  later(24 * 60)
  await submitDue(scene.harness)
  const account = async () => (await poster.api.call(routes.queue, {})).accounts[0]
  const paced = await account()
  expect(paced).toMatchObject({ state: 'resting', restReason: 'pace' })
  expect((await postsOf(poster)).map(({ comments }) => comments.map(({ body }) => body))).toEqual([
    ['Hello there'],
  ])
  expect(await find(poster, late._id)).toMatchObject({ commentState: 'posted' })
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'], titles: ['Now'] })
  const now = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
  expect(now).toMatchObject({ state: 'posted', waitsUntil: null })
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['Late', 'Now'])
  expect(await account()).toMatchObject({ restReason: 'pace', restingUntil: paced?.restingUntil })
  later(15)
  await submitDue(scene.harness)
  expect(await titlesOf(poster)).toEqual(['Late', 'Now', 'Later'])
})

test('a limit of the forum’s is told as the forum’s, and keeps its person from submitting now', async () => {
  const poster = await buildPoster()
  await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
  for (const title of ['One', 'Two']) await scheduleOne(poster, { title })
  later(10)
  await submitDue(scene.harness)
  expect((await poster.api.call(routes.queue, {})).accounts).toMatchObject([
    { state: 'resting', restReason: 'forum' },
  ])
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'] })
  await expect(
    poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } }),
  ).rejects.toMatchObject({ status: 409, code: 'forum_account_resting' })
})
