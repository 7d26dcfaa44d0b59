import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type FanfareProcess, startProcess } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { joins } from './people.ts'
import { inChunks, letThrough, rowOf, sending } from './sending.ts'
import { openWindow, PHONE } from './window.ts'

/** Files that are sent in chunks, and go on after a break. */
let database: StoryDatabase
let fanfare: FanfareProcess
let browser: StoryBrowser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-story-files-'))
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startProcess(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
  await rm(folder, { recursive: true, force: true })
})

const { heavyPicture, libraryOf, unfinishedBy } = sending(() => ({ fanfare, folder }))

test('one at a time in chunks: breaks off, outlives a reload, and goes on where it was', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  page.on('dialog', (dialog) => void dialog.accept())
  const video = await heavyPicture('video.jpg', '#a04030')
  await window.open('/dashboard/uploadbulk')
  await inChunks(page)
  await letThrough(page, 3)
  await page.locator('input[type=file]').setInputFiles(video)
  await rowOf(page, 'video.jpg')
    .getByText(/^5\d\.\d\d%$/)
    .waitFor()
  await rowOf(page, 'video.jpg').getByText('Uploading...').waitFor()

  await window.open('/dashboard/uploadbulk')
  const rest = await letThrough(page, 100)
  await window.sees('50.00% uploaded.')
  await looksFinished(window)
  const chooser = page.locator('input[aria-label="File for video.jpg"]')
  await chooser.setInputFiles(await heavyPicture('other.jpg', '#304090'))
  await window.sees('This is a different file. Choose video.jpg.')
  await chooser.setInputFiles(video)
  await window.sees('1 done')
  expect(rest.sent).toBe(3)
  expect(await page.getByRole('region', { name: 'Unfinished uploads' }).count()).toBe(0)
  expect(await libraryOf(creator)).toHaveLength(1)
  expect(window.complaints()).toEqual([])

  // Another file of the same name and session gives up the one that broke off.
  const begin = async (background: string, comments: number, chunks: number) => {
    await inChunks(page)
    await letThrough(page, chunks)
    const picker = page.locator('input[type=file]:not([aria-label^="File for"])')
    await picker.setInputFiles(await heavyPicture('video.jpg', background, comments))
  }
  await begin('#40a0a0', 60, 1)
  await page
    .getByRole('listitem')
    .getByText(/^2\d\.\d\d%$/)
    .waitFor()
  await window.open('/dashboard/uploadbulk')
  await window.sees('25.00% uploaded.')
  await begin('#a0a040', 30, 100)
  await window.sees('1 done')
  expect(await libraryOf(creator)).toHaveLength(2)
  expect(await unfinishedBy(creator)).toEqual([])
  await window.close()
})

test('a single file: its line tells how far it is, and neither network nor restart end it', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator, viewport: PHONE })
  const { page } = window
  page.on('dialog', (dialog) => void dialog.accept())
  await window.open('/dashboard/uploadsingle')
  await looksFinished(window)
  const line = page.getByRole('status').filter({ hasText: /^Upload / })
  const send = page.getByRole('button', { name: 'Upload Media' })
  const color = () => line.evaluate((element) => getComputedStyle(element).color)
  expect([await line.innerText(), await send.isDisabled()]).toEqual(['Upload has not started', true])
  const colors = [await color()]
  const video = await heavyPicture('single.jpg', '#40a030')
  const other = await heavyPicture('ignored.jpg', '#3040a0')
  await page.getByLabel('Media file').setInputFiles([video, other])
  await window.sees('Selected: single.jpg')
  await letThrough(page, 2)
  await send.click()
  await page.getByText('Upload Progress: 33%').waitFor()
  colors.push(await color())
  await window.open('/dashboard/uploadsingle')
  await window.sees('33.33% uploaded.')

  // The same file through the ordinary picker goes on by itself, over a server that comes back.
  const rest = await letThrough(page, 100)
  await page.getByLabel('Media file').setInputFiles(video)
  await fanfare.end()
  const asked = page.waitForRequest('**/api/media/upload/*')
  await send.click()
  await asked
  await fanfare.restart()
  await page.getByText('Upload Complete').waitFor()
  colors.push(await color())
  await window.sees('1 done')
  expect(rest.sent).toBe(4)
  await looksFinished(window)
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') }
  await page.getByLabel('Media file').setInputFiles(broken)
  await send.click()
  await page.getByText('Upload Failed').waitFor()
  colors.push(await color())
  expect(new Set(colors).size).toBe(4)
  const [item, ...others] = await libraryOf(creator)
  expect([item?.width, others.length]).toEqual([320, 0])
  // While the server was away, the browser says so.
  expect(
    window.complaints().filter((line) => !/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|WebSocket/.test(line)),
  ).toEqual([])
  await window.close()
})
