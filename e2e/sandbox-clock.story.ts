import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken, gatewayCaptures } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { axeViolations } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { waitUntil } from './waiting.ts'
import { DESK, openWindow, PHONE } from './window.ts'

const DAY_MS = 24 * 3600 * 1000
/** The page ends by itself, with its buttons back or a failure; how soon is the machine's. */
const AS_LONG_AS_IT_TAKES = { timeout: 0 }

let fanfare: Fanfare
let browser: StoryBrowser
beforeAll(async () => {
  ;[fanfare, browser] = await Promise.all([startFanfare(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
})

/** Subscribes to a creator at $7 a month by a card that is stored since. */
async function subscribes(): Promise<void> {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const plan = { title: 'Patrons', price: '$7' }
  const { _id } = await apiOf(fanfare.origin, creator).call(routes.createSubscription, { body: plan }, key())
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: _id, ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
}

test('a person moves the sandbox’s time, and sees its renewals happen', async () => {
  await subscribes()
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await page.goto(`${fanfare.origin}/sandbox/authorizenet/`)
  await page.getByRole('link', { name: 'Clock' }).click()
  await page.getByRole('heading', { name: 'Sandbox clock' }).waitFor()
  const row = (what: string) => page.getByRole('row', { name: what })
  const arrives = () => page.getByRole('button', { name: '+1 year' }).waitFor(AS_LONG_AS_IT_TAKES)

  // It says how far it is while it is on its way.
  const told = page.waitForFunction(() => {
    const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent.trim())
    const name = document.querySelector('progress')?.labels[0]?.textContent
    return name?.startsWith('On the way to ') && !buttons.includes('+1 year')
  })
  await Promise.all([told, page.getByRole('button', { name: '+1 month' }).click()])
  await arrives()
  // What a slow machine hasn’t done by the end of the last day it says when it is looked at again.
  await waitUntil(async () => {
    if ((await row('Renewals charged 1 $7').count()) > 0) return true
    await page.reload()
    return false
  })
  await row('Renewals declined 0').waitFor()
  await row('Subscriptions that ended 0').waitFor()
  await row('Differences found 0').waitFor()
  expect(await gatewayCaptures({ sandboxOrigin: fanfare.origin })).toHaveLength(2)

  const now = await page.getByRole('time').getAttribute('datetime')
  const later = new Date(Date.parse(now ?? '') + 2 * DAY_MS).toISOString().slice(0, 10)
  await page.getByLabel('To a date').fill(later)
  await page.getByRole('button', { name: 'Go' }).click()
  await page.locator(`time[datetime^="${later}"]`).waitFor(AS_LONG_AS_IT_TAKES)
  await arrives()
  await row('Renewals charged 0 $0').waitFor()
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(window)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  expect(window.complaints()).toEqual([])
  await window.close()
})
