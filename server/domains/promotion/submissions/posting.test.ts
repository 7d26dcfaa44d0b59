import { describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { MINUTE_MS, posters } from '../../../testing/posters.ts'
import { buildPost, forumAdmin, openSubreddits, submitDue } from '../../../testing/promotion.ts'

const scene = posters()
const { buildPoster, scheduleOne, later, find, postsOf, titlesOf } = scene

describe('what is due', () => {
  test('goes up once, with its flair and its comment, and not before its time', async () => {
    const poster = await buildPoster()
    const item = await scheduleOne(poster, { comment: 'Hello there' })
    later(9)
    await submitDue(scene.harness)
    expect(await postsOf(poster)).toEqual([])
    later(1)
    await submitDue(scene.harness)
    await submitDue(scene.harness)
    const [post, ...others] = await postsOf(poster)
    expect(others).toEqual([])
    expect(post).toMatchObject({
      subreddit: 'Lanterns',
      title: 'A quiet lake',
      comments: [{ author: poster.account, body: 'Hello there' }],
    })
    expect(await find(poster, item._id)).toMatchObject({
      state: 'posted',
      commentState: 'posted',
      failure: null,
      permalink: expect.stringContaining(`/comments/${post?.name.slice(3)}`),
    })
    const read = await poster.api.call(routes.post, { params: { redditPostId: item.postId } })
    expect(read).toMatchObject({
      usableSubreddits: [],
      subredditsOnTimeline: [],
      postedSubreddits: [{ subreddit: 'Lanterns' }],
    })
  })

  test('is marked NSFW on the forum unless its person says that it isn’t', async () => {
    const poster = await buildPoster()
    const marked = await scheduleOne(poster, { title: 'Marked' })
    const plain = await scheduleOne(poster, { title: 'Plain', minutes: 11, subreddit: 'SlowGardens' })
    await poster.api.call(routes.editTimelineItem, { body: { itemId: plain._id, nsfw: false } })
    later(12)
    await submitDue(scene.harness)
    const posts = await postsOf(poster)
    expect(posts.map(({ title, nsfw }) => [title, nsfw])).toEqual([
      ['Marked', true],
      ['Plain', false],
    ])
    expect(await find(poster, marked._id)).toMatchObject({ nsfw: true })
  })

  test('goes up in the order of its times', async () => {
    const poster = await buildPoster()
    for (const [title, minutes] of [
      ['third', 30],
      ['first', 10],
      ['second', 20],
    ] as const)
      await scheduleOne(poster, { title, minutes })
    later(40)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['first', 'second', 'third'])
  })

  test('goes up a little apart after an outage, in its order', async () => {
    const poster = await buildPoster()
    for (const [title, minutes] of [
      ['second', 20],
      ['first', 10],
    ] as const)
      await scheduleOne(poster, { title, minutes })
    later(24 * 60)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['first'])
    later(14)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['first'])
    later(1)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['first', 'second'])
  })

  test('goes up once whatever number of workers take it', async () => {
    const posters = [await buildPoster(), await buildPoster(), await buildPoster()]
    for (const poster of posters)
      for (let number = 0; number < 5; number++)
        await scheduleOne(poster, { title: `Number ${number}`, comment: 'Hi' })
    later(10)
    await Promise.all(Array.from({ length: 6 }, () => submitDue(scene.harness)))
    await submitDue(scene.harness)
    for (const poster of posters) {
      const posts = await postsOf(poster)
      expect(posts.map(({ title }) => title)).toEqual(
        Array.from({ length: 5 }, (_, number) => `Number ${number}`),
      )
      expect(posts.map(({ comments }) => comments.length)).toEqual([1, 1, 1, 1, 1])
    }
  })

  test('stays while everything is paused, while its account is stopped, and once it is canceled', async () => {
    const poster = await buildPoster()
    const canceled = await scheduleOne(poster, { title: 'canceled' })
    await scheduleOne(poster, { title: 'kept' })
    await poster.api.call(routes.cancelTimelineItem, { body: { itemId: canceled._id } })
    await poster.api.call(routes.editQueue, { body: { paused: true } })
    later(10)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual([])
    await poster.api.call(routes.editQueue, { body: { paused: false } })
    const { accounts } = await poster.api.call(routes.queue, {})
    const accountId = accounts[0]?._id ?? ''
    await poster.api.call(routes.stopAccount, { body: { accountId, stopped: true } })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual([])
    await poster.api.call(routes.stopAccount, { body: { accountId, stopped: false } })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toEqual(['kept'])
  })
})

describe('submitting at once', () => {
  test('says until when it has to wait where the forum limits the account', async () => {
    const poster = await buildPoster()
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
    const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns', 'Gardens'] })
    await scheduleOne(poster)
    later(10)
    await submitDue(scene.harness)
    const { accounts } = await poster.api.call(routes.queue, {})
    expect(accounts[0]?.state).toBe('posting')
    const item = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
    expect(item).toMatchObject({ state: 'scheduled', account: poster.account })
    expect(Date.parse(item.waitsUntil ?? '')).toBeGreaterThan(scene.harness.clock.now().getTime())
    expect(item.waitsForResume).toBe(false)
  })

  test('says that it waits for the queue where that is paused and the forum limits the account', async () => {
    const poster = await buildPoster()
    await forumAdmin(scene.harness, 'POST', `accounts/${poster.account}`, { ageDays: 2 })
    const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'] })
    await scheduleOne(poster)
    later(10)
    await submitDue(scene.harness)
    await poster.api.call(routes.editQueue, { body: { paused: true } })
    const item = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
    expect(item).toMatchObject({ state: 'scheduled', waitsForResume: true })
    later(60)
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toHaveLength(1)
    await poster.api.call(routes.editQueue, { body: { paused: false } })
    await submitDue(scene.harness)
    expect(await titlesOf(poster)).toHaveLength(2)
  })

  test('answers with what became of it', async () => {
    const poster = await buildPoster()
    const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns', 'SlowBread'] })
    const posted = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'Lanterns' } })
    expect(posted).toMatchObject({ state: 'posted', title: 'A quiet lake' })
    const refused = await poster.api.call(routes.manualSubmit, { body: { postId, subreddit: 'SlowBread' } })
    expect(refused).toMatchObject({ state: 'failed', failure: { code: 'NO_LINKS' } })
    const again = await poster.api.send('POST', '/reddit/manualsubmit', {
      body: { postId, subreddit: 'Lanterns' },
    })
    expect(again.status).toBe(409)
    expect(await titlesOf(poster)).toEqual(['A quiet lake'])
  })

  test('twenty times over posts once', async () => {
    const poster = await buildPoster()
    const postId = await buildPost(scene.harness, poster.person, { subreddits: ['Lanterns'] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        poster.api.send('POST', '/reddit/manualsubmit', { body: { postId, subreddit: 'Lanterns' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await titlesOf(poster)).toHaveLength(1)
  })

  test('is refused without an account, before anything is written', async () => {
    const person = await buildCreator(scene.harness)
    const postId = await buildPost(scene.harness, person, { subreddits: ['Lanterns'] })
    const api = scene.harness.api.as(person)
    const answer = await api.send('POST', '/reddit/manualsubmit', { body: { postId, subreddit: 'Lanterns' } })
    expect(answer.status).toBe(409)
    expect((await api.call(routes.timeline, { query: {} })).items).toEqual([])
  })
})

test('what comes too soon by now goes up later, each a gap from everything else', async () => {
  const poster = await buildPoster()
  const [name = ''] = await openSubreddits(scene.harness)
  const { db } = scene.harness.context
  const items = []
  for (const minutes of [10, 80, 150, 220])
    items.push(await scheduleOne(poster, { subreddit: name, minutes }))
  const other = await scheduleOne(poster, { minutes: 24 * 60 + 20 })
  await db
    .updateTable('subreddits')
    .set({ post_max: 1, post_interval: 1, post_unit: 'days' })
    .where('name', '=', name)
    .execute()
  later(230)
  await submitDue(scene.harness)
  later(20)
  await submitDue(scene.harness)
  await db
    .updateTable('subreddits')
    .set({ post_max: null, post_interval: null, post_unit: null })
    .where('name', '=', name)
    .execute()
  const found = await Promise.all([...items, other].map(({ _id }) => find(poster, _id)))
  expect(found.map(({ state }) => state)).toEqual([
    'posted',
    'scheduled',
    'scheduled',
    'scheduled',
    'scheduled',
  ])
  const at = found.map(({ postTime, postedTime }) => Date.parse(postedTime ?? postTime))
  const [first = 0, second = 0, third = 0, fourth = 0] = at
  const day = 24 * 60 * MINUTE_MS
  for (const [one, next] of [
    [first, second],
    [second, third],
    [third, fourth],
  ] as const)
    expect(next - one).toBeGreaterThanOrEqual(day)
  const sorted = at.toSorted((a, b) => a - b)
  for (const [index, one] of sorted.slice(1).entries())
    expect(one - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(60 * MINUTE_MS)
})

test('a subreddit that takes texts only is named before anything is sent there', async () => {
  const poster = await buildPoster()
  const postId = await buildPost(scene.harness, poster.person, { subreddits: ['SlowBread'] })
  await poster.api.call(routes.subredditFlair, { query: { subreddit: 'SlowBread' } })
  const check = await poster.api.call(routes.checkPost, {
    query: { postId, subreddit: 'SlowBread', title: 'A quiet lake' },
  })
  expect(check.verdicts).toMatchObject([{ rule: 'kinds' }])
  const submit = await poster.api.send('POST', '/reddit/manualsubmit', {
    body: { postId, subreddit: 'SlowBread' },
  })
  expect(submit).toMatchObject({ status: 409, body: { code: 'post_breaks_rule' } })
})
