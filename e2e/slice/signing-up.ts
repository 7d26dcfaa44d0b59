import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { confirmationLink, PASSWORD, signUp } from '../people.ts'
import type { Window } from '../window.ts'

export async function comesForTheFirstTime(window: Window): Promise<void> {
  const { page } = window
  await page.goto('/')
  await page.getByRole('heading', { name: 'Are you 18 or older?' }).waitFor()
  expect(await page.getByText('Get Started').count()).toBe(0)
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('link', { name: 'Get Started' }).waitFor()
  await window.open('/')
  await page.getByRole('link', { name: 'Get Started' }).click()
  await page.waitForURL('**/signup')
}

export async function signsUpWithEveryMistake(
  origin: string,
  window: Window,
  username: string,
): Promise<void> {
  const { page } = window
  const taken = await signUp(origin, 'fan')
  const submit = page.getByRole('button', { name: 'Sign Up', exact: true })
  await submit.click()
  for (const text of [
    'Enter your first name.',
    'Enter a valid email address.',
    'Enter your forum username.',
    'Choose a username.',
    'Password must be 8 or more characters',
    "You need to select whether you're a creator or not.",
  ])
    await window.sees(text)
  await fillSignUp(page, { username: taken.username, email: taken.email, creator: true })
  await window.sees('This username is taken. Try another.')
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByLabel('Forum username').fill('/u/ ana tests')
  expect(await page.getByLabel('Forum username').inputValue()).toBe('anatests')
  await page.getByLabel('Password', { exact: true }).fill('seven77')
  await page.getByLabel('Password', { exact: true }).blur()
  await window.sees('Password must be 8 or more characters')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password confirmation').fill(`${PASSWORD}!`)
  await window.sees('Password must match confirmation')
  expect(await submit.isDisabled()).toBe(true)
  await page.getByLabel('Password confirmation').fill(PASSWORD)
  await submit.click()
  await window.sees('Something went wrong. The email or username may already exist.')
  await page.getByLabel('Email').fill(`${username}@example.test`)
  await submit.click()
  await page.waitForURL('**/dashboard')
}

export async function signsUpAsFan(window: Window, username: string): Promise<void> {
  const { page } = window
  await fillSignUp(page, { username, email: `${username}@example.test`, creator: false })
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await page.waitForURL('**/users/*')
}

async function fillSignUp(
  page: Page,
  person: { username: string; email: string; creator: boolean },
): Promise<void> {
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Forum username').fill(person.username.replace(/\W/g, '').slice(0, 20))
  await page.getByLabel('Username', { exact: true }).fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password confirmation').fill(PASSWORD)
  await page.getByRole('radio', { name: person.creator ? /^Yes/ : /^No/ }).check()
}

export async function confirmsEmail(origin: string, window: Window, email: string): Promise<void> {
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('heading', { name: 'Please verify your email' }).waitFor()
  await page.getByRole('button', { name: 'Resend verification email' }).click()
  await window.sees('Email has been sent. Please check your email!')
  await page.goto(await confirmationLink(origin, email, 2))
  await window.sees('Your email is verified')
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByText('Please verify your email').count()).toBe(0)
}
