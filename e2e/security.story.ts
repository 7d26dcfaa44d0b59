import { TOTP } from 'otpauth'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { apiOf, confirmationLink, joins, mailsTo, type Person, signUp } from './people.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([
    startFanfare({ ...database.environment, SUPERADMIN_SECOND_FACTOR: 'on' }),
    openBrowser(),
  ])
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const NEW = 'another long password'

async function typeLogIn(window: Window, email: string, password: string): Promise<void> {
  await window.open('/login')
  await window.page.getByLabel('Email').fill(email)
  await window.page.getByLabel('Password', { exact: true }).fill(password)
  await window.page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const codeOf = (secret: string) => TOTP.generate({ secret: new TOTP({ secret }).secret })

/** Answers the dialog that asks for the password, when one opens. */
async function confirmByPassword(window: Window, password: string): Promise<void> {
  const dialog = window.page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Makes the last re-authentication of all sessions too old, as ten minutes do. */
const reauthenticationExpires = (person: Person) =>
  database.query(
    `update sessions set reauthenticated_at = reauthenticated_at - interval '1 hour' where user_id = $1`,
    [person.id],
  )

/** Lets every time step begin anew, so that the code of now may be used again. */
const stepsPass = (person: Person) =>
  database.query('update totp_secrets set last_step = last_step - 5 where user_id = $1', [person.id])

test('a forgotten password is replaced by the link of the mail, once', async () => {
  const person = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin)
  await window.open('/login')
  await window.page.getByRole('link', { name: 'Reset Password.' }).click()
  await window.page.getByRole('button', { name: 'Reset' }).click()
  await window.sees('Enter a valid email address.')
  await window.page.getByLabel('Email').fill(person.email)
  await window.page.getByRole('button', { name: 'Reset' }).click()
  await window.sees('You should receive an email. Click the link inside to reset your password.')
  const mail = await waitUntil(async () =>
    (await mailsTo(fanfare.origin, person.email)).find(({ subject }) => /reset/i.test(subject)),
  )
  const [link = ''] = /\/resetconfirmed\/\S+/.exec(mail.text) ?? []

  await window.open(link)
  const field = window.page.getByLabel('New Password')
  const send = window.page.getByRole('button', { name: 'Update Password!' })
  await field.fill('1234567')
  await send.click()
  await window.sees('Password must be 8 or more characters')
  await field.fill('iloveyou')
  await send.click()
  await window.sees('This password is too common.')
  expect(await field.inputValue()).toBe('iloveyou')
  await field.fill(NEW)
  // The refused common password is told by the console as the 400 that it is.
  window.complaints()
  await send.click()
  await window.sees('Successfully updated password. Please try logging in.')
  await typeLogIn(window, person.email, NEW)
  await window.page.waitForURL('**/dashboard')
  expect(window.complaints()).toEqual([])

  await window.open(link)
  await window.sees(
    'There was an error resetting the password. Please try again or contact the official account on the forum service, or report the issue by email.',
  )
  await window.page.getByRole('link', { name: 'report the issue by email' }).waitFor()
  await window.close()
})

test('an authenticator app: set up, asked for at the login, replaced by a recovery code, removed', async () => {
  const person = await joins(fanfare.origin, 'creator')
  await reauthenticationExpires(person)
  const window = await openWindow(browser, fanfare.origin, { person })
  const { page } = window
  await window.open('/dashboard/security')
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await confirmByPassword(window, person.password)
  const secret = await page.getByLabel('Key for your authenticator app').inputValue()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const code = page.getByLabel('Code from the app')
  await code.fill('000 000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await window.sees('Incorrect code. Try the newest one.')
  await code.fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const listed = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await listed.first().waitFor()
  const codes = await listed.allTextContents()
  expect(codes).toHaveLength(10)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('fanfare-recovery-codes.txt')
  await page.getByRole('button', { name: 'I saved them' }).click()
  await window.sees('10 of 10 left')
  const focused = page.getByRole('region', { name: 'Two-factor authentication' })
  await expect.poll(() => focused.evaluate((section) => section === document.activeElement)).toBe(true)
  await stepsPass(person)

  const other = await openWindow(browser, fanfare.origin)
  await typeLogIn(other, person.email, person.password)
  await other.page.getByLabel('Authenticator app code').fill('000000')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.sees('Incorrect code. Try the newest one.')
  expect(await other.page.getByLabel('Authenticator app code').inputValue()).toBe('000000')
  await other.page.getByLabel('Authenticator app code').fill(codeOf(secret))
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.waitForURL('**/dashboard')
  await other.close()

  const third = await openWindow(browser, fanfare.origin)
  await typeLogIn(third, person.email, person.password)
  await third.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await third.page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await third.page.getByRole('button', { name: 'Sign in' }).click()
  await third.page.waitForURL('**/dashboard')
  await third.open('/dashboard/security')
  await third.sees('9 of 10 left')
  await third.page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await third.page.getByRole('button', { name: 'Log out everywhere else' }).waitFor({ state: 'detached' })

  await reauthenticationExpires(person)
  await third.page.getByLabel('Current password').fill(person.password)
  await third.page.getByLabel('New password').fill(NEW)
  await third.page.getByRole('button', { name: 'Change password' }).click()
  const asked = third.page.getByRole('dialog', { name: 'Confirm it’s you' })
  await asked.getByRole('button', { name: 'Use a recovery code' }).click()
  await asked.getByLabel('Recovery code').fill(codes[1] ?? '')
  await asked.getByRole('button', { name: 'Confirm' }).click()
  await third.sees('Your password was changed.')

  await third.page.getByRole('button', { name: 'Remove the authenticator app' }).click()
  await third.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await third.page.getByRole('button', { name: 'Set up the app' }).waitFor()
  await third.close()

  await window.open('/dashboard/security')
  await page.waitForURL('**/login')
  await window.close()
})

/** A device with a fingerprint reader that always recognizes its owner. */
async function plugInAuthenticator(window: Window): Promise<CDPSession> {
  const session = await window.context.newCDPSession(window.page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

test('a passkey: added, asked for after the password, enough alone, and gone when removed', async () => {
  const person = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person })
  const { page } = window
  await plugInAuthenticator(window)
  await window.open('/dashboard/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('My laptop')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await window.sees('My laptop')

  const logOut = async () => {
    // A call that is under way would be answered with 401, which the browser reports.
    await window.settled()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await page.getByRole('link', { name: 'Sign Up' }).first().waitFor()
  }
  await logOut()
  await typeLogIn(window, person.email, person.password)
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await page.waitForURL('**/dashboard')

  await logOut()
  await window.open('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.waitForURL('**/dashboard')

  await window.open('/dashboard/security')
  await page.getByRole('button', { name: 'Remove the passkey My laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove the passkey My laptop' }).waitFor({ state: 'detached' })
  expect(window.complaints()).toEqual([])
  await logOut()
  await window.open('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await window.sees('We couldn’t verify this passkey.')
  await typeLogIn(window, person.email, person.password)
  await page.waitForURL('**/dashboard')
  await window.close()
})

test('another email address needs the password, and is used once its link is opened', async () => {
  const person = await joins(fanfare.origin, 'fan')
  await reauthenticationExpires(person)
  const window = await openWindow(browser, fanfare.origin, { person })
  await window.open('/dashboard/security')
  const email = `moved-${person.email}`
  await window.page.getByLabel('New email').fill(person.email)
  await window.page.getByRole('button', { name: 'Change email' }).click()
  await window.sees('This is already your email.')
  await window.page.getByLabel('New email').fill(email)
  await window.page.getByRole('button', { name: 'Change email' }).click()
  await window.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await window.sees('Nothing changed because you didn’t confirm.')
  expect(await window.page.getByLabel('New email').inputValue()).toBe(email)
  await window.page.getByRole('button', { name: 'Change email' }).click()
  await confirmByPassword(window, person.password)
  await window.sees('Open it to start using this email.')
  await window.sees(email)
  await waitUntil(async () =>
    (await mailsTo(fanfare.origin, person.email)).some(({ subject }) => /about to change/.test(subject)),
  )
  const link = new URL(await confirmationLink(fanfare.origin, email))
  await window.open(link.pathname + link.search)
  await window.sees('Your email is verified')
  await window.open('/dashboard/security')
  await window.sees(`Your current email is ${email}.`)
  await window.close()
})

test('an operator without a second factor is led to setting one up', async () => {
  const person = await signUp(fanfare.origin, 'fan')
  await database.query(`update users set role = 'superadmin', email_verified_at = now() where id = $1`, [
    person.id,
  ])
  const window = await openWindow(browser, fanfare.origin, { person })
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('link', { name: 'Set it up' }).click()
  await window.sees('Your role requires two-factor authentication.')
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const secret = await page.getByLabel('Key for your authenticator app').inputValue()
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  expect((await apiOf(fanfare.origin, person).call(routes.me, {})).secondFactor).toBe('on')
  expect(window.complaints()).toEqual([])
  await window.close()
})
