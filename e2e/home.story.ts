import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished, TWO_LOOKS } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { DESK, openWindow, PHONE } from './window.ts'

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

test('Home says what waits: a request to its creator, and once it is accepted to its fan, whom it leads to paying it', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  const asked = {
    requestMessage: 'A birthday song',
    maxMinutes: 5,
    pricePerMinute: '$3',
    creatorId: creator.id,
  }
  const { _id: requestId } = await apiOf(origin, fan).call(routes.createCustomRequest, { body: asked })

  const work = await openWindow(browser, origin, { person: creator })
  const sales = Promise.withResolvers<void>()
  await work.page.route('**/api/users/transactions?*', async (route) => {
    await sales.promise
    await route.continue()
  })
  await work.page.goto('/dashboard')
  const needs = work.page.getByRole('region', { name: 'Needs you' })
  await needs.getByRole('link', { name: /^1 unread conversation/ }).waitFor()
  const next = work.page.getByRole('region', { name: 'What’s next' })
  const gap = await next.evaluate((section) => {
    const card = section.parentElement
    const above = card?.previousElementSibling
    return card && above && card.getBoundingClientRect().top - above.getBoundingClientRect().bottom
  })
  expect(gap).toBeGreaterThan(15)
  // Where the referral card stands depends on how many sales there are.
  await work.page.getByRole('heading', { name: /^Promote your work/ }).waitFor()
  const referral = work.page.getByText(/^Refer people/)
  expect(await referral.count()).toBe(1)
  expect(await referral.isVisible()).toBe(false)
  // A server that doesn’t answer keeps nothing away from a phone for longer than the two seconds that an animation takes.
  await work.page.setViewportSize(PHONE)
  await work.page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation instanceof CSSAnimation && animation.animationName.includes('held-back'))
        animation.finish()
  })
  await referral.waitFor()
  await work.page.setViewportSize(DESK)
  sales.resolve()
  await referral.waitFor()
  await work.settled()
  await looksFinished(work, 'home-creator')
  await needs.getByRole('link', { name: /^1 custom request to answer/ }).click()
  await work.page.waitForURL('**/customs')
  await work.close()

  const home = await openWindow(browser, origin, { person: fan, viewport: PHONE })
  await home.open('/dashboard')
  expect(await home.page.getByRole('region', { name: 'Needs you' }).count()).toBe(0)
  const body = { requestId, price: '$12' }
  await apiOf(origin, creator).call(routes.acceptCustomRequest, { body })
  await home.open('/dashboard')
  await home.sees(`${creator.username} accepted it. Work starts when you pay.`)
  await looksFinished(home, 'home-fan')
  await home.page.getByRole('link', { name: /^Pay \$12 for your custom request/ }).click()
  await home.page.getByRole('button', { name: 'Pay $12' }).waitFor()
  expect(home.complaints()).toEqual([])
  await home.close()
})

test('the pages of a place of work are one step from each other, and the hub unfolds its groups', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator, viewport: PHONE })
  const { page } = window
  await window.open('/dashboard')
  const profile = page.getByRole('region', { name: 'Profile Management' })
  expect(await profile.getByRole('link').count()).toBe(0)
  await profile.getByText('Profile Management').click()
  await profile.getByRole('link', { name: /^Your shop/ }).click()
  const shop = page.getByRole('navigation', { name: 'Shop', exact: true })
  await shop.getByRole('link', { name: 'Your shop' }).and(page.locator('[aria-current="page"]')).waitFor()
  await shop.getByRole('link', { name: 'Fans' }).click()
  await page.getByRole('heading', { name: 'Fans', level: 1 }).waitFor()
  await shop.getByRole('link', { name: 'Fans' }).and(page.locator('[aria-current="page"]')).waitFor()
  await page.setViewportSize(DESK)
  const rail = page.getByRole('navigation', { name: 'Your work' })
  await rail.getByRole('link', { name: 'Offers' }).click()
  await page.getByRole('heading', { name: 'Offers', level: 1 }).waitFor()
  expect(await shop.count()).toBe(0)
  expect(await rail.getByRole('link', { name: 'Timeline' }).count()).toBe(0)
  await rail.getByRole('link', { name: 'Promotion' }).click()
  await rail.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor()
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the menu on a phone leads to what is one’s own', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  const { page } = window
  await window.open('/discover')
  for (const [label, path] of [
    ['Notifications', '/dashboard/notifications'],
    ['Billing', '/dashboard/billing'],
    ['Following', '/dashboard/following'],
    ['Edit profile', '/dashboard/edit'],
    ['Security', '/dashboard/security'],
  ] as const) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: label }).click()
    await page.waitForURL(`**${path}`)
  }
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('list', { name: 'Your account' }).waitFor()
  await looksFinished(window, 'menu-phone', TWO_LOOKS.slice(0, 1))
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('somebody logged in never meets the visitor’s bar: until it is known who they are its place is kept', async () => {
  for (const viewport of [PHONE, DESK]) {
    const fan = await joins(fanfare.origin, 'fan')
    const window = await openWindow(browser, fanfare.origin, { person: fan, viewport })
    const { page } = window
    // From here on the browser has the cookie of its session.
    await window.open('/discover')
    const brand = page.locator('header a[href="/"]').first()
    const place = async () => {
      const { x = 0, y = 0 } = (await brand.boundingBox()) ?? {}
      // What rounding makes of them is not seen.
      return [x, y].map(Math.round)
    }
    const logIn = page.getByRole('link', { name: 'Log in' }).or(page.getByRole('link', { name: 'Sign Up' }))
    const stands = await place()

    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/discover', { waitUntil: 'domcontentloaded' })
    expect(await place()).toEqual(stands)
    expect(await logIn.count()).toBe(0)
    await page.unroute('**/assets/*.js')

    const known = Promise.withResolvers<void>()
    await page.route('**/api/auth/me', async (route) => {
      await known.promise
      await route.continue()
    })
    await page.goto('/discover', { waitUntil: 'domcontentloaded' })
    await page.getByText('Loading...').waitFor()
    expect(await place()).toEqual(stands)
    expect(await logIn.count()).toBe(0)
    known.resolve()
    await window.settled()
    expect(await place()).toEqual(stands)

    // A server that can't say who they are makes nobody a visitor.
    await page.unroute('**/api/auth/me')
    await page.route('**/api/auth/me', (route) => route.abort())
    await page.goto('/discover')
    await window.sees('We can’t reach the service')
    expect(await logIn.count()).toBe(0)
    // Nor does it send them to the login from a page of their own.
    await page.goto('/dashboard')
    await window.sees('We can’t reach the service')
    await page.unroute('**/api/auth/me')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    expect(await page.evaluate(() => location.pathname)).toBe('/dashboard')
    await window.close()
  }
})
