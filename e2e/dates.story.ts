import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, openSubreddits, tracks } from './forum.ts'
import { apiOf, joins } from './people.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let place = ''

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  place = (await openSubreddits(fanfare.origin))[0] ?? ''
  await tracks(fanfare.origin, database, [place])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** A year from now, which no field takes for the past. */
const YEAR = new Date().getFullYear() + 1

/** Presses the keys of a date, part after part; answers what the field held after each. */
async function types(field: Locator, keys: string): Promise<string[]> {
  const held: string[] = []
  await field.focus()
  for (const key of keys) {
    // Pressed at the field, its first part would have the focus again.
    await field.page().keyboard.press(key)
    held.push(await field.inputValue())
  }
  return held
}

test('a year is typed key by key, and neither the page nor what is saved stumbles over those on the way', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await connects(window, 'DateKeeper')
  await window.sees('Success!')
  const { _id: postId } = await api.call(routes.createPost, {
    body: { titles: ['A quiet lake'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  const params = { redditPostId: postId }
  await api.call(routes.editPost, { params, body: { usableSubreddits: [place] } })

  const written: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') written.push(new URL(request.url()).pathname)
  })
  await window.open('/dashboard/scheduleposts')
  written.length = 0
  await page.getByRole('radio', { name: 'Date and time' }).check()
  const time = page.locator('input[type="datetime-local"]')
  expect((await types(time, '112102020340P')).at(-1)).toBe('0202-11-21T15:40')
  await page.getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('Choose a date and time.')
  expect((await types(time, `1121${YEAR}0340P`)).at(-1)).toBe(`${YEAR}-11-21T15:40`)
  expect(written).toEqual([])
  await page.getByRole('button', { name: 'Schedule post' }).click()
  await window.sees(`r/${place}: scheduled for Nov 21, ${YEAR}, 3:40 PM`)

  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Edit “A quiet lake”' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Date and time' }).check()
  written.length = 0
  const moved = await types(dialog.locator('input[type="datetime-local"]'), `0214${YEAR}1105A`)
  expect(moved.at(-1)).toBe(`${YEAR}-02-14T11:05`)
  expect(written).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees(`It’s scheduled for Feb 14, ${YEAR}, 11:05 AM`)
  await window.open('/dashboard/timeline?view=week&day=0026-02-14')
  await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor()

  await window.open('/dashboard/postearnings')
  await page.getByRole('combobox', { name: 'Posted' }).selectOption('custom')
  const asked: string[] = []
  page.on('request', (request) => {
    const from = new URL(request.url()).searchParams.get('from')
    if (from) asked.push(from.slice(0, 4))
  })
  const from = page.getByLabel('From', { exact: true })
  expect((await types(from, '01022020')).at(-1)).toBe('2020-01-02')
  await expect.poll(() => asked.at(-1)).toBe('2020')
  expect(asked.filter((year) => year < '2000')).toEqual([])
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the time of a mass message is typed key by key', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/mass-messages?compose=new')
  await page.getByRole('radio', { name: 'At a set time' }).check()
  const time = page.locator('input[type="datetime-local"]')
  expect((await types(time, `1121${YEAR}0340P`)).at(-1)).toBe(`${YEAR}-11-21T15:40`)
  expect(window.complaints()).toEqual([])
  await window.close()
})
