import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { gatewayCaptures, gatewayTransactions, planFault, reviewHeld } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, fillCard, payButton, payByCard } from './paying.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { waitUntil } from './waiting.ts'
import { openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
})

afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const CHECKED = 'Your payment is being checked'
const PAID = 'Processed Transaction'

/** A new fan before the purchase dialog of the single. */
async function fanAtTheDialog(): Promise<{ fan: Person; window: Window }> {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await opensDialog(window)
  return { fan, window }
}

async function opensDialog(window: Window): Promise<void> {
  await window.open(`/users/${shop.creator.username}?tab=singles`)
  await window.page.getByRole('button', { name: 'Buy Morning light' }).click()
  await window.page.getByRole('dialog').waitFor()
}

/** How often this fan was charged, at the gateway and here, and whether they have what they paid for. */
async function accounts(fan: Person) {
  const payments = await database.query<{ reference: string; status: string }>(
    'select reference, status from payments where buyer_id = $1 order by created_at',
    [fan.id],
  )
  const references = new Set(payments.map(({ reference }) => reference))
  const captures = await gatewayCaptures(gateway())
  const { locked } = await apiOf(fanfare.origin, fan).call(routes.media, { params: { mediaId: shop.single } })
  return {
    charged: captures.filter(({ invoiceNumber }) => references.has(invoiceNumber)).length,
    payments: payments.map(({ status }) => status),
    has: !locked,
  }
}

const gateway = () => ({ sandboxOrigin: fanfare.origin })

test('without the terms nothing is sent, and it says so', async () => {
  const { fan, window } = await fanAtTheDialog()
  await fillCard(window.page, CARDS.approved)
  await window.page.getByRole('checkbox', { name: /Terms of Service/ }).uncheck()
  await payButton(window.page).click()
  await window.sees('Please agree to the terms first.')
  const focused = await window.page.evaluate(() => {
    const { activeElement } = document
    const describedBy = activeElement?.getAttribute('aria-describedby') ?? ''
    return [activeElement?.getAttribute('type'), document.getElementById(describedBy)?.textContent]
  })
  expect(focused).toEqual(['checkbox', 'Please agree to the terms first.'])
  expect(await accounts(fan)).toEqual({ charged: 0, payments: [], has: false })
  await window.close()
})

test('a payment held for review says so, grants nothing, and unlocks by itself once approved', async () => {
  const { fan, window } = await fanAtTheDialog()
  await payByCard(window.page, CARDS.held)
  await window.sees(CHECKED)
  await window.sees('Your payment is under review.')
  expect(await accounts(fan)).toEqual({ charged: 0, payments: ['held'], has: false })

  const held = (await gatewayTransactions(gateway())).find(
    ({ status }) => status === 'FDSAuthorizedPendingReview',
  )
  await reviewHeld(gateway(), held?.transId ?? '', 'approve')
  await database.runSoon('purchases.recover')
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await window.close()
})

test('a charge whose answer was lost is looked up, never sent again', async () => {
  const { fan, window } = await fanAtTheDialog()
  // The look-up also comes every minute by itself, and can't end before it may grant.
  const lookUp = await database.lockTable('entitlements')
  onTestFinished(await planFault(gateway(), { call: 'createTransactionRequest', effect: 'resetAfter' }))
  await payByCard(window.page, CARDS.approved)
  await window.sees(CHECKED)
  await window.sees('You will not be charged twice.')
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['unknown'], has: false })

  await opensDialog(window)
  await window.sees(CHECKED)
  expect(await payButton(window.page).count()).toBe(0)
  await lookUp()
  await database.runSoon('purchases.recover')
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await window.close()
})

test('a gateway that is down charges nothing, and is told plainly', async () => {
  const { fan, window } = await fanAtTheDialog()
  onTestFinished(
    await planFault(gateway(), { call: 'createTransactionRequest', effect: 'serverErrorBefore' }),
  )
  await payByCard(window.page, CARDS.approved)
  await window.sees(CHECKED)
  await window.sees(
    'The payment service hasn’t answered yet. We’ll keep checking. You will not be charged twice.',
  )
  expect(await accounts(fan)).toEqual({ charged: 0, payments: ['unknown'], has: false })
  await window.close()
})

test('a gateway that refuses says so at once, and the next try pays', async () => {
  const { fan, window } = await fanAtTheDialog()
  onTestFinished(await planFault(gateway(), { call: 'createTransactionRequest', effect: 'tokenExpired' }))
  await payByCard(window.page, CARDS.approved)
  await window.sees('Your card details have expired. You have not been charged. Please enter them again.')
  await payByCard(window.page, CARDS.approved)
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['refused', 'captured'], has: true })
  await window.close()
})

test('a reload in the middle of a payment finds it again, it is made once, and every tab shows what was bought', async () => {
  const { fan, window } = await fanAtTheDialog()
  const other = await openWindow(browser, fanfare.origin, { person: fan })
  await other.open(`/users/${shop.creator.username}?tab=singles`)
  const buy = other.page.getByRole('button', { name: 'Buy Morning light' })
  await buy.waitFor()
  // The gateway takes the money at once; what it was taken for can't be granted yet.
  const grant = await database.lockTable('entitlements')
  await payByCard(window.page, CARDS.approved)
  await waitUntil(async () => (await accounts(fan)).payments[0] === 'submitting')
  await opensDialog(window)
  await window.sees(CHECKED)
  await grant()
  await window.sees(PAID)
  await buy.waitFor({ state: 'detached' })
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  expect(other.complaints()).toEqual([])
  await Promise.all([window.close(), other.close()])
})

test('a price that changed meanwhile is shown, and paid once it was seen', async () => {
  const { fan, window } = await fanAtTheDialog()
  const costs = async (cents: number) => {
    await database.query('update media set price_cents = $1 where id = $2', [cents, shop.single])
  }
  onTestFinished(() => costs(450))
  await costs(700)
  await fillCard(window.page, CARDS.approved)
  await payButton(window.page).click()
  await window.sees('The price has changed. Please review it before you buy.')
  await window.page.getByRole('dialog').getByRole('button', { name: 'Pay $7', exact: true }).waitFor()
  expect(await accounts(fan)).toEqual({ charged: 0, payments: [], has: false })
  await payByCard(window.page, CARDS.approved)
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await window.close()
})

test('what the viewer shows locked is bought there', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open(`/users/${shop.creator.username}`)
  const tiles = page.getByRole('region', { name: /^Media of/ }).locator('[data-media-id]')
  const ids = await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute('data-media-id')))
  await page.locator(`[data-media-id="${shop.free}"] button`).first().click()
  await page.locator('.pswp__counter').waitFor()
  await page.keyboard.press('Home')
  for (let at = ids.indexOf(shop.single); at > 0; at--) await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Unlock for $4.50' }).click()
  await page.getByRole('dialog', { name: 'Buy' }).waitFor()
  await payByCard(page, CARDS.approved)
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('the shop invites to sell singles only where there are none', async () => {
  const invitation = 'Sell one item at a time'
  const own = await openWindow(browser, fanfare.origin, { person: shop.creator })
  await own.open('/dashboard/premiumcontentmanagement')
  await own.sees('Morning light')
  expect(await own.page.getByText(invitation).count()).toBe(0)
  await own.close()
  const other = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'creator') })
  await other.open('/dashboard/premiumcontentmanagement')
  await other.sees(invitation)
  await other.close()
})

test('a purchase asks once for what it changes, and for nothing else', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const [fansApi, creatorsApi] = [apiOf(fanfare.origin, fan), apiOf(fanfare.origin, shop.creator)]
  const wish = { creatorId: shop.creator.id, requestMessage: 'A song', maxMinutes: 5, pricePerMinute: '$4' }
  const { _id: requestId } = await fansApi.call(routes.createCustomRequest, { body: wish })
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const counted = page.waitForResponse((response) => response.url().includes('/notifications/unread'))
  await window.open(`/users/${shop.creator.username}?tab=singles`)
  await counted
  // Connected, a page asks anew for what it shows; what happens now it hears of only once it is.
  await creatorsApi.call(routes.declineCustomRequest, { body: { requestId } })
  await page.getByRole('button', { name: 'Notifications, 1 unread', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await page.getByRole('dialog').waitFor()
  await fillCard(page, CARDS.approved)
  await window.settled()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/')) asked.push(pathname.slice('/api'.length))
  })
  await payButton(page).click()
  await window.sees(PAID)
  await window.settled()
  expect(asked.toSorted()).toEqual(['/media/profile', '/media/purchasablemedia'])
  await window.close()
})

test('pays while the operator’s settings can’t be loaded', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.page.route('**/api/config', (route) => route.abort())
  await opensDialog(window)
  await payByCard(window.page, CARDS.approved)
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await window.close()
})

test('a double click pays once', async () => {
  const { fan, window } = await fanAtTheDialog()
  await fillCard(window.page, CARDS.approved)
  await payButton(window.page).dblclick({ noWaitAfter: true })
  await window.sees(PAID)
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await window.close()
})

test('two tabs that pay at once pay once', async () => {
  const { fan, window } = await fanAtTheDialog()
  const other = await openWindow(browser, fanfare.origin, { person: fan })
  await opensDialog(other)
  await Promise.all([window, other].map(({ page }) => fillCard(page, CARDS.approved)))
  await Promise.all([window, other].map(({ page }) => payButton(page).click()))
  await waitUntil(async () => (await accounts(fan)).has)
  await Promise.all(
    [window, other].map(({ page }) =>
      page
        .getByRole('dialog')
        .getByText(/Processed Transaction|You already have this|still checking|being checked/)
        .first()
        .waitFor(),
    ),
  )
  expect(await accounts(fan)).toEqual({ charged: 1, payments: ['captured'], has: true })
  await Promise.all([window.close(), other.close()])
})

test('a visitor who wants to tip the operator signs up first, and a fan does it in three clicks', async () => {
  const operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  const visitor = await openWindow(browser, fanfare.origin)
  await visitor.open('/donate')
  await visitor.page.getByRole('link', { name: 'Sign up to send a tip' }).click()
  await visitor.page.waitForURL('**/signup')
  await visitor.open('/donate')
  await visitor.page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await visitor.page.waitForURL('**/login')
  await visitor.close()

  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.open('/donate')
  await window.page.getByRole('button', { name: 'Send a tip' }).click()
  // It opens before it has its name.
  await window.page.getByRole('dialog', { name: /./ }).waitFor()
  await looksFinished(window, 'donate')
  await window.page.getByRole('dialog').getByRole('button', { name: 'Tip $10' }).click()
  await payByCard(window.page, CARDS.approved)
  await window.sees('Thank you! Fanfare got your tip.')
  const { pending } = await apiOf(fanfare.origin, operator).call(routes.balance, { query: {} })
  // All of it is the platform's.
  expect(pending).toBe('$0')
  expect(window.complaints()).toEqual([])
  await window.close()
})
