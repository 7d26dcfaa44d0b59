import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, openSubreddits, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { DESK, drags, openWindow, type Window } from './window.ts'

const DAY_MS = 86_400_000

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let names: string[]

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  names = (await openSubreddits(fanfare.origin)).slice(0, 8)
  await tracks(fanfare.origin, database, names)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const admin = <T>(method: string, path: string, body?: object) =>
  forumAdmin<T>(fanfare.origin, method, path, body)

let made = 0
/** A creator with an account of the forum connected, and what they schedule. */
async function startPosting(account: string) {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.open('/dashboard/reddit')
  await connects(window, account)
  await window.sees('Success!')
  const itemOf = async (title: string) =>
    (await api.call(routes.timeline, { query: { limit: 60 } })).items.find((item) => item.title === title)
  /** Schedules a new post in a subreddit; its title tells it from the others. */
  const schedules = async (title: string, subreddit: string, at: { postTime: string; byHand?: boolean }) => {
    made += 1
    const { _id: postId } = await api.call(routes.createPost, {
      body: { titles: [title], link: `https://www.redgifs.com/watch/QuietLake${made}` },
    })
    const params = { redditPostId: postId }
    await api.call(routes.editPost, { params, body: { usableSubreddits: [subreddit] } })
    await api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: subreddit, title, ...at },
    })
  }
  return { api, window, page: window.page, itemOf, schedules }
}

type Entry = { name: string; title: string }

const pad = (number: number) => String(number).padStart(2, '0')
const dayOf = (date: Date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
/** The Wednesday of the week after next, so that nothing of its week is in the past. */
function wednesday(): Date {
  const date = new Date(Date.now() + 14 * DAY_MS)
  date.setDate(date.getDate() - date.getDay() + 3)
  return date
}
const at = (day: Date, hour: number) => new Date(new Date(day).setHours(hour, 15, 0, 0)).toISOString()

/** Posts what the forum’s page for a new post is filled with; answers where it stands. */
async function submits(forum: Page, account: string): Promise<string> {
  await forum.getByLabel(/username/i).fill(account)
  await forum.getByRole('button', { name: /post/i }).click()
  await forum.waitForURL(/\/comments\//)
  const link = forum.url()
  await forum.close()
  return link
}

async function advance({ page }: Window, seconds: number): Promise<void> {
  await page.request.post('/sandbox/clock', { data: { advanceSeconds: seconds } })
}

/** Runs in the page: the cards of posts whose contents don’t fit into them. */
function cardsThatOverflow(): string[] {
  const cards = [...document.querySelectorAll<HTMLElement>('li[data-state]')]
  return cards
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ innerText }) => innerText)
}

test('a creator moves posts by hand on a week and a day, puts them back, and never into the past', async () => {
  const [first = '', second = ''] = names
  const { api, window, page, itemOf, schedules } = await startPosting('LanternMaker')
  await api.call(routes.editQueue, { body: { timeZone: 'UTC', hours: [9, 10, 16, 20] } })
  const day = wednesday()
  const next = new Date(day.getTime() + DAY_MS)
  const times = [at(day, 10), at(day, 14), at(next, 10)]
  await schedules('Boats at dawn', first, { postTime: times[0] ?? '' })
  await schedules('Boats at noon', second, { postTime: times[1] ?? '' })
  await schedules('Boats in the rain', first, { postTime: times[2] ?? '' })
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title }).last()
  const column = (date: Date) =>
    page.getByRole('region', {
      name: date.toLocaleDateString('en-US', { dateStyle: 'medium' }),
    })
  const timeOf = async (title: string) => (await itemOf(title))?.postTime

  await window.open(`/dashboard/timeline?view=week&day=${dayOf(day)}`)
  await column(day).getByText('Boats at noon').waitFor()
  await looksFinished(window, 'timeline-week')
  // However far a column goes on, the name of its day stays below the bar of the site.
  await page.setViewportSize({ ...DESK, height: 420 })
  await card('Boats at noon').evaluate((last) => last.scrollIntoView({ block: 'end', behavior: 'instant' }))
  const [name, bar] = await Promise.all([
    column(day).getByRole('heading').boundingBox(),
    page.getByRole('banner').boundingBox(),
  ])
  expect((name?.y ?? 0) - (bar?.height ?? 0)).toBeGreaterThan(0)
  expect((name?.y ?? 0) - (bar?.height ?? 0)).toBeLessThan(40)
  await page.setViewportSize(DESK)
  await drags(window, card('Boats at dawn'), column(next))
  await column(next).getByText('Boats at dawn').waitFor()
  await window.sees(`r/${first} moved to`)
  expect(await timeOf('Boats at dawn')).toBe(at(next, 10))
  await column(next)
    .getByText(/Closer to another post/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await column(day).getByText('Boats at dawn').waitFor()
  await expect.poll(() => timeOf('Boats at dawn')).toBe(times[0])

  await page.getByRole('button', { name: 'Day', exact: true }).click()
  const hour = (name: string) =>
    page
      .getByRole('list')
      .first()
      .locator('> li')
      .filter({ hasText: new RegExp(`^${name}`) })
  await hour('10 AM').getByText('Boats at dawn').waitFor()
  await looksFinished(window, 'timeline-day')
  await drags(window, card('Boats at dawn'), hour('8 AM'))
  await hour('8 AM').getByText('Boats at dawn').waitFor()
  await expect.poll(() => timeOf('Boats at dawn')).toBe(at(day, 8))
  await page.getByRole('button', { name: `Move “Boats at dawn” in r/${first}` }).click()
  await page.getByRole('menuitem', { name: 'An hour later' }).click()
  await hour('9 AM').getByText('Boats at dawn').waitFor()

  await page.getByRole('button', { name: /^Move everything scheduled on/ }).click()
  await page.getByRole('menuitem', { name: 'To the next day' }).click()
  await window.sees('2 posts moved.')
  await page.getByText('Boats at noon').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Next day' }).click()
  await hour('9 AM').getByText('Boats at dawn').waitFor()
  await hour('10 AM').getByText('Boats in the rain').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await window.sees('2 posts moved back.')
  // What lay there already stays.
  expect([await timeOf('Boats at noon'), await timeOf('Boats in the rain')]).toEqual(times.slice(1))

  // Saturday late and Sunday early: neither the day nor the week that is shown has the other one.
  const [saturday, sunday] = [3, 4].map((days) => new Date(day.getTime() + days * DAY_MS)) as [Date, Date]
  await schedules('Boats at midnight', first, { postTime: at(saturday, 23) })
  await schedules('Boats after midnight', second, { postTime: at(sunday, 0) })
  await api.call(routes.editQueue, { body: { gapMinutes: 61 } })
  for (const [date, title] of [
    [saturday, 'Boats at midnight'],
    [sunday, 'Boats after midnight'],
  ] as const)
    for (const view of ['day', 'week']) {
      await window.open(`/dashboard/timeline?view=${view}&day=${dayOf(date)}`)
      await card(title)
        .getByText(/Closer to another post/)
        .waitFor()
    }

  const soon = new Date(Date.now() + 20 * 60_000).toISOString()
  const { _id: itemId } = (await itemOf('Boats at noon')) ?? { _id: '' }
  await api.call(routes.editTimelineItem, { body: { itemId, postTime: soon } })
  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: `Move “Boats at noon” in r/${second}` }).click()
  await page.getByRole('menuitem', { name: 'An hour earlier' }).click()
  await window.sees('That time has passed.')
  expect(await timeOf('Boats at noon')).toBe(soon)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('what is done on another device, and what the forum takes, shows by itself', async () => {
  const [place = '', later = ''] = names.slice(-2)
  const { api, window, page, itemOf, schedules } = await startPosting('HarborWatcher')
  await window.open('/dashboard/timeline')
  await window.sees('Nothing here yet')
  const { now } = await (await page.request.get('/sandbox/clock')).json()
  const inMinutes = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString()
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title }).last()
  await schedules('A boat at anchor', place, { postTime: inMinutes(10) })
  await schedules('A boat ashore', later, { postTime: inMinutes(600) })
  await card('A boat at anchor').getByText('Scheduled').waitFor()
  await card('A boat ashore').waitFor()

  const { _id: itemId } = (await itemOf('A boat ashore')) ?? { _id: '' }
  await api.call(routes.editTimelineItem, { body: { itemId, title: 'A boat on the sand' } })
  await card('A boat on the sand').waitFor()
  await api.call(routes.cancelTimelineItem, { body: { itemId } })
  await card('A boat on the sand').waitFor({ state: 'detached' })

  await advance(window, 660)
  await card('A boat at anchor').getByText('Posted').waitFor()
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('what a paused queue left behind stays in sight, and is told of its post', async () => {
  const [first = '', second = ''] = names
  const { api, window, page, schedules, itemOf } = await startPosting('HarborKeeper')
  await api.call(routes.editQueue, { body: { paused: true } })
  const { now } = await (await page.request.get('/sandbox/clock')).json()
  const inSeconds = (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString()
  await schedules('A late boat', first, { postTime: inSeconds(60) })
  for (const title of ['A boat in the fog', 'A boat in the harbor'])
    await schedules(title, second, { postTime: inSeconds(120) })
  const item = await itemOf('A late boat')
  // The product's clock, which every story of this file moves on, and the browser's.
  await advance(window, (2 * DAY_MS) / 1000)
  const later = await (await page.request.get('/sandbox/clock')).json()
  await page.clock.setFixedTime(Date.parse(later.now))
  await window.open('/dashboard/timeline')
  const overdue = page.getByRole('region', { name: 'Overdue' })
  await overdue.getByText('A late boat').waitFor()
  await window.sees('Your queue is paused.')
  await looksFinished(window, 'timeline-overdue')
  await window.open(`/dashboard/timeline?post=${item?.postId}`)
  await overdue.getByText('A late boat').waitFor()
  await page.getByRole('button', { name: `Cancel “A late boat” in r/${first}` }).click()
  await window.sees('Nothing is scheduled for this post.')

  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await window.sees('Your queue is running again.')
  await advance(window, 1)
  await window.sees(
    'Posts from u/HarborKeeper are late, so we’re spacing them out. The next one goes up after',
  )
  await looksFinished(window, 'timeline-pace')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a post whose account was disconnected goes up as no other until its person chooses one', async () => {
  const [, , , , , , place = ''] = names
  const { api, window, page, schedules, itemOf } = await startPosting('OldSailor')
  const postTime = new Date(Date.now() + 365 * DAY_MS).toISOString()
  await schedules('A moored bote', place, { postTime })
  await window.open('/dashboard/reddit')
  await connects(window, 'NewSailor')
  await window.sees('Success!')
  const { accountId } = (await itemOf('A moored bote')) ?? {}
  await api.call(routes.disconnectForum, { body: { accountId: accountId ?? '' } })
  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit “A moored bote”' }).click()
  await dialog.getByLabel('Title').fill('A moored boat')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose who posts it: its account was disconnected.').waitFor()
  await looksFinished(window, 'timeline-choose-poster')
  expect(await itemOf('A moored bote')).toMatchObject({ state: 'failed', account: null })
  await dialog.getByLabel('Posted by').selectOption({ label: 'u/NewSailor' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved. It’s scheduled for ')
  expect(await itemOf('A moored boat')).toMatchObject({ state: 'scheduled', account: 'NewSailor' })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('whatever the forum answers, one button leads on', async () => {
  const [wordy = '', closed = '', suspended = '', doubtful = '', removed = '', own = ''] = names
  const { api, window, page, itemOf, schedules } = await startPosting('MeadowMaker')
  await admin('POST', 'accounts/MeadowMaker', { linkKarma: 5000, commentKarma: 5000 })
  await api.call(routes.editQueue, { body: { gapMinutes: 1 } })
  const dialog = page.getByRole('dialog')
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title }).last()
  const inSeconds = async (seconds: number) => {
    const { now } = await (await page.request.get('/sandbox/clock')).json()
    return { postTime: new Date(Date.parse(now) + seconds * 1000).toISOString() }
  }
  const stateOf = async (title: string) => (await itemOf(title))?.state
  const posted = async (title: string) =>
    (await admin<{ items: Entry[] }>('GET', 'posts')).items.find((one) => one.title === title)
  const shows = async (name: string) => {
    await window.open('/dashboard/timeline')
    await page.getByRole('button', { name, exact: true }).click()
    await window.settled()
  }
  /** Lets time pass until a post is in a state; at most half an hour at a slow machine, as a whole one is too late for a post. */
  const becomes = (title: string, state: string, seconds = 60) => {
    let turns = 0
    return expect
      .poll(
        async () => {
          turns += 1
          if (state === 'unknown' || turns <= 30) await advance(window, seconds)
          return stateOf(title)
        },
        { interval: 500 },
      )
      .toBe(state)
  }

  // Its moderators ask for a word since.
  await schedules('A quiet lake', wordy, await inSeconds(60))
  await admin('POST', `subreddits/${wordy}`, { requirements: { title_required_strings: ['[lake]'] } })
  await becomes('A quiet lake', 'failed')
  await shows('Failed')
  await looksFinished(window, 'timeline-failed')
  await card('A quiet lake').getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Title').fill('A quiet lake [lake]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved.')
  await becomes('A quiet lake [lake]', 'posted')

  await schedules('A closed door', closed, await inSeconds(60))
  await admin('POST', `subreddits/${closed}`, { access: 'banned' })
  await becomes('A closed door', 'failed')
  await admin('POST', `subreddits/${closed}`, { access: 'open' })
  // The week of the product's clock, which may be another one than the browser's.
  const { postTime = '' } = (await itemOf('A closed door')) ?? {}
  await window.open(`/dashboard/timeline?view=week&day=${dayOf(new Date(postTime))}`)
  await card('A closed door').getByRole('button', { name: 'Try this subreddit again' }).waitFor()
  expect(await page.evaluate(cardsThatOverflow)).toEqual([])
  await shows('Failed')
  await card('A closed door').getByRole('button', { name: 'Try this subreddit again' }).click()
  await window.sees('Added to the queue again.')
  await becomes('A closed door', 'posted')

  // A link that is there is sent again once; what nothing can be done about is taken off, and put back it isn’t sent.
  await schedules('The same lake [lake]', wordy, await inSeconds(60))
  const already = { code: 'ALREADY_SUB', message: 'That link was submitted already.' }
  // Posts that other tests left may go up meanwhile.
  const submitting = { path: '/api/submit', account: 'MeadowMaker' }
  await admin('POST', 'faults', { kind: 'refuse', ...submitting, ...already, times: 2 })
  await becomes('The same lake [lake]', 'failed')
  await shows('Failed')
  await card('The same lake').getByRole('button', { name: 'Post it again anyway' }).click()
  await window.sees('Added to the queue again.')
  await becomes('The same lake [lake]', 'failed')
  await shows('Failed')
  await card('The same lake').getByRole('button', { name: 'Remove from the timeline' }).click()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await window.sees('Restored to the timeline.')
  await card('The same lake').getByText('the forum doesn’t allow it again').waitFor()
  expect(await stateOf('The same lake [lake]')).toBe('failed')

  await schedules('A stopped clock', suspended, await inSeconds(60))
  await admin('POST', 'accounts/MeadowMaker', { suspended: true })
  await becomes('A stopped clock', 'failed')
  await admin('POST', 'accounts/MeadowMaker', { suspended: false })
  await shows('Failed')
  await page.getByText('The forum stopped u/MeadowMaker.').waitFor()
  await looksFinished(window, 'timeline-stopped')
  await page.getByRole('button', { name: 'Resume posting' }).click()
  await page.getByText('The forum stopped u/MeadowMaker.').waitFor({ state: 'detached' })
  await card('A stopped clock').getByRole('button', { name: 'Schedule again' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved.')
  await becomes('A stopped clock', 'posted')

  // No answer, and nothing of it among the account’s posts.
  await schedules('A foggy bridge', doubtful, await inSeconds(60))
  await admin('POST', 'faults', { kind: 'drop', ...submitting, times: null })
  await becomes('A foggy bridge', 'unknown', 120)
  await admin('DELETE', 'faults')
  expect(await posted('A foggy bridge')).toBeUndefined()
  await shows('Unconfirmed')
  await looksFinished(window, 'timeline-unconfirmed')
  await card('A foggy bridge').getByRole('button', { name: 'Paste the link' }).click()
  await dialog.getByLabel('Link to the post').fill('https://example.com/elsewhere')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Paste the link to the post on the forum, in this subreddit.').waitFor()
  expect(window.complaints()).toEqual([expect.stringContaining('/timeline/item/confirm')])
  const forum = await page.context().newPage()
  const query = new URLSearchParams({ type: 'LINK', title: 'A foggy bridge', url: 'https://example.com/' })
  await forum.goto(`${fanfare.origin}/sandbox/reddit/r/${doubtful}/submit?${query}`)
  await dialog.getByLabel('Link to the post').fill(await submits(forum, 'MeadowMaker'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Marked as posted.')
  expect(await stateOf('A foggy bridge')).toBe('posted')

  await schedules('An open gate', removed, await inSeconds(60))
  await becomes('An open gate', 'posted')
  await admin('POST', `posts/${(await posted('An open gate'))?.name}/remove`, { category: 'moderator' })
  await expect
    .poll(
      async () => {
        await advance(window, 120)
        return (await itemOf('An open gate'))?.removedBy
      },
      { interval: 500 },
    )
    .toBe('moderator')
  await shows('Posted')
  await card('An open gate').getByText('Removed by moderators').waitFor()
  await looksFinished(window, 'timeline-posted')

  await schedules('My own hands', own, { ...(await inSeconds(60)), byHand: true })
  await becomes('My own hands', 'waiting')
  await shows('Manual')
  await card('My own hands').getByText('Mark it NSFW on the forum’s page before you post it.').waitFor()
  await looksFinished(window, 'timeline-by-hand')
  const opens = page.context().waitForEvent('page')
  await card('My own hands').getByRole('link', { name: 'Post it on the forum' }).click()
  const link = await submits(await opens, 'MeadowMaker')
  await card('My own hands').getByRole('button', { name: 'Paste the link' }).click()
  await dialog.getByLabel('Link to the post').fill(link)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Marked as posted.')
  expect(await stateOf('My own hands')).toBe('posted')
  // Each went up once.
  const titles = (await admin<{ items: Entry[] }>('GET', 'posts')).items.map(({ title }) => title)
  expect(titles.sort()).toEqual([...new Set(titles)].sort())
  expect(window.complaints()).toEqual([])
  await window.close()
})
