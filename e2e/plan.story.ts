import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, openSubreddits, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

const POSTS = 30
const SUBREDDITS = 40
/** A fortnight with four posts a day. */
const PLANNED = 56
const DAY_MS = 86_400_000

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
/** Subreddits where anybody may post; the first asks for a word in each title. */
let names: string[]

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
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
/** The subreddits that are planned for from a file. */
const namesOfFile = () => names.slice(1, 3)

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

/** Moves the time to this moment, or by a minute where it has come already; answers what it is then. */
async function moveTo({ page }: Window, moment: number): Promise<number> {
  const { now } = await (await page.request.get('/sandbox/clock')).json()
  const advanceSeconds = Math.max(60, Math.ceil((moment - Date.parse(now)) / 1000))
  await page.request.post('/sandbox/clock', { data: { advanceSeconds } })
  return Date.parse(now) + advanceSeconds * 1000
}

/** The first post that is still to come, and the account that posts it. */
async function ahead() {
  const { items } = await api().call(routes.timeline, { query: { limit: 1, state: 'scheduled' } })
  const [account] = (await api().call(routes.queue, {})).accounts
  return { next: Date.parse(items[0]?.postTime ?? '') || Number.POSITIVE_INFINITY, account }
}

/** Moves the time on, and waits until what was due then is up or refused, or the account has to wait; answers its state. */
async function passes(window: Window, moment: number): Promise<string | undefined> {
  const before = await ahead()
  const now = await moveTo(window, moment)
  const at = await waitUntil(async () => {
    const { next, account } = await ahead()
    const isWaiting = account?.restingUntil !== before.account?.restingUntil && account?.state === 'resting'
    return (next > now || isWaiting) && { account }
  })
  return at.account?.state
}

test('a creator plans a fortnight of 30 posts over 40 subreddits, it is carried out, and the earnings show who brought which sale', async () => {
  const [strict = ''] = names
  await buildPosts(POSTS, names)
  await api().call(routes.editQueue, { body: { timeZone: 'UTC', hours: [8], gapMinutes: 15 } })
  const window = await openWindow(browser, fanfare.origin, { person: shop.creator })
  const { page } = window
  // Its rules are read before anything is planned there.
  await moveTo(window, 0)
  const { items: posts } = await api().call(routes.posts, { query: { limit: 1 } })
  const check = { postId: posts[0]?._id ?? '', subreddit: strict, title: 'The lake' }
  await waitUntil(async () => (await api().call(routes.checkPost, { query: check })).verdicts.length === 1)

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
  await page.getByRole('heading', { name: /posts? needs? attention/ }).waitFor()
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
  const times = plan.map(({ postTime }) => Date.parse(postTime))
  expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS).toBeGreaterThan(13)

  // A fortnight goes by, day by day: a subreddit closes, another bans the account, a post is taken down, the account has to wait.
  await admin('POST', 'accounts/LanternMaker', { linkKarma: 5, commentKarma: 5 })
  // The file below plans for two that neither of them is, wherever chance put those.
  const [closed = '', banning = ''] = new Set(
    plan.slice(8).flatMap(({ subreddit }) => (namesOfFile().includes(subreddit) ? [] : [subreddit])),
  )
  await admin('POST', `subreddits/${closed}`, { access: 'banned' })
  const { page: moderators, close: leaveForum } = await openWindow(browser, fanfare.origin)
  await moderators.goto(`/sandbox/reddit/r/${banning}/moderate`)
  await moderators.getByLabel('Username').fill('LanternMaker')
  await moderators.getByRole('button', { name: 'Ban account' }).click()
  await moderators.getByRole('button', { name: 'Unban' }).waitFor()
  const refused = plan.filter(({ subreddit }) => [closed, banning].includes(subreddit))
  const days = [...Map.groupBy(times, (time) => Math.floor(time / DAY_MS)).values()]
  const seen = new Set<string>()
  let removed: Entry | undefined
  for (const [number, day] of days.entries()) {
    await admin('POST', 'limits', { postingSeconds: number === 6 ? 10 * 60 : 0 })
    let moment = (day.at(-1) ?? 0) + 1000
    while ((await ahead()).next <= (day.at(-1) ?? 0)) {
      seen.add((await passes(window, moment)) ?? '')
      const { restingUntil } = (await ahead()).account ?? {}
      if (!restingUntil) continue
      moment = Date.parse(restingUntil) + 1000
      if (seen.has('told')) continue
      seen.add('told')
      await window.open('/dashboard/timeline')
      await window.sees('The forum isn’t accepting posts from u/LanternMaker right now.')
    }
    if (number !== 1) continue
    removed = (await posted())[0]
    await moderators.goto('/sandbox/reddit/')
    const post = moderators.getByRole('row').filter({ hasText: removed?.title ?? '' })
    await post
      .filter({ hasText: `r/${removed?.subreddit}` })
      .getByRole('button', { name: /^Remove/ })
      .click()
    await moderators.getByRole('button', { name: /^Approve/ }).waitFor()
  }
  await leaveForum()
  expect([...seen].sort()).toEqual(['posting', 'resting', 'told'])
  const up = await posted()
  expect(up).toHaveLength(PLANNED - refused.length)
  expect(new Set(up.map(({ title, subreddit }) => `${title} ${subreddit}`)).size).toBe(up.length)

  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed' })
  const ofClosed = failed.filter({ hasText: `r/${closed}` })
  // Whether the forum said so of a post, or its daily reading came first.
  await ofClosed
    .filter({ hasText: /doesn’t exist anymore|was closed by the forum/ })
    .first()
    .waitFor()
  const ofBanning = failed.filter({ hasText: `r/${banning}` })
  await ofBanning.filter({ hasText: 'The moderators banned this account.' }).first().waitFor()
  // What was shown before the filter has such cards too.
  await waitUntil(async () => (await failed.count()) === refused.length)
  await looksFinished(window, 'plan-failed')
  await page.getByRole('button', { name: 'Posted', exact: true }).click()
  const card = page.getByRole('listitem').filter({ hasText: `r/${removed?.subreddit}` })
  await card
    .filter({ hasText: 'Removed by moderators' })
    .filter({ hasText: removed?.title ?? '' })
    .waitFor()
  expect((await itemsIn('posted')).filter(({ removedBy }) => removedBy !== null)).toMatchObject([
    { title: removed?.title, subreddit: removed?.subreddit, removedBy: 'moderator' },
  ])

  // Two fans follow the links in the comments of two posts and buy.
  await waitUntil(async () => (await posted()).every((entry) => linkIn(entry) !== ''))
  const [one, other] = (await posted()).filter(
    ({ subreddit }, at, all) => all.findIndex((entry) => entry.subreddit === subreddit) === at,
  )
  await buysBy(linkIn(one), 'Buy Morning light')
  await buysBy(linkIn(other), 'Buy bundle Summer set', 'bundles')
  await window.open('/dashboard/postearnings')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row(`r/${one?.subreddit}`).filter({ hasText: '$4.50 (1)' }).waitFor()
  await row(`r/${other?.subreddit}`).filter({ hasText: '$15.00 (1)' }).waitFor()
  expect(await row('(1)').count()).toBe(2)
  await looksFinished(window, 'plan-earnings')
  expect(window.complaints()).toEqual([])
  await window.close()
})

/** The link in a post's first comment. */
const linkIn = (entry: Entry | undefined) => /\/go\/\w+/.exec(entry?.comments[0]?.body ?? '')?.[0] ?? ''

/** A new fan comes by a link of a post, and buys what this button sells. */
async function buysBy(link: string, button: string, tab = 'singles'): Promise<void> {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.open(link)
  await window.page.waitForURL(`**/users/${shop.creator.username}*`)
  await window.open(`/users/${shop.creator.username}?tab=${tab}`)
  await window.page.getByRole('button', { name: button }).click()
  await payByCard(window.page, CARDS.approved)
  await window.sees('Processed Transaction')
  await window.close()
}

test('a plan comes from a file, line by line, and the timeline can be taken away as one', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: shop.creator })
  const { page } = window
  await buildPosts(1, namesOfFile())
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
