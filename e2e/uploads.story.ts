import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, logIn } from './people.ts'
import { picture } from './pictures.ts'
import { inChunks, rowOf, sending } from './sending.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

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

const { heavyPicture, libraryOf, unfinishedBy } = sending(() => ({ fanfare, folder }))

/** Opens the system's picker and closes it without a file. */
async function closesThePicker(page: Page): Promise<void> {
  const opened = page.waitForEvent('filechooser')
  await page.getByLabel('Choose files, or drop them here').click()
  await opened
  await page.evaluate(() => dispatchEvent(new Event('focus')))
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

/** Pixels that the longest choice of a select leaves free beside it. */
function roomLeft(element: HTMLElement | SVGElement): number {
  const { options, clientWidth } = element as HTMLSelectElement
  const { font, paddingLeft, paddingRight } = getComputedStyle(element)
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
  context.font = font
  const longest = Math.max(...[...options].map(({ text }) => context.measureText(text).width))
  return clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - longest
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
  expect(await page.getByLabel('Who can see it').first().evaluate(roomLeft)).toBeGreaterThan(0)

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
