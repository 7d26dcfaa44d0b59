import { afterEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { MINUTE_MS, type Poster, posters } from '../../../testing/posters.ts'
import { buildPost, connectForum, forumPosts, openSubreddits, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, later, fault, find, titlesOf } = scene
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * MINUTE_MS

/** Lets a subreddit take one post, or the same picture once, in so many days. */
const limit = (name: string, of: 'post' | 'repost', days: number) =>
  scene.harness.context.db
    .updateTable('subreddits')
    .set({ [`${of}_max`]: 1, [`${of}_interval`]: days, [`${of}_unit`]: 'days' })
    .where('name', '=', name)
    .execute()
afterEach(() =>
  scene.harness.context.db
    .updateTable('subreddits')
    .set({ post_max: null, post_interval: null, post_unit: null })
    .set({ repost_max: null, repost_interval: null, repost_unit: null })
    .execute(),
)

/** Schedules a new post so many minutes from now. */
async function scheduleAt(
  { person, api }: Poster,
  of: {
    subreddit: string
    title: string
    minutes: number
    link?: string
    accountId?: string
    byHand?: boolean
  },
) {
  const { subreddit, title, minutes, link, ...by } = of
  const postId = await buildPost(scene.harness, person, {
    subreddits: [subreddit],
    titles: [title],
    ...(link ? { link } : {}),
  })
  const postTime = new Date(scene.harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString()
  return api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, title, postTime, ...by },
  })
}

describe('a post that went up days late counts from when it went up', () => {
  const cases = [
    ['how often a subreddit is posted in', (name: string) => limit(name, 'post', 1), 1, 'LateLake'],
    ['how often it takes the same picture', (name: string) => limit(name, 'repost', 1), 1, 'LatePond'],
    [
      'how far apart the same picture goes up',
      (_: string, { api }: Poster) =>
        api.call(routes.editQueue, { body: { sameMediaMinutes: 2 * DAY_MINUTES } }),
      2,
      'LateRiver',
    ],
  ] as const
  test.each(cases)('against %s', async (_, set, days, name) => {
    const poster = await buildPoster()
    const [subreddit = ''] = await openSubreddits(scene.harness)
    await set(subreddit, poster)
    // The forum takes no link twice, from any account.
    const link = `https://www.redgifs.com/watch/${name}`
    const [first, second] = [
      await scheduleAt(poster, { subreddit, title: 'First', minutes: 10, link }),
      await scheduleAt(poster, { subreddit, title: 'Second', minutes: 10 + days * DAY_MINUTES, link }),
    ]
    await poster.api.call(routes.editQueue, { body: { paused: true } })
    later(4 * DAY_MINUTES)
    await poster.api.call(routes.editQueue, { body: { paused: false } })
    await submitDue(scene.harness)
    later(20)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['First'])
    const { postedTime } = await find(poster, first._id)
    const { state, postTime } = await find(poster, second._id)
    expect(state).toBe('scheduled')
    expect(Date.parse(postTime) - Date.parse(postedTime ?? '')).toBeGreaterThanOrEqual(days * DAY_MS)
  })

  test('and one that may be up, from when it was sent', async () => {
    const poster = await buildPoster()
    const [name = ''] = await openSubreddits(scene.harness)
    await limit(name, 'post', 1)
    const unknown = await scheduleAt(poster, { subreddit: name, title: 'In doubt', minutes: 10 })
    const second = await scheduleAt(poster, { subreddit: name, title: 'Second', minutes: 10 + DAY_MINUTES })
    await fault({ kind: 'drop', path: '/api/submit', account: poster.account, times: 1 })
    later(4 * DAY_MINUTES)
    const sentAt = scene.harness.clock.now().getTime()
    await submitDue(scene.harness)
    later(10)
    await submitDue(scene.harness)
    await submitDue(scene.harness)
    expect(await find(poster, unknown._id)).toMatchObject({ state: 'unknown' })
    const { state, postTime } = await find(poster, second._id)
    expect(state).toBe('scheduled')
    expect(Date.parse(postTime) - sentAt).toBeGreaterThanOrEqual(DAY_MS)
  })

  test('and the end of the queue is behind it', async () => {
    const poster = await buildPoster()
    const [name = ''] = await openSubreddits(scene.harness)
    const late = await scheduleAt(poster, { subreddit: name, title: 'Late', minutes: 10 })
    later(4 * DAY_MINUTES)
    await submitDue(scene.harness)
    const postId = await buildPost(scene.harness, poster.person, { subreddits: [name] })
    const { endOfQueue } = await poster.api.call(routes.checkPost, {
      query: { postId, subreddit: name, title: 'Next' },
    })
    const { postedTime } = await find(poster, late._id)
    expect(Date.parse(endOfQueue) - Date.parse(postedTime ?? '')).toBeGreaterThanOrEqual(60 * MINUTE_MS)
  })
})

test('two accounts of one person that post at the same time keep a limit together', async () => {
  const [name = ''] = await openSubreddits(scene.harness)
  await limit(name, 'post', 1)
  const people = []
  for (let number = 0; number < 4; number++) {
    const poster = await buildPoster()
    const [{ _id: first = '' } = {}] = (await poster.api.call(routes.forumAccounts, {})).items
    const second = await connectForum(scene.harness, poster.person, `${poster.account}Too`)
    for (const [index, accountId] of [first, second._id].entries())
      await scheduleAt(poster, {
        ...{ subreddit: name, title: `By ${index}`, minutes: 10 + index * DAY_MINUTES },
        accountId,
      })
    people.push(poster)
  }
  later(4 * DAY_MINUTES)
  await submitDue(scene.harness)
  const posts = await forumPosts(scene.harness)
  for (const { account } of people)
    expect(posts.filter(({ author }) => author === account || author === `${account}Too`)).toHaveLength(1)
})

test('a time at which a limit would be broken is told ahead, in the words in which it is refused', async () => {
  const poster = await buildPoster()
  const [subreddit = ''] = await openSubreddits(scene.harness)
  await limit(subreddit, 'post', 1)
  await scheduleAt(poster, { subreddit, title: 'First', minutes: 2 * DAY_MINUTES })
  const [postId, title] = [await buildPost(scene.harness, poster.person, { subreddits: [subreddit] }), 'Next']
  const inDays = (days: number) => new Date(scene.harness.clock.now().getTime() + days * DAY_MS).toISOString()
  const checkedAt = async (postTime?: string) => {
    const query = { postId, subreddit, title, ...(postTime ? { postTime } : {}) }
    return (await poster.api.call(routes.checkPost, { query })).verdicts
  }
  const message = `r/${subreddit} allows 1 post every day.`
  expect(await checkedAt(inDays(1.5))).toEqual([{ rule: 'frequency', message, suggestion: null }])
  await expect(
    poster.api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: subreddit, title, postTime: inDays(1.5) },
    }),
  ).rejects.toMatchObject({ code: 'post_breaks_rule', message: expect.stringContaining(message) })
  expect(await checkedAt(inDays(4))).toEqual([])
  // The end of the queue keeps its limits by itself.
  expect(await checkedAt()).toEqual([])
})
