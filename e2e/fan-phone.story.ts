import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { joins } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openWindow, PHONE } from './window.ts'

/** What stands at the end of a fan's phone. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

test('a fan’s places are at the end of a phone’s window, but where one writes; a desk and a creator have none there', async () => {
  const { origin } = fanfare
  const window = await openWindow(browser, origin, { person: await joins(origin, 'fan'), viewport: PHONE })
  const { page } = window
  const places = page.getByRole('navigation', { name: 'Quick links' })
  await window.open('/')
  for (const [name, path] of [
    ['Browse', '/discover'],
    ['Your Content', '/yourcontent'],
    ['Messages', '/dashboard/chats'],
    ['Home', '/dashboard'],
  ] as const) {
    await places.getByRole('link', { name }).click()
    await page.waitForURL(`**${path}`)
    await places.getByRole('link', { name }).and(page.locator('[aria-current="page"]')).waitFor()
  }
  await looksFinished(window, '', [{ viewport: PHONE, colorScheme: 'light' }])
  await window.open(`/dashboard/chat/${shop.creator.id}`)
  await page.getByRole('heading', { name: /^Chatting with/ }).waitFor()
  await places.waitFor({ state: 'hidden' })
  await window.open('/dashboard')
  await places.waitFor()
  await page.setViewportSize(DESK)
  await places.waitFor({ state: 'hidden' })
  expect(window.complaints()).toEqual([])
  await window.close()

  const creator = await openWindow(browser, origin, { person: shop.creator, viewport: PHONE })
  await creator.open('/discover')
  expect(await creator.page.getByRole('navigation', { name: 'Quick links' }).count()).toBe(0)
  await creator.close()
})

test('the cheapest subscription is at the end of a phone’s window while its own row is out of sight', async () => {
  const { origin } = fanfare
  const window = await openWindow(browser, origin, { person: await joins(origin, 'fan'), viewport: PHONE })
  const { page } = window
  await window.open(`/users/${shop.creator.username}`)
  const row = page.getByRole('button', { name: 'Subscribe to Members club' })
  const bar = page.getByRole('button', { name: /^Subscribe to .* · \$9\.99\/mo$/ })
  await row.scrollIntoViewIfNeeded()
  await bar.waitFor({ state: 'hidden' })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).scrollIntoViewIfNeeded()
  await bar.waitFor()
  // Above the places, to the very end of the page, whose last words stand above it.
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  const edges = async (place: Locator) => {
    const { y = 0, height = 0 } = (await place.boundingBox()) ?? {}
    return { top: y, bottom: y + height }
  }
  const places = await edges(page.getByRole('navigation', { name: 'Quick links' }))
  await expect.poll(async () => Math.abs(places.top - (await edges(bar)).bottom - 12)).toBeLessThan(3)
  const last = await edges(page.getByRole('contentinfo').getByText('For adults only'))
  expect(last.bottom).toBeLessThan((await edges(bar)).top)
  await looksFinished(window, '', [{ viewport: PHONE, colorScheme: 'dark' }])
  // The row goes with its tab.
  await page.getByRole('tab', { name: 'Bundles' }).click()
  await row.waitFor({ state: 'detached' })
  await bar.waitFor()
  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  await row.scrollIntoViewIfNeeded()
  await bar.waitFor({ state: 'hidden' })
  expect(window.complaints()).toEqual([])
  await window.close()
})
