import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken, gatewayCaptures, planFault } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { applyLook, looksFinished } from './looks.ts'
import { CARDS, cardFrame, payByCard, showCardFields, typeCard } from './paying.ts'
import { apiOf, joins, type Person } from './people.ts'
import { DESK, openWindow, PHONE } from './window.ts'

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

const MASTERCARD = '5424000000000015'
const gateway = () => ({ sandboxOrigin: fanfare.origin })
const key = () => ({ idempotencyKey: crypto.randomUUID() })

/** A creator with these subscriptions on sale, $7 a month each. */
async function seller(...titles: string[]): Promise<{ creator: Person; planIds: string[] }> {
  const creator = await joins(fanfare.origin, 'creator')
  const planIds: string[] = []
  for (const title of titles) {
    const body = { title, price: '$7' }
    const { _id } = await apiOf(fanfare.origin, creator).call(routes.createSubscription, { body }, key())
    planIds.push(_id)
  }
  return { creator, planIds }
}

/** A fan who subscribed, by a card that is stored since. */
async function subscriber(planId: string | undefined): Promise<Person> {
  const fan = await joins(fanfare.origin, 'fan')
  const token = await cardToken(gateway())
  const body = { kind: 'subscription' as const, itemId: planId ?? '', ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
  return fan
}

/** How often the gateway has money of this fan's. */
async function chargesOf(fan: Person): Promise<number> {
  const payments = await database.query<{ reference: string }>(
    'select reference from payments where buyer_id = $1',
    [fan.id],
  )
  const captures = await gatewayCaptures(gateway())
  return captures.filter(({ invoiceNumber }) => payments.some(({ reference }) => reference === invoiceNumber))
    .length
}

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])('a fan pays again with a stored card in one tap, on %s', async (_name, viewport) => {
  const { creator, planIds } = await seller('Patrons', 'Gold')
  const fan = await subscriber(planIds[0])
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport })
  const { page } = window
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: 'Subscribe to Gold' }).first().click()
  const pay = page.getByRole('dialog').getByRole('button', { name: 'Visa 1111 · Pay $7' })
  await pay.click()
  await window.sees('Please agree to the terms first.')
  await page.locator('input[type=checkbox][aria-invalid=true]:focus').waitFor()
  expect(await chargesOf(fan)).toBe(1)
  expect(await page.locator('iframe[title="Card details"]').count()).toBe(0)
  await page.getByRole('checkbox', { name: /Terms of Service/ }).check()
  await looksFinished(window)
  await applyLook(window, { viewport, colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Use another card' }).click()
  await cardFrame(page).getByLabel('Card number').waitFor()
  await page.getByRole('button', { name: 'Pay with Visa 1111' }).click()
  await pay.click()
  await window.sees('Processed Transaction')
  expect(await chargesOf(fan)).toBe(2)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('who has as many cards as can be saved is told that another one isn’t', async () => {
  const operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  const { planIds } = await seller('Patrons')
  const fan = await subscriber(planIds[0])
  await database.query(
    `insert into stored_cards (user_id, customer_profile_id, payment_profile_id, brand, last_four, created_at, used_at)
      select $1::uuid, $1::uuid::text, count::text, 'Visa', '000' || count, now() - interval '1 day', now() - interval '1 day'
      from generate_series(0, 8) as count`,
    [fan.id],
  )
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/donate')
  await page.getByRole('button', { name: 'Send a tip' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Tip $10' }).click()
  await showCardFields(page)
  await window.sees('You have 10 saved cards, so this one won’t be saved.')
  expect(await page.getByRole('checkbox', { name: /Save this card/ }).count()).toBe(0)
  await looksFinished(window)
  await payByCard(page, MASTERCARD)
  await window.sees('Thank you! Fanfare got your tip.')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a refused payment leaves the keyboard where it was', async () => {
  const { creator, planIds } = await seller('Patrons', 'Gold')
  const window = await openWindow(browser, fanfare.origin, { person: await subscriber(planIds[0]) })
  const { page } = window
  await page.route('**/api/users/purchase', (route) =>
    route.fulfill({ status: 402, json: { error: 'Your bank said no.', code: 'card_declined' } }),
  )
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: 'Subscribe to Gold' }).first().click()
  const dialog = page.getByRole('dialog')
  const terms = dialog.getByRole('checkbox', { name: /Terms of Service/ })
  await terms.check()
  await dialog.getByRole('button', { name: 'Visa 1111 · Pay $7' }).press('Enter')
  await window.sees('Your bank said no.')
  await dialog.locator('button:focus').getByText('Visa 1111 · Pay $7').waitFor()
  // The checkbox can't keep it while it can't be changed.
  await terms.press('Enter')
  await dialog.locator('button:focus').getByText('Visa 1111 · Pay $7').waitFor()
  await window.close()
})

test('Billing that was read before a purchase shows what was bought', async () => {
  const { creator, planIds } = await seller('Patrons', 'Gold')
  const window = await openWindow(browser, fanfare.origin, { person: await subscriber(planIds[0]) })
  const { page } = window
  const subscriptions = page.getByRole('list', { name: 'Subscriptions' })
  await window.open(`/users/${creator.username}`)
  // From here on by links alone: what was read stays in the page.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: /^Billing/ }).click()
  await subscriptions.getByText('Patrons').first().waitFor()
  await page.goBack()
  await page.getByRole('link', { name: /^Billing/ }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Subscribe to Gold' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /Terms of Service/ }).check()
  await dialog.getByRole('button', { name: 'Visa 1111 · Pay $7' }).click()
  await window.sees('Processed Transaction')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: /^Billing/ }).click()
  await subscriptions.getByText('Gold').first().waitFor()
  await window.close()
})

test('a fan adds a card, renews with it, replaces it and removes it', async () => {
  const { planIds } = await seller('Patrons')
  const fan = await subscriber(planIds[0])
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/billing')
  const cards = page.getByRole('list', { name: 'Cards' })
  const dialog = page.getByRole('dialog')
  await cards.getByText(/Renews Patrons$/).waitFor()

  await page.getByRole('button', { name: 'Add card' }).click()
  await dialog.getByText('Your bank checks the card. You won’t be charged.').waitFor()
  await cardFrame(page).getByLabel('Card number').waitFor()
  await looksFinished(window)
  await typeCard(page, CARDS.declined)
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await window.sees('Your card was declined. You have not been charged. Try another card.')
  expect(await cards.getByRole('listitem').count()).toBe(1)
  await dialog.locator('button:focus').getByText('Save card').waitFor()
  await typeCard(page, MASTERCARD)
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await cards.getByText('Mastercard 0015').waitFor()
  await looksFinished(window)

  await page.getByRole('button', { name: 'Use for renewals: Mastercard 0015' }).click()
  await page
    .getByRole('list', { name: 'Subscriptions' })
    .getByText(/with Mastercard 0015$/)
    .waitFor()
  await page.getByRole('button', { name: 'Remove Visa 1111' }).click()
  await dialog.getByText('You can’t pay with it anymore.').waitFor()
  await dialog.getByRole('button', { name: 'Remove card' }).click()
  await cards.getByText('Visa 1111').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Replace Mastercard 0015' }).click()
  await typeCard(page, '4007000000027')
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await cards.getByText('Visa 0027').waitFor()
  await cards.getByText('Mastercard 0015').waitFor({ state: 'detached' })
  await cards.getByText(/Expires 12\/39\s· Renews Patrons$/).waitFor()

  await page.getByRole('button', { name: 'Remove Visa 0027' }).click()
  await dialog.getByText(/^Patrons won’t renew until you choose another card/).waitFor()
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Remove card' }).click()
  await window.sees('No saved cards')
  await window.sees(/^No card to renew with/)
  await page.getByRole('button', { name: 'Update card for Patrons' }).waitFor()
  await looksFinished(window)
  expect(await chargesOf(fan)).toBe(1)
  await window.close()
})

test('a card whose answer is lost is asked for again as the same one, or another one is typed', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  const cards = page.getByRole('list', { name: 'Cards' })
  const dialog = page.getByRole('dialog')
  const number = cardFrame(page).getByLabel('Card number')
  const keys: string[] = []
  /** The next card reaches the server or doesn't; its answer never comes. */
  const losesAnswer = async (arrives: boolean) => {
    await page.route(
      '**/api/users/cards',
      async (route) => {
        if (arrives) await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  }
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/users/cards'))
      keys.push(request.headers()['idempotency-key'] ?? '')
  })
  await window.open('/dashboard/billing')
  await page.getByRole('button', { name: 'Add card' }).click()
  await losesAnswer(true)
  await typeCard(page, CARDS.approved)
  await dialog.getByRole('button', { name: 'Save card' }).click()
  const again = dialog.getByRole('button', { name: 'Check again' })
  await again.waitFor()
  // What is stored is what was sent: nothing else can be typed meanwhile.
  expect(await number.isDisabled()).toBe(true)
  await looksFinished(window)
  await again.click()
  await cards.getByText('Visa 1111').waitFor()
  expect([await cards.getByRole('listitem').count(), new Set(keys).size, keys.length]).toEqual([1, 1, 2])

  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add card' }).click()
  await losesAnswer(false)
  await typeCard(page, '4007000000027')
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await again.waitFor()
  await dialog.getByRole('button', { name: 'Use another card' }).click()
  await expect.poll(() => number.isEnabled()).toBe(true)
  await cardFrame(page).locator('input:focus').waitFor()
  await typeCard(page, MASTERCARD)
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await cards.getByText('Mastercard 0015').waitFor()
  expect(await cards.getByText('Visa 0027').count()).toBe(0)
  expect([new Set(keys).size, keys.length]).toEqual([3, 4])
  await window.close()
})

test('a past-due subscription is mended by a new card, charged at once', async () => {
  const { creator, planIds } = await seller('Patrons')
  const fan = await subscriber(planIds[0])
  onTestFinished(await planFault(gateway(), { call: 'createTransactionRequest', effect: 'lostOrStolen' }))
  await database.query(
    "update subscriptions set anchor_at = now() - interval '5 days', current_period_end = now() - interval '5 days', renewal_due_at = now() where fan_id = $1",
    [fan.id],
  )
  await database.runSoon('renewals.charge')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await expect
    .poll(async () => {
      await window.open('/dashboard/billing')
      return page.getByText('Past due', { exact: true }).count()
    })
    .toBe(1)
  expect(await chargesOf(fan)).toBe(1)
  await looksFinished(window)
  // Subscribing again on the profile pays the same, and says until when.
  const dialog = page.getByRole('dialog')
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: 'Subscribe to Patrons' }).click()
  await dialog.getByText(/so your renewal date stays the same\.$/).waitFor()
  await looksFinished(window)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Update card' }).click()
  await page.getByRole('button', { name: 'Update card for Patrons' }).click()
  await dialog.getByText('We’ll charge $7 for “Patrons” right away.').waitFor()
  await cardFrame(page).getByLabel('Card number').waitFor()
  await looksFinished(window)
  await typeCard(page, MASTERCARD)
  await dialog.getByRole('button', { name: 'Save and pay $7' }).click()
  await window.sees('Card saved. 1 subscription renewed.')
  await page
    .getByRole('list', { name: 'Subscriptions' })
    .getByText(/with Mastercard 0015$/)
    .waitFor()
  await page
    .getByRole('list', { name: 'Receipts' })
    .getByText(/Mastercard 0015$/)
    .waitFor()
  expect(await chargesOf(fan)).toBe(2)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('what becomes past due while a card is typed is told before it is charged', async () => {
  const { planIds } = await seller('Patrons', 'Friends')
  const fan = await subscriber(planIds[0])
  const body = { kind: 'subscription' as const, itemId: planIds[1] ?? '', ...(await cardToken(gateway())) }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key())
  const declined = async (planId: string | undefined, count: number) => {
    const forget = await planFault(gateway(), { call: 'createTransactionRequest', effect: 'lostOrStolen' })
    onTestFinished(forget)
    await database.query(
      "update subscriptions set anchor_at = now() - interval '5 days', current_period_end = now() - interval '5 days', renewal_due_at = now() where fan_id = $1 and plan_id = $2",
      [fan.id, planId],
    )
    await database.runSoon('renewals.charge')
    const owed = async () => (await apiOf(fanfare.origin, fan).call(routes.cards, { query: {} })).pastDue
    await expect.poll(async () => (await owed()).length).toBe(count)
  }
  await declined(planIds[0], 1)
  const window = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  const { page } = window
  await window.open('/dashboard/billing')
  // However many buttons a subscription has, they begin where its row does.
  const rows = page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')
  const lefts = await rows.evaluateAll((all) =>
    all.map((row) => {
      const button = row.querySelector('button')?.getBoundingClientRect().left ?? 0
      return Math.round(button - row.getBoundingClientRect().left)
    }),
  )
  expect(lefts).toEqual([0, 0])
  await page.getByRole('button', { name: 'Update card for Patrons' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('We’ll charge $7 for “Patrons” right away.').waitFor()
  await cardFrame(page).getByLabel('Card number').waitFor()
  await typeCard(page, MASTERCARD)
  await declined(planIds[1], 2)
  await dialog.getByRole('button', { name: 'Save and pay $7' }).click()
  await dialog.getByText('What you owe has changed. You have not been charged.').waitFor()
  await dialog.getByText('That’s $14 for 2 subscriptions.').waitFor()
  expect(await chargesOf(fan)).toBe(2)
  await looksFinished(window, 'owed-changed')
  await dialog.getByRole('button', { name: 'Save and pay $14' }).click()
  await window.sees('Card saved. 2 subscriptions renewed.')
  expect(await chargesOf(fan)).toBe(4)
  await window.close()
})
