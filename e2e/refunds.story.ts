import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { cardToken, TEST_CARDS } from '../server/testing/gateway.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, freshName, joins, type Person } from './people.ts'
import { waitUntil } from './waiting.ts'
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

type Card = { cardNumber: string; cardCode: string }
const key = () => ({ idempotencyKey: crypto.randomUUID() })

/** A tip of so much for the creator; its number. */
async function tips(fan: Person, creator: Person, amount: string, card: Card = TEST_CARDS.approved) {
  const token = await cardToken({ sandboxOrigin: fanfare.origin }, card)
  const body = { kind: 'tip' as const, itemId: creator.id, amount, ...token }
  return (await apiOf(fanfare.origin, fan).call(routes.purchase, { body }, key()))._id
}

async function financier(): Promise<Person> {
  const person = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'finance' where id = $1", [person.id])
  return person
}

test('what is given back is seen by who earned it and who paid, and what waits at the gateway by operators', async () => {
  // As long as a name can be.
  const longest = freshName('creator-of-many-words')
  const [creator, fan] = [await joins(fanfare.origin, 'creator', longest), await joins(fanfare.origin, 'fan')]
  const operator = await financier()
  const [partly, wholly, disputed] = [
    await tips(fan, creator, '$100'),
    await tips(fan, creator, '$30'),
    await tips(fan, creator, '$20'),
  ]
  await fetch(`${fanfare.origin}/sandbox/authorizenet/admin/settle`, { method: 'POST' })
  const desk = apiOf(fanfare.origin, operator)
  const reason = 'The buyer asked for it'
  const parts = [
    { transactionId: partly, amount: '$40', left: '$100', reason },
    { transactionId: wholly, amount: '$30', left: '$30', reason },
  ]
  for (const body of parts) await desk.call(routes.refund, { body }, key())
  const facts = { amount: '$20', fee: '$15', cause: 'fraud' as const, caseNumber: 'CB-1', reason }
  const { _id: disputeId } = await desk.call(
    routes.openDispute,
    { body: { transactionId: disputed, ...facts } },
    key(),
  )
  await desk.call(routes.decideDispute, { body: { disputeId, outcome: 'lost', reason } })
  await tips(fan, creator, '$50', TEST_CARDS.held)

  const own = await openWindow(browser, fanfare.origin, { person: creator })
  await own.open('/dashboard/earnings')
  const sales = own.page.getByRole('region', { name: 'Transactions' })
  for (const text of ['Partly refunded', '$40.00 refunded', 'Refunded', 'Dispute lost'])
    await sales.getByText(text, { exact: true }).first().waitFor()
  await looksFinished(own, 'refunded-sales')
  await own.open('/dashboard/notifications')
  await own.sees('We refunded $40 paid for')
  await looksFinished(own, 'refunded-told')
  await own.close()

  const buyer = await openWindow(browser, fanfare.origin, { person: fan })
  await buyer.open('/dashboard/billing')
  await buyer.sees('$40.00 refunded')
  await looksFinished(buyer, 'refunded-receipts')
  await buyer.close()

  const office = await openWindow(browser, fanfare.origin, { person: operator })
  await office.open('/dashboard/payments')
  const attention = office.page.getByRole('list', { name: 'Needs attention' })
  await attention.getByText('A payment under review at the gateway').waitFor()
  await attention.getByText(/^Gateway number \d+\s· since/).waitFor()
  const names = office.page.getByRole('table').getByText(creator.username, { exact: true })
  const cell = names.first().locator('xpath=ancestor::td')
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await looksFinished(office, 'undecided-payments')
  await attention.getByRole('link', { name: 'Open payment' }).click()
  await office.sees('Under review')
  expect(office.complaints()).toEqual([])
  await office.close()
})

test('an operator records that what the gateway refused was given back another way', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const operator = await financier()
  const transactionId = await tips(fan, creator, '$60')
  // Parts are refused before the settlement.
  const body = { transactionId, amount: '$10', left: '$60', reason: 'The buyer asked for it' }
  const refusing = apiOf(fanfare.origin, operator).call(routes.refund, { body }, key())
  await expect(refusing).rejects.toMatchObject({ code: 'refund_refused' })

  const office = await openWindow(browser, fanfare.origin, { person: operator })
  await office.open('/dashboard/payments')
  await office.page.getByRole('searchbox', { name: 'Search payments' }).fill(fan.email)
  const found = office.page.getByRole('table', { name: 'Payments' }).getByRole('link')
  await waitUntil(async () => (await found.count()) === 1)
  await found.click()
  const dialog = office.page.getByRole('dialog')
  await office.page.getByRole('button', { name: 'Send another way…' }).click()
  await dialog.getByText('The gateway refused to refund $10.').waitFor()
  await looksFinished(office, 'refund-sent-elsewhere')
  await dialog.getByLabel('Reason').fill('The card is closed')
  await dialog.getByRole('button', { name: 'Send another way' }).click()
  await office.sees('has been sending the refund of $10 another way')
  expect(await office.page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
  await office.page.getByRole('button', { name: 'Record dispute' }).click()
  await dialog.getByText('A refund of $10 is being sent another way.').waitFor()
  await looksFinished(office, 'dispute-of-refund-sent-elsewhere')
  await office.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await office.page.getByRole('button', { name: 'Record refund made elsewhere' }).click()
  await dialog.getByText('Once you’ve sent $10 to the buyer').waitFor()
  await looksFinished(office, 'refund-made-elsewhere')
  await dialog.getByLabel('Document number').fill('WIRE-7')
  await dialog.getByLabel('Reason').fill('The card is closed')
  await dialog.getByRole('button', { name: 'Record refund made elsewhere' }).click()
  const refunds = office.page.getByRole('list', { name: 'Refunds' })
  await refunds.getByText('$10.00 · Refunded').waitFor()
  await refunds.getByText('· Document number WIRE-7 ·').waitFor()
  expect(await office.page.getByRole('button', { name: 'Record refund made elsewhere' }).count()).toBe(0)
  await office.open('/dashboard/payments')
  await office.sees('A refund made elsewhere that doesn’t match Books')
  await office.sees('Document number WIRE-7')
  expect(office.complaints()).toEqual([])
  await office.close()
})
