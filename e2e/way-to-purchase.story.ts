import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayCaptures } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { handIn } from './hand.ts'
import { CARDS, cardFrame, payButton, ZIPS } from './paying.ts'
import { freshName } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

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

/** From the home page as somebody who has never been here, to what was bought; answers what the hand did. */
async function walks(window: Window, { fillsIn }: { fillsIn: boolean }) {
  const { page, context } = window
  const hand = await handIn(context, { fillsIn })
  const name = freshName('f').replace('-', '').slice(0, 5)
  const email = `${name}@mail.test`
  const secret = 'tulips at 9'
  const types = (label: string, text: string, autocomplete: string) =>
    hand.type(page, page.getByLabel(label, { exact: true }), text, autocomplete)

  await page.goto('/')
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Browse All Content' }).click()
  await page.getByRole('link', { name: shop.creator.username }).first().click()
  await page.getByRole('button', { name: 'Subscribe to Members club' }).click()

  await page.waitForURL('**/signup')
  const wish = `Subscribe to ${shop.creator.username} · $9.99/mo`
  await page.getByRole('complementary', { name: 'What’s next' }).getByText(wish).waitFor()
  await page.getByLabel('First name').click()
  await types('First name', 'Robin', 'given-name')
  await types('Username', name, 'nickname')
  await types('Forum username', name, 'off')
  await types('Email', email, 'email')
  await types('Password', secret, 'new-password')
  await types('Password confirmation', secret, 'new-password')
  await page.getByRole('radio', { name: /^No/ }).click()
  await page.keyboard.press('Enter')

  // The dialog is open again by itself, and says what is missing before a card is typed.
  const dialog = page.getByRole('dialog', { name: 'Subscribe' })
  await dialog.getByText('Verify your email first').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/users/${shop.creator.username}`)
  expect(await page.locator('iframe').count()).toBe(0)
  const confirmation = await hand.followsLinkOfEmail(fanfare.origin, email)
  await confirmation.getByText('Your email is verified').waitFor()
  await confirmation.getByRole('link', { name: wish }).waitFor()
  await hand.returnsTo(page)

  const card: FrameLocator = cardFrame(page)
  await card.getByLabel('Card number').waitFor()
  await expect
    .poll(() => card.getByLabel('Card number').evaluate((input) => input === document.activeElement))
    .toBe(true)
  await hand.type(page, card.getByLabel('Card number'), CARDS.approved, 'cc-number')
  await hand.type(page, card.getByLabel('Expiration date'), '12/2039', 'cc-exp')
  expect(await card.getByLabel('Expiration date').inputValue()).toBe('12/39')
  await hand.type(page, card.getByLabel('Security code'), '123', 'cc-csc')
  await hand.type(page, card.getByLabel('ZIP code'), ZIPS.approved, 'billing postal-code')
  await page.getByRole('checkbox', { name: /Terms of Service/ }).click()
  await payButton(page).click()

  await dialog.getByText('Processed Transaction').waitFor()
  const onward = dialog.getByRole('button', { name: 'See what’s inside' })
  // The focus is on what comes next, so Enter does it.
  await expect.poll(() => onward.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/yourcontent')
  await page.getByRole('link', { name: 'View Media: For members' }).waitFor()
  const { clicks, keys } = hand.count
  expect(await page.evaluate(() => localStorage.getItem('wish'))).toBeNull()
  await page.goto(`/users/${shop.creator.username}`)
  await page.getByText('Already Subscribed!').waitFor()
  // Nor is it offered at the end of a phone's window.
  expect(await page.getByText(/^Subscribe to .* · \$9\.99\/mo$/).count()).toBe(0)
  return { clicks, keys }
}

test.each([
  ['by hand on a desktop', { fillsIn: false, viewport: DESK, most: 100 }],
  ['with a browser that fills in', { fillsIn: true, viewport: DESK, most: 30 }],
  ['by hand on a phone', { fillsIn: false, viewport: PHONE, most: 100 }],
  ['with a phone that fills in', { fillsIn: true, viewport: PHONE, most: 30 }],
])('from a first visit to a subscription, %s', async (how, { fillsIn, viewport, most }) => {
  const window = await openWindow(browser, fanfare.origin, { ageConfirmed: false, viewport })
  const before = (await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length
  const { clicks, keys } = await walks(window, { fillsIn })
  expect((await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length).toBe(before + 1)
  process.stdout.write(`From a first visit to a subscription, ${how}: ${clicks} clicks, ${keys} keystrokes\n`)
  expect(clicks).toBeLessThanOrEqual(11)
  expect(keys).toBeLessThanOrEqual(most)
  // What is counted happened: the fewest that anybody needs.
  expect(clicks).toBeGreaterThanOrEqual(9)
  expect(window.complaints()).toEqual([])
  await window.close()
})
