import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openWindow } from './window.ts'

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

/** A fan who subscribed for $7 a month, and how its creator changes that. */
async function subscriber(): Promise<{ fan: Person; setPrice: (price: string) => Promise<unknown> }> {
  const [creator, fan] = await Promise.all([joins(fanfare.origin, 'creator'), joins(fanfare.origin, 'fan')])
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const sold = { title: 'Patrons', price: '$7' }
  const created = await apiOf(fanfare.origin, creator).call(routes.createSubscription, { body: sold }, key())
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: created._id, ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
  const setPrice = (price: string) => {
    const body = { ...sold, subscriptionId: created._id, price, chatEnabled: false, mediaIds: [] }
    return apiOf(fanfare.origin, creator).call(routes.editSubscription, { body })
  }
  return { fan, setPrice }
}

test('a fan cancels a subscription, undoes that in its place, and finds the receipt', async () => {
  const { fan: person } = await subscriber()
  const window = await openWindow(browser, fanfare.origin, { person })
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('link', { name: /^Billing/ }).click()
  const subscriptions = page.getByRole('list', { name: 'Subscriptions' })
  await subscriptions.getByText(/^Renews /).waitFor()
  await subscriptions.getByText(/\$7 per month$/).waitFor()
  const receipts = page.getByRole('region', { name: 'Receipts' })
  await receipts.getByText(/Visa 1111$/).waitFor()
  await receipts.getByText('Total spent $7.00').waitFor()
  await looksFinished(window)

  await subscriptions.getByRole('button', { name: 'Cancel Patrons' }).click()
  await looksFinished(window)
  const asked = page.getByRole('dialog', { name: 'Cancel Patrons?' })
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await asked.waitFor({ state: 'hidden' })
  await subscriptions.getByText(/^Renews /).waitFor()
  await subscriptions.getByRole('button', { name: 'Cancel Patrons' }).click()
  await asked.getByRole('button', { name: 'Cancel subscription' }).click()
  await subscriptions.getByText(/^Access until .* You won’t be charged again\.$/).waitFor()
  expect(await subscriptions.getByRole('button', { name: 'Cancel Patrons' }).count()).toBe(0)
  const renewing = page.getByRole('region', { name: 'Cards' }).getByText(/Renews Patrons/)
  await renewing.waitFor({ state: 'detached' })
  await looksFinished(window)

  await subscriptions.getByRole('button', { name: 'Resume Patrons' }).click()
  await subscriptions.getByText(/^Renews /).waitFor()
  await renewing.waitFor()
  expect(await subscriptions.getByRole('button', { name: 'Resume Patrons' }).count()).toBe(0)
  expect(window.complaints()).toEqual([])
})

test('a fan who canceled reads what they would pay since the price fell, and resumes for that', async () => {
  const { fan, setPrice } = await subscriber()
  const api = apiOf(fanfare.origin, fan)
  const { items } = await api.call(routes.ownSubscriptions, { query: {} })
  await api.call(routes.cancelSubscription, { body: { subscriptionId: items[0]?._id ?? '' } })
  await setPrice('$5')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/billing')
  const subscriptions = page.getByRole('list', { name: 'Subscriptions' })
  await subscriptions
    .getByText(/^Access until .* If you resume it, you’ll pay \$5 per month from then on\.$/)
    .waitFor()
  await looksFinished(window)
  await subscriptions.getByRole('button', { name: 'Resume Patrons' }).click()
  await subscriptions.getByText(/^Changes to \$5 per month on /).waitFor()
  expect(window.complaints()).toEqual([])
})
