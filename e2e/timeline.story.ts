import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, openSubreddits, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { advance, dayOf, startPosting } from './posting.ts'
import { drags } from './window.ts'

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

/** The Wednesday of the week after next, so that nothing of its week is in the past. */
function wednesday(): Date {
  const date = new Date(Date.now() + 14 * DAY_MS)
  date.setDate(date.getDate() - date.getDay() + 3)
  return date
}
const at = (day: Date, hour: number) => new Date(new Date(day).setHours(hour, 15, 0, 0)).toISOString()

test('a creator moves posts by hand on a week and a day, puts them back, and never into the past', async () => {
  const [first = '', second = ''] = names
  const { api, window, page, itemOf, schedules } = await startPosting({ fanfare, browser }, 'LanternMaker')
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
  const { api, window, page, itemOf, schedules } = await startPosting({ fanfare, browser }, 'HarborWatcher')
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
  const { api, window, page, schedules, itemOf } = await startPosting({ fanfare, browser }, 'HarborKeeper')
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
  const { api, window, page, schedules, itemOf } = await startPosting({ fanfare, browser }, 'OldSailor')
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
