import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits } from '../../../testing/promotion.ts'
import {
  buildPoster,
  buildPostOf,
  cancel,
  create,
  inMinutes,
  minutesBetween,
  readPost,
  SUBREDDITS,
  timeline,
} from '../../../testing/schedule.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, SUBREDDITS)
})
afterAll(() => harness?.stop())

describe('scheduling', () => {
  test('at a time puts the post on the timeline, and its subreddit is no candidate anymore', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const postTime = inMinutes(harness, 90)
    const item = await create(poster, postId, {
      selectedSubreddit: 'r/cozyknits1',
      comment: 'Hello there',
      postTime,
    })
    expect(item).toMatchObject({
      postId,
      subreddit: 'CozyKnits1',
      title: 'A quiet lake',
      comment: 'Hello there',
      postTime,
      state: 'scheduled',
      byHand: false,
      failure: null,
      permalink: null,
      submitUrl: null,
    })
    expect(await timeline(poster)).toEqual([{ ...item, thumbnail: null, clash: null }])
    expect(await readPost(poster, postId)).toMatchObject({
      usableSubreddits: ['CozyKnits0', 'CozyKnits2'],
      subredditsOnTimeline: ['CozyKnits1'],
      postedSubreddits: [],
    })
    const { items, count } = await poster.api.call(routes.scheduleCandidates, { query: {} })
    expect([items.map(({ subreddit }) => subreddit), count]).toEqual([['CozyKnits0', 'CozyKnits2'], 2])
    const places = {
      usableSubreddits: ['CozyKnits0', 'CozyKnits2'],
      subredditsOnTimeline: ['CozyKnits1'],
      postedSubreddits: [],
    }
    expect(items).toMatchObject([places, places])
  })

  test('of one post shows its candidates alone, and of nobody else’s', async () => {
    const [poster, other] = [await buildPoster(harness), await buildPoster(harness)]
    const [postId] = [await buildPostOf(harness, poster), await buildPostOf(harness, poster)]
    const candidates = async ({ api }: typeof poster) => {
      const { items, count } = await api.call(routes.scheduleCandidates, {
        query: { postId, subreddit: 'knits' },
      })
      return [[...new Set(items.map(({ _id }) => _id))], items.length, count]
    }
    expect(await candidates(poster)).toEqual([[postId], 3, 3])
    expect(await candidates(other)).toEqual([[], 0, 0])
  })

  test('at the end of the queue leaves the gap behind the last, also behind one that went up by its own time', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const first = await create(poster, postId)
    expect(minutesBetween(inMinutes(harness, 0), first.postTime)).toBeGreaterThan(0)
    expect(minutesBetween(inMinutes(harness, 0), first.postTime)).toBeLessThanOrEqual(2)
    const second = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    expect(minutesBetween(first.postTime, second.postTime)).toBe(60)
    await poster.api.call(routes.editTimelineItem, {
      body: { itemId: first._id, postTime: inMinutes(harness, 600) },
    })
    const third = await create(poster, postId, { selectedSubreddit: 'CozyKnits2', postTime: 'endOfQueue' })
    expect(minutesBetween(inMinutes(harness, 600), third.postTime)).toBeGreaterThan(59)
  })

  test('keeps to the person’s own hours, days and gap', async () => {
    const poster = await buildPoster(harness)
    const body = { timeZone: 'Asia/Kathmandu', days: [1, 4], hours: [9], gapMinutes: 30 }
    await poster.api.call(routes.editQueue, { body })
    const postId = await buildPostOf(harness, poster)
    const times = []
    for (const selectedSubreddit of SUBREDDITS.slice(0, 3))
      times.push((await create(poster, postId, { selectedSubreddit })).postTime)
    const local = new Intl.DateTimeFormat('en-US', {
      timeZone: 'Asia/Kathmandu',
      weekday: 'short',
      hour: 'numeric',
      hourCycle: 'h23',
    })
    for (const time of times) expect(local.format(new Date(time))).toMatch(/^(Mon|Thu),? 09$/)
    expect(minutesBetween(times[0] ?? '', times[1] ?? '')).toBeGreaterThanOrEqual(30)
    expect(minutesBetween(times[1] ?? '', times[2] ?? '')).toBeGreaterThanOrEqual(30)
  })

  test.each([
    ['a time that is past', { postTime: '2020-01-01T00:00:00Z' }, 400, 'timeline_time_past'],
    ['no title', { title: ' ' }, 400, 'invalid_input'],
    [
      'a subreddit that isn’t among the post’s',
      { selectedSubreddit: 'CozyKnits9' },
      404,
      'post_subreddit_missing',
    ],
    ['a subreddit that nobody knows', { selectedSubreddit: 'NobodyKnits' }, 404, 'post_subreddit_missing'],
    [
      'an account that isn’t there',
      { accountId: '00000000-0000-7000-8000-000000000000' },
      404,
      'forum_account_not_found',
    ],
  ])('refuses %s, and writes nothing', async (_, more, status, code) => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    await expect(create(poster, postId, more)).rejects.toMatchObject({ status, code })
    expect(await timeline(poster)).toEqual([])
    expect((await readPost(poster, postId)).usableSubreddits).toHaveLength(3)
  })

  test('takes comment and mark of the post where none is named, and an empty comment as none, now and later', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPost(harness, poster.person, { subreddits: SUBREDDITS, comment: 'Hello there' })
    const edited = { params: { redditPostId: postId }, body: { nsfw: false } }
    expect(await readPost(poster, postId)).toMatchObject({ nsfw: true })
    const marked = await create(poster, postId)
    expect(await poster.api.call(routes.editPost, edited)).toMatchObject({ nsfw: false })
    const submit = (subreddit: string, more: object = {}) =>
      poster.api.call(routes.manualSubmit, { body: { postId, subreddit, ...more } })
    const named = { comment: '', nsfw: true }
    expect([
      marked,
      await create(poster, postId, { selectedSubreddit: 'CozyKnits1' }),
      await create(poster, postId, { selectedSubreddit: 'CozyKnits2', ...named }),
      await submit('CozyKnits3'),
      await submit('CozyKnits4', named),
    ]).toMatchObject([
      { comment: 'Hello there', nsfw: true },
      { comment: 'Hello there', nsfw: false },
      named,
      { comment: 'Hello there', nsfw: false },
      named,
    ])
    const change = { body: { itemId: marked._id, nsfw: false } }
    expect(await poster.api.call(routes.editTimelineItem, change)).toMatchObject({ ...marked, nsfw: false })
  })

  test('asks for a title in the words of the page', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    await expect(create(poster, postId, { title: '' })).rejects.toMatchObject({
      status: 400,
      body: { details: { title: 'Select a title' } },
    })
  })

  test('takes an account, unless the person posts by hand', async () => {
    const person = await buildCreator(harness)
    const poster = { person, accountId: '', api: harness.api.as(person) }
    const postId = await buildPostOf(harness, poster)
    await expect(create(poster, postId)).rejects.toMatchObject({ code: 'forum_not_connected' })
    const item = await create(poster, postId, { byHand: true })
    expect(item).toMatchObject({ byHand: true, account: null })
    const submit = new URL(item.submitUrl ?? '')
    expect(submit.pathname).toMatch(/\/r\/CozyKnits0\/submit$/)
    expect(submit.searchParams.get('title')).toBe('A quiet lake')
  })

  test('stops where a timeline is full', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const { db, clock } = harness.context
    await sql`
      with post as (
        insert into forum_posts (user_id, titles, link, comment, created_at)
        select ${poster.person.id}, '{T}', 'l', '', ${clock.now()} from generate_series(1, 1000) returning id
      )
      insert into scheduled_posts (user_id, post_id, subreddit_id, title, url, media_key, post_at, state, created_at)
      select ${poster.person.id}, post.id, chosen.id, 'T', 'https://example.test/', 'k', ${clock.now()}::timestamptz + interval '1 day',
        'scheduled', ${clock.now()}
      from post, (select id from subreddits where name like 'CozyKnits%' order by name limit 20) as chosen`.execute(
      db,
    )
    await expect(create(poster, postId)).rejects.toMatchObject({ status: 409, code: 'timeline_full' })
  })
})

describe('the queue', () => {
  test('has a rhythm of its own, of which what isn’t named stays', async () => {
    const poster = await buildPoster(harness)
    const { api } = poster
    expect(await api.call(routes.queue, {})).toMatchObject({
      timeZone: 'UTC',
      days: [0, 1, 2, 3, 4, 5, 6],
      gapMinutes: 60,
      sameMediaMinutes: 0,
      paused: false,
      scheduled: 0,
      accounts: [
        { _id: poster.accountId, state: 'posting', restingUntil: null, restReason: null, stoppedBy: null },
      ],
    })
    await api.call(routes.editQueue, { body: { hours: [18, 9, 18], days: [6, 0], gapMinutes: 15 } })
    await api.call(routes.editQueue, { body: { paused: true, timeZone: 'Europe/Berlin' } })
    const changed = { timeZone: 'Europe/Berlin', days: [0, 6], hours: [9, 18], gapMinutes: 15, paused: true }
    expect(await api.call(routes.queue, {})).toMatchObject(changed)
    const refused = [{ hours: [] }, { days: [7] }, { gapMinutes: 0 }, { timeZone: 'Mars/Base' }]
    for (const body of refused)
      expect((await api.send('POST', '/reddit/queue', { body })).status, JSON.stringify(body)).toBe(400)
    expect(await api.call(routes.queue, {})).toMatchObject(changed)
  })

  test('tells which account was stopped by whom', async () => {
    const poster = await buildPoster(harness)
    const stop = (stopped: boolean) =>
      poster.api.call(routes.stopAccount, { body: { accountId: poster.accountId, stopped } })
    const account = async () => (await poster.api.call(routes.queue, {})).accounts[0]
    await stop(true)
    expect(await account()).toMatchObject({ state: 'stopped', stoppedBy: 'person' })
    await stop(false)
    expect(await account()).toMatchObject({ state: 'posting', stoppedBy: null })
  })
})

describe('at once', () => {
  test('twenty of the same post and subreddit schedule it once', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(poster, postId)))
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason.code))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'post_on_timeline')).toHaveLength(19)
    expect(await timeline(poster)).toHaveLength(1)
  })

  test('twenty at the end of the queue take slots of their own, a gap apart', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster, SUBREDDITS.slice(0, 20))
    await Promise.all(
      SUBREDDITS.slice(0, 20).map((selectedSubreddit) => create(poster, postId, { selectedSubreddit })),
    )
    const times = (await timeline(poster)).map(({ postTime }) => postTime)
    expect(times).toHaveLength(20)
    for (const [index, time] of times.slice(1).entries())
      expect(minutesBetween(times[index] ?? '', time)).toBeGreaterThanOrEqual(60)
  })

  test('canceling and scheduling anew leave the post in one place', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const item = await create(poster, postId)
    await Promise.allSettled([
      ...Array.from({ length: 6 }, () => cancel(poster, item._id)),
      ...Array.from({ length: 6 }, () => create(poster, postId)),
    ])
    const { usableSubreddits, subredditsOnTimeline } = await readPost(poster, postId)
    expect([...usableSubreddits, ...subredditsOnTimeline].sort()).toEqual(SUBREDDITS.slice(0, 3))
    expect(await timeline(poster)).toHaveLength(subredditsOnTimeline.length)
  })
})
