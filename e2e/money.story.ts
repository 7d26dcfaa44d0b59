import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, logIn, type Person } from './people.ts'
import { openWindow, type Window } from './window.ts'

const DAY_SECONDS = 24 * 3600

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
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

/** Says where payouts go; nothing is asked for right after the login. */
async function entersBankDetails(window: Window): Promise<void> {
  const { page } = window
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add bank details' }).click()
  await dialog.getByLabel('Bank’s country').selectOption('DE')
  await dialog.getByLabel('IBAN').waitFor()
  await dialog.getByLabel('Bank’s country').selectOption('US')
  await dialog.getByRole('button', { name: 'Save bank details' }).click()
  for (const wrong of ['Enter the name on the account.', 'Enter 4 to 17 digits.']) await window.sees(wrong)
  await dialog.getByLabel('Account holder').fill('Ada Lovelace')
  await dialog.getByLabel('Routing number').fill('021000022')
  await dialog.getByLabel('Account number').fill('000123456789')
  await dialog.getByRole('button', { name: 'Save bank details' }).click()
  await window.sees('Check the 9 digits of the routing number.')
  await looksFinished(window, 'bank-details')
  await dialog.getByLabel('Routing number').fill('021000021')
  await dialog.getByRole('button', { name: 'Save bank details' }).click()
  await window.sees('Account ending in 6789 · United States')
  await window.sees('payouts to this account start')
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
  await expect.poll(() => figure('Pending').last().textContent()).toBe('$80.00')
  await own.sees('You can request a payout once $20 is available.')
  expect(await own.page.getByRole('button', { name: 'Request payout' }).count()).toBe(0)
  await entersBankDetails(own)

  await own.page.request.post('/sandbox/clock', { data: { advanceSeconds: 8 * DAY_SECONDS } })
  await own.open('/dashboard/earnings')
  await expect.poll(() => figure('Available').last().textContent()).toBe('$80.00')
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
  await expect.poll(() => figure('Being paid out').last().textContent()).toBe('$50.00')

  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  await desk.open('/dashboard')
  const decisions = desk.page.getByRole('region', { name: 'Needs a decision' })
  await decisions.getByRole('link', { name: /payouts? to approve/ }).click()
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
  expect(file).toContain('"Ada Lovelace","US","","","021000021","000123456789"')
  const earlier = desk.page.getByRole('region', { name: 'Earlier exports' })
  await earlier.getByText(`${operator.username} · Weekly run`).waitFor()
  await earlier.getByRole('button', { name: /^Download again/ }).click()
  await reason().fill('The file was lost')
  await looksFinished(desk, 'payout-export-again')
  const again = desk.page.waitForEvent('download')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Download CSV' }).click()
  expect(await readFile(await (await again).path(), 'utf8')).toBe(file)
  await desk.page.getByRole('button', { name: /^Mark as paid/ }).click()
  await reason().fill('On the statement')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
  await desk.sees('No open payouts')
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByRole('list', { name: 'Payouts' }).getByText('Paid').waitFor()
  await looksFinished(desk)

  await own.open('/dashboard/earnings')
  await payouts.getByText('Paid').waitFor()
  await expect.poll(() => figure('Paid out').last().textContent()).toBe('$50.00')
  await expect.poll(() => figure('Available').last().textContent()).toBe('$30.00')

  await desk.page.getByRole('button', { name: /^Mark as returned/ }).click()
  await reason().fill('The account is closed')
  await looksFinished(desk, 'payout-returned')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Mark as returned' }).click()
  await desk.page.getByRole('list', { name: 'Payouts' }).getByText('Returned by bank').waitFor()
  await own.open('/dashboard/earnings')
  await payouts.getByText('Returned by bank').waitFor()
  await payouts.getByText('The account is closed').waitFor()
  await expect.poll(() => figure('Available').last().textContent()).toBe('$80.00')
  await own.open('/dashboard/notifications')
  await own.sees('Your bank sent your payout of $50 back.')

  // Who said so doesn't pay it again alone: another operator is told of it, and approves that.
  const once = { idempotencyKey: crypto.randomUUID() }
  await apiOf(fanfare.origin, creator).call(routes.requestPayout, { body: { amount: '$50' } }, once)
  const other = await openWindow(browser, fanfare.origin, { person: await financier() })
  await other.open('/dashboard/payouts')
  await other.sees(
    `An earlier payout of $50 came back, recorded by ${operator.username} (“The account is closed”).`,
  )
  await looksFinished(other, 'payout-recovered')
  await desk.open('/dashboard/payouts')
  await desk.sees('Someone else with access has to approve this one.')
  await desk.page.getByRole('button', { name: /^Cancel payout/ }).waitFor()
  expect(await desk.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
  await other.page.getByRole('button', { name: /^Approve/ }).click()
  await other.page.getByRole('dialog').getByRole('textbox').fill('It’s on the bank’s statement')
  await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await other.sees('Payout approved')

  // Who deletes their profile is told what that leaves; a payout waits while its person is suspended.
  await own.open('/dashboard/privacy')
  await own.page.getByRole('button', { name: 'DELETE PROFILE' }).click()
  await own.sees('You have $30 available. Deleting your profile doesn’t pay this out.')
  await looksFinished(own, 'delete-with-balance')
  await own.page.getByRole('button', { name: 'Keep it' }).click()
  await database.query(
    "update users set suspended_at = now(), suspension_reason = 'Sold what isn’t theirs' where id = $1",
    [creator.id],
  )
  await other.open('/dashboard/payouts')
  await other.sees('Suspended: nothing is paid out to them until the suspension ends.')
  await other.page.getByRole('list', { name: 'Payouts' }).getByText(creator.username).waitFor()
  await looksFinished(other, 'payout-suspended')
  // The refusals of a mistyped number, that asked for the password, and for less.
  const complaints = [own, desk, other].flatMap((window) => window.complaints())
  expect(complaints.filter((complaint) => !/status of (400|403|409)/.test(complaint))).toEqual([])
})

test('a creator sees where earnings come from, and takes the books along; nobody else gets them', async () => {
  const { creator: seller, fan } = await sold()
  // The month that is sold in must be over, and by then so is the session.
  const visitor = await openWindow(browser, fanfare.origin)
  await visitor.page.request.post('/sandbox/clock', { data: { advanceSeconds: 32 * DAY_SECONDS } })
  const creator = { ...seller, token: await logIn(fanfare.origin, seller) }
  const operator = await financier()
  const own = await openWindow(browser, fanfare.origin, { person: creator })
  await own.open('/dashboard/earnings')
  await own.page.getByLabel('Range').selectOption('90')
  const ranking = (title: string) => own.page.getByRole('list', { name: title })
  await ranking('By source').getByText('Subscriptions').waitFor()
  await ranking('Top items').getByText('Patrons').waitFor()
  await ranking('Top fans').getByText(fan.username).waitFor()
  await looksFinished(own, 'earnings')

  const saved = async (window: Window, press: () => Promise<unknown>) => {
    const download = window.page.waitForEvent('download')
    await press()
    return readFile(await (await download).path())
  }
  await own.page.getByRole('button', { name: 'Download CSV' }).click()
  const dialog = own.page.getByRole('dialog')
  await looksFinished(own, 'transactions-file')
  const csv = await saved(own, () => dialog.getByRole('button', { name: 'Download CSV' }).click())
  expect(csv.toString('utf8')).toMatch(
    /"sale","subscription","Patrons".*"USD","100.00","0.00","20.00","80.00"/,
  )
  const oldest = own.page.getByRole('button', { name: /^PDF of the statement for/ }).last()
  const pdf = await saved(own, () => oldest.click())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  const { items } = await apiOf(fanfare.origin, creator).call(routes.statements, { query: {} })
  const month = items.at(-1)?.month ?? ''
  const stranger = apiOf(fanfare.origin, await joins(fanfare.origin, 'creator'))
  expect(await stranger.send('GET', `/users/statements/${month}`)).toMatchObject({ status: 404 })
  for (const path of ['/users/transactions/csv', '/users/bankdetails', '/users/earnings/breakdown'])
    expect(await stranger.send('GET', path, { query: { userId: creator.id } })).toMatchObject({ status: 403 })

  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  await desk.open('/dashboard/payouts')
  await desk.page.getByRole('button', { name: 'Open a statement' }).click()
  const asked = desk.page.getByRole('dialog')
  await asked.getByLabel('Username').fill(creator.username)
  await asked.getByLabel('Month').fill(month)
  await asked.getByLabel('Reason').fill('Asked by email')
  await looksFinished(desk, 'open-statement')
  // Who has just logged in isn't asked again.
  const again = await saved(desk, () => asked.getByRole('button', { name: 'Download PDF' }).click())
  expect(again.equals(pdf)).toBe(true)
})

test('an operator finds a payment, records its dispute, sends the evidence, and refunds another', async () => {
  const [disputed, other, operator] = [await sold(), await sold(), await financier()]
  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  const dialog = desk.page.getByRole('dialog')
  // What is sold in the hour before midnight is settled a day later.
  await desk.page.request.post('/sandbox/clock', { data: { advanceSeconds: 2 * DAY_SECONDS } })
  await desk.open('/dashboard')
  await desk.page.getByRole('link', { name: /^Payments/ }).click()
  await desk.page.getByRole('table', { name: 'Payments' }).getByText(other.fan.username).waitFor()
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
  // What opened the dialog has gone by its success, as has the row below.
  const heading = desk.page.locator('h1:focus')
  await heading.waitFor()
  await desk.page.getByRole('link', { name: '$100' }).click()
  await desk.sees('1 dispute in')
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
  await heading.waitFor()

  await desk.open(`/dashboard/payments?search=${other.fan.username}`)
  await desk.page.getByRole('link', { name: 'Patrons' }).click()
  await desk.page.getByRole('button', { name: 'Refund' }).click()
  await looksFinished(desk)
  await dialog.getByLabel('Reason').fill('Charged by mistake')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await desk.sees('$100 refunded')
  await desk.page.getByRole('list', { name: 'Refunds' }).getByText('Charged by mistake').waitFor()
  await desk.page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' })
  // The buyer’s bank may still take it back.
  await desk.page.getByRole('button', { name: 'Record dispute' }).click()
  await dialog.getByText('the platform covers what the bank takes').waitFor()
  await looksFinished(desk)
  await desk.page.keyboard.press('Escape')

  await desk.open('/dashboard/payments')
  const status = desk.page.getByLabel('Status')
  const listed = desk.page.getByRole('table', { name: 'Payments' })
  await status.selectOption('Refunded')
  await listed.getByText(disputed.fan.username).waitFor({ state: 'detached' })
  await listed.getByText(other.fan.username).waitFor()
  await looksFinished(desk, 'payments-by-status')
  await status.selectOption('Under review')
  await desk.sees('No payments with the status “Under review”')
  await looksFinished(desk, 'payments-by-status-none')
  expect(desk.complaints().filter((complaint) => !/status of 403/.test(complaint))).toEqual([])
})
