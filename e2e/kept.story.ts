import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { launchBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { apiOf, joins, logIn, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { upload } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

/** What a person typed stays, and a page stays where they left it. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: Browser
let creator: Person

const COPIES = 240

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), launchBrowser()])
  creator = await joins(fanfare.origin, 'creator')
  const [first = ''] = await upload(fanfare.origin, creator, [await picture(1, 300, 400)])
  await apiOf(fanfare.origin, creator).call(routes.editMedia, {
    body: { mediaId: first, ...NEW_UPLOAD_FLAGS, mustUnlock: false, showInSearch: true, title: 'Wave' },
  })
  await database.query(
    `insert into media select (jsonb_populate_record(m, jsonb_build_object('id', uuidv7(), 'version_id', uuidv7(), 'title', 'Wave ' || n,
       'rank', m.rank - 1000 - n, 'created_at', m.created_at - make_interval(mins => n)))).*
     from media m cross join generate_series(1, $2::int) n where m.id = $1`,
    [first, COPIES],
  )
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

test('discover loads one more page and then stands still; an address opens at its top', async () => {
  const window = await openWindow(browser, fanfare.origin, { viewport: PHONE })
  const { page } = window
  await window.open('/discover')
  // A flick: to the very end at once, and then nothing.
  const next = page.waitForResponse((response) => /\/api\/media\/discover/.test(response.url()))
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  const place = await page.evaluate(() => scrollY)
  await next
  await window.settled()
  const shown = () => page.evaluate(() => (scrollY + innerHeight) / document.documentElement.scrollHeight)
  // So far from the new end that nothing more is asked for until the person scrolls.
  await expect.poll(shown).toBeLessThan(0.8)
  expect(await page.evaluate(() => scrollY)).toBe(place)

  await window.open('/terms')
  await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }))
  await window.open('/privacy')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await window.close()
})

test('a long wall draws what is near the window, keeps the keyboard’s place, and Back leads to where one was', async () => {
  const window = await openWindow(browser, fanfare.origin, { viewport: DESK })
  const { page } = window
  await window.open('/discover')
  const tiles = page.locator('[data-media-id]')
  await waitUntil(async () => {
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
    return (await page.getByRole('button', { name: `Wave ${COPIES}`, exact: true }).count()) > 0
  })
  await window.settled()
  expect(await tiles.count()).toBeLessThan(COPIES / 2)

  // Half the way back, in one leap.
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: 'instant' }))
  const inSight = () =>
    page.evaluate(() => {
      const tile = document.elementFromPoint(300, 500)?.closest('[data-media-id]')
      return { id: tile?.getAttribute('data-media-id'), top: tile?.getBoundingClientRect().top }
    })
  await waitUntil(async () => (await inSight()).id)
  const left = await inSight()
  const tile = page.locator(`[data-media-id="${left.id}"]`)
  await tile.getByRole('button').click()
  await page.locator('.pswp__counter').waitFor()
  await page.keyboard.press('Escape')
  await tile.locator('button:focus').waitFor()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await page.getByRole('button', { name: 'Wave 1', exact: true }).waitFor()
  expect(await tile.count()).toBe(1)
  // Past the link to whose it is, to the next tile and back.
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-media-id]')?.getAttribute('data-media-id'))
  expect([undefined, left.id]).not.toContain(await focused())
  for (const key of ['Shift+Tab', 'Shift+Tab']) await page.keyboard.press(key)
  await tile.locator('button:focus').waitFor()

  await waitUntil(async () => (await inSight()).id)
  const place = await inSight()
  await page.evaluate(() => (document.querySelector('header a[href="/"]') as HTMLElement).click())
  await page.waitForURL(`${fanfare.origin}/`)
  await page.goBack()
  await tile.waitFor()
  await expect.poll(inSight).toEqual(place)
  expect(await tiles.count()).toBeLessThan(COPIES / 2)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a price that was typed is what the dialog shows when it is opened again, and what is saved', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/premiumcontentmanagement')
  const open = page.getByRole('button', { name: 'New bundle' })
  const price = page.getByRole('dialog').getByRole('textbox', { name: /^Price/ })
  await open.click()
  await price.fill('25')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await open.click()
  expect(await price.inputValue()).toBe('$25')
  await page.getByRole('dialog').getByLabel('Title').fill('Waves')
  await page.getByRole('button', { name: 'Create bundle' }).click()
  await page.waitForURL('**/dashboard/edit/bundle/**')
  const { bundles } = await apiOf(fanfare.origin, creator).call(routes.bundles, {
    query: { creatorId: creator.id },
  })
  expect(bundles.map((bundle) => bundle.price)).toEqual(['$25'])
  await window.close()
})

test('a session that ended elsewhere asks for the log-in over the page, and what was typed is saved after it', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  await page.getByLabel('Bio').fill('See https://fan.example for more.')
  const elsewhere = { token: await logIn(fanfare.origin, fan) }
  await apiOf(fanfare.origin, elsewhere).call(routes.revokeOtherSessions, {})
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.getByLabel('Password', { exact: true }).fill(fan.password)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Bio').inputValue()).toBe('See https://fan.example for more.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await apiOf(fanfare.origin, elsewhere).call(routes.me, {})).bio)
    .toBe('See https://fan.example for more.')
  await window.open(`/users/${fan.username}`)
  const link = page.getByRole('link', { name: 'https://fan.example' })
  expect(await link.getAttribute('rel')).toContain('nofollow')
  await window.close()
})

/** From now on the answers name a newer client than the one that runs. */
async function updates({ page }: Window): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch().catch(() => null)
    if (!response) return route.abort()
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'x-client-build': '/assets/index-next.js' },
    })
  })
}

/** The code of this name is gone, until the page is loaded again. */
async function removesCode({ page }: Window, name: string): Promise<void> {
  let isGone = true
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false
  })
  await page.route(new RegExp(`/assets/${name}-[^/]+\\.js$`), (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  )
}

const marksDocument = ({ page }: Window) =>
  page.evaluate(() => void Object.assign(globalThis, { before: true }))
const isSameDocument = ({ page }: Window) => page.evaluate(() => 'before' in globalThis)

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
  await page.getByRole('alert').filter({ hasText: 'A new version is ready.' }).waitFor()

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
  // Nothing is on its way any more.
  await waitUntil(async () => {
    await link.click()
    return page.getByRole('heading', { name: /^Hello/ }).isVisible()
  })
  expect(await isSameDocument(window)).toBe(false)
  await window.close()
})

test('without a network no page is loaded whole', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard')
  await marksDocument(window)
  await updates(window)
  await page.getByRole('link', { name: /^Following/ }).click()
  await page.getByRole('alert').filter({ hasText: 'A new version is ready.' }).waitFor()
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
  await updates(window)
  const fails = Promise.withResolvers<void>()
  await page.route(/\/assets\/FollowingPage-[^/]+\.js$/, async (route) => {
    await fails.promise
    await route.fulfill({ status: 404 })
  })
  const wanted = page.waitForRequest(/\/assets\/FollowingPage-/)
  await page.getByRole('link', { name: /^Following/ }).click()
  await wanted
  await page.goBack()
  await page.getByLabel('Bio').fill('Half a sentence')
  const asked = page.waitForResponse('**/api/config')
  fails.resolve()
  await asked
  await page.getByRole('alert').filter({ hasText: 'A new version is ready.' }).waitFor()
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
  await window.open('/complaints#appeals')
  await marksDocument(window)
  await updates(window)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('alert').filter({ hasText: 'A new version is ready.' }).waitFor()
  await window.settled()
  expect(await isSameDocument(window)).toBe(true)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.goBack()
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
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  const said = page.getByRole('alert').filter({ hasText: creator.username })
  await said.waitFor()
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
  await window.open('/dashboard/edit')
  const running = await page.locator('script[type="module"]').getAttribute('src')
  expect((await answer).headers()['x-client-build']).toBe(running)
  const offer = page.getByRole('alert').filter({ hasText: 'A new version is ready.' })
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

test('who was just followed is in the list, and nothing of who was just blocked is shown again', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const wave = page.getByRole('button', { name: /^Wave/ })
  await window.open('/discover')
  await wave.first().waitFor()
  // From here on by links alone: what was read stays in the page.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: /^Following/ }).click()
  await window.sees('You’re not following anyone yet')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: /^Search people/ }).click()
  await page.getByLabel('Username').fill(creator.username)
  await page.waitForURL(/filter=/)
  await window.settled()
  await page.getByRole('link', { name: creator.username }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const news = page.getByRole('region', { name: 'New for you' }).getByRole('article')
  await news.getByRole('link', { name: creator.username }).first().waitFor()
  // An open one is leafed through in its place.
  await news.getByRole('button', { name: 'Wave', exact: true }).click()
  await page.locator('.pswp--open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.pswp').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Following/ }).click()
  const followed = page.getByRole('list', { name: 'Following' })
  await followed.getByRole('link', { name: creator.username }).click()

  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Block ${creator.username}` }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('button', { name: `Unblock ${creator.username}` }).waitFor()
  await page.getByRole('link', { name: 'Browse All Content' }).first().click()
  await window.sees('Nothing has been published yet')
  expect(await wave.count()).toBe(0)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await window.sees('Follow creators to see what’s new')
  expect(await news.count()).toBe(0)
  await window.close()
})

test('pages say what they do not know, and why somebody is elsewhere', async () => {
  const visitor = await openWindow(browser, fanfare.origin)
  await visitor.open('/searchusers')
  await visitor.sees('Search people: log in to open this page.')
  expect(new URL(visitor.page.url()).pathname).toBe('/')
  await visitor.page.getByRole('button', { name: 'Log in', exact: true }).click()
  await visitor.page.waitForURL('**/login')
  await visitor.close()

  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await page.route('**/api/media/managemedia*', (route) =>
    route.fulfill({ status: 400, json: { error: 'No.', code: 'invalid_input' } }),
  )
  await window.open('/dashboard')
  await window.sees('We couldn’t load your next steps')
  expect(await page.getByText('Upload your first media').count()).toBe(0)

  await window.open('/searchusers?filter=nobody-of-this-name')
  await window.sees('No results for “nobody-of-this-name”')
  await page.evaluate(() => history.pushState(null, '', '/searchusers'))
  await page.goBack()
  await page.goForward()
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('')
  await page.getByRole('link', { name: creator.username }).first().waitFor()

  await window.open(`/users/${creator.username}?as=fan`)
  await window.sees('This is how a fan who hasn’t bought anything sees your profile.')
  expect(await page.getByRole('link', { name: 'Edit profile' }).count()).toBe(0)
  await window.close()
})

test('pages work while the operator’s settings can’t be loaded', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.page.route('**/api/config', (route) => route.abort())
  await window.page.goto(`/users/${creator.username}`)
  await window.page.getByRole('heading', { level: 1 }).waitFor()
  await window.page.getByRole('link', { name: 'Edit profile' }).click()
  await window.page.getByRole('heading', { name: 'Edit profile' }).waitFor()
  await window.close()
})
