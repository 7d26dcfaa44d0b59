import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { momentOf, wallTime } from '../../../../contract/wall-time.ts'
import { buildCreator, buildMedia, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
let harness: Harness
let names = 0
const SUBREDDITS = Array.from({ length: 30 }, (_, index) => `CozyKnits${index}`)
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, SUBREDDITS)
})
afterAll(() => harness?.stop())

type Poster = { person: Person; accountId: string; api: ReturnType<Harness['api']['as']> }

/** A creator with a connected account of their own. */
async function buildPoster(): Promise<Poster> {
  const person = await buildCreator(harness)
  await connectForum(harness, person, `Planner${names++}`)
  const api = harness.api.as(person)
  const { accounts } = await api.call(routes.queue, {})
  return { person, accountId: accounts[0]?._id ?? '', api }
}

const inMinutes = (minutes: number) =>
  new Date(harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString()
const build = ({ person }: Poster, subreddits = SUBREDDITS.slice(0, 3)) =>
  buildPost(harness, person, { subreddits })
const create = ({ api }: Poster, postId: string, more: Record<string, unknown> = {}) =>
  api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: 'CozyKnits0', title: 'A quiet lake', ...more },
  })
const readPost = ({ api }: Poster, redditPostId: string) =>
  api.call(routes.post, { params: { redditPostId } })
const timeline = async ({ api }: Poster, query = {}) =>
  (await api.call(routes.timeline, { query: { limit: 60, ...query } })).items
const cancel = ({ api }: Poster, itemId: string) => api.call(routes.cancelTimelineItem, { body: { itemId } })
const minutesBetween = (one: string, other: string) => (Date.parse(other) - Date.parse(one)) / MINUTE_MS

describe('scheduling', () => {
  test('at a time puts the post on the timeline, and its subreddit is no candidate any more', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const postTime = inMinutes(90)
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
    expect(await timeline(poster)).toEqual([{ ...item, thumbnail: null }])
    expect(await readPost(poster, postId)).toMatchObject({
      usableSubreddits: ['CozyKnits0', 'CozyKnits2'],
      subredditsOnTimeline: ['CozyKnits1'],
      postedSubreddits: [],
    })
    const { items, count } = await poster.api.call(routes.scheduleCandidates, { query: {} })
    expect([items.map(({ subreddit }) => subreddit), count]).toEqual([['CozyKnits0', 'CozyKnits2'], 2])
  })

  test('at the end of the queue leaves the gap behind the last, also behind one that went up by its own time', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const first = await create(poster, postId)
    expect(minutesBetween(inMinutes(0), first.postTime)).toBeGreaterThan(0)
    expect(minutesBetween(inMinutes(0), first.postTime)).toBeLessThanOrEqual(2)
    const second = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    expect(minutesBetween(first.postTime, second.postTime)).toBe(60)
    await poster.api.call(routes.editTimelineItem, {
      body: { itemId: first._id, postTime: inMinutes(600) },
    })
    const third = await create(poster, postId, { selectedSubreddit: 'CozyKnits2', postTime: 'endOfQueue' })
    expect(minutesBetween(inMinutes(600), third.postTime)).toBeGreaterThan(59)
  })

  test('keeps to the person’s own hours, days and gap', async () => {
    const poster = await buildPoster()
    const body = { timeZone: 'Asia/Kathmandu', days: [1, 4], hours: [9], gapMinutes: 30 }
    await poster.api.call(routes.editQueue, { body })
    const postId = await build(poster)
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
    const poster = await buildPoster()
    const postId = await build(poster)
    await expect(create(poster, postId, more)).rejects.toMatchObject({ status, code })
    expect(await timeline(poster)).toEqual([])
    expect((await readPost(poster, postId)).usableSubreddits).toHaveLength(3)
  })

  test('asks for a title in the words of the page', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    await expect(create(poster, postId, { title: '' })).rejects.toMatchObject({
      status: 400,
      body: { details: { title: 'Select a title' } },
    })
  })

  test('takes an account, unless the person posts by hand', async () => {
    const person = await buildCreator(harness)
    const poster = { person, accountId: '', api: harness.api.as(person) }
    const postId = await build(poster)
    await expect(create(poster, postId)).rejects.toMatchObject({ code: 'forum_not_connected' })
    const item = await create(poster, postId, { byHand: true })
    expect(item).toMatchObject({ byHand: true, account: null })
    const submit = new URL(item.submitUrl ?? '')
    expect(submit.pathname).toMatch(/\/r\/CozyKnits0\/submit$/)
    expect(submit.searchParams.get('title')).toBe('A quiet lake')
  })

  test('stops where a timeline is full', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
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

describe('what is on the timeline', () => {
  test('is changed where it is named', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const item = await create(poster, postId, { comment: 'Hello', flairId: 'any', flairText: 'Own' })
    const edit = (body: object) =>
      poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, ...body } })
    expect(await edit({ title: 'Another lake' })).toEqual({ ...item, title: 'Another lake' })
    const postTime = inMinutes(300)
    expect(await edit({ comment: '', postTime })).toMatchObject({
      title: 'Another lake',
      comment: '',
      postTime,
      flairId: 'any',
      flairText: 'Own',
    })
    expect(await edit({ flairId: '' })).toMatchObject({ flairId: null, flairText: null })
    expect(await edit({ byHand: true })).toMatchObject({ byHand: true, state: 'scheduled' })
    await expect(edit({ postTime: inMinutes(-1) })).rejects.toMatchObject({ code: 'timeline_time_past' })
    await expect(edit({ title: '' })).rejects.toMatchObject({ status: 400 })
    expect(await timeline(poster)).toMatchObject([{ title: 'Another lake', postTime }])
  })

  test('is canceled once, and its subreddit is usable again in its place', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const item = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    await cancel(poster, item._id)
    expect(await timeline(poster)).toEqual([])
    expect(await readPost(poster, postId)).toMatchObject({
      usableSubreddits: ['CozyKnits0', 'CozyKnits1', 'CozyKnits2'],
      subredditsOnTimeline: [],
    })
    await expect(cancel(poster, item._id)).rejects.toMatchObject({ code: 'timeline_item_not_found' })
    const again = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    expect(await timeline(poster)).toEqual([{ ...again, thumbnail: null }])
  })

  test('stays there whatever subreddits the post is given', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    await create(poster, postId)
    const changed = await poster.api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: ['CozyKnits5', 'CozyKnits0'], discardedSubreddits: ['CozyKnits0'] },
    })
    expect(changed).toMatchObject({
      usableSubreddits: ['CozyKnits5'],
      discardedSubreddits: [],
      subredditsOnTimeline: ['CozyKnits0'],
    })
    await expect(create(poster, postId)).rejects.toMatchObject({ status: 409, code: 'post_on_timeline' })
  })

  test('is shown by time either way, between two moments, page by page', async () => {
    const poster = await buildPoster()
    const postId = await build(poster, SUBREDDITS.slice(0, 6))
    const times = [10, 20, 20, 30, 40, 50].map(inMinutes)
    for (const [index, postTime] of times.entries())
      await create(poster, postId, { selectedSubreddit: SUBREDDITS[index], postTime })
    const all = await timeline(poster)
    expect(all.map(({ postTime }) => postTime)).toEqual(times)
    for (const sortOrder of ['asc', 'desc'] as const) {
      const found = []
      let cursor: string | undefined
      do {
        const page = await poster.api.call(routes.timeline, {
          query: { limit: 2, sortOrder, ...(cursor ? { cursor } : {}) },
        })
        found.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(found).toEqual(sortOrder === 'asc' ? all : all.toReversed())
    }
    const some = await timeline(poster, { from: times[1], to: times[4] })
    expect(some.map(({ postTime }) => postTime)).toEqual(times.slice(1, 4))
    expect(await timeline(poster, { state: 'failed' })).toEqual([])
    await expect(timeline(poster, { from: '0000-01-01T00:00:00Z' })).rejects.toMatchObject({ status: 400 })
  })

  test('moves with all between two moments, never into the past, and back as it was', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const times = [30, 600, 1440].map(inMinutes)
    for (const [index, postTime] of times.entries())
      await create(poster, postId, { selectedSubreddit: SUBREDDITS[index], postTime })
    const ids = (await timeline(poster)).map(({ _id }) => _id)
    const move = (from = '', to: string, by: { minutes?: number; days?: number }) =>
      poster.api.call(routes.moveDay, { body: { from, to, ...by } })
    const offsets = async () =>
      (await timeline(poster)).map(({ _id, postTime }) =>
        minutesBetween(times[ids.indexOf(_id)] ?? '', postTime),
      )
    const placed = (index: number) => ({ _id: ids[index], postTime: times[index] })
    const moved = await move(times[0], inMinutes(1000), { minutes: -60 })
    expect(moved).toEqual({ moved: 1, items: [placed(1)] })
    expect(await move(times[2], inMinutes(2000), { days: 1 })).toEqual({ moved: 1, items: [placed(2)] })
    expect(await move(inMinutes(-1000), inMinutes(10), { minutes: 60 })).toEqual({ moved: 0, items: [] })
    expect(await offsets()).toEqual([0, -60, 1440])
    // Undone, it takes back what it moved and leaves what lay there already.
    expect(await poster.api.call(routes.moveBack, { body: { items: moved.items } })).toEqual({ moved: 1 })
    expect(await offsets()).toEqual([0, 0, 1440])
    const past = { items: [{ _id: ids[0] ?? '', postTime: inMinutes(-1) }] }
    expect(await poster.api.call(routes.moveBack, { body: past })).toEqual({ moved: 0 })
    expect(await offsets()).toEqual([0, 0, 1440])
  })

  test.each([
    ['set forward', 23],
    ['set back', 25],
  ])('keeps its time on the clock when a day is moved that the clock is %s on', async (_, hours) => {
    const poster = await buildPoster()
    const timeZone = 'America/New_York'
    const startOf = (date: string) => momentOf(`${date}T00:00`, timeZone)?.getTime() ?? 0
    const day = (number: number) =>
      new Date(harness.clock.now().getTime() + number * DAY_MS).toISOString().slice(0, 10)
    const hoursOf = (number: number) => (startOf(day(number + 1)) - startOf(day(number))) / HOUR_MS
    const changed = Array.from({ length: 366 }, (_, number) => number + 2).find(
      (number) => hoursOf(number) === hours,
    )
    if (!changed) throw new Error('no clock is changed')
    const clocks = ['00:30', '01:30', '12:00', '23:30']
    const postId = await build(poster, SUBREDDITS.slice(0, 4))
    const at = (number: number, clock: string) =>
      momentOf(`${day(number)}T${clock}`, timeZone)?.toISOString() ?? ''
    for (const [index, clock] of clocks.entries())
      await create(poster, postId, { selectedSubreddit: SUBREDDITS[index], postTime: at(changed, clock) })
    const range = (number: number) => ({ from: at(number, '00:00'), to: at(number + 1, '00:00') })
    const walls = async () =>
      (await timeline(poster)).map(({ postTime }) => wallTime(new Date(postTime), timeZone))
    for (const [from, days] of [
      [changed, 1],
      [changed + 1, -1],
      [changed, 7],
    ] as const) {
      const earlier = await timeline(poster)
      const { moved, items } = await poster.api.call(routes.moveDay, {
        body: { ...range(from), days, timeZone },
      })
      expect(moved).toBe(4)
      expect(await walls()).toEqual(clocks.map((clock) => `${day(from + days)}T${clock}`))
      expect(await poster.api.call(routes.moveBack, { body: { items } })).toEqual({ moved: 4 })
      expect(await timeline(poster)).toEqual(earlier)
      await poster.api.call(routes.moveDay, { body: { ...range(from), days, timeZone } })
    }
  })
})

describe('the queue', () => {
  test('has a rhythm of its own, of which what isn’t named stays', async () => {
    const poster = await buildPoster()
    const { api } = poster
    expect(await api.call(routes.queue, {})).toMatchObject({
      timeZone: 'UTC',
      days: [0, 1, 2, 3, 4, 5, 6],
      gapMinutes: 60,
      sameMediaMinutes: 0,
      paused: false,
      scheduled: 0,
      accounts: [{ _id: poster.accountId, state: 'posting', restingUntil: null, stoppedBy: null }],
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
    const poster = await buildPoster()
    const stop = (stopped: boolean) =>
      poster.api.call(routes.stopAccount, { body: { accountId: poster.accountId, stopped } })
    const account = async () => (await poster.api.call(routes.queue, {})).accounts[0]
    await stop(true)
    expect(await account()).toMatchObject({ state: 'stopped', stoppedBy: 'person' })
    await stop(false)
    expect(await account()).toMatchObject({ state: 'posting', stoppedBy: null })
  })
})

test('candidates and what is on the timeline show the smallest picture of an own item, which its creator’s browser opens', async () => {
  const poster = await buildPoster()
  const { api } = poster
  const mediaId = await buildMedia(harness, poster.person, { redditPromotion: true })
  const { _id: postId } = await api.call(routes.createPost, { body: { titles: ['A lake'], mediaId } })
  const body = { usableSubreddits: ['CozyKnits0', 'CozyKnits1'] }
  await api.call(routes.editPost, { params: { redditPostId: postId }, body })
  await create(poster, postId, { selectedSubreddit: 'CozyKnits0' })
  const { items } = await api.call(routes.scheduleCandidates, { query: {} })
  for (const { thumbnail } of [items[0], (await timeline(poster))[0]].flatMap((item) => item ?? [])) {
    expect(thumbnail).toMatchObject({ width: 320, height: 240 })
    expect((await api.fetch(thumbnail?.url ?? '')).status).toBe(200)
    expect((await harness.api.visitor().fetch(thumbnail?.url ?? '')).status).toBe(403)
  }
})

test('nobody reaches into somebody else’s timeline', async () => {
  const [poster, stranger] = [await buildPoster(), await buildPoster()]
  const postId = await build(poster)
  const item = await create(poster, postId)
  const { _id: itemId } = item
  const { accountId } = poster
  const postTime = inMinutes(60)
  const calls: [string, object][] = [
    ['timeline/item/create', { postId, selectedSubreddit: 'CozyKnits1', title: 'Mine', postTime }],
    ['manualsubmit', { postId, subreddit: 'CozyKnits1' }],
    ['timeline/item/edit', { itemId, title: 'Mine' }],
    ['timeline/item/cancel', { itemId }],
    ['timeline/item/confirm', { itemId, link: 'https://www.reddit.com/r/CozyKnits0/comments/abc/' }],
    ['timeline/item/reopen', { itemId }],
    ['queue/account', { accountId, stopped: true }],
  ]
  for (const [path, body] of calls)
    expect((await stranger.api.send('POST', `/reddit/${path}`, { body })).status, path).toBe(404)
  const own = await build(stranger)
  await expect(create(stranger, own, { accountId })).rejects.toMatchObject({ status: 404 })
  const query = { postId, subreddit: 'CozyKnits0', title: 'T' }
  await expect(stranger.api.call(routes.checkPost, { query })).rejects.toMatchObject({ status: 404 })
  const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', minutes: 60 }
  expect(await stranger.api.call(routes.moveDay, { body: range })).toEqual({ moved: 0, items: [] })
  const back = { items: [{ _id: itemId, postTime: inMinutes(90) }] }
  expect(await stranger.api.call(routes.moveBack, { body: back })).toEqual({ moved: 0 })
  const named = { userId: poster.person.id }
  expect((await stranger.api.send('GET', '/reddit/timeline', { query: named })).status).toBe(403)
  expect(await timeline(stranger)).toEqual([])
  expect(await timeline(poster)).toEqual([{ ...item, thumbnail: null }])
  expect((await poster.api.call(routes.queue, {})).accounts[0]?.state).toBe('posting')
})

describe('at once', () => {
  test('twenty of the same post and subreddit schedule it once', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(poster, postId)))
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'ok' : result.reason.code))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'post_on_timeline')).toHaveLength(19)
    expect(await timeline(poster)).toHaveLength(1)
  })

  test('twenty at the end of the queue take slots of their own, a gap apart', async () => {
    const poster = await buildPoster()
    const postId = await build(poster, SUBREDDITS.slice(0, 20))
    await Promise.all(
      SUBREDDITS.slice(0, 20).map((selectedSubreddit) => create(poster, postId, { selectedSubreddit })),
    )
    const times = (await timeline(poster)).map(({ postTime }) => postTime)
    expect(times).toHaveLength(20)
    for (const [index, time] of times.slice(1).entries())
      expect(minutesBetween(times[index] ?? '', time)).toBeGreaterThanOrEqual(60)
  })

  test('canceling and scheduling anew leave the post in one place', async () => {
    const poster = await buildPoster()
    const postId = await build(poster)
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
