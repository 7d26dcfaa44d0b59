import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard, showCardFields } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { picture } from './pictures.ts'
import { openShop, upload } from './shop.ts'
import { openWindow, PHONE } from './window.ts'

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

test('a subscription to all locked media fills itself, but for what its creator leaves out', async () => {
  const [creator, visitor] = await Promise.all([
    joins(fanfare.origin, 'creator'),
    openWindow(browser, fanfare.origin, { viewport: PHONE }),
  ])
  const [kept, out] = await upload(fanfare.origin, creator, await Promise.all([picture(11), picture(12)]))
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/premiumcontentmanagement')
  await page.getByRole('button', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Everything')
  expect(await dialog.getByRole('radio', { name: /All locked media/ }).isChecked()).toBe(true)
  await looksFinished(window, 'plan-create')
  await dialog.getByRole('button', { name: 'Create subscription' }).click()
  await window.sees('Exclude · 0 selected')
  await looksFinished(window, 'plan-edit')
  await page.getByRole('checkbox', { name: /picture 12/ }).check({ force: true })
  await window.sees('All locked media except 1 item')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Updated Subscription')

  const sold = async () =>
    (await apiOf(fanfare.origin, creator).call(routes.subscriptions, { query: { userId: creator.id } }))
      .subscriptions[0]
  expect(await sold()).toMatchObject({ mediaIds: [kept], excludedMediaIds: [out] })
  const [later] = await upload(fanfare.origin, creator, [await picture(13)])
  expect((await sold())?.mediaIds).toEqual([later, kept])
  await visitor.open(`/users/${creator.username}`)
  await visitor.sees('New uploads included')
  await looksFinished(visitor, 'plan-profile')

  await page.getByRole('radio', { name: /Chosen items/ }).check()
  await window.sees('2 selected')
  expect(window.complaints()).toEqual([])
  await Promise.all([window.close(), visitor.close()])
})

test('a description and a cover are chosen in the editor, and shown on the profile and in the dialog', async () => {
  const shop = await openShop(fanfare.origin)
  const [fan, window] = await Promise.all([
    joins(fanfare.origin, 'fan'),
    openWindow(browser, fanfare.origin, { person: shop.creator }),
  ])
  const { page } = window
  for (const [address, cover] of [
    [`/dashboard/edit/subscription/${shop.subscription}`, 'For members'],
    [`/dashboard/edit/bundle/${shop.bundle}`, 'Free for all'],
  ] as const) {
    await window.open(address)
    await page.getByLabel('Description').fill('New pictures each week.\nRequests welcome.')
    await page.getByRole('button', { name: 'Choose a cover' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: cover }).click({ force: true })
    await page.getByRole('button', { name: 'Change cover' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await window.sees(/^Updated /)
    await looksFinished(window, `editor-${cover.length}`)
  }

  const visit = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  await visit.open(`/users/${shop.creator.username}?tab=bundles`)
  await visit.sees(/Requests welcome/)
  await looksFinished(visit, 'bundle-shown')
  await visit.open(`/users/${shop.creator.username}?tab=subscriptions`)
  await visit.sees(/Requests welcome/)
  // Locked for this fan: blurred, without an address.
  const row = visit.page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')
  expect(await row.locator('canvas').count()).toBe(1)
  expect(await row.locator('img').count()).toBe(0)
  await visit.page.getByRole('button', { name: 'Subscribe to Members club' }).click()
  await visit.page.getByRole('dialog').getByText('Requests welcome').waitFor()
  await looksFinished(visit, 'dialog-shown')
  expect([...window.complaints(), ...visit.complaints()]).toEqual([])
  await Promise.all([window.close(), visit.close()])
})

test('a creator stops selling, undoes that, and deletes; a dialog that was open says so and charges nothing', async () => {
  const shop = await openShop(fanfare.origin)
  const [fan, late, window] = await Promise.all([
    joins(fanfare.origin, 'fan'),
    joins(fanfare.origin, 'fan'),
    openWindow(browser, fanfare.origin, { person: shop.creator }),
  ])
  const token = await cardToken({ sandboxOrigin: fanfare.origin })
  const body = { kind: 'subscription' as const, itemId: shop.subscription, ...token }
  await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, { idempotencyKey: crypto.randomUUID() })
  const [visit, billing] = await Promise.all([
    openWindow(browser, fanfare.origin, { person: late, viewport: PHONE }),
    openWindow(browser, fanfare.origin, { person: fan }),
  ])
  await visit.open(`/users/${shop.creator.username}?tab=subscriptions`)
  await visit.page.getByRole('button', { name: 'Subscribe to Members club' }).click()
  await showCardFields(visit.page)

  const { page } = window
  await window.open(`/dashboard/edit/subscription/${shop.subscription}`)
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Stop selling' }).click()
  await window.sees('“Members club” is no longer for sale.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await window.sees('“Members club” is for sale again.')
  await page.getByRole('button', { name: 'Stop selling' }).click()
  await page.getByRole('button', { name: 'Sell again' }).waitFor()
  await looksFinished(window, 'retired')
  await payByCard(visit.page, CARDS.approved)
  await visit.sees('This is no longer for sale')
  await visit.sees('You have not been charged.')
  await billing.open('/dashboard/billing')
  await billing.sees('No longer for sale. You keep it, and it renews as before.')
  await looksFinished(billing, 'retired-billing')
  await page.getByRole('button', { name: 'Sell again' }).click()
  await page.getByRole('button', { name: 'Stop selling' }).waitFor()

  await window.open(`/dashboard/edit/bundle/${shop.bundle}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await looksFinished(window, 'delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await window.sees('Deleted “Summer set”.')
  await window.sees('No bundles yet')
  const expected = /status of 409/
  expect([...window.complaints(), ...billing.complaints()]).toEqual([])
  expect(visit.complaints().filter((line) => !expected.test(line))).toEqual([])
  await Promise.all([window.close(), visit.close(), billing.close()])
})
