import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { tracks } from './forum.ts'
import { apiOf, joins, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { upload } from './shop.ts'
import { detectsUpdate, goesBack, isSameDocument, marksDocument, removesCode, updates } from './updates.ts'
import { openTab, openWindow, type Window } from './window.ts'

/** What a page that knows of a newer client must not lose by loading the next page whole. */
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

/** A window of this person at this path, which knows of a newer client already. */
async function openUpdated(person: Person, path: string): Promise<Window> {
  const window = await openWindow(browser, fanfare.origin, { person })
  await updates(window)
  await window.open(path)
  await detectsUpdate(window)
  await marksDocument(window)
  return window
}

/** Nobody is logged in, here or with this person's session, and nothing of theirs is kept for the next one. */
async function isLoggedOut({ page }: Window, person: Person): Promise<void> {
  await page.getByRole('link', { name: 'Log in', exact: true }).first().waitFor()
  await page.waitForURL(`${fanfare.origin}/`)
  const { status } = await apiOf(fanfare.origin, person).send('GET', '/auth/me')
  expect(status).toBe(401)
  const kept = () =>
    page
      .evaluate(() => ['token', 'postLoginRedirect'].map((key) => localStorage.getItem(key)))
      // Another document may just take the place of this one.
      .catch(() => null)
  await expect.poll(kept).toEqual(['""', null])
}

test('Log Out ends the session', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openUpdated(fan, '/dashboard/following')
  await window.page.getByRole('button', { name: 'Log Out', exact: true }).click()
  await isLoggedOut(window, fan)
  await window.close()
})

test('Log Out ends the session where the code of the front page is gone, and that page is shown', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openUpdated(fan, '/dashboard/following')
  await removesCode(window, 'LandingPage')
  await window.page.getByRole('button', { name: 'Log Out', exact: true }).click()
  await isLoggedOut(window, fan)
  await window.page.getByRole('heading', { level: 1, name: /Paid directly/ }).waitFor()
  await window.close()
})

test('whoever logs out though something would be lost leaves no way to their page to the next person', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openUpdated(fan, '/dashboard/edit')
  const { page } = window
  await page.getByLabel('Bio').fill('Half a sentence')
  await page.getByRole('button', { name: 'Log Out', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
  await isLoggedOut(window, fan)
  await window.close()
})

test('subreddits that were just chosen are saved', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, ['Gardens'])
  const api = apiOf(fanfare.origin, creator)
  const { _id: redditPostId } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  const window = await openUpdated(creator, `/dashboard/findsubreddits/${redditPostId}`)
  const { page } = window
  const goOn = Promise.withResolvers<void>()
  await page.route('**/api/reddit/post/*', async (route) => {
    await goOn.promise
    await route.fallback()
  })
  const saving = page.waitForRequest('**/api/reddit/post/*')
  const select = await page.getByRole('button', { name: 'Select r/Gardens' }).elementHandle()
  // In one turn, so that nothing is saved before the page is left.
  await page
    .getByRole('link', { name: 'Dashboard' })
    .first()
    .evaluate((link: HTMLElement, button) => {
      ;(button as HTMLElement).click()
      link.click()
    }, select)
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await saving
  // Nor does the page after that cut it short.
  await page.getByRole('link', { name: 'Browse All Content' }).first().click()
  await page.waitForURL('**/discover')
  goOn.resolve()
  const chosen = async () => (await api.call(routes.post, { params: { redditPostId } })).usableSubreddits
  await expect.poll(chosen).toEqual(['Gardens'])
  expect(await isSameDocument(window)).toBe(true)
  await window.close()
})

test('what hangs on a message that isn’t sent yet stays while one looks at another page', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await upload(origin, creator, [await picture(1, 300, 400)])
  const window = await openUpdated(creator, `/dashboard/chat/${fan.id}`)
  const { page } = window
  await page.getByRole('button', { name: 'Attach from your library' }).click()
  await page.getByRole('dialog').getByRole('checkbox').first().check()
  await page.getByRole('dialog').getByRole('button', { name: 'Attach 1 item' }).click()
  await page.getByLabel('Price').fill('12.50')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.goBack()
  expect(await page.getByLabel('Price').inputValue()).toBe('$12.50')
  expect(await isSameDocument(window)).toBe(true)

  // It is not for whoever logs in next, and no longer in the way.
  await page.getByRole('button', { name: 'Log Out', exact: true }).click()
  await page.getByRole('link', { name: 'Log in', exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Browse All Content' }).first().click()
  await page.waitForURL('**/discover')
  expect(await isSameDocument(window)).toBe(false)
  await window.close()
})

test('until when a deleted account can be brought back is said', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openUpdated(fan, '/dashboard')
  const { page } = window
  await page.getByRole('button', { name: 'DELETE PROFILE' }).click()
  await page.getByRole('button', { name: 'Delete my profile' }).click()
  await page
    .getByRole('dialog', { name: 'Goodbye' })
    .getByText(/^Changed your mind\?/)
    .waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await window.close()
})

test('an address that was typed is not asked for again', async () => {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await updates(window)
  await window.open('/login')
  await page.getByLabel('Email').fill('robin@example.test')
  await page.getByLabel('Password', { exact: true }).fill('a password nobody has')
  await page.getByRole('button', { name: 'Log in' }).click()
  await detectsUpdate(window)
  await page.getByRole('link', { name: 'Sign up', exact: true }).last().click()
  await page.getByLabel('Password confirmation').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('robin@example.test')
  await window.close()
})

test('a message that passes by itself keeps no page from being shown whose code is gone', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const window = await openUpdated(fan, `/users/${creator.username}`)
  const { page } = window
  await removesCode(window, 'DashboardPage')
  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Block ${creator.username}` }).click()
  const said = page.getByRole('status').filter({ hasText: creator.username })
  await Promise.all([said.waitFor(), page.getByRole('button', { name: 'Block', exact: true }).click()])
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await window.close()
})

test('Back from the login leads past the page that led there', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/privacy')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await updates(window)
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await detectsUpdate(window)
  await marksDocument(window)
  const other = await openTab(window.context)
  await other.open('/dashboard/following')
  await other.page.getByRole('button', { name: 'Log Out', exact: true }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(await isSameDocument(window)).toBe(false)
  await goesBack(window)
  await page.waitForURL('**/privacy')
  await window.close()
})

test('no address leads off the site', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const elsewhere: string[] = []
  await page.route(/^https?:\/\/elsewhere\.example/, (route) => {
    elsewhere.push(route.request().url())
    return route.abort()
  })
  await window.open(`${fanfare.origin}//elsewhere.example/x`)
  await updates(window)
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  // The answers to the first page tell of the update too, and going back from there leaves the site.
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await detectsUpdate(window)
  await marksDocument(window)
  await goesBack(window)
  await page.waitForURL(`${fanfare.origin}//elsewhere.example/x`)
  await expect.poll(() => isSameDocument(window).catch(() => true)).toBe(false)
  await window.settled()
  expect(elsewhere).toEqual([])
  await window.close()
})

test('a dialog whose code is gone says so where it is seen', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openUpdated(fan, '/dashboard/edit')
  const { page } = window
  await removesCode(window, 'LogOutQuestion')
  await page.getByLabel('Bio').fill('Half a sentence')
  const logOut = page.getByRole('button', { name: 'Log Out', exact: true })
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  await logOut.evaluate((button: HTMLElement) => button.click())
  const gone = page.getByRole('alert').filter({ hasText: 'then reload the page' })
  await gone.and(page.locator(':focus')).waitFor()
  await expect
    .poll(() =>
      gone.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)
  await window.close()
})
