import { expect, test } from 'vitest'
import { posters } from '../../../../testing/posters.ts'
import { forumAdmin, submitDue } from '../../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, find, postsOf, told } = scene

test('what was posted is followed: its score, and that it was removed', async () => {
  const poster = await buildPoster()
  const kept = await scheduleOne(poster, { title: 'A quiet lake' })
  const removed = await scheduleOne(poster, { title: 'A pond [moderator]' })
  later(10)
  await submitDue(scene.harness)
  const [first] = await postsOf(poster)
  await forumAdmin(scene.harness, 'POST', `posts/${first?.name}/score`, { score: 321 })
  for (let round = 0; round < 3; round++) {
    later(20)
    await scene.harness.server.jobs['posts.follow']({}, { attempt: 1, lastAttempt: false })
  }
  const seen = await find(poster, kept._id)
  expect(seen.removedBy).toBeNull()
  // The sandbox's posts gain a little by the hour.
  expect(seen.score).toBeGreaterThanOrEqual(321)
  expect(await find(poster, removed._id)).toMatchObject({ state: 'posted', removedBy: 'moderator' })
  expect(await told(poster)).toHaveLength(1)
})

test('a post is followed for a week, and its author’s own deletion is told to nobody', async () => {
  const poster = await buildPoster()
  const [late, own] = [
    await scheduleOne(poster, { title: 'Late' }),
    await scheduleOne(poster, { title: 'Own' }),
  ]
  later(10)
  await submitDue(scene.harness)
  const posts = await postsOf(poster)
  const remove = (title: string, category: string) =>
    forumAdmin(scene.harness, 'POST', `posts/${posts.find((post) => post.title === title)?.name}/remove`, {
      category,
    })
  const follow = () => scene.harness.server.jobs['posts.follow']({}, { attempt: 1, lastAttempt: false })
  await remove('Own', 'author')
  for (let day = 0; day < 6; day++) {
    later(24 * 60)
    await follow()
  }
  expect(await find(poster, own._id)).toMatchObject({ removedBy: 'author' })
  expect(await told(poster)).toEqual([])
  await remove('Late', 'anti_evil_ops')
  later(2 * 24 * 60)
  await follow()
  expect(await find(poster, late._id)).toMatchObject({ removedBy: 'anti_evil_ops' })
  expect(await told(poster)).toHaveLength(1)
})
