import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { axeViolations, overflows } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
import { picture } from './pictures.ts'
import { openShop } from './shop.ts'
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

test('a fan asks from the profile, pays what the creator asks, and opens what was delivered; nobody else can', async () => {
  const { origin } = fanfare
  const { creator, inSubscription, single } = await openShop(origin)
  const fan = await joins(origin, 'fan')
  const stranger = await joins(origin, 'fan')

  const buyer = await openWindow(browser, origin, { person: fan, phone: true })
  await buyer.open(`/users/${creator.username}`)
  await buyer.page.getByRole('button', { name: 'Custom Request' }).click()
  const form = buyer.page.getByRole('dialog')
  await form.getByLabel('What would you like?').fill('A birthday song for Sam')
  await form.getByRole('button', { name: 'Send request' }).click()
  await buyer.sees('Enter a number of minutes.')
  await form.getByLabel('Maximum minutes').fill('5')
  await form.getByLabel('Price per minute').fill('6')
  await buyer.sees('Up to $30 in total')
  expect(await axeViolations(buyer)).toEqual([])
  await form.getByRole('button', { name: 'Send request' }).click()
  await buyer.sees('Your request was sent.')
  // Above the buttons and the bars at the end of a phone.
  await form.waitFor({ state: 'detached' })
  const told = buyer.page.getByRole('status').filter({ hasText: 'Your request was sent.' })
  expect((await told.boundingBox())?.y).toBeLessThan(PHONE.height / 4)

  const seller = await openWindow(browser, origin, { person: creator })
  await seller.open(`/dashboard/chat/${fan.id}`)
  const sold = seller.page.getByRole('log')
  await sold.getByText('A birthday song for Sam').waitFor()
  expect(await axeViolations(seller)).toEqual([])
  await sold.getByRole('button', { name: 'Accept' }).click()
  await seller.page.getByLabel('Your price').fill('25')
  await seller.sees('You get $20.00. The fee is 20%.')
  expect(await axeViolations(seller)).toEqual([])
  await seller.page.getByRole('button', { name: 'Accept request' }).click()
  await sold.getByText('Waiting for payment.').waitFor()

  const [request] = (await apiOf(origin, fan).call(routes.customRequests, { query: {} })).items
  const requestId = request?._id ?? ''
  await buyer.open(`/dashboard/chat/${creator.id}?message=${request?.messageId}`)
  const log = buyer.page.getByRole('log')
  await log.getByText('A birthday song for Sam').waitFor()
  await log.getByRole('button', { name: 'Pay $25' }).click()
  await payByCard(buyer.page, CARDS.approved)
  await buyer.sees('Processed Transaction')
  await buyer.page.getByRole('button', { name: 'Done' }).click()
  await log.getByText(/^Delivery by .*, or you get a refund\.$/).waitFor()
  // The link was followed once.
  expect(new URL(buyer.page.url()).search).toBe('')

  const owned = { kind: 'single' as const, itemId: single, ...(await cardToken({ sandboxOrigin: origin })) }
  await apiOf(origin, fan).call(routes.purchase, { body: owned }, { idempotencyKey: crypto.randomUUID() })
  await sold.getByRole('button', { name: 'Deliver' }).click()
  const library = seller.page.getByRole('dialog')
  await library.getByRole('checkbox', { name: 'Morning light' }).check()
  await library.getByRole('button', { name: 'Deliver 1 item' }).click()
  await seller.sees('This fan already owns all of this. Add something new.')
  expect(seller.complaints()).toEqual([expect.stringContaining('409')])
  // What was chosen is still there, to be changed.
  await library.getByRole('checkbox', { name: 'Morning light', checked: true }).uncheck()
  // Made just now, so it is in no library yet.
  await library.locator('input[type=file]').setInputFiles([await picture(7)])
  await library.getByRole('button', { name: 'Remove picture-7.jpg' }).waitFor()
  // A phone's window is lower than a desk's; the list keeps a height in which one can choose.
  await seller.page.setViewportSize(PHONE)
  await library.getByRole('checkbox', { name: 'For members' }).check()
  const deliver = library.getByRole('button', { name: 'Deliver 2 items' })
  expect(await deliver.evaluate((it) => it.getBoundingClientRect().bottom)).toBeLessThanOrEqual(PHONE.height)
  expect(await axeViolations(seller)).toEqual([])
  await deliver.click()
  await sold.getByText('You delivered this request.').waitFor()
  await log.getByText('It’s yours to keep.').waitFor()
  const tiles = log.getByRole('group', { name: 'Photos and videos in this message' })
  expect(await tiles.getByRole('link').or(tiles.getByRole('button')).count()).toBe(2)
  await tiles.getByRole('link').or(tiles.getByRole('button')).first().click()
  await buyer.page.getByRole('dialog').getByRole('img').first().waitFor()
  await buyer.page.keyboard.press('Escape')
  // The viewer goes by a step back, which would take the page along that is opened next.
  await buyer.page.waitForURL((url) => !url.searchParams.has('view'))
  const { media } = await apiOf(origin, fan).call(routes.viewMedia, { params: { mediaId: inSubscription } })
  expect(media.locked).not.toBe(true)

  for (const window of [buyer, seller]) {
    await window.open('/customs')
    await window.sees('A birthday song for Sam')
    await window.sees('Delivered')
    expect(await axeViolations(window)).toEqual([])
    expect(await overflows(window)).toEqual([])
  }

  const other = apiOf(origin, stranger)
  const key = { idempotencyKey: crypto.randomUUID() }
  const card = await cardToken({ sandboxOrigin: origin })
  const paying = other.call(routes.purchase, { body: { kind: 'custom', itemId: requestId, ...card } }, key)
  await expect(paying).rejects.toMatchObject({ code: 'item_not_found' })
  const deleting = other.call(routes.deleteCustomRequest, { body: { requestId } })
  await expect(deleting).rejects.toMatchObject({ code: 'custom_request_not_found' })
  const { media: locked } = await other.call(routes.viewMedia, { params: { mediaId: inSubscription } })
  expect([locked.locked, locked.url]).toEqual([true, null])
  const third = await openWindow(browser, origin, { person: stranger })
  await third.open('/customs')
  await third.sees('No requests yet')
  await third.open(`/dashboard/chat/${creator.id}?message=${request?.messageId}`)
  await third.sees('We couldn’t find that message.')
  expect([...buyer.complaints(), ...seller.complaints()]).toEqual([])
  await Promise.all([buyer.close(), seller.close(), third.close()])
})
