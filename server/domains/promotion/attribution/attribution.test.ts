import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import type { EARNINGS_GROUPS } from '../../../../contract/promotion.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildPlan,
  buildSession,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  openSubreddits,
  submitDue,
} from '../../../testing/promotion.ts'
import { beginNoon } from '../../../testing/schedule.ts'
import { freeCode } from './actions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ABSENT = '01890000-0000-7000-8000-00000000dead'

let harness: Harness
let places: string[]
let names = 0
let creator: Person
beforeAll(async () => {
  harness = await startHarness()
  // Far from midnight, as somebody's visits count once a day.
  beginNoon(harness)
  await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  places = await openSubreddits(harness)
  await buildSubreddits(harness, places)
})
beforeEach(async () => {
  creator = await buildCreator(harness)
  await connectForum(harness, creator, `Counted${names++}`)
})
afterAll(() => harness?.stop())

const later = (ms: number) => harness.clock.advance(ms)
/** Sessions end while the clock is moved, so each call has one of its own. */
const as = async (person: Person) => harness.api.as({ token: await buildSession(harness, person.id) })

/** A post that is up, with the code of its link as the first comment says it. */
async function posted({ title = 'A quiet lake', place = 0, by = creator } = {}) {
  const subreddit = places[place] ?? ''
  const poster = { ...by, token: await buildSession(harness, by.id) }
  const postId = await buildPost(harness, poster, {
    subreddits: [subreddit],
    titles: [title],
    comment: 'More of this: {link}',
  })
  const api = harness.api.as(poster)
  const postTime = new Date(harness.clock.now().getTime() + MINUTE_MS).toISOString()
  const item = await api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, title, comment: 'More of this: {link}', postTime },
  })
  later(MINUTE_MS)
  await submitDue(harness)
  const entry = (await forumPosts(harness)).at(-1)
  const [, code = ''] = /\/go\/(\w+)/.exec(entry?.comments[0]?.body ?? '') ?? []
  return { id: item._id, code, subreddit, entry }
}

const visit = async (code: string, person?: Person) =>
  (person ? await as(person) : harness.api.visitor()).call(routes.visitPost, { body: { code } })

async function buy(fan: Person, of: Person = creator, priceCents = 700): Promise<string> {
  const itemId = await buildMedia(harness, of, { showInStore: true, priceCents })
  const bought = await (await as(fan)).call(routes.purchase, {
    body: { kind: 'single', itemId, ...(await cardToken(harness)) },
  })
  return bought._id
}

/** Parts of a payment can be given back once it has settled. */
const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

async function refund(transactionId: string, amount: string) {
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  await harness.api.as({ token }).call(routes.refund, {
    body: { transactionId, amount, reason: 'A mistake' },
  })
}

type By = (typeof EARNINGS_GROUPS)[number]
const earned = async (by: By = 'post', query: object = {}, of = creator) =>
  (await as(of)).call(routes.postEarnings, { query: { by, ...query } })
async function earnedBy({ id }: { id: string }) {
  const row = (await earned()).items.find(({ key }) => key === id)
  if (!row) throw new Error('the post is not among the rows')
  return row
}

describe('a link', () => {
  test('is counted, and leads to the creator; what nobody made leads home', async () => {
    const { code, entry } = await posted()
    expect(entry?.comments[0]?.body).toBe(`More of this: http://fanfare.test/go/${code}`)
    expect(await visit(code)).toEqual({ visitId: expect.any(String), path: `/users/${creator.username}` })
    expect(await visit('aaaaaaaa')).toEqual({ visitId: null, path: '/' })
  })

  test('of an own item carries the code, and leads to the item while it is there', async () => {
    const mediaId = await buildMedia(harness, creator, { redditPromotion: true })
    const api = await as(creator)
    const [subreddit = ''] = places
    const { _id: postId } = await api.call(routes.createPost, {
      body: { titles: ['Own'], comment: '', mediaId },
    })
    await api.call(routes.editPost, {
      params: { redditPostId: postId },
      body: { usableSubreddits: [subreddit] },
    })
    await api.call(routes.manualSubmit, { body: { postId, subreddit, title: 'Own' } })
    const url = new URL((await forumPosts(harness)).at(-1)?.url ?? '')
    expect(url.pathname).toBe(`/media/${mediaId}`)
    const code = url.searchParams.get('from') ?? ''
    expect(await visit(code)).toMatchObject({ path: `/media/${mediaId}` })
    await api.call(routes.deleteMedia, { body: { mediaId } })
    expect(await visit(code)).toMatchObject({ path: `/users/${creator.username}` })
  })

  test('has a code that no other post has', async () => {
    const { code } = await posted()
    const bytes = (text: string) =>
      Uint8Array.from(text, (letter) => 'abcdefghijkmnopqrstuvwxyz23456789'.indexOf(letter))
    const drawn = [code, code, 'zzzzzzz9']
    const { db } = harness.context
    const free = await db
      .transaction()
      .execute((tx) => freeCode(tx, () => bytes(drawn.shift() ?? 'zzzzzzz8')))
    expect(free).toBe('zzzzzzz9')
  })

  test('tells nothing of a creator who isn’t there', async () => {
    const { code } = await posted()
    await harness.context.db
      .updateTable('users')
      .set({ suspended_at: harness.clock.now(), suspension_reason: 'Spam' })
      .where('id', '=', creator.id)
      .execute()
    expect(await visit(code)).toEqual({ visitId: null, path: '/' })
  })

  test('doesn’t count its creator, nor operators, also when they log in later', async () => {
    const post = await posted()
    const operator = await buildUser(harness, { role: 'superadmin' })
    for (const person of [creator, operator]) {
      expect((await visit(post.code, person)).visitId).toBeNull()
      const { visitId } = await visit(post.code)
      await (await as(person)).call(routes.claimVisits, { body: { visitIds: [visitId ?? ''] } })
    }
    expect(await earnedBy(post)).toMatchObject({ visits: 0, signUps: 0 })
  })

  test('counts one person once a day, however often they come at the same time', async () => {
    const [post, other] = [await posted(), await posted({ place: 1 })]
    const fan = await buildFan(harness)
    const api = await as(fan)
    await Promise.all(
      Array.from({ length: 20 }, () => api.call(routes.visitPost, { body: { code: post.code } })),
    )
    await visit(other.code, fan)
    await visit(post.code, fan)
    expect(await earnedBy(post)).toMatchObject({ visits: 1 })
    later(DAY_MS)
    await visit(post.code, fan)
    expect(await earnedBy(post)).toMatchObject({ visits: 2 })
    expect(await earnedBy(other)).toMatchObject({ visits: 1 })
  })
})

describe('visits before a login', () => {
  test('are claimed once, by one person, for seven days, and say who signed up', async () => {
    const post = await posted()
    const [first, old] = [await visit(post.code), await visit(post.code)]
    later(MINUTE_MS)
    const [fan, other] = [await buildFan(harness), await buildFan(harness)]
    const claim = async (person: Person, visitId: string | null) =>
      (await as(person)).call(routes.claimVisits, { body: { visitIds: [visitId ?? ABSENT, ABSENT] } })
    await Promise.all([claim(fan, first.visitId), claim(fan, first.visitId)])
    await claim(other, first.visitId)
    await buy(other)
    await buy(fan)
    expect(await earnedBy(post)).toMatchObject({ visits: 2, signUps: 1, sales: 1, salesAmount: '$7' })
    later(7 * DAY_MS)
    await claim(other, old.visitId)
    expect(await earnedBy(post)).toMatchObject({ visits: 2, signUps: 1 })
  })

  test('of somebody who had an account are no sign-up', async () => {
    const post = await posted()
    const fan = await buildFan(harness)
    later(MINUTE_MS)
    const { visitId } = await visit(post.code)
    await (await as(fan)).call(routes.claimVisits, { body: { visitIds: [visitId ?? ''] } })
    expect(await earnedBy(post)).toMatchObject({ visits: 1, signUps: 0 })
  })

  test('stay without a name once their person deletes the account', async () => {
    const post = await posted()
    const fan = await buildFan(harness)
    await visit(post.code, fan)
    const token = await buildSession(harness, fan.id, { reauthenticatedAt: harness.clock.now() })
    await harness.api.as({ token }).call(routes.deleteAccount, { params: { userId: fan.id } })
    later(31 * DAY_MS)
    await harness.server.jobs['account.erase']({}, { attempt: 1, lastAttempt: false })
    const rows = await harness.context.db
      .selectFrom('forum_visits')
      .select('user_id')
      .where('item_id', '=', post.id)
      .execute()
    expect(rows).toEqual([{ user_id: null }])
    expect(await earnedBy(post)).toMatchObject({ visits: 1 })
  })

  test('are forgotten after 400 days, unless somebody claimed them', async () => {
    const post = await posted()
    await visit(post.code)
    await visit(post.code, await buildFan(harness))
    const kept = async () =>
      (
        await harness.context.db
          .selectFrom('forum_visits')
          .select('user_id')
          .where('item_id', '=', post.id)
          .execute()
      ).length
    const forget = () => harness.server.jobs['visits.forget']({}, { attempt: 1, lastAttempt: false })
    later(399 * DAY_MS)
    await forget()
    expect(await kept()).toBe(2)
    later(2 * DAY_MS)
    await forget()
    expect(await kept()).toBe(1)
  })
})

describe('a purchase', () => {
  test('belongs to the last post that its buyer came by, once, less what is refunded', async () => {
    const [first, last] = [await posted(), await posted({ place: 1 })]
    const fan = await buildFan(harness)
    await visit(first.code, fan)
    later(MINUTE_MS)
    await visit(last.code, fan)
    later(MINUTE_MS)
    const order = await buy(fan)
    expect(await earnedBy(first)).toMatchObject({ visits: 1, sales: 0, salesAmount: '$0' })
    expect(await earnedBy(last)).toMatchObject({ visits: 1, sales: 1, salesAmount: '$7' })
    // Later visits don't change where earlier purchases came from.
    later(MINUTE_MS)
    await visit(first.code, fan)
    await settle()
    await refund(order, '$3')
    expect(await earnedBy(last)).toMatchObject({ sales: 1, salesAmount: '$4' })
    await refund(order, '$4')
    expect(await earnedBy(last)).toMatchObject({ sales: 0, salesAmount: '$0' })
    expect((await earned()).total).toMatchObject({ posts: 2, visits: 2, sales: 0, salesAmount: '$0' })
  })

  test('belongs to a post of another period where that was the last', async () => {
    const from = harness.clock.now().toISOString()
    const first = await posted()
    const fan = await buildFan(harness)
    const to = new Date(harness.clock.now().getTime() + 1).toISOString()
    later(MINUTE_MS)
    const last = await posted({ place: 1 })
    for (const { code } of [first, last]) {
      await visit(code, fan)
      later(MINUTE_MS)
    }
    await buy(fan)
    expect((await earned('post', { from, to })).items).toMatchObject([{ key: first.id, visits: 1, sales: 0 }])
    expect((await earned('post', { from: to })).items).toMatchObject([{ key: last.id, sales: 1 }])
  })

  test('eight days later belongs to none, nor one from another creator', async () => {
    const post = await posted()
    const [fan, other] = [await buildFan(harness), await buildCreator(harness)]
    await visit(post.code, fan)
    await buy(fan, other)
    later(8 * DAY_MS)
    await buy(fan)
    expect(await earnedBy(post)).toMatchObject({ visits: 1, sales: 0, salesAmount: '$0' })
  })

  test('of a subscription brings its renewals to the same post', async () => {
    const post = await posted()
    const fan = await buildFan(harness)
    await visit(post.code, fan)
    const mediaIds = [await buildMedia(harness, creator)]
    const itemId = await buildPlan(harness, creator, { mediaIds, priceCents: 900 })
    await (await as(fan)).call(routes.purchase, {
      body: { kind: 'subscription', itemId, ...(await cardToken(harness)) },
    })
    const [{ expiration } = { expiration: '' }] = (
      await (await as(fan)).call(routes.ownSubscriptions, { query: {} })
    ).items
    later(new Date(expiration).getTime() - harness.clock.now().getTime() - DAY_MS)
    const between = await posted({ place: 1 })
    await visit(between.code, fan)
    later(DAY_MS + MINUTE_MS)
    await harness.server.jobs['renewals.charge']({}, { attempt: 1, lastAttempt: false })
    expect(await earnedBy(post)).toMatchObject({
      sales: 1,
      salesAmount: '$9',
      renewals: 1,
      renewalsAmount: '$9',
    })
    expect(await earnedBy(between)).toMatchObject({ visits: 1, sales: 0, renewals: 0 })
  })

  test('is no free trial, which is counted apart, as is a follow', async () => {
    const post = await posted()
    const [fan, stranger] = [await buildFan(harness), await buildFan(harness)]
    await visit(post.code, fan)
    later(MINUTE_MS)
    const offerId = await buildOffer(harness, creator, { type: 'freeTrial' })
    for (const person of [fan, stranger]) {
      const api = await as(person)
      await api.call(routes.redeemOffer, { body: { offerId } })
      await api.call(routes.toggleFollow, { body: { followingId: creator.id } })
    }
    expect(await earnedBy(post)).toMatchObject({ trials: 1, follows: 1, sales: 0 })
  })

  test('is no gift: free days that the creator gave are counted as nothing', async () => {
    const post = await posted()
    const fan = await buildFan(harness)
    await visit(post.code, fan)
    await (await as(fan)).call(routes.toggleFollow, { body: { followingId: creator.id } })
    later(MINUTE_MS)
    const subscriptionId = await buildPlan(harness, creator, {
      mediaIds: [await buildMedia(harness, creator)],
    })
    const gift = { subscriberId: fan.id, subscriptionId, days: 7 }
    await (await as(creator)).call(routes.giveFreeDays, { body: gift })
    expect(await earnedBy(post)).toMatchObject({ follows: 1, trials: 0, redemptions: 0, sales: 0 })
  })
})

describe('earnings', () => {
  test('are grouped, the most earned first, and come page by page', async () => {
    const titles = ['Second', 'First', 'Visited', 'Never seen']
    const posts = []
    for (const [place, title] of titles.entries()) posts.push(await posted({ title, place: place % 2 }))
    const [second, first, visited] = posts
    for (const [post, cents] of [
      [second, 500],
      [first, 900],
    ] as const) {
      const fan = await buildFan(harness)
      await visit(post?.code ?? '', fan)
      await buy(fan, creator, cents)
    }
    await visit(visited?.code ?? '')
    const whole = await earned('title')
    expect(whole.items.map(({ label }) => label)).toEqual(['First', 'Second', 'Visited', 'Never seen'])
    expect(whole.total).toMatchObject({ posts: 4, visits: 3, sales: 2, salesAmount: '$14' })
    const paged: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof earned>> = await earned('title', {
        limit: 1,
        ...(cursor ? { cursor } : {}),
      })
      paged.push(...page.items.map(({ label }) => label))
      expect(page.total).toEqual(whole.total)
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(['First', 'Second', 'Visited', 'Never seen'])
    const bySubreddit = await earned('subreddit')
    expect(bySubreddit.items).toMatchObject([
      { key: places[1], label: `r/${places[1]}`, posts: 2, salesAmount: '$9' },
      { key: places[0], posts: 2, visits: 2, salesAmount: '$5' },
    ])
    expect((await earned('flair')).items).toMatchObject([{ key: '', label: 'No flair', posts: 4 }])
    await expect(earned('title', { cursor: 'bm8gcGxhY2U' })).rejects.toMatchObject({ code: 'bad_cursor' })
  })

  test('stand by the hour and the weekday of the creator’s own time zone', async () => {
    // The clock has moved on since, and hours begin there at half past.
    beginNoon(harness)
    const api = await as(creator)
    await api.call(routes.editQueue, { body: { timeZone: 'Asia/Kolkata' } })
    await posted()
    const there = new Date(harness.clock.now().getTime() + 5.5 * 60 * MINUTE_MS)
    expect((await earned('hour')).items).toMatchObject([{ key: `${there.getUTCHours()}` }])
    expect((await earned('weekday')).items).toMatchObject([{ key: `${there.getUTCDay()}` }])
  })

  test('are a file whose cells no spreadsheet calculates', async () => {
    await posted({ title: '=SUM(A1:A9)' })
    const file = await (await as(creator)).call(routes.postEarningsFile, { query: { by: 'title' } })
    expect(file.fileName).toMatch(/^post-earnings-by-title-[\d-]+-to-[\d-]+\.csv$/)
    const lines = file.text.trimEnd().split('\r\n')
    expect(lines[0]).toContain('"Title","Posts","Removed","Visits"')
    expect(lines[1]).toBe(`"'=SUM(A1:A9)","1","0","0","0","0","0","0","0","$0","0","$0"`)
    expect(lines[2]).toMatch(/^"Total","1"/)
  })

  test('are nobody else’s', async () => {
    await posted()
    const other = await buildCreator(harness)
    expect((await earned('post', {}, other)).items).toEqual([])
    await expect(earned('post', { creatorId: creator.id }, other)).rejects.toMatchObject({ status: 403 })
    const fan = await buildFan(harness)
    await expect(earned('post', {}, fan)).rejects.toMatchObject({ status: 403 })
  })

  test('suggest nothing while there are few posts', async () => {
    await posted()
    const api = await as(creator)
    expect(await api.call(routes.postSuggestions, { query: {} })).toEqual({
      posts: 1,
      hours: [],
      subreddits: [],
    })
  })
})
