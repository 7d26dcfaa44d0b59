import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { handIn } from './hand.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, freshName, joins, logIn, PASSWORD, type Person } from './people.ts'
import { picture } from './pictures.ts'
import { DESK, openWindow, PHONE, type Window } from './window.ts'

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

const libraryOf = async (person: Person) =>
  (await apiOf(fanfare.origin, person).call(routes.manageMedia, { query: { limit: 60 } })).items

/** What a fan finds of a creator: on the profile, in the shop, and by the item's own address. */
async function foundBy(fan: Person, creator: Person, mediaId: string) {
  const api = apiOf(fanfare.origin, fan)
  const query = { creatorId: creator.id }
  const [profile, shop] = await Promise.all([
    api.call(routes.profileMedia, { query }),
    api.call(routes.purchasableMedia, { query }),
  ])
  const item = await api
    .call(routes.media, { params: { mediaId } })
    .catch((error: { status: number }) => error.status)
  return { profile: profile.items.length, shop: shop.items.length, item }
}

/** Signs up as a creator by hand and follows the link of the email to the dashboard; what is pressed from then on counts. */
async function signsUp({ page: first, context }: Window) {
  const username = freshName('creator')
  const email = `${username}@example.test`
  await first.goto('/signup')
  const fields = { 'First name': 'Robin', Username: username, 'Forum username': 'robin', Email: email }
  for (const [label, text] of Object.entries(fields))
    await first.getByLabel(label, { exact: true }).fill(text)
  for (const label of ['Password', 'Password confirmation'])
    await first.getByLabel(label, { exact: true }).fill(PASSWORD)
  await first.getByRole('radio', { name: /^Yes/ }).click()
  await first.getByRole('button', { name: 'Sign Up' }).click()
  await first.getByText('Please verify your email').waitFor()

  const hand = await handIn(context)
  const page = await hand.followsLinkOfEmail(fanfare.origin, email)
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  const token = await logIn(fanfare.origin, { email, password: PASSWORD })
  const { _id: id } = await apiOf(fanfare.origin, { token }).call(routes.me, {})
  return { page, creator: { id, username, email, password: PASSWORD, token }, hand }
}

test.each([
  ['a desktop', DESK],
  ['a phone', PHONE],
])('from the sign-up on %s to the first sale in nine clicks at most', async (device, viewport) => {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { viewport })
  const { page, creator, hand } = await signsUp(window)
  await page.getByRole('link', { name: /Upload your first media/ }).click()
  const picker = page.waitForEvent('filechooser')
  await page.getByLabel('Choose files, or drop them here').click()
  const files = await Promise.all([1, 2, 3].map((seed) => picture(seed)))
  const named = files.map((file, index) => ({ ...file, name: `morning_light-0${index + 1}.jpg` }))
  await (await picker).setFiles(named)
  const all = page.getByRole('form', { name: 'Apply to all' })
  await page
    .getByRole('form', { name: /^About / })
    .nth(2)
    .waitFor()

  const before = await libraryOf(creator)
  expect(before.map(({ title }) => title).sort()).toEqual([
    'morning light 01',
    'morning light 02',
    'morning light 03',
  ])
  const [first] = before
  if (!first) throw new Error('nothing was uploaded')
  expect(await foundBy(fan, creator, first._id)).toEqual({ profile: 0, shop: 0, item: 404 })

  await all.getByText('For sale as a single').click()
  const price = all.getByRole('textbox', { name: 'Price of each' })
  await price.click()
  // What is there is selected, so that typing replaces it.
  const selected = () =>
    price.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd])
  await expect.poll(selected).toEqual([0, 2])
  await page.keyboard.type('7.50')
  await all.getByText('You get $6.00. The fee is 20%.').waitFor()
  expect((await foundBy(fan, creator, first._id)).shop).toBe(0)
  await all.getByRole('button', { name: 'Apply to all' }).click()
  await all.getByText('3 items updated').waitFor()
  const { clicks } = hand.count
  process.stdout.write(`From the sign-up on ${device} to the first sale: ${clicks} clicks\n`)
  // The folder that the system shows to choose files from is no part of a page.
  expect(clicks).toBeLessThanOrEqual(9)
  expect(clicks).toBeGreaterThanOrEqual(7)

  const after = await libraryOf(creator)
  expect(after).toHaveLength(3)
  for (const item of after)
    expect(item).toMatchObject({ price: '$7.50', showInStore: true, mustUnlock: true })
  // The rows say what was set for all of them.
  const rows = page.getByRole('form', { name: /^About / })
  for (let at = 0; at < 3; at++) {
    await expect.poll(() => rows.nth(at).getByLabel('Who can see it').inputValue()).toBe('single')
    await expect.poll(() => rows.nth(at).getByRole('textbox', { name: 'Price' }).inputValue()).toBe('$7.50')
  }
  await looksFinished({ ...window, page })

  expect(await foundBy(fan, creator, first._id)).toMatchObject({ shop: 3, item: { locked: true } })
  const shop = await openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE })
  await shop.open(`/users/${creator.username}?tab=singles`)
  await shop.page.getByRole('button', { name: `Buy ${first.title}` }).click()
  await payByCard(shop.page, CARDS.approved)
  await shop.sees('Processed Transaction')
  expect((await foundBy(fan, creator, first._id)).item).toMatchObject({ locked: false })
  const others = await Promise.all(
    after
      .slice(1)
      .map(({ _id }) => apiOf(fanfare.origin, fan).call(routes.media, { params: { mediaId: _id } })),
  )
  expect(others.map(({ locked }) => locked)).toEqual([true, true])
  const { items } = await apiOf(fanfare.origin, creator).call(routes.transactions, { query: {} })
  expect(JSON.stringify(items)).toContain('"$6"')
  // Who looks at their own profile as a fan begins with what they sell, as something to buy.
  await page.goto(`/users/${creator.username}?as=fan`, { waitUntil: 'domcontentloaded' })
  await page.getByRole('main').getByText('Buy', { exact: true }).nth(2).waitFor()
  expect(await page.getByRole('main').getByText('Yours', { exact: true }).count()).toBe(0)
  expect([...window.complaints(), ...shop.complaints()]).toEqual([])
  await Promise.all([window.close(), shop.close()])
})

test('a price of something in no shop offers to put it on sale, and all of them go into a subscription', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  const body = { title: 'Members club', price: '$9.99' }
  const { _id } = await api.call(routes.createSubscription, { body }, { idempotencyKey: crypto.randomUUID() })
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/uploadbulk')
  await page.locator('input[type=file]').setInputFiles(await Promise.all([4, 5].map((seed) => picture(seed))))
  await page
    .getByRole('form', { name: /^About / })
    .nth(1)
    .waitFor()
  // What is typed in a row stays while something else is set for all of them.
  await page.getByLabel('Title').first().fill('Not saved yet')
  const all = page.getByRole('form', { name: 'Apply to all' })
  await all.getByLabel('Add to a subscription').selectOption('Members club')
  await all.getByRole('button', { name: 'Apply to all' }).click()
  await all.getByText('2 items updated').waitFor()
  expect(await page.getByLabel('Title').first().inputValue()).toBe('Not saved yet')
  const items = await libraryOf(creator)
  const { mediaIds } = await api.call(routes.subscription, { params: { id: _id } })
  expect(mediaIds.toSorted()).toEqual(items.map((item) => item._id).sort())
  expect(items.map(({ title, mustUnlock, showInStore }) => [title, mustUnlock, showInStore]).sort()).toEqual([
    ['picture 4', true, false],
    ['picture 5', true, false],
  ])

  const [item] = items
  if (!item) throw new Error('nothing was uploaded')
  page.on('dialog', (dialog) => void dialog.accept())
  await window.open(`/dashboard/edit/media/${item._id}`)
  const offer = page.getByRole('button', { name: 'Put it up for sale' })
  expect(await offer.count()).toBe(0)
  await page.getByRole('textbox', { name: 'Price' }).fill('12.34')
  await window.sees('You get $9.88. The fee is 20%.')
  await looksFinished(window)
  await offer.click()
  await page.getByRole('radio', { name: 'For sale as a single', checked: true }).waitFor()
  expect(await offer.count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Successfully updated!')
  const saved = (await libraryOf(creator)).map((one) => [one._id, one.price, one.showInStore])
  expect(saved).toContainEqual([item._id, '$12.34', true])
  expect(saved.filter(([, , inStore]) => inStore)).toHaveLength(1)
  expect(window.complaints()).toEqual([])
  await window.close()
})
