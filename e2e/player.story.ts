import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { addressOfChunk } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { axeViolations, looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { upload } from './shop.ts'
import { openWindow } from './window.ts'

/** The player, and what a page says of it and of other parts whose code can’t be loaded. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let creator: Person
let video: string

const SHOWN = { ...NEW_UPLOAD_FLAGS, mustUnlock: false, showInSearch: true }

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  creator = await joins(fanfare.origin, 'creator')
  video = await longVideo()
  const body = { mediaId: video, ...SHOWN, title: 'Forty seconds', tagIds: [] }
  await apiOf(fanfare.origin, creator).call(routes.editMedia, { body })
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** A video of forty seconds: a slow animation, and what the product made of it sent in once more as a video. */
async function longVideo(): Promise<string> {
  const [width, height, frames] = [640, 480, 40]
  const pixels = Buffer.alloc(width * height * 3 * frames)
  for (let frame = 0; frame < frames; frame++)
    pixels.fill(40 + frame * 5, frame * width * height * 3, (frame + 1) * width * height * 3)
  const buffer = await sharp(pixels, {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
  })
    .webp({ effort: 0, delay: Array.from({ length: frames }, () => 1000) })
    .toBuffer()
  const [slow = ''] = await upload(fanfare.origin, creator, [
    { name: 'slow.webp', mimeType: 'image/webp', buffer },
  ])
  const answer = await fetch(`${fanfare.origin}/api/media/${slow}`, {
    headers: { authorization: `Bearer ${creator.token}` },
  })
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { url } = (await answer.json()) as { url: string }
  const file = await fetch(fanfare.origin + url, { headers: { cookie } })
  const [video = ''] = await upload(fanfare.origin, creator, [
    { name: 'video.mp4', mimeType: 'video/mp4', buffer: Buffer.from(await file.arrayBuffer()) },
  ])
  return video
}

test('a video is streamed in a chosen quality, outlives its links, and goes on where it was left', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await window.open(`/media/${video}`)
  const play = async () => {
    await page.getByRole('button', { name: 'Play Forty seconds' }).click()
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2)
  }
  // One that is over by then begins again.
  const jump = (seconds: number) =>
    page.evaluate((to) => {
      const video = document.querySelector('video')
      if (!video) return
      video.currentTime = to
      void video.play().catch(() => undefined)
    }, seconds)
  await play()
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.src)).toMatch(/^blob:/)
  expect(window.complaints()).toEqual([])

  // Its links are over from here on: the next segment is refused, whichever quality it is of, once none is cached.
  const refused = page.waitForResponse((response) => response.status() === 403)
  await page.request.post('/sandbox/clock', { data: { advanceSeconds: 600 } })
  const devTools = await window.context.newCDPSession(page)
  await devTools.send('Network.clearBrowserCache')
  await page.getByRole('button', { name: 'Quality and speed' }).click()
  await page.getByLabel('360p', { exact: true }).check()
  await refused
  await jump(20)
  await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return video && video.currentTime > 20.2 && video.videoHeight === 360
  })
  await page.getByLabel('2×').check()
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(2)
  await page.keyboard.press('Escape')
  await page.getByLabel('2×').waitFor({ state: 'hidden' })
  expect(await axeViolations(window)).toEqual([])

  // It goes on meanwhile, and may be over by now.
  await page.locator('video').evaluate(
    (video: HTMLVideoElement) =>
      new Promise((resolve) => {
        video.pause()
        video.addEventListener('seeked', resolve, { once: true })
        video.currentTime = 25
      }),
  )
  await page.reload()
  await window.settled()
  await play()
  expect(
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime),
  ).toBeGreaterThan(19)
  await jump(39.5)
  await page.waitForFunction(() => document.querySelector('video')?.ended)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('videoPositions'))).toBeNull()
  await window.close()
})

test('a filter or a player whose code can’t be loaded says so in its own place', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  const parts = addressOfChunk('TagFilter', 'PlayerControls')
  const failed = page.getByRole('alert').filter({ hasText: 'We couldn’t load this part of the page' })
  for (const { path, opener, whole, stays } of [
    {
      path: '/discover',
      opener: 'Filter by tags',
      whole: page.getByRole('combobox', { name: 'Tags' }),
      stays: '[data-media-id]',
    },
    { path: `/media/${video}`, opener: 'Play Forty seconds', whole: page.locator('video'), stays: 'h1' },
  ]) {
    await page.route(parts, (route) => route.abort())
    await window.open(path)
    await page.getByRole('button', { name: opener }).click()
    await failed.waitFor()
    await page.locator(stays).first().waitFor()
    await looksFinished(window)
    await page.unroute(parts)
    // The browser remembers that it failed.
    await failed.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: opener }).click()
    await whole.waitFor()
  }
  await window.close()
})

test('a part is tried again until the server is there, and then asks to reload, which asks before something is lost', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  await page.getByLabel('Bio').fill('Half a sentence')
  const away = new RegExp(`${addressOfChunk('Panel').source}|/api/config$`)
  await page.route(away, (route) => route.abort())
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'We couldn’t load this part of the page' })
  const again = failed.getByRole('button', { name: 'Try again' })
  await again.click()
  await again.waitFor()
  await page.unroute(away)
  await again.click()
  await failed.getByText('Reload the page to try again.').waitFor()
  const asked = page.waitForEvent('dialog')
  const reloads = failed.getByRole('button', { name: 'Reload' }).click()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reloads
  expect(await page.getByLabel('Bio').inputValue()).toBe('Half a sentence')
  await window.close()
})
