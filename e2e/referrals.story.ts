import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, confirmationLink, freshName, joins, PASSWORD, type Person } from './people.ts'
import { openShop, type Shop } from './shop.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let shop: Shop
let ann: Person
let ben: Person

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  shop = await openShop(fanfare.origin)
  ann = await joins(fanfare.origin, 'creator', freshName('ann'))
  ben = await joins(fanfare.origin, 'creator', freshName('ben'))
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** A visitor opens the link, signs up with what it left, confirms, and buys a single. Answers who referred them. */
async function comesBy(link: string): Promise<string> {
  const window = await openWindow(browser, fanfare.origin)
  const { page } = window
  await window.open(link)
  // The link is remembered while they look around.
  await window.open('/signup')
  const referredBy = await page.getByLabel('Referred By:').inputValue()
  const name = freshName('fan').replaceAll('-', '_')
  const email = `${name}@example.test`
  for (const [label, value] of [
    ['First name', 'Robin'],
    ['Email', email],
    ['Forum username', name],
    ['Username', name],
    ['Password', PASSWORD],
    ['Password confirmation', PASSWORD],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('radio', { name: /^No/ }).check()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL('**/dashboard')
  await window.open(await confirmationLink(fanfare.origin, email))
  await window.sees('Your email is verified')
  await window.open(`/users/${shop.creator.username}?tab=singles`)
  await page.getByRole('button', { name: 'Buy Morning light' }).click()
  await payByCard(page, CARDS.approved)
  await window.sees('Processed Transaction')
  await window.close()
  return referredBy
}

test('two people share a code, and each gets an equal part of what somebody who came by it spends', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: ann })
  const { page } = window
  await window.open('/dashboard')
  await page.getByText('Finance', { exact: true }).click()
  await page.getByRole('link', { name: /^Referrals/ }).click()
  await window.sees('No commissions on sales yet')
  await looksFinished(window, 'referrals-empty')

  await page.getByRole('button', { name: 'Create a shared code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a shared code' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a title.').waitFor()
  await dialog.getByLabel('Title').fill('Team')
  await dialog.getByLabel('Who shares it with you?').fill(ben.username)
  await dialog.getByRole('button', { name: ben.username, exact: true }).click()
  await looksFinished(window, 'referrals-create')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Success!')
  await window.sees(`${ann.username}, ${ben.username} (invited)`)

  // The other one is told, and takes part once they accept.
  const other = await openWindow(browser, fanfare.origin, { person: ben, phone: true })
  await other.open('/dashboard/notifications')
  await other.page.getByText(`${ann.username} invited you to share a referral code.`).click()
  await other.page.waitForURL('**/dashboard/sharedrefs')
  await other.settled()
  await looksFinished(other, 'referrals-invited')
  await other.page.getByRole('button', { name: 'Accept Team' }).click()
  await other.sees('You joined this code.')
  await page.reload()
  const link = await page.getByLabel('Link of Team').inputValue()
  expect(link).toMatch(/\/\?rid=[0-9a-z]{10}$/)

  expect(await comesBy(link)).toBe(`${ann.username} and 1 more`)
  for (const person of [ann, ben]) {
    const { items } = await apiOf(fanfare.origin, person).call(routes.commissions, { query: {} })
    // 7% of $4.50 is $0.31 in whole cents, the odd one for the first of them.
    expect(items).toMatchObject([
      { amount: person === ann ? '$0.16' : '$0.15', side: 'buyer', sharedCode: 'Team', status: 'pending' },
    ])
  }
  await page.reload()
  await window.sees('A fan you referred bought something')
  await window.sees('1 sign-up')
  await looksFinished(window, 'referrals')

  // What the buyer's bank took back is on hold until it decides.
  const operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'finance' where id = $1", [operator.id])
  const desk = apiOf(fanfare.origin, operator)
  const { items } = await desk.call(routes.payments, { query: { search: shop.creator.username } })
  const facts = {
    amount: '$4.50',
    fee: '$15',
    cause: 'fraud',
    caseNumber: 'CB-1',
    reason: 'A letter',
  } as const
  const body = { transactionId: items[0]?._id ?? '', ...facts }
  await desk.call(routes.openDispute, { body }, { idempotencyKey: crypto.randomUUID() })
  await page.reload()
  await window.sees('Amounts stay on hold until disputes')
  await page.getByRole('list', { name: 'Commissions' }).getByText('On hold').waitFor()
  await looksFinished(window, 'referrals-on-hold')

  // The other one leaves; what they earned stays.
  await other.page.reload()
  await other.settled()
  expect(await other.page.getByRole('button', { name: 'Edit Team' }).count()).toBe(0)
  await other.page.getByRole('button', { name: 'Leave Team' }).click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await other.sees('You left the code.')
  await other.page.getByRole('list', { name: 'Commissions' }).getByText('$0.15').waitFor()
  await page.reload()
  await window.sees(`Last changed by ${ben.username}`)
  expect([...window.complaints(), ...other.complaints()]).toEqual([])
  await window.close()
  await other.close()
})

test('a person’s own link earns on its own, and the last link that was followed counts', async () => {
  const window = await openWindow(browser, fanfare.origin, { person: ben })
  await window.open('/dashboard/sharedrefs')
  const link = await window.page.getByLabel('Your referral link').inputValue()
  expect(await comesBy(link)).toBe(ben.username)
  await window.page.reload()
  const list = window.page.getByRole('list', { name: 'Commissions' })
  await list.getByText('$0.31').waitFor()
  await list.getByText('Your link').waitFor()
  expect(window.complaints()).toEqual([])
  await window.close()
})
