import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildOffer, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits, forumAdmin, postOnForum } from '../../../testing/promotion.ts'

const HOUR_MS = 3_600_000
let harness: Harness
let creator: Person
const PLACES = ['Lanterns', 'QuietGardens'] as const
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, [...PLACES])
  // Anybody may post anything there.
  const requirements = { is_flair_required: false, title_text_min_length: null, title_required_strings: [] }
  for (const name of PLACES)
    await forumAdmin(harness, 'POST', `subreddits/${name}`, { access: 'open', requirements })
})
beforeEach(async () => {
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

const as = (person: Person) => harness.api.as(person)

/** A post that is up, put there by hand, with the code of its link. */
async function buildPosted(offerId: string | null, of: { mediaId?: string; subreddit?: string } = {}) {
  const { mediaId, subreddit = PLACES[0] } = of
  const api = as(creator)
  const what = mediaId === undefined ? { link: 'quietlake' } : { mediaId }
  const { _id: postId } = await api.call(routes.createPost, {
    body: { titles: ['A quiet lake'], offerId, ...what },
  })
  const body = { usableSubreddits: [subreddit] }
  await api.call(routes.editPost, { params: { redditPostId: postId }, body })
  const postTime = new Date(harness.clock.now().getTime() + HOUR_MS).toISOString()
  const { _id: itemId } = await api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, postTime, byHand: true },
  })
  const { code, url, title } = await harness.context.db
    .selectFrom('scheduled_posts')
    .select(['code', 'url', 'title'])
    .where('id', '=', itemId)
    .executeTakeFirstOrThrow()
  const link = await postOnForum(harness, creator.username, { subreddit, title, url })
  await api.call(routes.confirmTimelineItem, { body: { itemId, link } })
  return { postId, itemId, code: code ?? '' }
}

const pathOf = async (code: string, person?: Person) =>
  (await (person ? as(person) : harness.api.visitor()).call(routes.visitPost, { body: { code } })).path

test('the link of a post leads to its offer while that is open to everyone, and else where it led before', async () => {
  const { clock } = harness.context
  const profile = `/users/${creator.username}`
  const expiresAt = new Date(clock.now().getTime() + HOUR_MS)
  const [brief, single, ended] = [
    await buildOffer(harness, creator, { type: 'freeBundle', expiresAt }),
    await buildOffer(harness, creator, { type: 'freeSingles', allowed: 1 }),
    await buildOffer(harness, creator, { type: 'freeTrial' }),
  ]
  const mediaId = await buildMedia(harness, creator, { redditPromotion: true })
  const codes = {
    brief: (await buildPosted(brief)).code,
    single: (await buildPosted(single, { mediaId })).code,
    ended: (await buildPosted(ended)).code,
    none: (await buildPosted(null)).code,
  }
  expect(await pathOf(codes.brief)).toBe(`${profile}/offers/${brief}`)
  expect(await pathOf(codes.single)).toBe(`${profile}/offers/${single}`)
  expect(await pathOf(codes.ended)).toBe(`${profile}/offers/${ended}`)
  expect(await pathOf(codes.none)).toBe(profile)
  await as(await buildFan(harness)).call(routes.redeemOffer, { body: { offerId: single } })
  await as(creator).call(routes.deleteOffer, { body: { offerId: ended } })
  clock.advance(HOUR_MS)
  expect(await pathOf(codes.brief)).toBe(profile)
  expect(await pathOf(codes.single)).toBe(`/media/${mediaId}`)
  expect(await pathOf(codes.ended)).toBe(profile)
})

test('an offer of somebody else, for a few people, or of the past isn’t taken; one that ends stays where it is', async () => {
  const stranger = await buildCreator(harness)
  const refused = [
    await buildOffer(harness, stranger, { type: 'freeSingles' }),
    await buildOffer(harness, creator, { type: 'freeSingles', recipients: [await buildFan(harness)] }),
    crypto.randomUUID(),
  ]
  const own = await buildOffer(harness, creator, { type: 'freeSingles' })
  const { postId } = await buildPosted(own)
  const params = { redditPostId: postId }
  for (const offerId of refused) {
    const created = as(creator).call(routes.createPost, {
      body: { titles: ['A'], link: 'quietlake', offerId },
    })
    await expect(created).rejects.toMatchObject({ code: 'post_offer_not_found' })
    const edited = as(creator).call(routes.editPost, { params, body: { offerId, titles: ['Changed'] } })
    await expect(edited).rejects.toMatchObject({ code: 'post_offer_not_found' })
  }
  expect(await as(creator).call(routes.post, { params })).toMatchObject({
    offerId: own,
    titles: ['A quiet lake'],
  })
  const other = await buildOffer(harness, creator, { type: 'freeSingles' })
  await as(creator).call(routes.deleteOffer, { body: { offerId: other } })
  await expect(as(creator).call(routes.editPost, { params, body: { offerId: other } })).rejects.toThrow()
  await harness.context.db
    .updateTable('offers')
    .set({ ended_at: harness.clock.now() })
    .where('id', '=', own)
    .execute()
  await as(creator).call(routes.editPost, { params, body: { offerId: own, titles: ['Changed'] } })
  await as(creator).call(routes.editPost, { params, body: { offerId: null } })
  expect(await as(creator).call(routes.post, { params })).toMatchObject({
    offerId: null,
    titles: ['Changed'],
  })
})

test('what is redeemed is counted for the last post that its fan came by, and for nobody else', async () => {
  const offer = await buildOffer(harness, creator, { type: 'freeSingles' })
  const [first, last] = [await buildPosted(offer), await buildPosted(offer, { subreddit: PLACES[1] })]
  const [fan, passerby, unposted] = [
    await buildFan(harness),
    await buildFan(harness),
    await buildFan(harness),
  ]
  await pathOf(first.code, fan)
  harness.clock.advance(HOUR_MS)
  await pathOf(last.code, fan)
  await pathOf(last.code, passerby)
  harness.clock.advance(HOUR_MS)
  await as(fan).call(routes.redeemOffer, { body: { offerId: offer } })
  await as(unposted).call(routes.redeemOffer, { body: { offerId: offer } })
  const earned = await as(creator).call(routes.postEarnings, { query: { by: 'post' } })
  const redeemed = new Map(earned.items.map(({ key, redemptions }) => [key, redemptions]))
  expect([redeemed.get(first.itemId), redeemed.get(last.itemId)]).toEqual([0, 1])
  expect(earned.total.redemptions).toBe(1)
  const { text } = await as(creator).call(routes.postEarningsFile, { query: { by: 'post' } })
  expect(text).toContain('Offers redeemed')
})
