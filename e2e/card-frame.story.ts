import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatewayCaptures } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { applyLook, axeViolations } from './looks.ts'
import { CARDS, cardFrame, fillCard, payButton, typeCard, ZIPS } from './paying.ts'
import { joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
let fan: Person
beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
})
beforeEach(async () => {
  fan = await joins(fanfare.origin, 'fan')
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

async function atTheDialog(prepare: (window: Window) => Promise<unknown> = async () => {}): Promise<Window> {
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await prepare(window)
  await window.open(`/users/${shop.creator.username}?tab=singles`)
  await window.page.getByRole('button', { name: 'Buy Morning light' }).click()
  await cardFrame(window.page).getByLabel('Card number').waitFor()
  return window
}

async function frameOf({ page }: Window): Promise<Frame> {
  return waitUntil(() => page.frames().find((frame) => frame.url().endsWith('/card-frame')))
}

describe('the card and the page', () => {
  test('can’t reach each other: the frame has no origin, no storage and no cookies of ours', async () => {
    const window = await atTheDialog()
    await fillCard(window.page, CARDS.approved)
    const frame = await frameOf(window)
    const tried = await frame.evaluate(() => {
      const attempt = (look: () => unknown) => {
        try {
          return String(look())
        } catch (error) {
          return (error as Error).name
        }
      }
      return {
        origin: self.origin,
        storage: attempt(() => localStorage.getItem('token')),
        cookie: attempt(() => document.cookie),
        page: attempt(() => parent.document.title),
        token: attempt(() => parent.localStorage.getItem('token')),
      }
    })
    const refused = 'SecurityError'
    expect(tried).toEqual({
      origin: 'null',
      storage: refused,
      cookie: refused,
      page: refused,
      token: refused,
    })
    expect(
      await frame.evaluate(
        (token) =>
          fetch('/api/auth/me', { headers: { authorization: `Bearer ${token}` } }).then(
            () => 'answered',
            () => 'refused',
          ),
        fan.token,
      ),
    ).toBe('refused')
    const seen = await window.page.evaluate(() => ({
      inside: document.querySelector('iframe')?.contentDocument ?? null,
      gateway: 'Accept' in globalThis,
      fields: document.querySelectorAll('input[autocomplete^="cc-"]').length,
    }))
    expect(seen).toEqual({ inside: null, gateway: false, fields: 0 })
    await window.close()
  })

  test('exchange a token and nothing of the card that was typed', async () => {
    const window = await atTheDialog(({ page }) =>
      page.addInitScript(() => {
        const heard: unknown[] = []
        Object.assign(globalThis, { heard })
        const Channel = MessageChannel
        globalThis.MessageChannel = class extends Channel {
          constructor() {
            super()
            this.port1.addEventListener('message', ({ data }) => heard.push(data))
          }
        }
      }),
    )
    await fillCard(window.page, CARDS.approved)
    await payButton(window.page).click()
    await window.sees('Processed Transaction')
    const heard = await window.page.evaluate(
      () => (globalThis as unknown as { heard: ({ kind: string } | null)[] }).heard,
    )
    // React's scheduler has a channel of its own, on which nothing is said.
    const told = heard.filter((message) => message !== null && message.kind !== 'height')
    expect(told).toEqual([
      { kind: 'ready' },
      {
        kind: 'token',
        dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT',
        dataValue: expect.any(String),
        billTo: { zip: ZIPS.approved },
      },
    ])
    expect(JSON.stringify(heard)).not.toMatch(/4111|12\/39|"123"/)
    expect((await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length).toBe(1)
    expect(window.complaints()).toEqual([])
    await window.close()
  })

  test('say so when the gateway’s script does not load, and nothing is charged', async () => {
    const window = await atTheDialog(({ page }) => page.route('**/Accept.js', (route) => route.abort()))
    const before = (await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length
    await fillCard(window.page, CARDS.approved)
    await payButton(window.page).click()
    await window.sees('Accept.js not loaded. You have not been charged. Check your connection')
    expect((await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length).toBe(before)
    await window.close()
  })
})

test('a ZIP code that the card’s bank doesn’t know is told, and the right one pays', async () => {
  const window = await atTheDialog()
  const before = (await gatewayCaptures({ sandboxOrigin: fanfare.origin })).length
  await fillCard(window.page, CARDS.approved)
  await typeCard(window.page, CARDS.approved, ZIPS.mismatched)
  await cardFrame(window.page).getByLabel('Street (optional)').fill('1 Main St')
  await payButton(window.page).click()
  await window.sees(/^Your bank couldn’t match this address\. .* Check the ZIP code and try again\.$/)
  await cardFrame(window.page).getByLabel('ZIP code').fill(ZIPS.approved)
  await payButton(window.page).click()
  await window.sees('Processed Transaction')
  const captures = await gatewayCaptures({ sandboxOrigin: fanfare.origin })
  expect(captures).toHaveLength(before + 1)
  expect(captures[0]?.billTo).toEqual({ address: '1 Main St', zip: ZIPS.approved })
  expect(window.complaints().filter((complaint) => !complaint.includes('402'))).toEqual([])
  await window.close()
})

test('after a card was declined its number is selected, so that typing replaces it', async () => {
  const window = await atTheDialog()
  const { page } = window
  await fillCard(page, CARDS.declined)
  await payButton(page).click()
  await page
    .getByRole('alert')
    .getByText(/declined/)
    .waitFor()
  const number = cardFrame(page).getByLabel('Card number')
  const selected = () =>
    number.evaluate((input: HTMLInputElement) =>
      input === document.activeElement
        ? input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
        : '',
    )
  await expect.poll(selected).toBe('4000 0000 0000 0002')
  await page.keyboard.type(CARDS.approved)
  expect(await number.inputValue()).toBe('4111 1111 1111 1111')
  await payButton(page).click()
  await window.sees('Processed Transaction')
  await window.close()
})

test('card fields that don’t load are given up, and tried again', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await page.clock.install()
  await page.route('**/card-frame', (route) => route.fulfill({ status: 503, body: 'Out of order' }), {
    times: 1,
  })
  await window.open('/dashboard/billing')
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  await cardFrame(page).getByText('Out of order').waitFor()
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await page.clock.fastForward(15_000)
  await window.sees('Accept.js not loaded')
  await cardFrame(page).getByLabel('Card number').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await window.close()
})

test('a dialog whose card is still being looked at can be closed, and nothing is paid', async () => {
  const window = await atTheDialog(({ page }) => page.route('**/Accept.js', () => {}))
  const { page } = window
  const purchases: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/users/purchase'))
      purchases.push(request.url())
  })
  await fillCard(page, CARDS.approved)
  const script = page.waitForRequest('**/Accept.js')
  await payButton(page).click()
  await script
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  // Now, and not once the script is given up.
  expect(await close.count()).toBe(1)
  await close.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.unroute('**/Accept.js')
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await fillCard(page, CARDS.approved)
  await payButton(page).click()
  await window.sees('Processed Transaction')
  expect(purchases).toHaveLength(1)
  await window.close()
})

test('what goes wrong in the frame is told to the page', async () => {
  const window = await atTheDialog(({ page }) =>
    page.route('**/Accept.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'globalThis.Accept = { dispatchData: (_, answer) => answer({}) }',
      }),
    ),
  )
  await fillCard(window.page, CARDS.approved)
  await payButton(window.page).click()
  await window.sees(/couldn’t accept these card details/)
  await window.close()
})

/** Lets the card fields of this page stand there without their script, until what it gives is called. */
async function holdScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    if (route.request().frame().url().endsWith('/card-frame')) await promise
    await route.continue()
  })
  return resolve
}

test('Escape closes the dialog before the frame’s script has come, too', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/billing')
  const add = page.getByRole('button', { name: 'Add card' })
  const dialog = page.getByRole('dialog')
  const opens = async () => {
    await add.click()
    await cardFrame(page).getByLabel('Card number').waitFor()
    await waitUntil(() => dialog.evaluate((element) => element.contains(document.activeElement)))
  }
  // What the dialog asks for first is known when it opens again: its fields are there when it takes the focus.
  await opens()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const arrives = await holdScript(page)
  await opens()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await add.and(page.locator(':focus')).waitFor()
  arrives()
  await opens()
  await waitUntil(() =>
    cardFrame(page)
      .getByLabel('Card number')
      .evaluate((input) => input === document.activeElement),
  )
  await window.close()
})

test('what is typed before the frame’s script has come counts, and is gone on with in its field', async () => {
  let arrives = () => {}
  const window = await atTheDialog(async ({ page }) => {
    arrives = await holdScript(page)
  })
  await fillCard(window.page, CARDS.approved)
  await cardFrame(window.page).getByLabel('Expiration date').focus()
  arrives()
  const frame = await frameOf(window)
  // The page has spoken to it by then.
  await frame.waitForFunction(() => document.documentElement.dataset.mantineColorScheme)
  expect(await frame.evaluate(() => document.activeElement?.id)).toBe('expiry')
  await payButton(window.page).click()
  await window.sees('Processed Transaction')
  await window.close()
})

test('the fields are filled by wallets, read by screen readers and as high as they need to be', async () => {
  const window = await atTheDialog()
  const card = cardFrame(window.page)
  const names = await card
    .locator('input')
    .evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')))
  expect(names).toEqual(['cc-number', 'cc-exp', 'cc-csc', 'billing postal-code', 'billing address-line1'])
  await waitUntil(() => card.getByLabel('Card number').evaluate((input) => input === document.activeElement))

  await payButton(window.page).click()
  await card.getByText('Enter your card number.').waitFor()
  await card.getByLabel('Card number').fill('4111111111111112')
  await card.getByLabel('Expiration date').fill('12/39')
  await card.getByLabel('Security code').fill('123')
  expect(await card.getByText('Visa', { exact: true }).isVisible()).toBe(true)
  expect(await card.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1112')
  // Digits in the middle are taken out and typed again where they were, across the gap between two groups.
  await card.getByLabel('Card number').focus()
  await card.getByLabel('Card number').evaluate((input: HTMLInputElement) => input.setSelectionRange(6, 6))
  for (const key of ['Backspace', 'Backspace', 'Backspace', '2', '3', '4'])
    await card.getByLabel('Card number').press(key)
  expect(await card.getByLabel('Card number').inputValue()).toBe('4123 4111 1111 1112')
  await window.page.getByRole('checkbox', { name: /Terms of Service/ }).check()
  await card.getByLabel('ZIP code').fill('9_4')
  await card.getByText('Enter your billing ZIP or postal code, or 00000 if you don’t have one.').waitFor()
  await card.getByLabel('ZIP code').fill('94103')
  await card.getByLabel('Street (optional)').fill('1 Main St')
  await card.getByLabel('Street (optional)').press('Enter')
  await card.getByText('This card number is invalid.').waitFor()
  await window.sees('Please check your card details. You have not been charged.')
  expect(await card.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')

  const frame = await frameOf(window)
  for (const viewport of [DESK, PHONE]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await applyLook(window, { viewport, colorScheme })
      await waitUntil(() =>
        frame.evaluate(
          (wanted) =>
            document.documentElement.dataset.mantineColorScheme === wanted &&
            document.documentElement.scrollHeight <= innerHeight,
          colorScheme,
        ),
      )
      const inside = await axeViolations({ ...window, page: frame as unknown as Window['page'] })
      // Headings and landmarks are the page's; alone, axe-core takes the frame for one.
      expect(
        inside.filter((problem) => !/^(region|landmark-one-main|page-has-heading-one) /.test(problem)),
      ).toEqual([])
      expect(await axeViolations(window)).toEqual([])
    }
  }
  await card.getByLabel('Card number').press('Escape')
  await window.page.getByRole('dialog').waitFor({ state: 'detached' })
  await window.close()
})
