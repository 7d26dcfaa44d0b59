import { expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { posters } from '../../../../testing/posters.ts'
import { forumAdmin, openSubreddits, postOnForum, submitDue } from '../../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, fault, find, postsOf, told } = scene
const follow = () => scene.harness.server.jobs['posts.follow']({}, { attempt: 1, lastAttempt: false })

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
    await follow()
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

/** Makes an open subreddit private. */
async function closeSubreddit() {
  const [name = ''] = (await openSubreddits(scene.harness)).slice(-6)
  await forumAdmin(scene.harness, 'POST', `subreddits/${name}`, { type: 'private' })
  return name
}

/** A member of a private subreddit, another one each time unless it is named, who may post there. */
async function buildMember(closed?: string) {
  const poster = await buildPoster()
  const name = closed ?? (await closeSubreddit())
  await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { contributesTo: [name] })
  await poster.api.call(routes.updateVerification, { body: { srName: name, status: 'done' } })
  return { poster, name }
}

test('a post in a private subreddit is followed as the account that sees it, and asked for again while that can’t be', async () => {
  const { poster, name } = await buildMember()
  const { _id: id } = await scheduleOne(poster, { subreddit: name })
  later(10)
  await submitDue(scene.harness)
  await fault({ kind: 'status', status: 503, path: '/api/info', account: poster.account, times: null })
  for (let look = 0; look < 8; look++) {
    later(20)
    await follow()
  }
  expect(await find(poster, id)).toMatchObject({ state: 'posted', score: null })
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  later(20)
  await follow()
  expect(await find(poster, id)).toMatchObject({ score: expect.any(Number), removedBy: null })
})

const REFUSALS = [
  ['the forum refuses its account', { kind: 'status', status: 403 }],
  ['what the forum tells its account can’t be read', { kind: 'malformed' }],
] as const

test.each(REFUSALS)(
  'a post that only its account sees is looked at no more often than others where %s',
  async (_, refusal) => {
    const { poster, name } = await buildMember()
    await scheduleOne(poster, { subreddit: name })
    later(10)
    await submitDue(scene.harness)
    await fault({ ...refusal, path: '/api/info', account: poster.account, times: null })
    for (let look = 0; look < 12; look++) {
      later(24 * 60)
      await follow()
    }
    const asked = await forumAdmin<{ count: number }>(
      scene.harness,
      'GET',
      `requests?path=/api/info&account=${poster.account}`,
    )
    expect(asked.count).toBe(7)
  },
)

test('a post that can’t be read keeps no other from being looked at', async () => {
  const [poster, other] = [await buildPoster(), await buildPoster()]
  const [unread, read] = [await scheduleOne(poster), await scheduleOne(other)]
  later(10)
  await submitDue(scene.harness)
  await scene.harness.context.db
    .updateTable('scheduled_posts')
    .set({ follow_at: null })
    .where('user_id', 'not in', [poster.person.id, other.person.id])
    .execute()
  // Together with the other, alone, and by its account.
  await fault({ kind: 'malformed', path: '/api/info', times: 2 })
  await fault({ kind: 'malformed', path: '/api/info', account: poster.account, times: 1 })
  await fault({ kind: 'malformed', path: '/api/info', account: other.account, times: 1 })
  later(5)
  await follow()
  const scores = [(await find(poster, unread._id)).score, (await find(other, read._id)).score]
  expect(scores.filter((score) => score === null)).toHaveLength(1)
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  later(24 * 60)
  await follow()
  expect((await find(poster, unread._id)).score).not.toBeNull()
})

test('while nothing can be read, posts are asked for a few times only, and followed once they can', async () => {
  const poster = await buildPoster()
  const items = []
  for (let number = 0; number < 20; number++)
    items.push(await scheduleOne(poster, { title: `Number ${number}` }))
  later(10)
  await submitDue(scene.harness)
  await fault({ kind: 'malformed', path: '/api/info', times: null })
  await forumAdmin(scene.harness, 'DELETE', 'requests')
  later(5)
  await follow()
  const { count } = await forumAdmin<{ count: number }>(scene.harness, 'GET', 'requests?path=/api/info')
  expect(count).toBeLessThanOrEqual(2 * 14 + 1 + 1)
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  for (let look = 0; look < 3; look++) {
    later(24 * 60)
    await follow()
  }
  for (const { _id } of items) expect((await find(poster, _id)).score).not.toBeNull()
})

test('while nothing can be read, no look at a single post counts', async () => {
  const poster = await buildPoster()
  const { _id: id } = await scheduleOne(poster)
  later(10)
  await submitDue(scene.harness)
  await scene.harness.context.db
    .updateTable('scheduled_posts')
    .set({ follow_at: null })
    .where('user_id', '<>', poster.person.id)
    .execute()
  await fault({ kind: 'malformed', path: '/api/info', times: null })
  for (let look = 0; look < 6; look++) {
    later(10)
    await follow()
  }
  await forumAdmin(scene.harness, 'DELETE', 'faults')
  later(10)
  await follow()
  expect((await find(poster, id)).score).not.toBeNull()
})

test('a post whose account gets no answer is asked for no longer than two weeks', async () => {
  const { poster, name } = await buildMember()
  await scheduleOne(poster, { subreddit: name })
  later(10)
  await submitDue(scene.harness)
  await fault({ kind: 'status', status: 503, path: '/api/info', account: poster.account, times: null })
  for (const days of [13, 2]) {
    later(days * 24 * 60)
    await follow()
  }
  await forumAdmin(scene.harness, 'DELETE', 'requests')
  later(24 * 60)
  await follow()
  expect(
    await forumAdmin(scene.harness, 'GET', `requests?path=/api/info&account=${poster.account}`),
  ).toMatchObject({ count: 0 })
})

test('accounts that the forum refuses keep no other from being asked', async () => {
  const name = await closeSubreddit()
  const members = []
  // More than are asked at once, so that the last is asked once others were refused.
  for (let member = 0; member < 11; member++) members.push((await buildMember(name)).poster)
  const items = []
  for (const [index, poster] of members.entries())
    items.push(await scheduleOne(poster, { subreddit: name, minutes: 10 + index }))
  for (const _ of members) {
    later(10)
    await submitDue(scene.harness)
  }
  for (const { account } of members.slice(0, -1))
    await fault({ kind: 'status', status: 403, path: '/api/info', account, times: null })
  later(20)
  await follow()
  const [last, item] = [members.at(-1), items.at(-1)]
  if (!last || !item) throw new Error('nobody posted')
  expect(await find(last, item._id)).toMatchObject({ state: 'posted', score: expect.any(Number) })
})

test.each(REFUSALS)('a link to what isn’t there is believed by nobody where %s', async (_, refusal) => {
  const { poster, name } = await buildMember()
  const { _id: itemId } = await scheduleOne(poster, { subreddit: name, byHand: true })
  await fault({ ...refusal, path: '/api/info', account: poster.account, times: null })
  const link = `https://www.reddit.com/r/${name}/comments/zzzzzz/x`
  await expect(poster.api.call(routes.confirmTimelineItem, { body: { itemId, link } })).rejects.toMatchObject(
    { code: 'forum_post_not_found' },
  )
  expect(await find(poster, itemId)).toMatchObject({ state: 'scheduled' })
})

test('the link to a post that only one of a person’s accounts sees is found by that account', async () => {
  const { poster, name } = await buildMember()
  const stranger = await buildPoster()
  await stranger.api.call(routes.updateVerification, { body: { srName: name, status: 'done' } })
  const sent = { subreddit: name, title: 'A quiet lake', url: 'https://www.redgifs.com/watch/privatelake' }
  const link = await postOnForum(scene.harness, poster.account, sent)
  const confirm = async (of: typeof poster) => {
    const { _id: itemId } = await scheduleOne(of, { subreddit: name, byHand: true })
    return of.api.call(routes.confirmTimelineItem, { body: { itemId, link } })
  }
  await expect(confirm(stranger)).rejects.toMatchObject({ code: 'forum_post_not_found' })
  expect(await confirm(poster)).toMatchObject({ state: 'posted', account: poster.account })
})
