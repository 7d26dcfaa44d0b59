import { expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { posters } from '../../../testing/posters.ts'
import { buildPost, postOnForum, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, later, fault, find, titlesOf, postsOf } = scene

test('a link that somebody posted there before goes up once its person wants it anyway, and not before', async () => {
  const [poster, stranger] = [await buildPoster(), await buildPoster()]
  const url = 'https://www.redgifs.com/watch/bluebowl'
  await postOnForum(scene.harness, stranger.account, { subreddit: 'Lanterns', title: 'A bowl', url })
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'], link: url })
  const refused = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
  expect(refused).toMatchObject({
    state: 'failed',
    failure: {
      code: 'ALREADY_SUB',
      message: 'This link was posted here before.',
      remedy: 'resubmit',
    },
  })
  const body = { itemId: refused._id, resubmit: true }
  await expect(stranger.api.call(routes.editTimelineItem, { body })).rejects.toMatchObject({ status: 404 })
  // Another title alone changes nothing about the link.
  await poster.api.call(routes.editTimelineItem, { body: { itemId: refused._id, title: 'A blue bowl' } })
  later(120)
  await submitDue(scene.harness)
  expect(await find(poster, refused._id)).toMatchObject({ state: 'failed', failure: { remedy: 'resubmit' } })
  expect(await poster.api.call(routes.editTimelineItem, { body })).toMatchObject({
    state: 'scheduled',
    failure: null,
  })
  later(120)
  await submitDue(scene.harness)
  expect(await find(poster, refused._id)).toMatchObject({ state: 'posted', failure: null })
  expect(await titlesOf(poster)).toEqual(['A blue bowl'])
})

test('what the forum refuses although it was told so is offered no second time', async () => {
  const poster = await buildPoster()
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'] })
  await fault({ kind: 'refuse', code: 'ALREADY_SUB', path: '/api/submit', account: poster.account, times: 2 })
  const { _id: itemId } = await poster.api.call(routes.manualSubmit, {
    body: { postId, subreddit: 'Lanterns' },
  })
  await poster.api.call(routes.editTimelineItem, { body: { itemId, resubmit: true } })
  later(120)
  await submitDue(scene.harness)
  expect(await find(poster, itemId)).toMatchObject({
    state: 'failed',
    failure: {
      message: 'This link was posted here before, and the forum doesn’t allow it again.',
      remedy: 'none',
    },
  })
  expect(await postsOf(poster)).toEqual([])
})
