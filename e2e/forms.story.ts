import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { freshName, signUp } from './people.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let window: Window
let page: Page

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  window = await openWindow(browser, fanfare.origin)
  page = window.page
})
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

  await page.getByRole('main').getByLabel('Email').fill('robin@example.test')
  await page.getByRole('button', { name: 'Send' }).click()
  await window.sees('Your message has been sent.')
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
