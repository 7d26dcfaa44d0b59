import type { Browser, FrameLocator, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayCaptures } from '../server/testing/gateway.ts'
import { launchBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { CARDS, cardFrame, payButton } from './paying.ts'
import { confirmationLink, freshName } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { DESK, openTab, openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: Browser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), launchBrowser()])
  shop = await openShop(fanfare.origin)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** What a browser fills in at once: an address, a password of its own making, a card without its code. */
const FILLED_IN = [['given-name', 'family-name', 'email'], ['new-password'], ['cc-number', 'cc-exp']]

/** A person’s hand: every click and every key is counted, what the browser fills in is not. */
function handOf(page: Page, fillsIn: boolean) {
  const chosen = new Set<string[]>()
  const hand = {
    clicks: 0,
    keys: 0,
    async click(what: Locator) {
      hand.clicks += 1
      await what.click()
    },
    async press(key: string) {
      hand.keys += 1
      await page.keyboard.press(key)
    },
    /** Types where the focus is, then goes on to the next field; what is filled in already is passed with a key as well. */
    async type(field: Locator, text: string, autocomplete: string) {
      expect(await field.getAttribute('autocomplete')).toBe(autocomplete)
      const isThere = await field.evaluate((input) => input === document.activeElement)
      if (fillsIn && !isThere) {
        hand.keys += 1
        await field.focus()
      }
      const known = FILLED_IN.find((names) => names.includes(autocomplete))
      if (fillsIn && known) {
        // What the browser offers is chosen once, and taken.
        if (!chosen.has(known)) hand.keys += 2
        chosen.add(known)
        return field.fill(text)
      }
      for (const key of text) await hand.press(key)
      if (!fillsIn) await hand.press('Tab')
    },
  }
  return hand
}

/** From the home page as somebody who has never been here, to what was bought. */
async function walks(window: Window, { fillsIn, viewport }: { fillsIn: boolean; viewport: typeof DESK }) {
  const { page } = window
  const hand = handOf(page, fillsIn)
  const name = freshName('f').replace('-', '').slice(0, 5)
  const email = `${name}@mail.test`
  const secret = 'tulips at 9'
  const label = (text: string) => page.getByLabel(text, { exact: true })

  await page.goto('/')
  await hand.click(page.getByRole('button', { name: 'Yes' }))
  await hand.click(page.getByRole('main').getByRole('link', { name: 'Browse All Content' }))
  await hand.click(page.getByRole('link', { name: shop.creator.username }).first())
  // A phone has it at hand at the end of the window.
  const bar = page.getByRole('button', { name: /^Subscribe to .* · \$9\.99\/mo$/ })
  const row = page.getByRole('button', { name: 'Subscribe to Members club' })
  await hand.click(viewport === PHONE ? bar : row)

  await page.waitForURL('**/signup')
  const wish = `Subscribe to ${shop.creator.username} · $9.99/mo`
  await page.getByRole('complementary', { name: 'What’s next' }).getByText(wish).waitFor()
  await hand.click(label('First name'))
  await hand.type(label('First name'), 'Robin', 'given-name')
  await hand.press('Tab')
  await hand.type(label('Username'), name, 'nickname')
  await hand.type(label('Forum username'), name, 'off')
  await hand.type(label('Email'), email, 'email')
  for (const field of ['Password', 'Password confirmation']) {
    await hand.type(label(field), secret, 'new-password')
    // The button that shows the password comes next.
    if (!fillsIn) await hand.press('Tab')
  }
  await hand.click(page.getByRole('radio', { name: /^No/ }))
  await hand.press('Enter')

  // The dialog is open again by itself, and says what is missing before a card is typed.
  const dialog = page.getByRole('dialog', { name: 'Subscribe' })
  await dialog.getByText('Verify your email first').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/users/${shop.creator.username}`)
  expect(await page.locator('iframe').count()).toBe(0)
  const mailbox = await openTab(window.context)
  hand.clicks += 1
  await mailbox.page.goto(await confirmationLink(fanfare.origin, email))
  await mailbox.sees('Your email is verified')
  await mailbox.page.getByRole('link', { name: wish }).waitFor()
  await mailbox.page.close()
  await page.bringToFront()

  const card: FrameLocator = cardFrame(page)
  await card.getByLabel('Card number').waitFor()
  await expect
    .poll(() => card.getByLabel('Card number').evaluate((input) => input === document.activeElement))
    .toBe(true)
  await hand.type(card.getByLabel('Card number'), CARDS.approved, 'cc-number')
  await hand.type(card.getByLabel('Expiration date'), '12/2039', 'cc-exp')
  expect(await card.getByLabel('Expiration date').inputValue()).toBe('12/39')
  await hand.type(card.getByLabel('Security code'), '123', 'cc-csc')
  await hand.click(page.getByRole('checkbox', { name: /Terms of Service/ }))
  await hand.click(payButton(page))

  await dialog.getByText('Processed Transaction').waitFor()
  const onward = dialog.getByRole('button', { name: 'See what’s inside' })
  // The focus is on what comes next, so Enter does it.
  await expect.poll(() => onward.evaluate((button) => button === document.activeElement)).toBe(true)
  await hand.press('Enter')
  await page.waitForURL('**/yourcontent')
  await page.getByRole('link', { name: 'View Media: For members' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('wish'))).toBeNull()
  await page.goto(`/users/${shop.creator.username}`)
  await page.getByText('Already Subscribed!').waitFor()
  expect(await bar.count()).toBe(0)
  return hand
}

test.each([
  ['by hand on a desktop', { fillsIn: false, viewport: DESK, keys: 100 }],
  ['with a browser that fills in', { fillsIn: true, viewport: DESK, keys: 30 }],
  ['by hand on a phone', { fillsIn: false, viewport: PHONE, keys: 100 }],
])('from a first visit to a subscription, %s', async (_how, { fillsIn, viewport, keys }) => {
  const window = await openWindow(browser, fanfare.origin, { ageConfirmed: false, viewport })
  const before = (await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length
  const hand = await walks(window, { fillsIn, viewport })
  expect((await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length).toBe(before + 1)
  expect(hand.clicks).toBeLessThanOrEqual(11)
  expect(hand.keys).toBeLessThanOrEqual(keys)
  expect(window.complaints()).toEqual([])
  await window.close()
})
