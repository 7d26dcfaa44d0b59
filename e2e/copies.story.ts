import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { upload } from './shop.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

test('a creator who posts by hand downloads copies of a picture and a video, as each subreddit asks', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  await tracks(fanfare.origin, database, ['Lanterns'])
  await database.query("update subreddits set watermark_type = 'reddit username' where name = 'Lanterns'")
  const ids = await upload(fanfare.origin, creator, [await picture(1, 600, 800), await movingPicture()])
  for (const [index, mediaId] of ids.entries()) {
    const title = index === 0 ? 'A quiet lake' : 'A moving lake'
    const flags = { ...NEW_UPLOAD_FLAGS, mustUnlock: false, redditPromotion: true }
    await api.call(routes.editMedia, { body: { mediaId, title, ...flags } })
    const { _id: redditPostId } = await api.call(routes.createPost, { body: { titles: [title], mediaId } })
    const body = { usableSubreddits: ['Lanterns'] }
    await api.call(routes.editPost, { params: { redditPostId }, body })
  }
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await connects(window, 'LanternMaker')
  await window.sees('Success!')

  const downloads = async (card: Locator, choice: string) => {
    await card.getByRole('button', { name: /Download a copy/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: choice }).click(),
    ])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }

  await window.open('/dashboard/scheduleposts')
  const card = (title: string) =>
    page
      .getByRole('list', { name: 'Posts to schedule' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('combobox', { name: 'Title' }).filter({ hasText: title }) })
  const lake = card('A quiet lake')
  expect(await lake.getByRole('button', { name: /Download a copy/ }).count()).toBe(0)
  await lake.getByLabel('Posted by').selectOption('I’ll post it myself')
  const named = await downloads(lake, 'As r/Lanterns asks')
  expect(named.name).toMatch(/^Lanterns-\w+\.jpg$/)
  await window.sees('Downloaded with u/LanternMaker in the corner and no metadata.')
  const clean = await downloads(lake, 'Without a username')
  await window.sees('Note that r/Lanterns asks for your username on it.')
  const { format, width, exif } = await sharp(named.bytes).metadata()
  expect({ format, width, exif }).toEqual({ format: 'jpeg', width: 600, exif: undefined })
  expect(clean.bytes.equals(named.bytes)).toBe(false)
  await lake.getByRole('button', { name: /Download a copy/ }).click()
  await page.getByRole('menuitem', { name: 'Without a username' }).waitFor()
  await looksFinished(window, 'copy-menu')
  await page.keyboard.press('Escape')
  await lake.getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('r/Lanterns: scheduled for')

  const video = card('A moving lake')
  await video.getByLabel('Posted by').selectOption('I’ll post it myself')
  const moving = await downloads(video, 'As r/Lanterns asks')
  expect(moving.name).toMatch(/\.mp4$/)
  expect(moving.bytes.subarray(4, 8).toString()).toBe('ftyp')

  await window.open('/dashboard/timeline')
  const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'A quiet lake' })
  const again = await downloads(item, 'As r/Lanterns asks')
  expect(again.bytes.equals(named.bytes)).toBe(true)
  expect(window.complaints()).toEqual([])
  await window.close()
})
