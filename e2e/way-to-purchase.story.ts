import type { FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayCaptures } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { handIn } from './hand.ts'
import { looksFinished } from './looks.ts'
import { CARDS, cardFrame, payButton, ZIPS } from './paying.ts'
import { signUp } from './people.ts'
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

/** Of ordinary length; each walk has an address of its own. */
const FIRST_NAME = 'Jonathan'
const FORUM_USERNAME = 'jwhitfield'
const addressOf = (walk: number) => `jonathan.whitfiel${walk}@example.com`

/** From the home page as somebody who has never been here, to what was bought; answers what the hand did. */
async function walks(window: Window, { fillsIn, email }: { fillsIn: boolean; email: string }) {
  const { page, context } = window
  const isPhone = page.viewportSize()?.width === PHONE.width
  const hand = await handIn(context, { fillsIn })
  const secret = 'tulips at 9'
  const types = (label: string, text: string, autocomplete: string) =>
    hand.type(page, page.getByLabel(label, { exact: true }), text, autocomplete)

  await page.goto('/')
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Browse All Content' }).first().click()
  await page.getByRole('link', { name: shop.creator.username }).first().click()
  await page.getByRole('button', { name: 'Subscribe to Members club' }).click()

  await page.waitForURL('**/signup')
  const wish = `Subscribe to ${shop.creator.username} · $9.99/mo`
  await page.getByRole('complementary', { name: 'What’s next' }).getByText(wish).waitFor()
  // A desk begins there by itself.
  const first = page.getByLabel('First name')
  if (isPhone) await first.click()
  else await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true)
  await types('First name', FIRST_NAME, 'given-name')
  // Who comes to buy is a fan, and is offered a username.
  const username = page.getByLabel('Username', { exact: true })
  expect(await username.inputValue()).toMatch(/^[a-z]+-[a-z]+-\d{1,3}$/)
  await page.getByText('Everyone sees this. Keep our suggestion, or choose your own.').waitFor()
  expect(await page.getByRole('radio', { name: /^No/ }).isChecked()).toBe(true)
  await types('Forum username', FORUM_USERNAME, 'off')
  await types('Email', email, 'email')
  // A password that can be seen isn’t typed a second time.
  await hand.goesTo(page, page.getByLabel('Password', { exact: true }))
  if (!fillsIn) await page.getByRole('button', { name: 'Show password' }).first().click()
  await types('Password', secret, 'new-password')
  if (fillsIn) await types('Password confirmation', secret, 'new-password')
  expect(await page.getByLabel('Password confirmation').inputValue()).toBe(secret)
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
  await hand.type(page, card.getByLabel('Expiration date'), '12/39', 'cc-exp')
  expect(await card.getByLabel('Expiration date').inputValue()).toBe('12/39')
  await hand.type(page, card.getByLabel('Security code'), '123', 'cc-csc')
  await hand.type(page, card.getByLabel('ZIP code'), ZIPS.approved, 'billing postal-code')
  await page.getByRole('checkbox', { name: /Terms of Service/ }).click()
  await payButton(page).click()

  const paid = page.getByRole('dialog', { name: 'You’re subscribed' })
  await paid.getByText('Processed Transaction').waitFor()
  await paid.getByText('$9.99 paid').waitFor()
  const onward = paid.getByRole('button', { name: 'See what’s inside' })
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
  ['by hand on a desktop', { walk: 1, fillsIn: false, viewport: DESK, most: 100 }],
  ['with a browser that fills in', { walk: 2, fillsIn: true, viewport: DESK, most: 30 }],
  ['by hand on a phone', { walk: 3, fillsIn: false, viewport: PHONE, most: 100 }],
  ['with a phone that fills in', { walk: 4, fillsIn: true, viewport: PHONE, most: 30 }],
])('from a first visit to a subscription, %s', async (how, { walk, fillsIn, viewport, most }) => {
  const window = await openWindow(browser, fanfare.origin, { ageConfirmed: false, viewport })
  const before = (await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length
  const { clicks, keys } = await walks(window, { fillsIn, email: addressOf(walk) })
  expect((await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length).toBe(before + 1)
  process.stdout.write(`From a first visit to a subscription, ${how}: ${clicks} clicks, ${keys} keystrokes\n`)
  expect(clicks).toBeLessThanOrEqual(11)
  expect(keys).toBeLessThanOrEqual(most)
  // What is counted happened: the fewest that anybody needs.
  expect(clicks).toBeGreaterThanOrEqual(8)
  expect(keys).toBeGreaterThanOrEqual(20)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('who closes the dialog to verify their email still has the wish, and finds the mailbox in the dialog', async () => {
  const fan = await signUp(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  const { page, context } = window
  await window.open(`/users/${shop.creator.username}`)
  await page.getByRole('button', { name: 'Subscribe to Members club' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe' })
  const mailbox = dialog.getByRole('link', { name: 'Open the sandbox mailbox' })
  await expect.poll(() => mailbox.evaluate((link) => link === document.activeElement)).toBe(true)
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  const wish = page.getByRole('complementary', { name: 'What’s next' })
  await page.goto('/yourcontent')
  await wish.getByText(`Subscribe to ${shop.creator.username} · $9.99/mo`).waitFor()
  await page.goto(`/users/${shop.creator.username}`)

  const opened = context.waitForEvent('page')
  await mailbox.click()
  const inbox = await opened
  await inbox.getByRole('listitem').getByRole('link').first().click()
  const confirmed = context.waitForEvent('page')
  await inbox.frameLocator('iframe[title="Email"]').getByRole('link').first().click()
  await (await confirmed).getByText('Your email is verified').waitFor()
  await page.bringToFront()
  await cardFrame(page).getByLabel('Card number').waitFor()
  // Who may pay and closes it has changed their mind.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => localStorage.getItem('wish'))).toBeNull()
  await window.close()
})

test('a press that the driver holds back and repeats counts once', async () => {
  const context = await browser.newContext()
  const hand = await handIn(context)
  const page = await context.newPage()
  // What is pressed is covered once the pointer has come, until it was pressed in vain.
  await page.addInitScript(() => {
    let tries = 0
    addEventListener('pointermove', () => {
      if (tries > 0) return
      document.body.insertAdjacentHTML('beforeend', '<div id="cover" style="position:fixed;inset:0"></div>')
    })
    addEventListener(
      'pointerup',
      () => {
        tries += 1
        document.getElementById('cover')?.remove()
      },
      true,
    )
  })
  await page.route('**/covered', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<title>Covered</title><button onclick="this.textContent = event.detail">Press</button>',
    }),
  )
  const heard: string[] = []
  await page.exposeFunction('heard', (type: string) => heard.push(type))
  await page.addInitScript(() => {
    const { heard } = globalThis as unknown as { heard: (type: string) => void }
    addEventListener('pointerdown', ({ type }) => heard(type), true)
  })
  await page.goto(`${fanfare.origin}/covered`)
  await page.getByRole('button', { name: 'Press' }).click()
  await page.getByRole('button', { name: '1' }).waitFor()
  await expect.poll(() => heard.length).toBe(2)
  expect(hand.count.clicks).toBe(1)
  await context.close()
})
