import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { launchBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, openSubreddits, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { openWindow, type Window } from './window.ts'

const POSTS = 30
const SUBREDDITS = 40
/** A fortnight with four hours a day. */
const PLANNED = 56

let database: StoryDatabase
let fanfare: Fanfare
let browser: Browser
let shop: Shop
/** Subreddits where anybody may post; the first asks for a word in each title. */
let names: string[]

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), launchBrowser()])
  shop = await openShop(fanfare.origin)
  names = (await openSubreddits(fanfare.origin)).slice(0, SUBREDDITS)
  await admin('POST', `subreddits/${names[0]}`, { requirements: { title_required_strings: ['[lake]'] } })
  await tracks(fanfare.origin, database, names)
  const window = await openWindow(browser, fanfare.origin, { person: shop.creator })
  await window.open('/dashboard/plan')
  await connects(window, 'LanternMaker')
  await window.sees('Success!')
  await window.close()
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const api = () => apiOf(fanfare.origin, shop.creator)
const admin = <T>(method: string, path: string, body?: object) =>
  forumAdmin<T>(fanfare.origin, method, path, body)

/** The name of a number in letters, as the links of RedGifs have no digits. */
const letters = (number: number) => [...`${number}`].map((digit) => 'abcdefghij'[Number(digit)]).join('')

let made = 0
/** Posts that can each be used in all of these subreddits, beginning with another one each. */
async function buildPosts(count: number, names: string[]): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { _id: redditPostId } = await api().call(routes.createPost, {
      body: {
        titles: [`Morning at the lake, part ${made + 1}`],
        link: `https://www.redgifs.com/watch/QuietLake${letters(made++)}`,
        comment: 'More of this series: {link}',
      },
    })
    const usableSubreddits = [...names.slice(number), ...names.slice(0, number)]
    await api().call(routes.editPost, { params: { redditPostId }, body: { usableSubreddits } })
  }
}

type Entry = { name: string; subreddit: string; title: string; comments: { body: string }[] }
const posted = async () => (await admin<{ items: Entry[] }>('GET', 'posts?limit=1000')).items

const itemsIn = async (state: 'scheduled' | 'submitting' | 'failed' | 'posted') => {
  const items = []
  let cursor: string | undefined
  do {
    const page = await api().call(routes.timeline, {
      query: { limit: 60, state, ...(cursor ? { cursor } : {}) },
    })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Moves the time to this moment, or by a minute where it has come already. */
async function moveTo({ page }: Window, moment: number): Promise<void> {
  const { now } = await (await page.request.get('/sandbox/clock')).json()
  const advanceSeconds = Math.max(60, Math.ceil((moment - Date.parse(now)) / 1000))
  await page.request.post('/sandbox/clock', { data: { advanceSeconds } })
}

test('a creator plans a fortnight of 30 posts over 40 subreddits, it is carried out, and the earnings show who brought the sale', async () => {
  const [strict = ''] = names
  await buildPosts(POSTS, names)
  await api().call(routes.editQueue, { body: { timeZone: 'UTC', hours: [8, 12, 16, 20], gapMinutes: 60 } })
  const window = await openWindow(browser, fanfare.origin, { person: shop.creator })
  const { page } = window
  // Its rules are read before anything is planned there.
  await moveTo(window, 0)
  const { items: posts } = await api().call(routes.posts, { query: { limit: 1 } })
  const check = { postId: posts[0]?._id ?? '', subreddit: strict, title: 'The lake' }
  await expect
    .poll(async () => (await api().call(routes.checkPost, { query: check })).verdicts.length, {
      timeout: 60_000,
    })
    .toBe(1)

  await window.open('/dashboard/scheduleposts')
  await page.getByRole('link', { name: 'Plan a batch' }).first().click()
  await window.sees(`${(POSTS * SUBREDDITS).toLocaleString('en-US')} posts`)
  await looksFinished(window, 'plan-choose')
  await page.getByRole('button', { name: 'Show more' }).click()
  const candidates = page.getByRole('list', { name: 'Posts to choose from' }).getByRole('checkbox')
  await expect.poll(() => candidates.count()).toBe(60)
  await page.getByRole('checkbox', { name: 'Select all shown' }).click()
  await candidates.nth(PLANNED).click()
  await candidates.nth(59).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: `Plan ${PLANNED} selected posts` }).click()

  // Two rounds of 30 posts: each subreddit once or twice, the strict one twice at most.
  await page.getByRole('heading', { name: /posts? needs? a look/ }).waitFor()
  await looksFinished(window, 'plan-preview')
  const use = page.getByRole('button', { name: /^Use “.* \[lake\]”$/ })
  const broken = await use.count()
  expect(broken).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Shuffle' }).click()
  for (let left = broken; left > 0; left--) {
    await use.first().click()
    await expect.poll(() => use.count()).toBe(left - 1)
  }
  await page.getByRole('button', { name: `Schedule ${PLANNED} posts` }).waitFor()
  expect(await itemsIn('scheduled')).toEqual([])
  await page.getByRole('button', { name: `Schedule ${PLANNED} posts` }).click()
  await window.sees(`${PLANNED} posts scheduled.`)
  await page.waitForURL('**/dashboard/timeline')
  const plan = await itemsIn('scheduled')
  expect(plan).toHaveLength(PLANNED)
  const [first, last] = [plan[0], plan.at(-1)].map((item) => Date.parse(item?.postTime ?? ''))
  expect(((last ?? 0) - (first ?? 0)) / 86_400_000).toBeGreaterThan(13)

  // A fortnight goes by: a subreddit closes, the account has to wait once, posts are taken down.
  await admin('POST', 'accounts/LanternMaker', { linkKarma: 5, commentKarma: 5 })
  const closed = plan[10]?.subreddit ?? ''
  await admin('POST', `subreddits/${closed}`, { access: 'banned' })
  const closing = plan.filter(({ subreddit }) => subreddit === closed).length
  const seen = new Set<string>()
  for (let due = plan; due.length > 0; due = await itemsIn('scheduled')) {
    const isSlow = PLANNED - due.length >= 20 && !seen.has('resting')
    // Longer than between two posts of this plan.
    await admin('POST', 'limits', { postingSeconds: isSlow ? 5 * 3600 : 0 })
    const [account] = (await api().call(routes.queue, {})).accounts
    const free = Date.parse(account?.restingUntil ?? '') || 0
    await moveTo(window, Math.max(free, Date.parse(due[0]?.postTime ?? '')) + 1000)
    // It goes up, or its account has to wait.
    await expect
      .poll(
        async () => {
          const now = (await api().call(routes.queue, {})).accounts[0]
          seen.add(now?.state ?? '')
          const left = (await itemsIn('submitting')).length + (await itemsIn('scheduled')).length
          return left < due.length || (now?.restingUntil ?? null) !== (account?.restingUntil ?? null)
        },
        { timeout: 60_000, interval: 250 },
      )
      .toBe(true)
  }
  expect([...seen].sort()).toEqual(['posting', 'resting'])
  expect((await itemsIn('failed')).map(({ subreddit }) => subreddit)).toEqual(Array(closing).fill(closed))
  const up = await posted()
  expect(up).toHaveLength(PLANNED - closing)
  expect(new Set(up.map(({ title, subreddit }) => `${title} ${subreddit}`)).size).toBe(up.length)

  const taken = up[0]
  await admin('POST', `posts/${taken?.name}/remove`, { category: 'moderator' })
  await moveTo(window, 0)
  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Posted', exact: true }).click()
  await expect
    .poll(
      async () => {
        await moveTo(window, 0)
        return (await itemsIn('posted')).filter(({ removedBy }) => removedBy !== null).length
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  await page.reload()
  await page.getByRole('button', { name: 'Posted', exact: true }).click()
  await window.settled()
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await page.getByText(`r/${closed}`).first().waitFor()

  // A fan follows the link in a post's comment and buys.
  const linkIn = (entry: Entry | undefined) => /\/go\/\w+/.exec(entry?.comments[0]?.body ?? '')?.[0] ?? ''
  await expect
    .poll(async () => (await posted()).every((entry) => linkIn(entry) !== ''), { timeout: 60_000 })
    .toBe(true)
  const bringing = (await posted()).at(5)
  const link = linkIn(bringing)
  const fan = await joins(fanfare.origin, 'fan')
  const fans = await openWindow(browser, fanfare.origin, { person: fan })
  await fans.open(link)
  await fans.page.waitForURL(`**/users/${shop.creator.username}*`)
  await fans.open(`/users/${shop.creator.username}?tab=singles`)
  await fans.page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(fans.page, CARDS.approved)
  await fans.sees('Processed Transaction')
  await fans.close()

  await window.open('/dashboard/postearnings')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row(`r/${bringing?.subreddit}`).filter({ hasText: '$4.50 (1)' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: '$4.50 (1)' }).count()).toBe(1)
  await looksFinished(window, 'plan-earnings')
  expect(window.complaints()).toEqual([])
  await window.close()
}, 600_000)

test('a plan comes from a file, line by line, and the timeline can be taken away as one', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: shop.creator })
  const { page } = window
  await buildPosts(1, names.slice(1, 3))
  await window.open('/dashboard/plan')
  const { items } = await api().call(routes.scheduleCandidates, { query: { limit: 60 } })
  const newest = items[0]?._id
  const [one, other] = items.filter(({ _id }) => _id === newest)
  const file = [
    'post,subreddit,title,time,comment,flair',
    `${one?._id},${one?.subreddit},"A lake, again",,,`,
    `${other?._id},${other?.subreddit},,2031-05-04 09:30,,`,
    `Nothing of mine,${one?.subreddit},,,,`,
  ].join('\n')
  await page
    .getByLabel('CSV file with a plan')
    .setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await window.sees('You have no post “Nothing of mine”.')
  await window.sees('Line 4')
  await page.getByText('A lake, again').waitFor()
  await looksFinished(window, 'plan-file')
  await page.getByRole('link', { name: 'Timeline', exact: true }).last().click()
  await page.getByRole('dialog').getByText('This plan isn’t scheduled yet and will be lost.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: /^Remove .*Nothing of mine|^Remove “” in/ }).click()
  await page.getByRole('button', { name: 'Schedule 2 posts' }).click()
  await window.sees('2 posts scheduled.')
  expect((await itemsIn('scheduled')).map(({ title }) => title)).toEqual(['A lake, again', other?.title])

  await window.open('/dashboard/plan')
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download timeline' }).click()
  const text = await readFile(await (await downloads).path(), 'utf8')
  expect(text).toContain(`"${one?._id}","${one?.subreddit}","A lake, again"`)
  expect(text).toContain('"2031-05-04 09:30"')
  await page
    .getByLabel('CSV file with a plan')
    .setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('name,place\nA,B') })
  await window.sees('We can’t read this file.')
  await looksFinished(window, 'plan-refused')
  // The refusal of the file.
  expect(window.complaints().filter((complaint) => !/status of 400/.test(complaint))).toEqual([])
  await window.close()
})
