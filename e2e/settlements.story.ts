import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { centsOf } from '../contract/money.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, logIn, type Person } from './people.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

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

const key = () => ({ idempotencyKey: crypto.randomUUID() })

async function financier(): Promise<Person> {
  const person = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'finance' where id = $1", [person.id])
  return person
}

/** Moves the sandbox's clock, which has what comes by itself done next. */
const passes = (hours: number) =>
  fetch(`${fanfare.origin}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: hours * 3600 }),
  })

test('an operator sees what the gateway settled reach the books', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const plan = { title: 'Patrons', price: '$12' }
  const { _id } = await apiOf(fanfare.origin, creator).call(routes.createSubscription, { body: plan }, key())
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: _id, ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
  const operator = await financier()
  const window = await openWindow(browser, fanfare.origin, { person: operator })
  const { page } = window
  await window.open('/dashboard/payments')
  await page.getByRole('link', { name: 'Settled batches' }).click()
  await window.sees('No settled batches yet')
  await looksFinished(window, 'no-settlements')

  await fetch(`${fanfare.origin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  await passes(2)
  const api = apiOf(fanfare.origin, { token: await logIn(fanfare.origin, operator) })
  await waitUntil(async () => (await api.call(routes.settlements, { query: {} })).items.length > 0)
  await page.reload()
  const batches = page.getByRole('table', { name: 'Settled batches' })
  await batches.getByRole('row').filter({ hasText: '$12' }).getByText('In the books').waitFor()
  const cut = await batches
    .locator('th, td')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    )
  expect(cut).toEqual([])
  await looksFinished(window, 'settlements')
  expect(window.complaints()).toEqual([])
  await window.close()
})

/** Types the password, which is asked for an hour after the login. */
async function confirms({ page }: Window, { password }: Person): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await asked.getByLabel('Your password').fill(password)
  await asked.getByRole('button', { name: 'Confirm' }).click()
}

test('what a bill says is entered by one operator, approved by another, and then in the books', async () => {
  const [operator, other] = [await financier(), await financier()]
  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  await desk.open('/dashboard/settlements')
  await desk.page.getByRole('link', { name: 'Books' }).click()
  await desk.sees('No adjustments yet')
  await looksFinished(desk, 'no-adjustments')
  const bank = async ({ page }: Window) => {
    const accounts = page.getByRole('region', { name: 'Accounts' })
    const shown = await accounts.locator('dt', { hasText: 'Bank account' }).locator('+ dd').innerText()
    // As the wire has it.
    return shown.replace('−', '-')
  }
  const before = centsOf(await bank(desk))

  await desk.page.getByRole('button', { name: 'New adjustment' }).click()
  const dialog = desk.page.getByRole('dialog', { name: 'New adjustment' })
  await dialog.getByLabel('From').selectOption('Processor fees')
  // What was chosen for the other side makes room.
  expect(await dialog.getByLabel('To').inputValue()).toBe('bank')
  await dialog.getByLabel('From').selectOption('Bank account')
  await dialog.getByRole('button', { name: 'Enter adjustment' }).click()
  await dialog.getByText('Enter an amount like $4 or $4.50.').waitFor()
  await dialog.getByText('Which accounts to choose').click()
  await looksFinished(desk, 'new-adjustment')
  await dialog.getByLabel('Amount').fill('41.17')
  await dialog.getByLabel('Document number').fill('INV-2031')
  await dialog.getByLabel('Document date').fill('2026-01-31')
  await dialog.getByLabel('Reason').fill('The processor’s bill of January')
  await passes(1)
  await dialog.getByRole('button', { name: 'Enter adjustment' }).click()
  await confirms(desk, operator)
  await desk.sees('Waiting for a second approval')
  const list = desk.page.getByRole('list', { name: 'Adjustments' })
  await list.getByText('Bank account to processor fees · $41.17').waitFor()
  await list.getByRole('button', { name: 'Take back, INV-2031' }).waitFor()
  expect(await list.getByRole('button', { name: 'Approve, INV-2031' }).count()).toBe(0)

  const second = await openWindow(browser, fanfare.origin, { person: other })
  await second.open('/dashboard')
  await second.page.getByRole('link', { name: /^Books/ }).click()
  await second.page.getByRole('button', { name: 'To approve', exact: true }).click()
  await second.sees('Waiting for approval')
  await looksFinished(second, 'adjustment-to-approve')
  await second.page.getByRole('button', { name: 'Approve, INV-2031' }).click()
  const question = second.page.getByRole('dialog', { name: 'Approve the adjustment of $41.17?' })
  await question.getByLabel('Reason').fill('As on the paper')
  await looksFinished(second, 'approve-adjustment')
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  await confirms(second, other)
  await second.sees('Nothing to approve')
  await waitUntil(async () => centsOf(await bank(second)) === before - 4117)

  // The same document can't be entered again.
  await desk.page.getByRole('button', { name: 'New adjustment' }).click()
  await dialog.getByLabel('Amount').fill('41.17')
  await dialog.getByLabel('Document number').fill('inv-2031')
  await dialog.getByLabel('Document date').fill('2026-01-31')
  await dialog.getByLabel('Reason').fill('The processor’s bill of January')
  await dialog.getByRole('button', { name: 'Enter adjustment' }).click()
  await dialog
    .getByText(
      'This document is already in the list. If it’s waiting for approval, ask someone else to approve it. For a different line of the document, add the line, as in INV-7/2.',
    )
    .waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await desk.page.reload()
  await list.getByText(`Approved by ${other.username}: “As on the paper”`).waitFor()
  const month = desk.page.getByRole('region', { name: 'By month' })
  await month.getByText('Platform earned').waitFor()
  await looksFinished(desk, 'books')
  const saving = desk.page.waitForEvent('download')
  await desk.page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await readFile(await (await saving).path(), 'utf8')
  expect(file).toContain('"2026-01-31","INV-2031","bank","processor_fees","41.17","USD","posted"')
  // That a decision asks for the password first, and a document twice is refused, are answers, too.
  const complaints = [desk, second].flatMap((window) => window.complaints())
  expect(complaints.filter((complaint) => !/status of (403|409)/.test(complaint))).toEqual([])
  for (const window of [desk, second]) await window.close()
})

test('a creator brings a subreddit, an operator approves it, and both see what it pays', async () => {
  const [creator, moderator] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const own = await openWindow(browser, fanfare.origin, { person: creator })
  await own.open('/dashboard/sharedrefs')
  await own.page.getByRole('button', { name: 'Refer a subreddit' }).click()
  const dialog = own.page.getByRole('dialog', { name: 'Refer a subreddit' })
  await dialog.getByLabel('Subreddit').fill('/r/Gardens')
  await dialog.getByLabel('Subscribers').fill('900')
  await dialog.getByRole('button', { name: 'Send application' }).click()
  await dialog.getByText('A subreddit needs at least 1,000 subscribers.').waitFor()
  await looksFinished(own, 'bring-subreddit')
  await dialog.getByLabel('Subscribers').fill('2,500')
  await dialog.getByRole('button', { name: 'Send application' }).click()
  await own.sees('Application sent')
  const subreddits = own.page.getByRole('list', { name: 'Subreddits' })
  await subreddits.getByText('r/gardens').waitFor()
  await subreddits.getByText('In review').waitFor()

  const [operator, other] = [await financier(), await financier()]
  const desk = await openWindow(browser, fanfare.origin, { person: operator })
  await desk.open('/dashboard/subredditprogram')
  const fields = desk.page.getByRole('group', { name: 'r/gardens' })
  await fields.getByLabel('Moderator’s username').fill(moderator.username)
  await fields.getByLabel('Restrictions').fill('As long as our link stands in the sidebar.')
  await fields.getByLabel('Subscribers to pay for').fill('2,500')
  const approve = desk.page.getByRole('button', { name: 'Approve: r/gardens' })
  await approve.click()
  await desk.sees('Enter a reason first.')
  await fields.getByLabel('Reason').fill('Agreed with the moderators')
  await looksFinished(desk, 'subreddit-queue')
  // What was typed stays while other applications are shown.
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByRole('button', { name: 'Needs review', exact: true }).click()
  await fields.getByText('Pays $25.00 each').waitFor()
  expect(await fields.getByLabel('Reason').inputValue()).toBe('Agreed with the moderators')
  await desk.page.getByRole('link', { name: 'Dashboard' }).first().click()
  await desk.page.getByRole('button', { name: 'Stay here' }).click()
  await passes(1)
  await approve.click()
  // Left before it is sent by itself, and without a question.
  await Promise.all([
    desk.page.getByRole('button', { name: 'Undo: r/gardens' }).waitFor(),
    confirms(desk, operator),
  ])
  await desk.page.getByRole('link', { name: 'Dashboard' }).first().click()
  // The message goes after a few seconds, whether the page is there by then or not.
  await Promise.all([
    desk.sees('r/gardens is waiting for a second approval'),
    desk.page.getByRole('heading', { name: /^Hello/ }).waitFor(),
  ])
  await desk.page.goBack()
  await desk.sees('No applications to review')
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByText(`Approved by ${operator.username}, waiting for a second approval`).waitFor()

  const second = await openWindow(browser, fanfare.origin, { person: other })
  await second.open('/dashboard/subredditprogram')
  await second.page.getByText(`Approved by ${operator.username}: “Agreed with the moderators”`).waitFor()
  const same = second.page.getByRole('group', { name: 'r/gardens' })
  expect(await same.getByLabel('Moderator’s username').inputValue()).toBe(moderator.username)
  await same.getByLabel('Reason').fill('The modmail says so, too')
  await looksFinished(second, 'subreddit-second-person')
  await second.page.getByRole('button', { name: 'Approve: r/gardens' }).click()
  await Promise.all([
    second.page.getByRole('button', { name: 'Undo: r/gardens' }).waitFor(),
    confirms(second, other),
  ])
  await second.page.getByRole('link', { name: 'Dashboard' }).first().click()
  const earned = () => apiOf(fanfare.origin, moderator).call(routes.balance, { query: {} })
  await waitUntil(async () => (await earned()).pending === '$25')

  await desk.page.reload()
  await desk.page.getByRole('button', { name: 'Share held', exact: true }).click()
  await desk.sees('No shares held')
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByText('r/gardens · $25.00 each').waitFor()
  await looksFinished(desk, 'subreddit-program')

  await own.page.reload()
  await subreddits.getByText('Approved').waitFor()
  await subreddits.getByText('As long as our link stands in the sidebar.').waitFor()
  await subreddits.getByText('$25').waitFor()
  await looksFinished(own, 'own-subreddits')
  await own.page.getByRole('button', { name: 'Notifications' }).click()
  await own.sees('r/gardens was approved. You earn $25.')
  // That a decision asks for the password first is an answer, too.
  const complaints = [own, desk, second].flatMap((window) => window.complaints())
  expect(complaints.filter((complaint) => !/status of 403/.test(complaint))).toEqual([])
  for (const window of [own, desk, second]) await window.close()
})
