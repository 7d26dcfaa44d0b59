import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, openSubreddits, postsByHand, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** The creator's account at the forum. */
const ACCOUNT = 'LanternMaker'

/** Posts by hand, as the forum takes no links to this machine; answers the code of the post's link, and what the forum was given. */
async function posts(
  subreddit: string,
  of: { title: string; mediaId?: string; link?: string },
): Promise<{ code: string; url: string }> {
  const { title, ...what } = of
  const api = apiOf(fanfare.origin, shop.creator)
  const { _id: postId } = await api.call(routes.createPost, { body: { titles: [title], ...what } })
  await api.call(routes.editPost, {
    params: { redditPostId: postId },
    body: { usableSubreddits: [subreddit] },
  })
  const at = { postTime: new Date(Date.now() + 3_600_000).toISOString(), byHand: true }
  const item = await api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, title, ...at },
  })
  const [row] = await database.query<{ code: string; url: string }>(
    'select code, url from scheduled_posts where id = $1',
    [item._id],
  )
  const { code, url } = row ?? { code: '', url: '' }
  const link = await postsByHand(fanfare.origin, { subreddit, username: ACCOUNT, title, url })
  const posted = await api.call(routes.confirmTimelineItem, { body: { itemId: item._id, link } })
  expect(posted).toMatchObject({ state: 'posted' })
  return { code, url }
}

async function logsIn(window: Window, fan: Person): Promise<void> {
  const { page } = window
  await window.open('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(fan.email)
  await page.getByLabel('Password', { exact: true }).fill(fan.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a fan follows posted links and buys, and the creator sees which subreddit brought the sale', async () => {
  const [picturePlace = '', linkPlace = ''] = await openSubreddits(fanfare.origin)
  await tracks(fanfare.origin, database, [picturePlace, linkPlace])
  const creators = await openWindow(browser, fanfare.origin, { person: shop.creator })
  await creators.open('/dashboard/postearnings')
  await creators.sees('No posts in this period')
  await looksFinished(creators, 'earnings-1')
  await creators.open('/dashboard/reddit')
  await connects(creators, ACCOUNT)
  await creators.sees('Success!')
  const api = apiOf(fanfare.origin, shop.creator)
  await api.call(routes.editMedia, {
    body: {
      mediaId: shop.free,
      ...NEW_UPLOAD_FLAGS,
      title: 'Free for all',
      mustUnlock: false,
      redditPromotion: true,
    },
  })
  const picture = await posts(picturePlace, { title: 'Lanterns at dusk', mediaId: shop.free })
  const link = await posts(linkPlace, {
    title: 'A paper boat on the lake',
    link: 'https://www.redgifs.com/watch/QuietLake',
  })
  expect(picture.url).toBe(`${fanfare.origin}/media/${shop.free}?from=${picture.code}`)

  // Somebody without an account, by the picture’s address and later by the link in the other post’s comment.
  const fan = await joins(fanfare.origin, 'fan')
  const visitors = await openWindow(browser, fanfare.origin)
  const { page } = visitors
  await visitors.open(`/media/${shop.free}?from=${picture.code}#top`)
  await expect.poll(() => page.url()).toBe(`${fanfare.origin}/media/${shop.free}#top`)
  // What a reload would take the answer from could not be claimed later.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('postVisits'))).not.toBeNull()
  await page.reload()
  await visitors.settled()
  await visitors.open(`/go/${link.code}`)
  await page.waitForURL(`**/users/${shop.creator.username}`)
  await visitors.settled()
  const visits = (whose: string) =>
    database.query(`select id from forum_visits where user_id is ${whose}`).then(({ length }) => length)
  await expect.poll(() => visits('null')).toBe(2)
  await visitors.open('/go/zzzzzzzz')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')

  await logsIn(visitors, fan)
  await expect.poll(() => visits('not null')).toBe(2)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('postVisits'))).toBeNull()
  await visitors.open(`/users/${shop.creator.username}?tab=singles`)
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(page, CARDS.approved)
  await visitors.sees('Processed Transaction')
  expect(visitors.complaints()).toEqual([])
  await visitors.close()

  await creators.open('/dashboard')
  await creators.page.getByRole('link', { name: /What posts earned/ }).click()
  const row = (name: string) => creators.page.getByRole('row').filter({ hasText: name })
  await row(`r/${linkPlace}`).filter({ hasText: '$4.50 (1)' }).waitFor()
  await row(`r/${picturePlace}`).filter({ hasText: '$0.00 (0)' }).waitFor()
  await creators.page.getByRole('list', { name: 'Earned by subreddit' }).getByText('$4.50').waitFor()
  await creators.sees('You’ll see suggested hours and subreddits after 10 posts. You have 2.')
  await creators.page.getByRole('tab', { name: 'Weekday' }).click()
  await creators.sees('Hours and weekdays are in the time zone of your queue.')
  await creators.sees('$4.50 from 2 posts')
  await creators.page.getByRole('tab', { name: 'Title' }).click()
  await row('A paper boat on the lake').filter({ hasText: '$4.50' }).waitFor()

  const downloads = creators.page.waitForEvent('download')
  await creators.page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await downloads).suggestedFilename()).toMatch(/^post-earnings-by-title-.*\.csv$/)
  await creators.page.getByRole('combobox', { name: 'Posted' }).selectOption('custom')
  await creators.page.getByLabel('From', { exact: true }).fill('2020-01-02')
  await creators.page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await creators.sees('Choose an end date that isn’t before the start date.')
  await creators.page.getByLabel('To', { exact: true }).fill('2020-01-03')
  await creators.sees('No posts in this period')
  await creators.page.getByRole('combobox', { name: 'Posted' }).selectOption('30')
  await row('A paper boat on the lake').waitFor()
  await looksFinished(creators, 'earnings-2')

  await postedOften(linkPlace)
  await creators.open('/dashboard/postearnings')
  await creators.sees(`41 posts in r/${linkPlace} brought $4.50 in sales.`)
  for (const tab of ['Subreddit', 'Hour', 'Post']) {
    await creators.page.getByRole('tab', { name: tab, exact: true }).click()
    await creators.settled()
    await looksFinished(creators, 'earnings-3')
  }

  const [of] = await database.query<{ post_id: string }>(
    'select post_id from scheduled_posts where code = $1',
    [link.code],
  )
  await creators.open(`/dashboard/edit/post/${of?.post_id}`)
  const history = creators.page.getByRole('region', { name: 'Posting history' })
  await history.getByRole('link', { name: `Open the post in r/${linkPlace}` }).waitFor()
  await expect.poll(() => history.getByRole('listitem').count()).toBe(10)
  await history.getByRole('button', { name: 'Show More' }).click()
  await expect.poll(() => history.getByRole('listitem').count()).toBe(20)
  await looksFinished(creators, 'history')
  expect(creators.complaints()).toEqual([])
  await creators.close()
})

/** Forty earlier posts like the one that is there, each with some visits. */
async function postedOften(subreddit: string): Promise<void> {
  await database.query(
    `insert into scheduled_posts (user_id, post_id, subreddit_id, title, url, media_key, post_at, posted_at, state, created_at, code)
     select user_id, post_id, subreddit_id, 'The lake at dawn, number ' || n || ', with a title that takes its time', url, media_key,
       at, at, 'posted', at, 'many' || lpad(n::text, 4, 'a')
     from scheduled_posts as item, lateral (select n, item.posted_at - n * interval '5 hours' as at from generate_series(1, 40) n) as times
     where code is not null and subreddit_id = (select id from subreddits where name = $1)`,
    [subreddit],
  )
  await database.query(
    `insert into forum_visits (item_id, visited_at) select id, posted_at + interval '1 hour'
     from scheduled_posts, generate_series(1, 1 + extract(hour from posted_at)::integer) where code like 'many%'`,
  )
}
