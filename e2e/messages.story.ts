import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { addressOfChunk } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { joins } from './people.ts'
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

const CODE = addressOfChunk('ToastHost')
const SETTINGS = '/dashboard/notifications/settings'

test('without a network the first message of a tab is shown, as its code came while the page rested', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  const { page, context } = window
  const ahead = page.waitForResponse(CODE)
  await window.open(SETTINGS)
  await (await ahead).finished()
  await context.setOffline(true)
  const push = page.getByRole('switch', { name: 'Push about messages' })
  const was = await push.isChecked()
  await push.press('Space')
  await window.sees(/^Your change wasn’t saved\./)
  await expect.poll(() => push.isChecked()).toBe(was)
  await window.close()
})

test('messages whose code does not come are shown without it, one below the other', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  const { page } = window
  // Chromium asks for a module once, and remembers that it failed.
  await page.route(CODE, (route) => route.abort())
  await page.route('**/api/users/notifications/topic', (route) => route.abort())
  await window.open(SETTINGS)
  const push = page.getByRole('switch', { name: 'Push about messages' })
  await push.press('Space')
  const message = page.getByRole('alert').filter({ hasText: 'Your change wasn’t saved.' })
  await message.waitFor()
  await page.getByRole('switch', { name: 'Push about gifts' }).press('Space')
  await expect.poll(() => message.count()).toBe(2)
  const [first, second] = await message.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().toJSON()),
  )
  expect(second.top).toBeGreaterThan(first.bottom)
  await looksFinished(window, 'message-without-code')
  for (const left of [1, 0]) {
    await message.first().click()
    await expect.poll(() => message.count()).toBe(left)
  }
  await window.close()
})
