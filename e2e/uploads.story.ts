import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page, Request, Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, logIn, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanfare-story-files-'))
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** Writes a small picture of six chunks, or of as many as so many comments make: each is another. */
async function heavyPicture(name: string, background: string, length = 90): Promise<string> {
  const small = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const comments = Array.from({ length }, (_, index) => {
    const comment = Buffer.alloc(0x10001, index)
    comment.writeUInt32BE(0xfffeffff)
    return comment
  })
  const path = join(folder, name)
  await writeFile(path, Buffer.concat([small.subarray(0, 2), ...comments, small.subarray(2)]))
  return path
}

/** Lets this many chunks through; the ones behind them never get an answer. Answers how many were asked for. */
async function letThrough(page: Page, chunks: number): Promise<{ sent: number }> {
  const count = { sent: 0 }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/api/media/uploadsingle', async (route) => {
    count.sent += 1
    if (count.sent <= chunks) await route.continue()
  })
  return count
}

const libraryOf = async (person: Person) =>
  (await apiOf(fanfare.origin, person).call(routes.manageMedia, { query: { limit: 60 } })).items

const unfinishedBy = async (person: Pick<Person, 'token'>) =>
  (await apiOf(fanfare.origin, person).call(routes.uploads, { query: {} })).items

const rowOf = (page: Page, fileName: string) =>
  page.getByRole('region', { name: 'Files' }).getByRole('listitem').filter({ hasText: fileName })

/** Opens the system's picker and closes it without a file. */
async function closesThePicker(page: Page): Promise<void> {
  const opened = page.waitForEvent('filechooser')
  await page.getByLabel('Choose files, or drop them here').click()
  await opened
  await page.evaluate(() => dispatchEvent(new Event('focus')))
}

async function inChunks(page: Page): Promise<void> {
  await page.getByText('Upload method').click()
  await page.getByRole('radio', { name: /^One at a time/ }).check()
}

/** Drops a whole folder, as from a file manager. */
async function dropFolder({ page, context }: Window, path: string): Promise<void> {
  const box = await page.getByText('Choose files, or drop them here').boundingBox()
  if (!box) throw new Error('there is no place to drop files')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const devTools = await context.newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x, y, data })
  await devTools.detach()
}

/** Pastes a picture, as after taking a screenshot. */
async function pastePicture(page: Page, buffer: Buffer): Promise<void> {
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, buffer.toString('base64'))
}

test('several at once: by folder and by paste, and what is there already is asked about', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  const [one, two, three] = await Promise.all([
    picture(1, 300, 400),
    picture(2, 300, 400),
    picture(3, 300, 400),
  ])
  await mkdir(join(folder, 'shoot', 'second day'), { recursive: true })
  await writeFile(join(folder, 'shoot', 'one.jpg'), one.buffer)
  await writeFile(join(folder, 'shoot', 'second day', 'two.jpg'), two.buffer)

  await window.open('/dashboard/uploadbulk')
  await looksFinished(window)
  await closesThePicker(page)
  await window.sees('You must select a file to upload.')
  await dropFolder(window, join(folder, 'shoot'))
  await rowOf(page, 'two.jpg').waitFor()
  await pastePicture(page, three.buffer)
  await rowOf(page, 'pasted ').waitFor()
  await window.sees('3 done')
  expect(await libraryOf(creator)).toHaveLength(3)

  const again = { ...one, name: 'again.jpg' }
  await page.locator('input[type=file]').setInputFiles([again, { ...two, name: 'once more.jpg' }])
  const ask = (name: string) => page.getByRole('region', { name: `${name} is a duplicate` })
  await ask('again.jpg').waitFor()
  await ask('once more.jpg').waitFor()
  await ask('again.jpg').getByRole('link', { name: 'one', exact: true }).waitFor()
  await looksFinished(window)
  expect(await libraryOf(creator)).toHaveLength(3)
  await ask('again.jpg').getByRole('button', { name: 'Skip' }).click()
  await rowOf(page, 'again.jpg').waitFor({ state: 'detached' })
  await ask('once more.jpg').getByRole('button', { name: 'Upload anyway' }).click()
  await window.sees('4 done')
  expect(await libraryOf(creator)).toHaveLength(4)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a bar is as full as its percentage says, at every moment, and a phone shows what to do with all files', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator, phone: true })
  const { page } = window
  await window.open('/dashboard/uploadbulk')
  const held: Route[] = []
  await page.route(/\/api\/media\/upload\/.*signature=/, async (route) => {
    if (held.length < 2) held.push(route)
    else await route.continue()
  })
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      for (const track of document.querySelectorAll('[role=progressbar][aria-valuenow]')) {
        const [bar] = track.children
        const share = (bar?.getBoundingClientRect().width ?? 0) / track.getBoundingClientRect().width
        seen.push(Math.abs(share * 100 - Number(track.getAttribute('aria-valuenow'))))
      }
      requestAnimationFrame(look)
    }
    look()
  })
  const seen = () => page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen)
  await page.locator('input[type=file]').setInputFiles(await Promise.all([6, 7].map((seed) => picture(seed))))
  await waitUntil(() => held.length === 2)
  await page.getByRole('progressbar').first().waitFor()
  for (const route of held) await route.continue()
  await window.sees('2 done')
  expect((await seen()).length).toBeGreaterThan(0)
  expect(Math.max(...(await seen()))).toBeLessThan(1)

  // What is done with all of them is there without scrolling, clear of the bars.
  const edges = (of: Locator) =>
    of.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top, bottom }
    })
  const all = page.getByRole('form', { name: 'Apply to all' })
  const header = await edges(page.getByRole('banner'))
  const places = await edges(page.getByRole('navigation', { name: 'Your work' }))
  expect((await edges(all)).top).toBeGreaterThanOrEqual(header.bottom)
  expect((await edges(all.getByRole('button', { name: 'Apply to all' }))).bottom).toBeLessThanOrEqual(
    places.top,
  )
  await window.close()
})

test('several at once: what a closed tab broke off goes on where it was', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  page.on('dialog', (dialog) => void dialog.accept())
  const devTools = await window.context.newCDPSession(page)
  const upTo = (uploadThroughput: number) =>
    devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  const video = await heavyPicture('long.jpg', '#804060', 250)
  await window.open('/dashboard/uploadbulk')
  // Half a minute for all of it: it must not be over before the page is left.
  await upTo(500_000)
  await page.locator('input[type=file]').setInputFiles(video)
  await rowOf(page, 'long.jpg')
    .getByText(/^[2-9]\d\.\d\d%$/)
    .waitFor()
  await page.goto('about:blank')
  await upTo(-1)
  const arrived = async () => (await unfinishedBy(creator))[0]?.arrivedBytes
  await expect.poll(arrived).toBeGreaterThan(0)
  await window.open('/dashboard/uploadbulk')
  await page.getByText(/^[1-9]\d\.\d\d% uploaded\.$/).waitFor()
  const rangeOf = (request: Request) => request.headers()['content-range'] ?? ''
  const rest = page.waitForRequest((request) => /^bytes \d/.test(rangeOf(request)))
  await page.locator('input[aria-label="File for long.jpg"]').setInputFiles(video)
  expect(rangeOf(await rest)).toMatch(/^bytes [1-9]\d{5}/)
  await window.sees('1 done')
  expect(await libraryOf(creator)).toHaveLength(1)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('several at once: a log-out asks, stops everything, and nothing reaches the next person of the tab', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const next = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  const held: Route[] = []
  await page.route(/\/api\/media\/upload\/.*signature=/, (route) => void held.push(route))
  const files = await Promise.all([1, 2, 3, 4].map((at) => heavyPicture(`${at}.jpg`, '#806040', at)))
  const row = rowOf(page, '1.jpg')
  await window.open('/dashboard/uploadbulk')
  await page.locator('input[type=file]').setInputFiles(files)
  await row.getByText('Uploading...').waitFor()
  // As many as are sent at once; what is not on its way now would be after the log-out.
  await expect.poll(() => held.length).toBe(3)
  await window.context.setOffline(true)
  await row.getByText('You’re offline. Uploads resume automatically.').waitFor()
  await looksFinished(window)
  await window.context.setOffline(false)
  await row.getByText('Uploading...').waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  const sent: string[] = []
  page.on('request', (request) => {
    if (/\/api\/media\/(upload|makepublic|duplicates)/.test(request.url())) sent.push(request.url())
  })
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(next.email)
  await page.getByLabel('Password', { exact: true }).fill(next.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)))
  await window.settled()
  expect([held.length, sent]).toEqual([3, []])
  expect(await libraryOf(next)).toEqual([])
  expect(await unfinishedBy(next)).toEqual([])
  // The next person may well be the same one: they go on where they were.
  const started = await unfinishedBy({ token: await logIn(fanfare.origin, creator) })
  expect(started.map(({ status }) => status)).toEqual(['awaiting', 'awaiting', 'awaiting'])
  expect(window.complaints().filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await window.close()
})

test('a login over the page loses neither what was typed beside finished files, nor the files still on their way', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  const picker = page.locator('input[type=file]:not([aria-label^="File for"])')
  await window.open('/dashboard/uploadbulk')
  await picker.setInputFiles(await picture(1, 300, 400))
  const title = page
    .getByRole('form', { name: /^About / })
    .first()
    .getByLabel('Title')
  await title.fill('Typed before the session ended')

  await inChunks(page)
  const goOn = Promise.withResolvers<void>()
  const statuses: number[] = []
  await page.route('**/api/media/uploadsingle', async (route) => {
    if (statuses.length === 2) await goOn.promise
    const response = await route.fetch()
    statuses.push(response.status())
    await route.fulfill({ response })
  })
  await picker.setInputFiles([
    await heavyPicture('slow.jpg', '#508040'),
    await heavyPicture('behind it.jpg', '#405080', 12),
  ])
  await rowOf(page, 'slow.jpg')
    .getByText(/^3\d\.\d\d%$/)
    .waitFor()
  const elsewhere = { ...creator, token: await logIn(fanfare.origin, creator) }
  await apiOf(fanfare.origin, elsewhere).call(routes.revokeOtherSessions, {})
  goOn.resolve()
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(creator.password)
  await rowOf(page, 'slow.jpg').getByText('Uploading...').waitFor()
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await window.sees('3 done')
  expect(await title.inputValue()).toBe('Typed before the session ended')
  await page
    .getByRole('form', { name: /^About / })
    .first()
    .getByRole('button', { name: 'Save' })
    .click()
  await expect
    .poll(async () => (await libraryOf(elsewhere)).map((item) => item.title))
    .toContain('Typed before the session ended')
  expect(await libraryOf(elsewhere)).toHaveLength(3)
  expect(statuses.filter((status) => status !== 401)).toEqual(Array(7).fill(200))
  expect(window.complaints().filter((line) => !line.includes('401'))).toEqual([])
  await window.close()
})

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
