import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { DONATION_ID } from '../../../../contract/orders.ts'
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
import type { Harness } from '../../../testing/harness.ts'
import { MINUTE_MS, postLinks, startWithSubreddits } from '../../../testing/post-links.ts'
import { connectForum, forumPosts } from '../../../testing/promotion.ts'
import { refundPayment } from '../../../testing/refunds.ts'
import { freeCode } from './actions.ts'

const DAY_MS = 24 * 60 * MINUTE_MS
const ABSENT = '01890000-0000-7000-8000-00000000dead'

let harness: Harness
let places: string[]
let names = 0
let creator: Person
beforeAll(async () => {
  ;({ harness, places } = await startWithSubreddits())
})
beforeEach(async () => {
  creator = await buildCreator(harness)
  await connectForum(harness, creator, `Counted${names++}`)
})
afterAll(() => harness?.stop())

const { later, as, posted, visit, buy, earned } = postLinks(() => ({ harness, places, creator }))

/** Parts of a payment can be given back once it has settled. */
const settle = () => fetch(`${harness.sandboxOrigin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })

async function refund(transactionId: string, amount: string) {
  const operator = await buildUser(harness, { role: 'superadmin' })
  const token = await buildSession(harness, operator.id, { reauthenticatedAt: harness.clock.now() })
  await refundPayment(harness.api.as({ token }), { transactionId, amount })
}

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

  test('is no tip for the site, whose account may be the poster’s', async () => {
    const post = await posted()
    const fan = await buildFan(harness)
    await visit(post.code, fan)
    later(MINUTE_MS)
    await harness.context.db
      .updateTable('users')
      .set((eb) => ({
        role: eb
          .case()
          .when('id', '=', creator.id)
          .then('superadmin' as const)
          .end(),
      }))
      .where((eb) => eb.or([eb('id', '=', creator.id), eb('role', '=', 'superadmin')]))
      .execute()
    const body = { kind: 'donation' as const, itemId: DONATION_ID, amount: '$20' }
    await (await as(fan)).call(routes.purchase, { body: { ...body, ...(await cardToken(harness)) } })
    expect(await earnedBy(post)).toMatchObject({ visits: 1, sales: 0, salesAmount: '$0' })
    await buy(fan)
    expect(await earnedBy(post)).toMatchObject({ visits: 1, sales: 1, salesAmount: '$7' })
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
