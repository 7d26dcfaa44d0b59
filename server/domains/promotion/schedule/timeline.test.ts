import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { momentOf } from '../../../../contract/wall-time.ts'
import { buildMedia } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildFlair, buildSubreddits } from '../../../testing/promotion.ts'
import {
  beginNoon,
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
import { PAST } from './moving/rules.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  beginNoon(harness)
  await buildSubreddits(harness, SUBREDDITS)
})
afterAll(() => harness?.stop())

describe('what is on the timeline', () => {
  test('is changed where it is named', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const item = await create(poster, postId, { comment: 'Hello', flairId: 'any', flairText: 'Own' })
    const edit = (body: object) =>
      poster.api.call(routes.editTimelineItem, { body: { itemId: item._id, ...body } })
    expect(await edit({ title: 'Another lake' })).toEqual({ ...item, title: 'Another lake' })
    const postTime = inMinutes(harness, 300)
    expect(await edit({ comment: '', postTime })).toMatchObject({
      title: 'Another lake',
      comment: '',
      postTime,
      flairId: 'any',
      flairText: 'Own',
    })
    expect(await edit({ flairId: '' })).toMatchObject({ flairId: null, flairText: null })
    expect(await edit({ byHand: true })).toMatchObject({ byHand: true, state: 'scheduled' })
    await expect(edit({ postTime: inMinutes(harness, -1) })).rejects.toMatchObject({
      code: 'timeline_time_past',
    })
    await expect(edit({ title: '' })).rejects.toMatchObject({ status: 400 })
    expect(await timeline(poster)).toMatchObject([{ title: 'Another lake', postTime }])
  })

  test('shows and posts the new link of its post, but what went up keeps its own', async () => {
    const poster = await buildPoster(harness)
    const { db } = harness.context
    const postId = await buildPostOf(harness, poster, ['CozyKnits0', 'CozyKnits1', 'CozyKnits29'])
    const before = (await readPost(poster, postId)).link
    const [posted, , refusing] = [
      await create(poster, postId),
      await create(poster, postId, { selectedSubreddit: 'CozyKnits1' }),
      await create(poster, postId, { selectedSubreddit: 'CozyKnits29' }),
    ]
    await db
      .updateTable('scheduled_posts')
      .set({ state: 'posted', posted_at: harness.clock.now() })
      .where('id', '=', posted._id)
      .execute()
    await buildFlair(harness, 'CozyKnits29', [])
    await db
      .updateTable('subreddit_readings')
      .set({
        requirements: sql`requirements || '{"link_restriction_policy": "blacklist", "domain_blacklist": ["redgifs.com"]}'`,
      })
      .where('subreddit_id', 'in', db.selectFrom('subreddits').select('id').where('name', '=', 'CozyKnits29'))
      .execute()
    const link = 'https://www.redgifs.com/ifr/anotherlake'
    await poster.api.call(routes.editPost, { params: { redditPostId: postId }, body: { link } })
    const items = await timeline(poster)
    expect(items.map((item) => [item.subreddit, item.state, item.link])).toEqual([
      ['CozyKnits0', 'posted', before],
      ['CozyKnits1', 'scheduled', link],
      ['CozyKnits29', 'failed', link],
    ])
    expect(items.find(({ _id }) => _id === refusing?._id)?.failure).toMatchObject({
      code: 'link',
      message: 'Links to redgifs.com aren’t allowed there.',
    })
    const { items: told } = await poster.api.call(routes.notifications, { query: {} })
    expect(told.map(({ event }) => event)).toMatchObject([
      { kind: 'post.changed', data: { subreddit: 'CozyKnits29', state: 'failed' } },
    ])
    const rows = await db
      .selectFrom('scheduled_posts')
      .select(['url', 'media_key'])
      .where('post_id', '=', postId)
      .execute()
    expect(rows.filter(({ url }) => url === 'https://www.redgifs.com/watch/anotherlake')).toHaveLength(2)
    expect(rows.filter(({ media_key }) => media_key === 'redgifs:anotherlake')).toHaveLength(2)
  })

  test('of earlier days is told with what is to come where it still hasn’t gone up', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    await poster.api.call(routes.editQueue, { body: { paused: true } })
    const late = await create(poster, postId, { postTime: inMinutes(harness, 10) })
    const failed = await create(poster, postId, {
      selectedSubreddit: 'CozyKnits1',
      postTime: inMinutes(harness, 11),
    })
    const { db } = harness.context
    await db
      .updateTable('scheduled_posts')
      .set({ state: 'failed', failure: JSON.stringify({ code: 'X', message: 'No.', remedy: 'none' }) })
      .where('id', '=', failed._id)
      .execute()
    harness.clock.advance(2 * DAY_MS)
    const next = await create(poster, postId, {
      selectedSubreddit: 'CozyKnits2',
      postTime: inMinutes(harness, 10),
    })
    const from = inMinutes(harness, 0)
    const ids = async (query: object) => (await timeline(poster, query)).map(({ _id }) => _id)
    expect(await ids({ from })).toEqual([next._id])
    expect(await ids({ from, overdue: 'true' })).toEqual([late._id, next._id])
    const page = await poster.api.call(routes.timeline, { query: { from, overdue: 'true', limit: 1 } })
    expect(page.items.map(({ _id }) => _id)).toEqual([late._id])
    expect(await ids({ from, overdue: 'true', cursor: page.nextCursor ?? '' })).toEqual([next._id])
  })

  test('is canceled once, and its subreddit is usable again in its place', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const item = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    await cancel(poster, item._id)
    expect(await timeline(poster)).toEqual([])
    expect(await readPost(poster, postId)).toMatchObject({
      usableSubreddits: ['CozyKnits0', 'CozyKnits1', 'CozyKnits2'],
      subredditsOnTimeline: [],
    })
    await expect(cancel(poster, item._id)).rejects.toMatchObject({ code: 'timeline_item_not_found' })
    const again = await create(poster, postId, { selectedSubreddit: 'CozyKnits1' })
    expect(await timeline(poster)).toEqual([{ ...again, thumbnail: null, clash: null }])
  })

  test('stays there whatever subreddits the post is given', async () => {
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
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
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster, SUBREDDITS.slice(0, 6))
    const times = [10, 20, 20, 30, 40, 50].map((minutes) => inMinutes(harness, minutes))
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
    const poster = await buildPoster(harness)
    const postId = await buildPostOf(harness, poster)
    const times = [30, 600, 1440].map((minutes) => inMinutes(harness, minutes))
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
    const moved = await move(times[0], inMinutes(harness, 1000), { minutes: -60 })
    expect(moved).toEqual({ moved: 1, items: [placed(1)], stayed: [{ posts: 1, reason: PAST }] })
    expect(await move(times[2], inMinutes(harness, 2000), { days: 1 })).toEqual({
      moved: 1,
      items: [placed(2)],
      stayed: [],
    })
    expect(await move(inMinutes(harness, -1000), inMinutes(harness, 10), { minutes: 60 })).toEqual({
      moved: 0,
      items: [],
      stayed: [],
    })
    expect(await offsets()).toEqual([0, -60, 1440])
    // Undone, it takes back what it moved and leaves what lay there already.
    expect(await poster.api.call(routes.moveBack, { body: { items: moved.items } })).toEqual({
      moved: 1,
      stayed: [],
    })
    expect(await offsets()).toEqual([0, 0, 1440])
    const past = { items: [{ _id: ids[0] ?? '', postTime: inMinutes(harness, -1) }] }
    expect(await poster.api.call(routes.moveBack, { body: past })).toEqual({
      moved: 0,
      stayed: [{ posts: 1, reason: PAST }],
    })
    expect(await offsets()).toEqual([0, 0, 1440])
  })

  test.each([
    ['set forward', 23],
    ['set back', 25],
  ])('keeps its time on the clock when a day is moved that the clock is %s on', async (_, hours) => {
    const poster = await buildPoster(harness)
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
    const postId = await buildPostOf(harness, poster, SUBREDDITS.slice(0, 4))
    const at = (number: number, clock: string) =>
      momentOf(`${day(number)}T${clock}`, timeZone)?.toISOString() ?? ''
    for (const [index, clock] of clocks.entries())
      await create(poster, postId, { selectedSubreddit: SUBREDDITS[index], postTime: at(changed, clock) })
    const range = (number: number) => ({ from: at(number, '00:00'), to: at(number + 1, '00:00') })
    const times = async () => (await timeline(poster)).map(({ postTime }) => postTime)
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
      // Of a time that comes twice, the first.
      expect(await times()).toEqual(clocks.map((clock) => at(from + days, clock)))
      expect(await poster.api.call(routes.moveBack, { body: { items } })).toEqual({ moved: 4, stayed: [] })
      expect(await timeline(poster)).toEqual(earlier)
      await poster.api.call(routes.moveDay, { body: { ...range(from), days, timeZone } })
    }
  })
})

test('candidates and what is on the timeline show the smallest picture of an own item, which its creator’s browser opens', async () => {
  const poster = await buildPoster(harness)
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
  const [poster, stranger] = [await buildPoster(harness), await buildPoster(harness)]
  const postId = await buildPostOf(harness, poster)
  const item = await create(poster, postId)
  const { _id: itemId } = item
  const { accountId } = poster
  const postTime = inMinutes(harness, 60)
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
  const own = await buildPostOf(harness, stranger)
  await expect(create(stranger, own, { accountId })).rejects.toMatchObject({ status: 404 })
  const query = { postId, subreddit: 'CozyKnits0', title: 'T' }
  await expect(stranger.api.call(routes.checkPost, { query })).rejects.toMatchObject({ status: 404 })
  const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', minutes: 60 }
  expect(await stranger.api.call(routes.moveDay, { body: range })).toEqual({
    moved: 0,
    items: [],
    stayed: [],
  })
  const back = { items: [{ _id: itemId, postTime: inMinutes(harness, 90) }] }
  expect(await stranger.api.call(routes.moveBack, { body: back })).toEqual({ moved: 0, stayed: [] })
  const named = { userId: poster.person.id }
  expect((await stranger.api.send('GET', '/reddit/timeline', { query: named })).status).toBe(403)
  expect(await timeline(stranger)).toEqual([])
  expect(await timeline(poster)).toEqual([{ ...item, thumbnail: null, clash: null }])
  expect((await poster.api.call(routes.queue, {})).accounts[0]?.state).toBe('posting')
})
