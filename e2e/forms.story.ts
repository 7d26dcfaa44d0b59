import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { cardFrame } from './paying.ts'
import { confirmationLink, freshName, joins, type Person, signUp } from './people.ts'
import { openWindow, PHONE, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let window: Window
let page: Page

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
beforeEach(async () => {
  window = await openWindow(browser, fanfare.origin)
  page = window.page
})
afterEach(() => window.close())
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** The label of what has the focus. */
const focused = () =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.innerText ?? '')

const signUpButton = () => page.getByRole('button', { name: 'Sign Up', exact: true })
const password = () => page.getByLabel('Password', { exact: true })

async function fillSignUp(username: string, secret: string): Promise<void> {
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Email').fill(`${username}@example.test`)
  await page.getByLabel('Forum username').fill(username.replace(/\W/g, '').slice(0, 20))
  await page.getByLabel('Username', { exact: true }).fill(username)
  await password().fill(secret)
  await page.getByLabel('Password confirmation').fill(secret)
  await page.getByRole('radio', { name: /^No/ }).check()
}

test('what is wrong is said once at its field, which has the focus, and is gone when it is corrected', async () => {
  await window.open('/signup')
  await signUpButton().click()
  await window.sees('Enter your first name.')
  await expect.poll(focused).toBe('First name')
  await page.getByLabel('First name').fill('R')
  expect(await page.getByText('Enter your first name.').count()).toBe(0)
  expect(await page.getByText('Enter a valid email address.').count()).toBe(1)

  // Only the server knows which passwords are common.
  const common = 'This password is too common. Choose one that’s harder to guess.'
  await fillSignUp(freshName('robin'), 'password123')
  await signUpButton().click()
  await window.sees(common)
  expect(await page.getByText(common).count()).toBe(1)
  await expect.poll(focused).toBe('Password')
  expect(await password().getAttribute('aria-invalid')).toBe('true')
  // Left as it is, it is as wrong as before.
  await password().press('Tab')
  expect(await page.getByText(common).count()).toBe(1)
  await password().fill('password123!')
  expect(await page.getByText(common).count()).toBe(0)
  expect(await password().getAttribute('aria-invalid')).not.toBe('true')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('whether a username is free is said while it is typed, and an address is never asked for', async () => {
  const { username: taken } = await signUp(fanfare.origin, 'fan')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/usernamefree')) asked.push(request.url())
  })
  await window.open('/signup')
  const name = page.getByLabel('Username', { exact: true })
  await page.getByLabel('Email').fill(`${taken}@example.test`)
  await name.fill(taken.toUpperCase())
  await window.sees('This username is taken. Try another.')
  await name.fill('a')
  await name.fill('free-as-a-bird')
  await window.sees('free-as-a-bird is available.')
  expect(await page.getByText('This username is taken').count()).toBe(0)
  expect(asked.map((url) => new URL(url).search)).toEqual([
    `?username=${taken.toUpperCase()}`,
    '?username=free-as-a-bird',
  ])
})

test('Tab goes from a password to the next field, and its eye is reached by a key and by the pointer', async () => {
  await window.open('/signup')
  const type = () => password().getAttribute('type')
  await password().fill('tulips at 9')
  await page.keyboard.press('Tab')
  await expect.poll(focused).toBe('Password confirmation')
  await page.keyboard.press('Shift+Tab')
  await expect.poll(focused).toBe('Password')
  await page.keyboard.press('Alt+F8')
  expect(await type()).toBe('text')
  // What can be read isn’t typed a second time.
  expect(await page.getByLabel('Password confirmation').inputValue()).toBe('tulips at 9')
  await looksFinished(window)
  await password().press('Alt+F8')
  expect(await type()).toBe('password')
  const eye = page.getByRole('button', { name: 'Show password' }).first()
  await eye.click()
  expect([await eye.getAttribute('aria-pressed'), await type(), await focused()]).toEqual([
    'true',
    'text',
    'Password',
  ])
  await page.keyboard.type('!')
  expect(await page.getByLabel('Password confirmation').inputValue()).toBe(await password().inputValue())
})

test('what was typed to sign up outlives a reload, passwords excepted, and is gone once there is an account', async () => {
  const name = freshName('robin')
  await window.open('/signup')
  const values = () =>
    Promise.all(
      ['First name', 'Username', 'Forum username', 'Email', 'Password', 'Password confirmation'].map(
        (label) => page.getByLabel(label, { exact: true }).inputValue(),
      ),
    )
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Username', { exact: true }).fill(name)
  await page.getByLabel('Forum username').fill('robin')
  await page.getByLabel('Email').fill(`${name}@example.test`)
  await password().fill('tulips at 9')
  await page.getByLabel('Password confirmation').fill('tulips at 9')
  await page.getByRole('radio', { name: /^No/ }).check()
  await page.reload()
  await page.getByLabel('First name').waitFor()
  expect(await values()).toEqual(['Robin', name, 'robin', `${name}@example.test`, '', ''])
  expect(await page.getByRole('radio', { name: /^No/ }).isChecked()).toBe(true)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('tulips')

  await password().fill('tulips at 9')
  await page.getByLabel('Password confirmation').fill('tulips at 9')
  await signUpButton().click()
  await page.getByText('Please verify your email').waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(name)
})

test('who mistyped their email when signing up has the link sent to another one, and is in once it is opened', async () => {
  const name = freshName('robin')
  const right = `${name}@right.example.test`
  await window.open('/signup')
  await fillSignUp(name, 'tulips at 9')
  await signUpButton().click()
  await page.getByText(`${name}@example.test`).waitFor()
  await page.getByRole('button', { name: 'Use another email' }).click()
  const form = page.getByRole('form', { name: 'Use another email' })
  await expect.poll(focused).toBe('Your email')
  await form.getByLabel('Your email').fill(right)
  await form.getByRole('button', { name: 'Send the link there' }).click()
  await page.getByText(right).waitFor()
  await form.waitFor({ state: 'hidden' })
  const { page: inbox, close } = await openWindow(browser, fanfare.origin)
  await inbox.goto(await confirmationLink(fanfare.origin, right))
  await inbox.getByText('Your email is verified').waitFor()
  await close()
  await page.getByText('Please verify your email').waitFor({ state: 'hidden' })
})

test('a desk begins in the first field of the sign-up, and a phone shows all of a field that has to be mended', async () => {
  await window.open('/signup')
  await expect.poll(focused).toBe('First name')
  await window.sees(/^Your username on .+\. Only you see it, unless you let creators recognize you by it\.$/)
  const { username: taken } = await signUp(fanfare.origin, 'fan')
  const phone = await openWindow(browser, fanfare.origin, { viewport: PHONE })
  const at = phone.page
  await phone.open('/signup')
  const tagName = () => at.evaluate(() => document.activeElement?.tagName)
  expect(await tagName()).not.toBe('INPUT')
  const name = at.getByLabel('Username', { exact: true })
  await at.getByLabel('First name').fill('Robin')
  await name.fill(taken)
  await at.getByText('This username is taken. Try another.').waitFor()
  await at.getByLabel('Forum username').fill('robin')
  await at.getByLabel('Email').fill(`${freshName('robin')}@example.test`)
  await at.getByLabel('Password', { exact: true }).fill('tulips at 9')
  await at.getByLabel('Password confirmation').fill('tulips at 9')
  await at.getByRole('radio', { name: /^No/ }).check()
  const send = at.getByRole('button', { name: 'Sign Up', exact: true })
  await send.evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await send.click()
  await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true)
  // Label and field stand below the bar of the page.
  const top = () =>
    at.getByText('Username', { exact: true }).evaluate((label) => label.getBoundingClientRect().top)
  const bar = await at.getByRole('banner').evaluate((header) => header.getBoundingClientRect().bottom)
  await expect.poll(top).toBeGreaterThanOrEqual(bar)
  await phone.close()
})

test('leaving asks while something would be lost, and not once it was sent', async () => {
  await window.open('/contact')
  const message = page.getByLabel('Message')
  await message.fill('Where is my subscription?')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Affiliates' }).click()
  const question = page.getByRole('dialog', { name: 'Leave this page?' })
  await question.getByText('Your message isn’t sent yet.').waitFor()
  // The safe choice is the main one.
  const looks = await question
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => `${one.textContent} ${one.dataset.variant}`))
  expect(looks.slice(-2)).toEqual(['Leave default', 'Stay here filled'])
  await question.getByRole('button', { name: 'Stay here' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname).toBe('/contact')
  expect(await message.inputValue()).toBe('Where is my subscription?')
  // On a phone the menu gives way to the question.
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Browse All Content' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await question.waitFor({ state: 'hidden' })

  await page.getByRole('main').getByLabel('Email').fill('robin@example.test')
  await page.getByRole('button', { name: 'Send' }).click()
  await window.sees('Your message has been sent.')
  await window.sees('Your case number is C-')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Affiliates' }).click()
  await page.waitForURL('**/affiliates')
})

test('what was typed is not asked for again, and each field has a name that browsers know', async () => {
  await window.open('/login')
  const names = () =>
    page
      .getByRole('main')
      .locator('input:not([type=radio])')
      .evaluateAll((all) => all.map((one) => one.getAttribute('autocomplete')))
  expect(await names()).toEqual(['username', 'current-password'])
  await page.getByLabel('Email').fill('robin@example.test')
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Sign up' }).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('robin@example.test')
  expect(await names()).toEqual([
    ...['given-name', 'family-name', 'nickname', 'off', 'email', 'new-password', 'new-password'],
  ])
})

test('Back closes a dialog or the menu and nothing else, also after the way to the content was taken', async () => {
  const person = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person, phone: true })
  const { page } = window
  const dialog = page.getByRole('dialog')
  await window.open('/dashboard')
  await page.getByRole('link', { name: /^Billing/ }).click()
  await page.getByRole('button', { name: 'Add card' }).waitFor()
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await page.locator('main:focus').waitFor()
  await page.getByRole('button', { name: 'Add card' }).click()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.waitFor()
  await page.goBack()
  await menu.waitFor({ state: 'hidden' })
  // The router puts the address back a moment after the page has heard of it.
  await page.waitForURL('**/dashboard/billing')
  await page.goBack()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor({ state: 'hidden' })
  await window.close()
})

/** One for both windows: an address signs up 20 people an hour. */
let visitor: Promise<Person> | undefined

test.each([true, false])(
  'Back closes a dialog on the first page of a visit, too, on a phone: %s',
  async (phone) => {
    visitor ??= joins(fanfare.origin, 'fan')
    const person = await visitor
    const window = await openWindow(browser, fanfare.origin, { person, phone })
    const { page } = window
    const dialog = page.getByRole('dialog')
    const opens = async () => {
      await page.getByRole('button', { name: 'Add card' }).click()
      await dialog.waitFor()
    }
    await page.goto(`${fanfare.origin}/terms`)
    await page.goto(`${fanfare.origin}/dashboard/billing`)
    for (const _ of [1, 2]) {
      await opens()
      await page.goBack()
      await dialog.waitFor({ state: 'hidden' })
      await opens()
      await cardFrame(page).getByLabel('Card number').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    expect(new URL(page.url()).pathname).toBe('/dashboard/billing')
    await page.getByRole('link', { name: 'Fanfare' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor({ state: 'hidden' })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await opens()
    await page.goBack()
    await dialog.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('button', { name: 'Add card' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/terms')
    // What takes the place of the first page after a dialog was open takes the place of both of its entries.
    if (!phone) return window.close()
    const creator = await joins(fanfare.origin, 'creator')
    for (const reloads of [false, true]) {
      await page.goto(`${fanfare.origin}/users/${creator.username}`)
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.getByRole('tab', { name: 'Bundles' }).click()
      await page.waitForURL('**?tab=bundles')
      const chosen = page.getByRole('tab', { name: 'Bundles', selected: true })
      // The address changes before the page does, which says in its entry where it is.
      await chosen.waitFor()
      if (reloads) await page.reload()
      await chosen.waitFor()
      await page.goBack()
      await page.waitForURL('**/terms')
    }
    await window.close()
  },
)

test('who asks for more contrast gets it, in both schemes', async () => {
  await window.open('/signup')
  const contrasts = () =>
    page.evaluate(() => {
      const luminance = (color: string) => {
        const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
          const value = Number(part) / 255
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const mark = document.body.appendChild(document.createElement('i'))
      const of = (token: string) => {
        mark.style.color = `var(${token})`
        return luminance(getComputedStyle(mark).color)
      }
      const grounds = ['--page', '--surface'].map(of)
      const least = (token: string) => {
        const one = of(token)
        return Math.min(
          ...grounds.map((ground) => (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05)),
        )
      }
      const found = { text: least('--text-quiet'), lines: least('--line'), edges: least('--control-line') }
      mark.remove()
      return found
    })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ contrast: 'more', colorScheme })
    const { text, lines, edges } = await contrasts()
    expect(text).toBeGreaterThan(7)
    expect(lines).toBeGreaterThan(3)
    expect(edges).toBeGreaterThan(4.5)
  }
})
