import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins } from './people.ts'
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

test('a fan takes 12 months, sees the term in billing, and agrees to a higher price that the creator asks for', async () => {
  const [creator, fan] = await Promise.all([joins(fanfare.origin, 'creator'), joins(fanfare.origin, 'fan')])
  const body = { title: 'Patrons', price: '$10', includes: 'chosen' as const }
  const { _id } = await apiOf(fanfare.origin, creator).call(
    routes.createSubscription,
    { body },
    { idempotencyKey: crypto.randomUUID() },
  )
  const [desk, phone] = await Promise.all([
    openWindow(browser, fanfare.origin, { person: creator }),
    openWindow(browser, fanfare.origin, { person: fan, viewport: PHONE }),
  ])
  await desk.open(`/dashboard/edit/subscription/${_id}`)
  await desk.page.getByRole('switch', { name: '12 months' }).check()
  const discount = desk.page.getByLabel('Discount for 12 months, in percent')
  await discount.fill('60')
  await desk.page.getByRole('button', { name: 'Save' }).click()
  await desk.sees('Enter a discount of 1 to 50%.')
  await discount.fill('20')
  await desk.sees('Fans pay $96.00, which is $8.00 a month. You get $76.80. The fee is 20%.')
  await looksFinished(desk, 'terms-editor')
  await desk.page.getByRole('button', { name: 'Save' }).click()
  await desk.sees('Updated Subscription')

  await phone.open(`/users/${creator.username}`)
  await phone.sees('From $8 per month for 12 months')
  await looksFinished(phone, 'terms-profile')
  await phone.page.getByRole('button', { name: 'Subscribe to Patrons' }).click()
  await phone.page.getByRole('radio', { name: /12 months \$96/ }).check()
  await phone.sees(/^Renews at \$96 on .* and every 12 months after that until you cancel\.$/)
  await looksFinished(phone, 'terms-dialog')
  await payByCard(phone.page, CARDS.approved)
  await phone.sees('Processed Transaction')
  await phone.open('/dashboard/billing')
  await phone.sees(`${creator.username} · $96 every 12 months`)
  await looksFinished(phone, 'terms-billing')
  await phone.page.getByRole('button', { name: 'Change term of Patrons' }).click()
  const dialog = phone.page.getByRole('dialog', { name: 'Change the term of Patrons' })
  await dialog.getByRole('radio', { name: /1 month \$10/ }).check()
  await looksFinished(phone, 'terms-change')
  await dialog.getByRole('button', { name: 'Change term' }).click()
  await phone.sees(/^Changes to \$10 per month on /)
  await phone.page.getByRole('button', { name: 'Change term of Patrons' }).click()
  await dialog.getByRole('radio', { name: /12 months \$96/ }).check()
  await dialog.getByRole('button', { name: 'Change term' }).click()
  await phone.sees(/^Renews .* with Visa 1111$/)

  await desk.page.getByLabel('Price per month').fill('12')
  await desk.page.getByRole('radio', { name: /Ask current subscribers/ }).check()
  await looksFinished(desk, 'price-raise')
  await desk.page.getByRole('button', { name: 'Save' }).click()
  await desk.sees('0 subscribers agreed, 0 declined, 1 haven’t answered yet.')
  await phone.open('/dashboard/billing')
  await phone.sees(`${creator.username} wants to raise your price to $115.20 every 12 months`)
  await looksFinished(phone, 'price-asked')
  await phone.page.getByRole('button', { name: 'Decline $115.20 for Patrons' }).click()
  await phone.sees(/^You declined\. /)
  await phone.page.getByRole('button', { name: 'Agree to $115.20 for Patrons' }).click()
  await phone.sees(/^You agreed\. You’ll pay \$115\.20 every 12 months from /)
  await looksFinished(phone, 'price-agreed')
  await desk.open(`/dashboard/edit/subscription/${_id}`)
  await desk.sees('1 subscriber agreed, 0 declined, 0 haven’t answered yet.')
  await looksFinished(desk, 'price-answers')

  const wide = await openWindow(browser, fanfare.origin, { person: fan })
  await wide.open('/dashboard/billing')
  await wide.sees(/^You agreed\. /)
  await looksFinished(wide, 'price-agreed-desk')
  expect([...desk.complaints(), ...phone.complaints(), ...wide.complaints()]).toEqual([])
  await Promise.all([desk.close(), phone.close(), wide.close()])
})
