import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
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
  const batches = page.getByRole('list', { name: 'Settled batches' })
  await batches.getByText(/^Batch \d+ · \$12$/).waitFor()
  await batches.getByText('In the books').waitFor()
  await looksFinished(window, 'settlements')
  expect(window.complaints()).toEqual([])
  await window.close()
})

/** Types the password, which is asked for an hour after the log-in. */
async function confirms({ page }: Window, { password }: Person): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await asked.getByLabel('Your password').fill(password)
  await asked.getByRole('button', { name: 'Confirm' }).click()
}

test('a creator brings a subreddit, an operator approves it, and both see what it pays', async () => {
  const [creator, moderator] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const own = await openWindow(browser, fanfare.origin, { person: creator })
  await own.open('/dashboard/sharedrefs')
  await own.page.getByRole('button', { name: 'Bring a subreddit' }).click()
  const dialog = own.page.getByRole('dialog', { name: 'Bring a subreddit' })
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
  await desk.sees('Enter a short reason first.')
  await fields.getByLabel('Reason').fill('Agreed with the moderators')
  await looksFinished(desk, 'subreddit-queue')
  // What was typed stays while other applications are shown.
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByRole('button', { name: 'Needs review', exact: true }).click()
  await fields.getByText('Pays $25 each').waitFor()
  expect(await fields.getByLabel('Reason').inputValue()).toBe('Agreed with the moderators')
  await desk.page.getByRole('link', { name: 'Dashboard' }).first().click()
  await desk.page.getByRole('button', { name: 'Stay here' }).click()
  await passes(1)
  await approve.click()
  await confirms(desk, operator)
  // Left before it is sent by itself, and without a question.
  await desk.page.getByRole('button', { name: 'Undo: r/gardens' }).waitFor()
  await desk.page.getByRole('link', { name: 'Dashboard' }).first().click()
  await desk.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await desk.sees('r/gardens is waiting for a second approval')
  await desk.page.goBack()
  await desk.sees('Nothing to decide')
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
  await confirms(second, other)
  await second.page.getByRole('button', { name: 'Undo: r/gardens' }).waitFor()
  await second.page.getByRole('link', { name: 'Dashboard' }).first().click()
  const earned = () => apiOf(fanfare.origin, moderator).call(routes.balance, { query: {} })
  await waitUntil(async () => (await earned()).pending === '$25')

  await desk.page.reload()
  await desk.page.getByRole('button', { name: 'Share held', exact: true }).click()
  await desk.sees('No shares held')
  await desk.page.getByRole('button', { name: 'All', exact: true }).click()
  await desk.page.getByText('r/gardens · $25 each').waitFor()
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
