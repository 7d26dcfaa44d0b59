import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { NEW_UPLOAD_FLAGS } from '../contract/visibility.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { addressOfChunk } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { apiOf, joins, logIn, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { upload } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { DESK, openTab, openWindow, PHONE, type Window } from './window.ts'

/** What a person typed stays, and a page stays where they left it. */
let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let creator: Person

const COPIES = 240

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser({ fresh: true })])
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
  // What has more has no end yet.
  const footer = page.getByRole('contentinfo')
  await footer.waitFor({ state: 'hidden' })
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

test('a link that is clicked twice while its code is on the way leads where it says', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  const { page } = window
  const { promise: arrives, resolve } = Promise.withResolvers<void>()
  await page.route(addressOfChunk('routes-dashboard'), async (route) => {
    await arrives
    await route.continue()
  })
  await window.open('/privacy')
  const asked = page.waitForRequest(addressOfChunk('routes-dashboard'))
  const link = page.getByRole('link', { name: 'Dashboard' }).first()
  await link.click()
  await asked
  await link.click()
  resolve()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
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
  await page.getByRole('contentinfo').waitFor()
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

test('a session that ended elsewhere asks for the login over the page, and what was typed is saved after it', async () => {
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

test('a login over the page of one tab goes for the others too, and what was typed in them is saved after it', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.open('/dashboard/edit')
  const other = await openTab(window.context)
  await other.open('/dashboard/edit')
  await other.page.getByLabel('Bio').fill('Typed in the other tab.')
  await window.page.getByLabel('Bio').fill('Typed here.')
  const elsewhere = { token: await logIn(fanfare.origin, fan) }
  await apiOf(fanfare.origin, elsewhere).call(routes.revokeOtherSessions, {})
  for (const { page } of [other, window])
    await page.getByText('Save', { exact: true }).evaluate((label: HTMLElement) => label.click())
  const dialog = ({ page }: Window) => page.getByRole('dialog', { name: 'Log in again' })
  await dialog(other).waitFor()
  // A tab that is opened meanwhile is a visitor's until then, and takes nobody's login away.
  const late = await openTab(window.context)
  await late.open('/')
  await late.page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor()
  await dialog(window).getByLabel('Password', { exact: true }).fill(fan.password)
  await dialog(window).getByRole('button', { name: 'Log in' }).click()
  for (const tab of [window, other]) await dialog(tab).waitFor({ state: 'detached' })
  await late.page.getByRole('banner').getByRole('link', { name: fan.username }).waitFor()
  expect(await other.page.getByLabel('Bio').inputValue()).toBe('Typed in the other tab.')
  await other.page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await apiOf(fanfare.origin, elsewhere).call(routes.me, {})).bio)
    .toBe('Typed in the other tab.')
  await window.close()
})

test('a login that is asked for over a page stays, and logging out instead asks before what was typed is lost', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  await page.getByLabel('Bio').fill('Typed before the session ended.')
  const elsewhere = { token: await logIn(fanfare.origin, fan) }
  await apiOf(fanfare.origin, elsewhere).call(routes.revokeOtherSessions, {})
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.getByLabel('Password', { exact: true }).press('Escape')
  await page.mouse.click(2, 2)
  expect(await page.getByRole('dialog', { name: 'Log out now?' }).count()).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Log out' }).click()
  const question = page.getByRole('dialog', { name: 'Log out now?' })
  await question.getByRole('button', { name: 'Stay logged in' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Bio').inputValue()).toBe('Typed before the session ended.')

  await dialog.getByRole('button', { name: 'Log out' }).click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${fanfare.origin}/`)
  await page.getByRole('link', { name: 'Log In' }).first().waitFor()
  expect(await page.evaluate(() => localStorage.getItem('postLoginRedirect'))).toBeNull()
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
