import { confirmationLink, PASSWORD } from '../people.ts'
import type { Window } from '../window.ts'

/** Comes for the first time, says to be of age, signs up by typing, and confirms by the link of the mail. */
export async function signsUp(
  origin: string,
  window: Window,
  who: { username: string; creator: boolean },
): Promise<string> {
  const { page } = window
  const email = `${who.username}@example.test`
  await page.goto('/')
  await page.getByRole('heading', { name: 'Are you 18 or older?' }).waitFor()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('link', { name: 'Get Started' }).click()
  await page.waitForURL('**/signup')
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Forum username').fill(who.username.replace(/\W/g, '').slice(0, 20))
  await page.getByLabel('Username', { exact: true }).fill(who.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Password confirmation').fill(PASSWORD)
  await page.getByRole('radio', { name: who.creator ? /^Yes/ : /^No/ }).check()
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/signup'))
  await page.goto(await confirmationLink(origin, email))
  await window.sees('Your email is verified')
  return `@${who.username} has an account with a confirmed address`
}

/** The token of the session in this window. */
export async function tokenOf({ page }: Window): Promise<string> {
  return JSON.parse(await page.evaluate(() => localStorage.getItem('token') ?? '""'))
}
