import type { Page } from 'playwright-core'
import { waitUntil } from '../../waiting.ts'
import type { Window } from '../../window.ts'
import type { Shift } from './shifting.ts'
import { type Fingers, putFingersOn } from './touching.ts'

const SOON = { timeout: 20_000, interval: 50 }
const tiles = (page: Page) => page.locator('[data-media-id]')

/** Types a name with a mistake into the search, and finds it all the same. */
export async function searchesWithAMistake(window: Window, typed: string, meant: string): Promise<string> {
  const { page } = window
  await page.goto('/')
  await page.getByRole('link', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.type(typed, { delay: 60 })
  await window.sees(`Showing results for “${meant}”`)
  await waitUntil(async () => (await tiles(page).count()) > 0, SOON)
  return `“${typed}” shows results for “${meant}”: ${await tiles(page).count()} items`
}

/** Chooses two suggested tags one after the other; answers what is shown then. */
export async function choosesTags(window: Window): Promise<string> {
  const { page } = window
  await window.open('/discover')
  const all = await tiles(page).count()
  const chips = page.getByRole('list', { name: 'Suggested tags' }).locator('button[aria-pressed]')
  const names = [await chips.nth(0).innerText(), await chips.nth(1).innerText()]
  const counts: number[] = []
  for (const at of [0, 1]) {
    await chips.nth(at).click()
    await page.waitForURL((url) => url.searchParams.getAll('tagIds').length === at + 1)
    // The wall follows 200 ms after the last tap.
    await page.waitForTimeout(400)
    await window.settled()
    counts.push(await waitUntil(() => tiles(page).count(), SOON))
  }
  return `of ${await chips.count()} chips ${names.join(' and ')}: ${all} items, then ${counts.join(', then ')} on the first page`
}

/** Scrolls by finger until so many items have come; answers how many and how far the page jumped. */
export async function scrollsOn(window: Window, count: number, shifts: readonly Shift[]): Promise<string> {
  const { page } = window
  await window.open('/discover')
  const fingers = await putFingersOn(page)
  const before = shifts.length
  const first = await tiles(page).count()
  let swipes = 0
  while ((await tiles(page).count()) < count && swipes < 120) {
    swipes += 1
    await fingers.swipe({ x: 195, y: 700 }, { x: 195, y: 120 }, 160)
    await page.waitForTimeout(120)
  }
  const moved = shifts.slice(before)
  const sum = moved.reduce((total, { value }) => total + value, 0)
  if (sum > 0) throw new Error(`the wall jumped: ${moved.map(({ what }) => what).join('; ')}`)
  return `${first} items grew to ${await tiles(page).count()} in ${swipes} swipes, layout shift ${sum.toFixed(4)}`
}

/** Follows a creator from their profile. */
export async function follows(window: Window, username: string): Promise<string> {
  const { page } = window
  await window.open(`/users/${username}`)
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
  await window.open('/dashboard/following')
  await window.sees(username)
  return `${username} is followed, and among those followed`
}

/** How far the picture in sight is enlarged: its width on the screen, in pixels. */
const widthInSight = (page: Page) =>
  page.evaluate(() => {
    const middle = innerWidth / 2
    const boxes = [...document.querySelectorAll('.pswp__img')].map((image) => image.getBoundingClientRect())
    return boxes.find(({ left, right, width }) => width > 0 && left <= middle && right >= middle)?.width ?? 0
  })

const counter = (page: Page) => page.locator('.pswp__counter').innerText()

/** Opens the full screen on a picture and leafs, pinches and taps as with fingers; answers what happened. */
export async function usesTheViewer(window: Window, keep: (name: string) => Promise<void>): Promise<string> {
  const { page } = window
  await window.open('/discover')
  const fingers = await putFingersOn(page)
  const at = await pictureAfterPicture(page)
  await tiles(page).nth(at).scrollIntoViewIfNeeded()
  await page.waitForTimeout(500)
  const box = await tiles(page).nth(at).boundingBox()
  if (!box) throw new Error('there is no picture to open')
  await fingers.tap({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
  await page.locator('.pswp--open').waitFor()
  await waitUntil(async () => (await widthInSight(page)) > 100, SOON)
  const begin = await counter(page)
  await keep('viewer')
  const next = await swipesOn(page, fingers, begin, -1)
  await waitUntil(async () => (await widthInSight(page)) > 100, SOON)
  await page.waitForTimeout(500)
  const fitting = await widthInSight(page)
  await fingers.pinch({ x: 195, y: 420 }, 80, 300)
  await page.waitForTimeout(600)
  const pinched = await widthInSight(page)
  await keep('viewer-pinched')
  await fingers.pinch({ x: 195, y: 420 }, 300, 60)
  await page.waitForTimeout(1500)
  const back = await widthInSight(page)
  await fingers.doubleTap({ x: 195, y: 420 })
  await page.waitForTimeout(800)
  const tapped = await widthInSight(page)
  await fingers.doubleTap({ x: 195, y: 420 })
  await page.waitForTimeout(800)
  const ended = await widthInSight(page)
  if (pinched < fitting * 1.3) throw new Error(`pinching made ${fitting} pixels ${pinched}`)
  if (Math.abs(back - fitting) > 4) throw new Error(`pinching back made ${pinched} pixels ${back}`)
  if (tapped < fitting * 1.1) throw new Error(`a double tap made ${fitting} pixels ${tapped}`)
  if (Math.abs(ended - fitting) > 4) throw new Error(`the second double tap left ${ended} pixels`)
  const previous = await swipesOn(page, fingers, next, 1)
  await fingers.swipe({ x: 195, y: 300 }, { x: 195, y: 720 }, 200)
  await page.locator('.pswp--open').waitFor({ state: 'detached' })
  if (new URL(page.url()).searchParams.has('view'))
    throw new Error('the viewer is closed, but in the address')
  const pixels = [fitting, pinched, back, tapped, ended].map(Math.round).join(', ')
  return `${begin}, ${next}, ${previous}; widths ${pixels}; a swipe down closed it`
}

/** The place of a picture that another picture follows. */
async function pictureAfterPicture(page: Page): Promise<number> {
  const kinds = await tiles(page).evaluateAll((found) =>
    found.map((tile) =>
      /video/i.test(tile.querySelector('button')?.getAttribute('aria-label') ?? tile.textContent ?? ''),
    ),
  )
  return Math.max(
    0,
    kinds.findIndex((video, at) => !video && kinds[at + 1] === false && at > 0),
  )
}

/** Swipes to the side until the counter moves; -1 goes on, 1 goes back. */
async function swipesOn(page: Page, fingers: Fingers, from: string, direction: 1 | -1): Promise<string> {
  const start = direction < 0 ? 340 : 50
  await waitUntil(async () => {
    if ((await counter(page)) !== from) return true
    // A viewer that is still opening or settling hears no finger.
    await fingers.swipe({ x: start, y: 420 }, { x: start + direction * 280, y: 420 }, 140)
    await page.waitForTimeout(400)
    return false
  })
  return counter(page)
}
