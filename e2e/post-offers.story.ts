import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { openSubreddits, postsByHand, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
/** A subreddit where anybody may post any link. */
let place: string

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
  place = (await openSubreddits(fanfare.origin)).find((name) => name !== 'Lanterns') ?? ''
  await tracks(fanfare.origin, database, ['Lanterns', place])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** Puts a post up by hand; answers the code of its link. */
async function puts(redditPostId: string, subreddit: string): Promise<string> {
  const api = apiOf(fanfare.origin, shop.creator)
  await api.call(routes.editPost, { params: { redditPostId }, body: { usableSubreddits: [subreddit] } })
  const postTime = new Date(Date.now() + 3_600_000).toISOString()
  const { _id: itemId } = await api.call(routes.createTimelineItem, {
    body: { postId: redditPostId, selectedSubreddit: subreddit, postTime, byHand: true },
  })
  const [row] = await database.query<{ code: string; url: string; title: string }>(
    'select code, url, title from scheduled_posts where id = $1',
    [itemId],
  )
  const { code = '', url = '', title = '' } = row ?? {}
  const username = shop.creator.username.slice(0, 20)
  const link = await postsByHand(fanfare.origin, { subreddit, username, title, url })
  await api.call(routes.confirmTimelineItem, { body: { itemId, link } })
  return code
}

test('a creator binds an offer to posts, and a fan who comes by them is led to it and redeems it', async () => {
  const api = apiOf(fanfare.origin, shop.creator)
  const flags = { ...NEW_UPLOAD_FLAGS, mustUnlock: false, redditPromotion: true }
  await api.call(routes.editMedia, { body: { mediaId: shop.free, title: 'Free for all', ...flags } })
  const creators = await openWindow(browser, fanfare.origin, { person: shop.creator })
  const { page } = creators
  await creators.open('/dashboard/createredditpost')
  await page.getByRole('textbox', { name: 'Link' }).waitFor()
  expect(await page.getByLabel('Offer').count()).toBe(0)
  const key = { idempotencyKey: crypto.randomUUID() }
  const trial = { offerType: 'freeTrial' as const, subscription: shop.subscription, subscriptionDays: 7 }
  const { _id: offerId } = await api.call(routes.createOffer, { body: trial }, key)
  const offerPath = `/users/${shop.creator.username}/offers/${offerId}`

  await creators.open('/dashboard/createredditpost')
  await page.getByRole('textbox', { name: 'Link' }).fill('https://www.redgifs.com/watch/QuietLake')
  await page.getByRole('textbox', { name: 'Title 1' }).fill('The lake at dawn')
  await page.getByLabel('Offer').selectOption('7 days free')
  await looksFinished(creators, 'post-offer')
  await page.getByRole('button', { name: 'Choose subreddits' }).click()
  await page.waitForURL(/findsubreddits/)
  const postId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await api.call(routes.post, { params: { redditPostId: postId } })).toMatchObject({ offerId })
  const linkCode = await puts(postId, 'Lanterns')
  const { _id: ofItem } = await api.call(routes.createPost, {
    body: { titles: ['A lake of my own'], mediaId: shop.free, offerId },
  })
  const itemCode = await puts(ofItem, place)

  const fan = await joins(fanfare.origin, 'fan')
  const visitors = await openWindow(browser, fanfare.origin)
  await visitors.open(`/go/${linkCode}`)
  await visitors.page.waitForURL(`**${offerPath}`)
  await visitors.page.getByRole('heading', { name: '7 days free' }).waitFor()
  await visitors.close()
  const fans = await openWindow(browser, fanfare.origin, { person: fan, phone: true })
  await fans.open(`/media/${shop.free}?from=${itemCode}`)
  await fans.sees('There’s a special offer for you here.')
  await looksFinished(fans, 'offer-of-post')
  await fans.page.getByRole('button', { name: 'See the offer' }).click()
  await fans.page.waitForURL(`**${offerPath}`)
  await fans.page.getByRole('button', { name: 'Start free trial' }).click()
  await fans.page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  expect(fans.complaints()).toEqual([])
  await fans.close()

  const { items } = await api.call(routes.postEarnings, { query: { by: 'subreddit' } })
  expect(items).toHaveLength(2)
  expect(items.map(({ label, redemptions }) => [label, redemptions])).toEqual(
    expect.arrayContaining([
      ['r/Lanterns', 0],
      [`r/${place}`, 1],
    ]),
  )
  await creators.open('/dashboard/postearnings')
  await creators.sees('Redeemed')
  // What ended stays chosen until another is, and leads nowhere.
  await api.call(routes.endOffer, { body: { offerId } })
  await creators.open(`/dashboard/edit/post/${postId}`)
  await expect.poll(() => page.getByLabel('Offer').inputValue()).toBe(offerId)
  await page.getByLabel('Offer').selectOption('None')
  await page.getByRole('button', { name: 'Save' }).click()
  await creators.sees('Updated Post!')
  expect(await api.call(routes.post, { params: { redditPostId: postId } })).toMatchObject({ offerId: null })
  expect(creators.complaints()).toEqual([])
  await creators.close()
})
