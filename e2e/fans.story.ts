import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
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

const isLocked = async (person: Person, mediaId: string) =>
  (await apiOf(fanfare.origin, person).call(routes.media, { params: { mediaId } })).locked

test('a creator gives a follower free days, adds some, and extends them by months', async () => {
  const { origin } = fanfare
  const fan = await joins(origin, 'fan')
  await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: shop.creator.id } })
  const window = await openWindow(browser, origin, { person: shop.creator })
  const { page } = window
  await window.open('/dashboard')
  await page.getByText('Profile Management').click()
  await page.getByRole('link', { name: /^Fans/ }).click()
  await window.sees('No subscribers yet')
  await looksFinished(window)

  await page.getByRole('button', { name: 'All fans' }).click()
  await page.getByRole('button', { name: `Give free days to ${fan.username}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Free days').fill('366')
  await dialog.getByRole('button', { name: 'Give free days' }).click()
  await window.sees('Enter 1 to 365 days.')
  await looksFinished(window)
  expect(await isLocked(fan, shop.inSubscription)).toBe(true)
  await dialog.getByLabel('Free days').fill('10')
  await dialog.getByRole('button', { name: 'Give free days' }).click()
  await window.sees(`${fan.username} has access until`)
  expect(await isLocked(fan, shop.inSubscription)).toBe(false)

  await page.getByRole('button', { name: 'Subscribers', exact: true }).click()
  await window.sees('Free trial')
  await page.getByRole('button', { name: `Extend ${fan.username}’s subscription` }).click()
  await dialog.getByLabel('Free months').selectOption('3 months')
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Extend' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await apiOf(origin, shop.creator).call(routes.subscribers, { query: {} })
  const days = (new Date(items[0]?.expiration ?? 0).getTime() - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(90)
  await looksFinished(window)
  const profile = page.getByRole('link', { name: fan.username, exact: true })
  expect(await profile.getAttribute('href')).toBe(`/users/${fan.username}`)
  await page.getByRole('searchbox').fill('nobody')
  await window.sees('No results for “nobody”')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('an operator finds a fan, gives free days of a creator’s subscription, and unlocks an item', async () => {
  const { origin } = fanfare
  const [fan, operator] = [await joins(origin, 'fan'), await joins(origin, 'fan')]
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  const window = await openWindow(browser, origin, { person: operator })
  const { page } = window
  await window.open(`/searchfans?filter=${fan.username}`)
  const dialog = page.getByRole('dialog')
  const choose = async () => {
    await page.getByRole('button', { name: `Give access to ${fan.username}` }).click()
    await dialog.getByRole('searchbox').fill(shop.creator.username)
    await dialog.getByRole('button', { name: shop.creator.username }).click()
  }
  await choose()
  await dialog.getByLabel('Free days').fill('30')
  await dialog.getByLabel('Reason').fill('An apology')
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Give free days' }).click()
  await window.sees(`${fan.username} has access until`)
  expect(await isLocked(fan, shop.inSubscription)).toBe(false)

  await dialog.waitFor({ state: 'detached' })
  expect(await isLocked(fan, shop.inBundle)).toBe(true)
  await choose()
  await dialog.getByRole('button', { name: 'Media', exact: true }).click()
  await dialog.getByLabel('Item').selectOption(shop.inBundle)
  await looksFinished(window)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await window.sees(`Unlocked for ${fan.username}`)
  expect(await isLocked(fan, shop.inBundle)).toBe(false)
  await looksFinished(window)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('support finds both of its pages in the menu: it unlocks an item, and sees no free time to give', async () => {
  const { origin } = fanfare
  const [fan, support] = [await joins(origin, 'fan'), await joins(origin, 'fan')]
  await database.query("update users set role = 'support' where id = $1", [support.id])
  const window = await openWindow(browser, origin, { person: support })
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('link', { name: 'Admin' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unlock media' }).waitFor()
  await looksFinished(window)
  await page.getByRole('searchbox').fill(fan.username)
  await page.getByRole('button', { name: `Give access to ${fan.username}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill(shop.creator.username)
  await dialog.getByRole('button', { name: shop.creator.username }).click()
  await dialog.getByLabel('Item').selectOption(shop.inBundle)
  expect(await dialog.getByText('Free days').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Unlock' }).click()
  await window.sees(`Unlocked for ${fan.username}`)
  expect(await isLocked(fan, shop.inBundle)).toBe(false)

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Age approvals' }).first().click()
  await page.getByLabel('Username or email').fill(fan.username)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByLabel('Reason').fill('Known from elsewhere')
  await looksFinished(window)
  await page.getByRole('button', { name: `Approve ${fan.username}` }).click()
  await window.sees(`By ${support.username}`)
  expect(await page.getByRole('button', { name: 'Add a region' }).count()).toBe(0)
  expect(window.complaints()).toEqual([])
  await window.close()
})
