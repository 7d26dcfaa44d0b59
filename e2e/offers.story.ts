import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { OFFER_TYPES, type OfferType } from '../contract/offers.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { describe, openShop, type Shop } from './shop.ts'
import { openWindow } from './window.ts'

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

const pathOf = (offerId: string) => `/users/${shop.creator.username}/offers/${offerId}`

/** An offer of the shop's, made by the API. */
async function offers(body: { offerType: OfferType } & Record<string, unknown>): Promise<string> {
  const { _id } = await apiOf(fanfare.origin, shop.creator).call(
    routes.createOffer,
    { body: body as never },
    { idempotencyKey: crypto.randomUUID() },
  )
  return pathOf(_id)
}

const COST = { free: 'Free', discount: 'At a discount' }
const WHAT = { Trial: 'A subscription trial', Bundle: 'A bundle', Singles: 'Singles' }
const CALLED: Record<OfferType, string> = {
  freeTrial: '7 days free',
  discountTrial: '7 days for $4',
  freeBundle: 'Summer set, free',
  discountBundle: 'Summer set for $4',
  freeSingles: '1 single, free',
  discountSingles: '1 single for $4',
}

test('a creator makes an offer of each type, for everyone and for one fan, and ends and deletes one', async () => {
  const { origin } = fanfare
  const fan = await joins(origin, 'fan')
  const window = await openWindow(browser, origin, { person: shop.creator })
  const { page } = window
  await window.open('/dashboard')
  await page.getByText('Profile Management').click()
  await page.getByRole('link', { name: /^Offers/ }).click()
  await window.sees('No offers yet')
  await looksFinished(window)
  const dialog = page.getByRole('dialog')
  for (const offerType of OFFER_TYPES) {
    const [, cost, what] = /^(free|discount)(\w+)$/.exec(offerType) as unknown as [
      string,
      keyof typeof COST,
      keyof typeof WHAT,
    ]
    await page.getByRole('button', { name: 'Create an offer' }).click()
    await dialog.getByRole('radio', { name: WHAT[what] }).check()
    await dialog.getByRole('radio', { name: COST[cost] }).check()
    expect(await dialog.getByLabel('Days', { exact: true }).count()).toBe(what === 'Trial' ? 1 : 0)
    expect(await dialog.getByRole('textbox', { name: 'Price' }).count()).toBe(cost === 'discount' ? 1 : 0)
    // The only one there is needs no choice.
    const sold = { Trial: 'Subscription', Bundle: 'Bundle', Singles: null }[what]
    if (sold) expect(await dialog.getByLabel(sold, { exact: true }).inputValue()).not.toBe('')
    if (what === 'Singles') await dialog.getByRole('checkbox', { name: 'Morning light' }).check()
    const everyone = dialog.getByRole('checkbox', { name: 'Everyone with the link' })
    if (offerType === 'freeSingles') {
      expect(await everyone.isChecked()).toBe(true)
      await dialog.getByPlaceholder('Username').fill(fan.username)
      await dialog.getByRole('button', { name: fan.username, exact: true }).click()
      expect(await everyone.isChecked()).toBe(false)
      await dialog.getByRole('button', { name: `Remove ${fan.username}` }).click()
      expect(await everyone.isChecked()).toBe(true)
      await dialog.getByPlaceholder('Username').fill(fan.username)
      await dialog.getByRole('button', { name: fan.username, exact: true }).click()
      await dialog.getByLabel('Number of redemptions').fill('3')
      await looksFinished(window)
    }
    await dialog.getByRole('button', { name: 'Create offer' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('listitem').filter({ hasText: CALLED[offerType] }).first().waitFor()
  }
  const items = page.getByRole('list', { name: 'Your offers' }).locator('> li')
  expect(await items.count()).toBe(OFFER_TYPES.length)
  const forOne = items.filter({ hasText: CALLED.freeSingles })
  expect(await forOne.innerText()).toMatch(new RegExp(`For ${fan.username}[^]*0 of 3`))
  expect(await forOne.getByLabel('Link to this offer').inputValue()).toContain(`${origin}${pathOf('')}`)
  await looksFinished(window)

  await page.getByRole('button', { name: `End ${CALLED.discountTrial}` }).click()
  await dialog.getByRole('button', { name: 'End offer' }).click()
  await items.filter({ hasText: CALLED.discountTrial }).getByText('Ended').waitFor()
  await page.getByRole('button', { name: `Delete ${CALLED.discountTrial}` }).click()
  await dialog.getByRole('button', { name: 'Delete offer' }).click()
  await items.filter({ hasText: CALLED.discountTrial }).waitFor({ state: 'detached' })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a visitor logs in, comes back to a free trial, redeems it once, and reads when it ends', async () => {
  const path = await offers({ offerType: 'freeTrial', subscription: shop.subscription, subscriptionDays: 7 })
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { phone: true })
  const { page } = window
  await window.open(path)
  await page.getByRole('heading', { name: '7 days free' }).waitFor()
  await window.sees('Sign up or log in to redeem this offer.')
  await looksFinished(window)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(fan.email)
  await page.getByLabel('Password', { exact: true }).fill(fan.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**${path}`)
  await window.sees(/It ends automatically on .* You won’t be charged\./)
  await looksFinished(window)
  await page.getByRole('button', { name: 'Start free trial' }).click()
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  await looksFinished(window)
  await window.open(path)
  await page.getByRole('heading', { name: 'You have already redeemed this offer' }).waitFor()
  await window.open('/dashboard/billing')
  await window.sees(/Ends automatically on /)
  expect(await page.getByRole('button', { name: /^Cancel/ }).count()).toBe(0)
  await window.open(`/media/${shop.inSubscription}`)
  await page.getByRole('main').waitFor()
  expect(await page.getByText(/^Unlock this/).count()).toBe(0)
  await window.close()
})

test('a fan buys a discounted bundle at its price, and a discounted trial names what it renews at', async () => {
  const bundle = await offers({ offerType: 'discountBundle', bundle: shop.bundle, price: '$6' })
  const trial = await offers({
    offerType: 'discountTrial',
    subscription: shop.subscription,
    subscriptionDays: 10,
    price: '$2',
  })
  const window = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  const { page } = window
  const dialog = page.getByRole('dialog')
  await window.open(bundle)
  await window.sees('Instead of $15.')
  await looksFinished(window)
  await page.getByRole('button', { name: 'Get it for $6' }).click()
  await dialog.getByText('$6', { exact: true }).first().waitFor()
  await payByCard(page, CARDS.approved)
  await dialog.getByText('Processed Transaction').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor()

  await window.open(trial)
  await window.sees(/\$9\.99 per month from .*, until you cancel/)
  await page.getByRole('button', { name: 'Subscribe for $2' }).click()
  await dialog.getByText('for 10 days').waitFor()
  await dialog.getByText(/Renews at \$9\.99 on /).waitFor()
  await looksFinished(window)
  await payByCard(page, CARDS.approved)
  await dialog.getByText('Processed Transaction').waitFor()
  await window.open('/dashboard/billing')
  await window.sees('Total spent $8.00')
  await window.sees(/\$9\.99 per month/)
  await window.close()
})

test('a stranger, and who comes too late, are told so', async () => {
  const [fan, stranger] = [await joins(fanfare.origin, 'fan'), await joins(fanfare.origin, 'fan')]
  const chosen = await offers({ offerType: 'freeBundle', bundle: shop.bundle, availableTo: [fan.id] })
  const last = await offers({ offerType: 'freeSingles', media: [shop.single], redemptionsAllowed: 1 })
  const offerId = last.split('/').at(-1) ?? ''
  await apiOf(fanfare.origin, fan).call(
    routes.redeemOffer,
    { body: { offerId } },
    { idempotencyKey: crypto.randomUUID() },
  )
  const window = await openWindow(browser, fanfare.origin, { person: stranger })
  const { page } = window
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
  await window.open(chosen)
  await heading("You don't have access to this page")
  await looksFinished(window)
  await window.open(last)
  await heading('This offer is gone')
  await apiOf(fanfare.origin, shop.creator).call(routes.endOffer, { body: { offerId } })
  await window.open(last)
  await heading('Sorry, this offer is expired')
  await looksFinished(window)
  expect(await page.getByRole('button', { name: /free|Get|Subscribe/ }).count()).toBe(0)
  await window.close()
  const own = await openWindow(browser, fanfare.origin, { person: shop.creator })
  await own.open(chosen)
  await own.page.getByRole('heading', { name: 'This is your offer' }).waitFor()
  await looksFinished(own)
  await own.close()
})

test('who has one of an offer’s singles reads that they pay for the rest alone, and does', async () => {
  const { origin } = fanfare
  const fan = await joins(origin, 'fan')
  const other = { title: 'Evening light', price: '$4.50', showInStore: true }
  await describe(origin, shop.creator, shop.inSubscription, other)
  const free = await offers({ offerType: 'freeSingles', media: [shop.single] })
  await apiOf(origin, fan).call(
    routes.redeemOffer,
    { body: { offerId: free.split('/').at(-1) ?? '' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  const both = await offers({
    offerType: 'discountSingles',
    media: [shop.single, shop.inSubscription],
    price: '$6',
  })
  const window = await openWindow(browser, origin, { person: fan, phone: true })
  const { page } = window
  await window.open(both)
  await window.sees('You already own 1 item, so you only pay for the rest.')
  await looksFinished(window)
  await page.getByRole('button', { name: 'Get it for $3' }).click()
  await page.getByRole('dialog').getByText('You already own 1 of 2 items').waitFor()
  await payByCard(page, CARDS.approved)
  await page.getByRole('dialog').getByText('Processed Transaction').waitFor()
  await window.open('/dashboard/billing')
  await window.sees('Total spent $3.00')
  await window.close()
})
