import type { Page } from 'playwright-core'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'
import { VIDEO_TITLE } from './shop.ts'

const SOON = { timeout: 30_000, interval: 100 }

const videoState = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    at: video.currentTime,
    lines: Math.min(video.videoHeight, video.videoWidth),
    speed: video.playbackRate,
    dropped: video.getVideoPlaybackQuality().droppedVideoFrames,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
  }))

/** Watches the video for so many seconds with quality and speed changed on the way; answers where it is then. */
export async function watches(
  window: Window,
  mediaId: string,
  seconds: number,
  keep: (name: string) => Promise<void>,
): Promise<{ said: string; at: number }> {
  const { page } = window
  await window.open(`/media/${mediaId}`)
  await page.getByRole('button', { name: `Play ${VIDEO_TITLE}` }).click()
  await waitUntil(async () => (await videoState(page)).at > 0.5, SOON)
  const begin = performance.now()
  const gear = page.getByRole('button', { name: 'Quality and speed' })
  await page.waitForTimeout(8_000)
  await gear.click()
  await page.getByLabel('360p').check()
  await keep('player-settings')
  await waitUntil(async () => (await videoState(page)).lines === 360, SOON)
  await page.waitForTimeout(5_000)
  await page.getByLabel('720p').check()
  await waitUntil(async () => (await videoState(page)).lines === 720, SOON)
  await page.getByLabel('1.25×').check()
  await page.keyboard.press('Escape')
  let stalled = 0
  let last = await videoState(page)
  while (performance.now() - begin < seconds * 1000) {
    await page.waitForTimeout(1000)
    const now = await videoState(page)
    if (now.at - last.at < 0.3) stalled += 1
    last = now
  }
  await keep('player')
  if (last.speed !== 1.25) throw new Error(`it plays at ${last.speed}`)
  const watched = Math.round((performance.now() - begin) / 1000)
  const said = `${watched} s at the screen, ${last.at.toFixed(1)} s of video, ${stalled} seconds without progress, ${last.dropped} of ${last.frames} pictures dropped`
  return { said, at: last.at }
}

/** Leaves, comes back, and finds the video where it was left; `at` in seconds. */
export async function comesBack(window: Window, mediaId: string, at: number): Promise<string> {
  const { page } = window
  await window.open('/yourcontent')
  await window.open(`/media/${mediaId}`)
  await page.getByRole('button', { name: `Play ${VIDEO_TITLE}` }).click()
  await waitUntil(async () => (await videoState(page)).at > 0.2, SOON)
  const now = (await videoState(page)).at
  if (Math.abs(now - at) > 8)
    throw new Error(`it was left at ${at.toFixed(1)} s and goes on at ${now.toFixed(1)} s`)
  return `left at ${at.toFixed(1)} s, goes on at ${now.toFixed(1)} s`
}

/** The own name is over the video and on the picture that was bought. */
export async function isNamed(
  window: Window,
  name: string,
  mediaIds: { video: string; single: string },
): Promise<string> {
  const { page } = window
  const over = await page.getByText(`@${name}`).count()
  if (over === 0) throw new Error('the video carries no name')
  await window.open(`/media/${mediaIds.single}`)
  await waitUntil(
    () =>
      page
        .getByRole('main')
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth > 0),
    SOON,
  )
  return `@${name} stands ${over} times over the video`
}
