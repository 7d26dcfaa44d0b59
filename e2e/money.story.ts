import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { launchBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openWindow, type Window } from './window.ts'

const DAY_SECONDS = 24 * 3600

let database: StoryDatabase
let fanfare: Fanfare
let browser: Browser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** A creator who sold a subscription for $100, and who bought it. */
async function sold(): Promise<{ creator: Person; fan: Person }> {
  const [creator, fan] = await Promise.all([joins(fanfare.origin, 'creator'), joins(fanfare.origin, 'fan')])
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const plan = { title: 'Patrons', price: '$100' }
  const created = await apiOf(fanfare.origin, creator).call(routes.createSubscription, { body: plan }, key())
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: created._id, ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
  return { creator, fan }
}

async function financier(): Promise<Person> {
  const person = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'finance' where id = $1", [person.id])
  return person
}

/** Presses the button of a dialog, and confirms the password, which is asked for after 8 days. */
async function confirms({ page }: Window, button: string, person: Person): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await asked.getByLabel('Your password').fill(person.password)
  await asked.getByRole('button', { name: 'Confirm' }).click()
  await asked.waitFor({ state: 'hidden' })
}

test('a creator asks for a payout, an operator sends it to the bank, and both see what became of it', async () => {
  const [{ creator }, operator] = [await sold(), await financier()]
  const own = await openWindow(browser, fanfare.origin, { person: creator })
  await own.open('/dashboard/earnings')
  const balance = own.page.getByRole('region', { name: 'Balance' })
  const figure = (label: string) =>
    balance.locator('div', { has: own.page.locator('dt', { hasText: label }) }).locator('dd')
  await expect.poll(() => figure('Pending').last().textContent()).toBe('$80')
  await own.sees('You can request a payout once $20 is available.')
  expect(await own.page.getByRole('button', { name: 'Request payout' }).count()).toBe(0)

  await own.page.request.post('/sandbox/clock', { data: { advanceSeconds: 8 * DAY_SECONDS } })
  await own.open('/dashboard/earnings')
  await expect.poll(() => figure('Available').last().textContent()).toBe('$80')
  await looksFinished(own)
  await own.page.getByRole('button', { name: 'Request payout' }).click()
  const amount = own.page.getByRole('dialog').getByLabel('Amount')
  await looksFinished(own)
  await amount.fill('90')
  await confirms(own, 'Request payout', creator)
  await own.sees('That’s more than your available balance.')
  await amount.fill('50')
  await own.page.getByRole('dialog').getByRole('button', { name: 'Request payout' }).click()
  await own.sees('Payout of $50 requested')
  const payouts = own.page.getByRole('list', { name: 'Payouts' })
  await payouts.getByText('Requested', { exact: true }).waitFor()
  await expect.poll(() => figure('Being paid out').last().textContent()).toBe('$50')

  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  await desk.open('/dashboard')
  await desk.page.getByRole('link', { name: /^Payouts/ }).click()
  await desk.page.getByRole('button', { name: /^Approve/ }).click()
  await looksFinished(desk)
  const reason = () => desk.page.getByRole('dialog').getByRole('textbox')
  await reason().fill('Checked the sale')
  await confirms(desk, 'Approve', operator)
  await desk.sees('Payout approved')
  await desk.page.getByRole('button', { name: 'Export for bank' }).click()
  await reason().fill('Weekly run')
  const download = desk.page.waitForEvent('download')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(`"${creator.username}"`)
  expect(file).toContain('"50.00","USD"')
  await desk.page.getByRole('button', { name: /^Mark as paid/ }).click()
  await reason().fill('On the statement')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
  await desk.sees('No open payouts')
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByRole('list', { name: 'Payouts' }).getByText('Paid').waitFor()
  await looksFinished(desk)

  await own.open('/dashboard/earnings')
  await payouts.getByText('Paid').waitFor()
  await expect.poll(() => figure('Paid out').last().textContent()).toBe('$50')
  await expect.poll(() => figure('Available').last().textContent()).toBe('$30')
  // The refusals that asked for the password, and for less.
  const complaints = [own, desk].flatMap((window) => window.complaints())
  expect(complaints.filter((complaint) => !/status of (403|409)/.test(complaint))).toEqual([])
})

test('an operator finds a payment, records its dispute, sends the evidence, and refunds another', async () => {
  const [disputed, other, operator] = [await sold(), await sold(), await financier()]
  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  const dialog = desk.page.getByRole('dialog')
  await desk.page.request.post('/sandbox/clock', { data: { advanceSeconds: DAY_SECONDS } })
  await desk.open('/dashboard')
  await desk.page.getByRole('link', { name: /^Payments/ }).click()
  await desk.page.getByRole('list', { name: 'Payments' }).getByText(other.fan.username).waitFor()
  await looksFinished(desk)
  await desk.page.getByLabel('Search payments').fill('nobody-of-this-name')
  await desk.sees('No results for “nobody-of-this-name”')
  await desk.page.getByLabel('Search payments').fill(disputed.fan.username)
  await desk.page.getByRole('link', { name: 'Patrons' }).click()
  await desk.sees('Can be refunded')
  await looksFinished(desk)

  await desk.page.getByRole('button', { name: 'Record dispute' }).click()
  await dialog.getByLabel('Case number').fill('CB-2041')
  await dialog.getByLabel('Note').fill('The bank’s letter')
  await dialog.getByLabel('Respond by').fill('2031-01-15')
  await looksFinished(desk)
  await confirms(desk, 'Record dispute', operator)
  await desk.sees('Dispute recorded')
  await desk.page.getByRole('list', { name: 'Disputes' }).getByText('Open').waitFor()
  await desk.page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' })
  await desk.page.getByRole('link', { name: '$100' }).click()
  await desk.sees('1 dispute for')
  await looksFinished(desk)
  await desk.page.getByRole('button', { name: 'Evidence for case CB-2041' }).click()
  await desk.sees('Terms accepted')
  await looksFinished(desk)
  const download = desk.page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(`Email: ${disputed.fan.email}`)
  await desk.page.keyboard.press('Escape')
  await desk.page.getByRole('button', { name: /^Mark as won/ }).click()
  await dialog.getByRole('textbox').fill('The bank’s second letter')
  await dialog.getByRole('button', { name: 'Mark as won' }).click()
  await desk.sees('No open disputes')

  await desk.open(`/dashboard/payments?search=${other.fan.username}`)
  await desk.page.getByRole('link', { name: 'Patrons' }).click()
  await desk.page.getByRole('button', { name: 'Refund' }).click()
  await looksFinished(desk)
  await dialog.getByLabel('Reason').fill('Charged by mistake')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await desk.sees('$100 refunded')
  await desk.page.getByRole('list', { name: 'Refunds' }).getByText('Charged by mistake').waitFor()
  await desk.page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' })
  expect(desk.complaints().filter((complaint) => !/status of 403/.test(complaint))).toEqual([])
})
