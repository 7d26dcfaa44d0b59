import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGES } from '../contract/pages.ts'
import { EXEMPT_PATHS, isExemptPath } from '../contract/regions.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { applyLook, axeViolations, overflows } from './looks.ts'
import { joins, type Person, SANDBOX_TOKEN } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
let operator: Person

beforeAll(async () => {
  database = await createStoryDatabase()
  // The browser stands behind the trusted proxy, so that its headers say where it is.
  const edge = {
    TRUST_PROXY: '127.0.0.1',
    SANDBOX_TOKEN,
    GEO_REGION_HEADER: 'x-region',
    GEO_COUNTRY_HEADER: 'x-country',
  }
  ;[fanfare, browser] = await Promise.all([
    startFanfare({ ...database.environment, ...edge }),
    openBrowser({ fresh: true }),
  ])
  shop = await openShop(fanfare.origin)
  operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** A fresh browser of a visitor who has said nothing of their age yet, in this state of the United States. */
async function visitorIn(state: string, options: { scheme?: 'dark' | 'light' } = {}): Promise<Window> {
  const window = await openWindow(browser, fanfare.origin, { ageConfirmed: false, ...options })
  await window.context.setExtraHTTPHeaders({
    'x-country': 'US',
    'x-region': state,
    'x-sandbox-token': SANDBOX_TOKEN,
  })
  return window
}

const pathOf = (window: Window) => new URL(window.page.url()).pathname

async function expectUsable(window: Window): Promise<void> {
  for (const [viewport, colorScheme] of [
    [PHONE, 'dark'],
    [DESK, 'light'],
  ] as const) {
    await applyLook(window, { viewport, colorScheme })
    expect(await overflows(window)).toEqual([])
    expect(await axeViolations(window)).toEqual([])
  }
}

describe('in a restricted region', () => {
  test('content leads to /restricted in its place, exempt pages open, and the server says 451', async () => {
    const window = await visitorIn('TX')
    await window.open('/privacy')
    const addresses = PAGES.map((page) => page.replace(/:\w+/g, 'a0b1c2'))
    const withheld = addresses.filter((address) => !isExemptPath(address))
    expect(withheld.length).toBeGreaterThan(25)
    for (const path of [...withheld, `/users/${shop.creator.username}`]) {
      await window.page.goto(path)
      await window.sees('Restricted in your region (Texas)')
      expect(pathOf(window), path).toBe('/restricted')
    }
    await window.page.goto('/terms')
    await window.settled()
    await window.page.goto('/discover')
    await window.sees('Restricted in your region (Texas)')
    // Replaced, not added: back does not lead into the same redirect again.
    await window.page.goBack()
    await window.settled()
    expect(pathOf(window)).toBe('/terms')

    for (const path of [...EXEMPT_PATHS, `/media/${shop.free}`, '/resetconfirmed/a/b']) {
      await window.page.goto(path)
      await window.settled()
      // The dashboard's own ask for a login, as they do everywhere.
      expect(pathOf(window), path).toBe(path.startsWith('/dashboard') ? '/login' : path)
    }
    for (const path of ['/media/discover', `/users/u/${shop.creator.username}`]) {
      const answer = await window.page.request.get(`/api${path}`)
      expect([path, answer.status()]).toEqual([path, 451])
    }
    await window.close()
  })

  test('nothing on the page leads back to it; somebody logged in is led to what stays open for them', async () => {
    const visitor = await visitorIn('TX')
    await visitor.open('/restricted')
    const fan = await joins(fanfare.origin, 'fan')
    const person = await openWindow(browser, fanfare.origin, { person: fan, ageConfirmed: false })
    await person.context.setExtraHTTPHeaders({ 'x-country': 'US', 'x-region': 'TX' })
    await person.open('/restricted')
    await person.sees('You’re logged in as')
    for (const window of [visitor, person]) {
      const links = window.page.locator('a[href^="/"]:not([href="/"], [href^="/sandbox/"])')
      const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      expect(paths).toContain('/contact')
      expect(paths.filter((path) => !isExemptPath(path))).toEqual([])
    }
    await person.page.getByRole('link', { name: 'billing' }).click()
    await person.page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await Promise.all([visitor.close(), person.close()])
  })

  test('whoever opens the page where nothing is restricted isn’t told otherwise', async () => {
    const ohio = await visitorIn('OH')
    await ohio.open('/restricted')
    await ohio.page.getByRole('button', { name: 'Yes' }).click()
    await ohio.page.getByRole('heading', { level: 1, name: 'Restricted regions' }).waitFor()
    await ohio.sees('You don’t need an age check in your region (Ohio).')
    expect(await ohio.page.getByText('Restricted in your region').count()).toBe(0)
    await ohio.close()
  })

  test('the sentence on VPNs is shown where the law allows it', async () => {
    const texas = await visitorIn('TX')
    await texas.open('/restricted')
    expect(await texas.page.getByText('VPN').count()).toBe(1)
    await texas.close()
    const utah = await visitorIn('UT')
    await utah.open('/restricted')
    await utah.sees('Restricted in your region (Utah)')
    expect(await utah.page.getByText('VPN').count()).toBe(0)
    await utah.close()
  })

  test('a visitor verifies their age at the provider, comes back and sees everything', async () => {
    const window = await visitorIn('TX')
    const { page } = window
    await window.open('/discover')
    await page.getByRole('button', { name: 'Verify your age' }).click()
    await window.sees('How should this check end?')
    await expectUsable(window)

    await page.getByRole('button', { name: 'Refuse' }).click()
    await window.sees('We couldn’t verify your age')
    expect(pathOf(window)).toBe('/agecheck')
    await expectUsable(window)
    expect((await page.request.get('/api/media/discover')).status()).toBe(451)

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await window.sees('Your age is verified')
    await expectUsable(window)
    await page.getByRole('link', { name: 'Continue to your page' }).click()
    await page.getByText('Free for all').first().waitFor()
    expect(pathOf(window)).toBe('/discover')
    expect(window.complaints().filter((text) => !text.includes('451'))).toEqual([])
    await window.close()
  })

  test('a result that comes by webhook alone is found by looking again', async () => {
    const window = await visitorIn('TX')
    const { page } = window
    await window.open('/restricted')
    await page.getByRole('button', { name: 'Verify your age' }).click()
    await page.getByLabel('How the result is sent').selectOption('webhook')
    await page.getByRole('button', { name: 'Approve' }).click()
    await window.sees('Your age is verified')
    await window.sees('We only store who checked')
    await window.close()
  })
})

describe('anywhere else', () => {
  test('the first visit asks for the age in place of any page; No leads away and opens nothing', async () => {
    const window = await visitorIn('OR')
    const { page } = window
    await page.route('https://duckduckgo.com/**', (route) => route.fulfill({ body: 'elsewhere' }))
    await window.open('/discover')
    await window.sees('Are you 18 or older?')
    expect(await page.getByText('Free for all').count()).toBe(0)
    await expectUsable(window)
    await page.getByRole('link', { name: 'No', exact: true }).click()
    await page.waitForURL('https://duckduckgo.com/**')
    await window.open('/discover')
    await window.sees('Are you 18 or older?')
    await window.close()
  })

  test('Yes opens the page that was asked for, and is remembered', async () => {
    const window = await visitorIn('OR')
    await window.open('/discover')
    await window.page.getByRole('button', { name: 'Yes' }).click()
    await window.sees('Free for all')
    await window.open('/discover')
    await window.sees('Free for all')
    // No provider checked anything.
    await window.open('/agecheck')
    await window.sees('You’ve confirmed that you’re 18 or older')
    expect(await window.page.getByText(/is verified|who checked/).count()).toBe(0)
    expect(window.complaints()).toEqual([])
    await window.close()
  })

  test('the question stands in the document: it is answered, and the page is shown, without any script', async () => {
    const context = await browser.newContext({ baseURL: fanfare.origin, javaScriptEnabled: false })
    await context.setExtraHTTPHeaders({ 'x-country': 'US', 'x-region': 'OR' })
    const page = await context.newPage()
    const address = `/users/${shop.creator.username}?ref=a`
    await page.goto(address)
    await page.getByRole('heading', { name: 'Are you 18 or older?' }).waitFor()
    expect(await page.content()).not.toContain(shop.free)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL(`**${address}`)
    expect(await page.getByText('Are you 18 or older?').count()).toBe(0)
    expect((await context.cookies()).map(({ name }) => name)).toContain('age')
    // Then every page begins in its document, whatever it has to show.
    for (const [path, heading] of [
      [address, shop.creator.username.split('-')[0] ?? ''],
      ['/discover?sort=popular', 'Discover'],
      [`/media/${shop.free}`, 'Free for all'],
      ['/login', 'Log in'],
      ['/signup', 'Sign up'],
      ['/privacy', 'Privacy policy'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await page.getByRole('link', { name: 'Log in' }).waitFor()
    }
    await page.goto(`/users/${shop.creator.username}/offers/none`)
    await page.getByRole('link', { name: 'Log in' }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { name: 'Your work. Your fans. Paid directly.' }).waitFor()
    await page.getByRole('link', { name: 'Log in' }).waitFor()
    await context.close()
  })

  test('another site can’t answer it, and a region that withholds content shows neither question nor page', async () => {
    const context = await browser.newContext({ baseURL: fanfare.origin, javaScriptEnabled: false })
    const answer = await context.request.post('/discover', {
      headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      form: {},
    })
    expect([answer.status(), await context.cookies()]).toEqual([403, []])
    const texas = { 'x-country': 'US', 'x-region': 'TX' }
    await context.request.post('/discover', { headers: texas, form: {} })
    for (const path of ['/', '/discover', `/users/${shop.creator.username}`]) {
      const html = await (await context.request.get(path, { headers: texas })).text()
      expect(html).not.toContain('data-first-look')
      expect(html).not.toContain(shop.free)
    }
    await context.close()
  })

  test('the application takes the place of the document’s question without moving anything', async () => {
    for (const [viewport, scheme] of [
      [PHONE, 'dark'],
      [DESK, 'light'],
    ] as const) {
      const window = await openWindow(browser, fanfare.origin, { ageConfirmed: false, viewport, scheme })
      await window.context.setExtraHTTPHeaders({ 'x-country': 'US', 'x-region': 'OR' })
      const { page } = window
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('.gate-box > *')]
            .filter((element) => element.textContent !== '')
            .map((element) => Math.round(element.getBoundingClientRect().top)),
        )
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.goto('/discover')
      const before = await places()
      await page.unroute('**/assets/*.js')
      await window.open('/discover')
      expect(await places()).toEqual(before)
      await window.close()
    }
  })

  test('the application takes the place of a profile’s first look without moving its picture or name', async () => {
    for (const viewport of [PHONE, DESK]) {
      const window = await openWindow(browser, fanfare.origin, { viewport })
      const { page } = window
      const placesOf = (selectors: string[]) =>
        page.evaluate(
          (selectors) =>
            selectors.map((selector) => {
              const { left, top, width } = document.querySelector(selector)?.getBoundingClientRect() ?? {}
              return [selector, left, top, width].slice(1).map(Math.round as (place: unknown) => number)
            }),
          selectors,
        )
      let release = () => {}
      const scripts = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/assets/*.js', async (route) => {
        await scripts
        await route.continue()
      })
      await page.goto(`/users/${shop.creator.username}`, { waitUntil: 'commit' })
      await page.locator('[data-first-look] h1').waitFor()
      const before = await placesOf(['.first-cover', '.first-avatar', '.first-name'])
      release()
      await window.settled()
      const header = 'main header'
      const after = await placesOf([`${header} > div`, `${header} > div > span`, `${header} h1`])
      expect(before.flat().every(Number.isFinite)).toBe(true)
      expect(after).toEqual(before)
      await window.close()
    }
  })

  test('every page is named in the browser’s title', async () => {
    const window = await visitorIn('OR')
    await window.page.request.post('/api/users/age-verified', { data: {} })
    for (const [path, title] of [
      ['/discover', 'Discover'],
      ['/privacy', 'Privacy policy'],
      ['/media/nothing/here', 'not'],
    ] as const) {
      await window.open(path)
      expect((await window.page.title()).toLowerCase()).toContain(title.toLowerCase())
    }
    await window.close()
  })
})

describe('the operator', () => {
  test('restricts a region and opens it again, each with a reason', async () => {
    const window = await openWindow(browser, fanfare.origin, { person: operator })
    const { page } = window
    await window.open('/dashboard/regions')
    await window.sees('Included by default')
    await expectUsable(window)

    await page.getByRole('button', { name: 'Add a region' }).click()
    await page.getByLabel('Full name').fill('Ohio')
    await page.getByLabel('Code').fill('oh')
    await page.getByRole('button', { name: 'Restrict', exact: true }).click()
    await window.sees('Enter a reason of at least 3 characters.')
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ohio')
    await expectUsable(window)
    await page.getByLabel('Reason').fill('House Bill 96')
    await page.getByRole('button', { name: 'Restrict', exact: true }).click()
    await page.getByText('House Bill 96').waitFor()

    const ohioan = await visitorIn('OH')
    await ohioan.open('/discover')
    await ohioan.sees('Restricted in your region (Ohio)')

    // A finger that means one of them doesn’t meet the other.
    await page.setViewportSize(PHONE)
    const [change, remove] = await Promise.all(
      ['Change Ohio', 'Remove Ohio'].map((name) => page.getByRole('button', { name }).boundingBox()),
    )
    expect((remove?.x ?? 0) - (change?.x ?? 0) - (change?.width ?? 0)).toBeGreaterThanOrEqual(8)
    await page.setViewportSize(DESK)
    await page.getByRole('button', { name: 'Remove Ohio' }).click()
    await page.getByLabel('Reason').fill('Struck down')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('House Bill 96').waitFor({ state: 'detached' })
    await ohioan.open('/discover')
    await ohioan.sees('Are you 18 or older?')
    await ohioan.close()
    expect(window.complaints().filter((text) => !text.includes('400'))).toEqual([])
    await window.close()
  })

  test('approves somebody’s age by hand, and takes it back', async () => {
    const fan = await joins(fanfare.origin, 'fan')
    const restricted = await openWindow(browser, fanfare.origin, { person: fan, ageConfirmed: false })
    await restricted.context.setExtraHTTPHeaders({ 'x-country': 'US', 'x-region': 'TX' })
    await restricted.open('/discover')
    await restricted.sees('Restricted in your region (Texas)')

    const window = await openWindow(browser, fanfare.origin, { person: operator })
    const { page } = window
    await window.open('/dashboard/regions')
    await page.getByLabel('Username or email').fill('nobody-at-all')
    await page.getByRole('button', { name: 'Find' }).click()
    await window.sees('We couldn’t find this person.')
    await page.getByLabel('Username or email').fill(fan.email)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByLabel('Reason').fill('Known from elsewhere')
    await expectUsable(window)
    await page.getByRole('button', { name: `Approve ${fan.username}` }).click()
    await window.sees(`By ${operator.username}`)
    await restricted.open('/discover')
    await restricted.sees('Free for all')

    await page.getByLabel('Reason').fill('A mistake')
    await page.getByRole('button', { name: 'Revoke approval' }).click()
    await window.sees('Not approved')
    await restricted.open('/discover')
    await restricted.sees('Restricted in your region (Texas)')
    await restricted.close()
    await window.close()
  })
})
