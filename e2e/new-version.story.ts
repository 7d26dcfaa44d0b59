import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { addressOfChunk } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type FanfareProcess, startProcess } from './fanfare.ts'
import { apiOf, joins, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { upload } from './shop.ts'
import {
  detectsUpdate,
  goesBack,
  isSameDocument,
  marksDocument,
  removesCode,
  staysUnconnected,
  updates,
} from './updates.ts'
import { openWindow, PHONE } from './window.ts'

/** A page that is open while the server gets a newer client. */
let database: StoryDatabase
let fanfare: FanfareProcess
let browser: StoryBrowser
let creator: Person

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startProcess(database.environment), openBrowser({ fresh: true })])
  creator = await joins(fanfare.origin, 'creator')
  await upload(fanfare.origin, creator, [await picture(1, 300, 400)])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

test('once a newer version is there, the next page is loaded whole, but not while something would be lost', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  await marksDocument(window)
  await updates(window)
  await page.getByLabel('Bio').fill('Half a sentence')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  // The browser doesn't ask once more.
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await isSameDocument(window)).toBe(true)
  await detectsUpdate(window)

  await page.getByRole('link', { name: /^Following/ }).click()
  await window.sees('You’re not following anyone yet')
  expect(await isSameDocument(window)).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/dashboard/following')
  await page.goBack()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await window.close()
})

test.each([
  ['a page', 'FollowingPage'],
  ['a table of pages', 'routes-occasional'],
])('an update that took the code of %s away shows it all the same', async (_, code) => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard')
  await updates(window)
  await removesCode(window, code)
  const [link, target] =
    code === 'FollowingPage' ? [/^Following/, '/dashboard/following'] : [/^Search people/, '/searchusers']
  await page.getByRole('link', { name: link }).click()
  await page.waitForURL(`**${target}`)
  await page.getByRole('heading', { name: link }).waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await window.close()
})

test('Leave leads to a page whose code is gone, and the browser does not ask once more', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await window.open('/dashboard/edit')
  await marksDocument(window)
  await updates(window)
  await removesCode(window, 'DashboardPage')
  await page.getByLabel('Bio').fill('Half a sentence')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await isSameDocument(window)).toBe(false)
  expect(asked).toEqual([])
  await window.close()
})

test('what is still on its way keeps a page whose code is gone from being loaded whole', async () => {
  const uploader = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: uploader })
  const { page } = window
  await window.open('/dashboard/uploadbulk')
  await marksDocument(window)
  await updates(window)
  await removesCode(window, 'DashboardPage')
  const goOn = Promise.withResolvers<void>()
  await page.route(/\/api\/media\/upload\/.*signature=/, async (route) => {
    await goOn.promise
    await route.continue()
  })
  const sent = page.waitForRequest(/\/api\/media\/upload\/.*signature=/)
  await page.locator('input[type=file]').setInputFiles(await picture(7, 300, 400))
  await sent
  const link = page.getByRole('link', { name: 'Dashboard' }).first()
  await link.click()
  await page.getByRole('heading', { name: 'We couldn’t open this page' }).waitFor()
  expect(await isSameDocument(window)).toBe(true)
  goOn.resolve()
  const { call } = apiOf(fanfare.origin, uploader)
  await expect
    .poll(async () => (await call(routes.manageMedia, { query: { limit: 60 } })).items.length)
    .toBe(1)
  // Nothing asks before the tab is closed anymore.
  await page.waitForFunction(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await window.settled()
  await link.click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await isSameDocument(window)).toBe(false)
  await window.close()
})

test('without a network no page is loaded whole', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await staysUnconnected(window)
  await window.open('/dashboard')
  await marksDocument(window)
  await updates(window)
  await page.getByRole('link', { name: /^Following/ }).click()
  await detectsUpdate(window)
  await page.unrouteAll()
  await window.context.setOffline(true)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.getByRole('link', { name: /^Search people/ }).click()
  await page.getByRole('heading', { name: 'We couldn’t open this page' }).waitFor()
  expect(await isSameDocument(window)).toBe(true)

  await window.context.setOffline(false)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await isSameDocument(window)).toBe(false)
  await window.close()
})

test('who went elsewhere while the code of a page was waited for stays there', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await marksDocument(window)
  const fails = Promise.withResolvers<void>()
  await page.route(addressOfChunk('FollowingPage'), async (route) => {
    await fails.promise
    await route.fulfill({ status: 404 })
  })
  const wanted = page.waitForRequest(addressOfChunk('FollowingPage'))
  await page.getByRole('link', { name: /^Following/ }).click()
  await wanted
  await page.goBack()
  await page.getByLabel('Bio').fill('Half a sentence')
  // Not before: an answer that names it would have the pages in between loaded whole.
  await updates(window)
  const asked = page.waitForResponse('**/api/config')
  fails.resolve()
  await asked
  await detectsUpdate(window)
  expect(await isSameDocument(window)).toBe(true)
  expect(await page.getByLabel('Bio').inputValue()).toBe('Half a sentence')
  // It is still asked about.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await window.close()
})

test('Back to a heading of a page loads that page whole, too', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await staysUnconnected(window)
  await window.open('/complaints#appeals')
  await marksDocument(window)
  // What was asked for before the link was pressed would tell of the newer client, and load the page whole.
  const left = Promise.withResolvers<void>()
  await updates(window, left.promise)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  left.resolve()
  await detectsUpdate(window)
  await window.settled()
  expect(await isSameDocument(window)).toBe(true)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await goesBack(window)
  await expect.poll(() => loads).toBeGreaterThan(0)
  await page.getByRole('heading', { level: 1, name: 'Complaints' }).waitFor()
  await window.settled()
  expect(await isSameDocument(window)).toBe(false)
  expect(loads).toBe(1)
  expect(new URL(page.url()).hash).toBe('#appeals')
  await window.close()
})

test('what was just said stays to be read before a page is loaded whole', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open(`/users/${creator.username}`)
  await marksDocument(window)
  await updates(window)
  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Block ${creator.username}` }).click()
  const said = page.getByRole('status').filter({ hasText: creator.username })
  await Promise.all([said.waitFor(), page.getByRole('button', { name: 'Block', exact: true }).click()])
  await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor()
  expect(await isSameDocument(window)).toBe(true)

  await said.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await isSameDocument(window)).toBe(false)
  await window.close()
})

test('an update that took the code of a dialog away says so, and what is typed stays until the page is reloaded', async () => {
  const { items } = await apiOf(fanfare.origin, creator).call(routes.manageMedia, { query: { limit: 1 } })
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open(`/dashboard/edit/media/${items[0]?._id}`)
  await marksDocument(window)
  await updates(window)
  await removesCode(window, 'DeleteMediaDialog')
  // Nothing asks about this field.
  const typed = page.getByLabel('Add another person')
  await typed.fill('Half a name')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const gone = page.getByRole('alert').filter({ hasText: 'then reload the page' })
  await gone.waitFor()
  expect(await isSameDocument(window)).toBe(true)
  expect(await typed.inputValue()).toBe('Half a name')

  const loaded = page.waitForEvent('load')
  await gone.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await window.close()
})

test('a new version is offered as soon as the server has one, and what is typed stays until the person says so', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  const { page } = window
  const answer = page.waitForResponse('**/api/auth/me')
  // The browser remembers code that it asked for while there was no server.
  const ahead = page.waitForResponse(addressOfChunk('ToastHost'))
  await window.open('/dashboard/edit')
  const running = await page.locator('script[type="module"]').getAttribute('src')
  expect((await answer).headers()['x-client-build']).toBe(running)
  await (await ahead).finished()
  const offer = page.getByRole('status').filter({ hasText: 'A new version is ready.' })
  await page.getByLabel('Bio').fill('Half a sentence')
  expect(await offer.count()).toBe(0)

  await updates(window)
  // As an update does: the page hears of it when it is connected again.
  await fanfare.end()
  await fanfare.restart()
  await offer.waitFor()
  expect(await page.getByLabel('Bio').inputValue()).toBe('Half a sentence')
  // Reloading asks first, as for closing the tab.
  const asked = page.waitForEvent('dialog')
  await Promise.all([
    asked.then((dialog) => dialog.dismiss()),
    offer.getByRole('button', { name: 'Reload' }).click(),
  ])
  expect((await asked).type()).toBe('beforeunload')
  expect(await page.getByLabel('Bio').inputValue()).toBe('Half a sentence')
  await window.close()
})
