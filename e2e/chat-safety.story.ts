import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { acts, connected, marked, openChat } from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { openShop } from './shop.ts'
import { DESK, openWindow } from './window.ts'

/** What stands around a conversation: who is there, what one is spared, and what somebody looks into. */
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

test('a fan sees who is online and on which day, mutes, and reports a message that a reviewer decides on', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  const reviewer = await joins(origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [reviewer.id])
  const one = await openChat(browser, origin, { person: fan, other: creator })
  await one.says('Is this the set?')
  await marked(one, 'Is this the set?', 'Sent')
  expect(await one.page.getByText('Online', { exact: true }).count()).toBe(0)
  const two = await openChat(browser, origin, { person: creator, other: fan })
  await connected(two)
  await one.page.getByText('Online', { exact: true }).waitFor()
  await two.says('Pay me in cash')
  await one.hears('Pay me in cash')
  await acts(two, 'Pay me in cash', 'Edit')
  await two.field.fill('Pay me elsewhere')
  await two.page.getByRole('button', { name: 'Save' }).click()
  await one.hears('Pay me elsewhere')
  await two.close()
  await one.page.getByText('Online', { exact: true }).waitFor({ state: 'detached' })
  await database.query("update messages set created_at = '2024-03-05 12:00Z' where sender_id = $1", [fan.id])
  await one.page.reload()
  await one.hears('Pay me elsewhere')
  await one.log.getByText('Mar 5, 2024').waitFor()

  await one.page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await one.page.getByRole('menuitem', { name: 'Mute' }).click()
  await one.sees('Muted. You won’t see a badge for this conversation.')
  await one.page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('listitem')
    .filter({ hasText: creator.username })
    .getByLabel('Muted')
    .waitFor()
  await one.page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await one.page.getByRole('menuitem', { name: 'Unmute' }).click()

  await one.message('Pay me elsewhere').hover()
  const row = one.log.locator('[data-known-size]').filter({ hasText: 'Pay me elsewhere' })
  await row.getByRole('button', { name: 'Message options' }).click()
  await one.page.getByRole('menuitem', { name: 'Report' }).click()
  await one.page.getByLabel('What’s wrong?').fill('Asks for money outside.')
  // On a phone the dialog lies over the messages, whose buttons are no smaller for it.
  await looksFinished(one, '', [{ viewport: DESK, colorScheme: 'dark' }])
  await one.page.getByRole('button', { name: 'Send report' }).click()
  await one.sees('Thanks. Our team will review this message.')
  expect(one.complaints()).toEqual([])
  await one.close()

  const desk = await openWindow(browser, origin, { person: reviewer })
  await desk.open('/dashboard')
  await desk.page.getByRole('link', { name: '1 reported message to review' }).click()
  const report = desk.page.getByRole('list', { name: 'Reports' }).getByRole('listitem').first()
  await report.getByText('Pay me elsewhere').waitFor()
  await report.getByText(/^Before the edit on .*: Pay me in cash$/).waitFor()
  await report.getByText('Asks for money outside.').waitFor()
  await report.getByRole('button', { name: 'Read the messages around it' }).click()
  await report.getByRole('list', { name: 'Messages around it' }).getByText('Is this the set?').waitFor()
  await looksFinished(desk)
  await report.getByRole('button', { name: 'Close report' }).click()
  const dialog = desk.page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The creator was warned.')
  await dialog.getByRole('button', { name: 'Close report' }).click()
  await desk.sees('The report is closed.')
  await desk.sees('No reports here')
  await desk.page.getByRole('button', { name: 'Closed' }).click()
  await desk.sees('The creator was warned.')
  expect(desk.complaints()).toEqual([])
  await desk.close()
})

test('a subscriber is welcomed, and reaches whom they subscribe to from their messages', async () => {
  const { origin } = fanfare
  const { creator, subscription } = await openShop(origin)
  const window = await openWindow(browser, origin, { person: creator, phone: true })
  await window.open('/dashboard/chats')
  await window.page.getByRole('button', { name: 'Message settings' }).click()
  await window.page.getByLabel('Welcome message').fill('Lovely that you’re here')
  await window.page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Message settings saved.')
  await window.close()

  const fan = await joins(origin, 'fan')
  await apiOf(origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  const body = { subscriberId: fan.id, subscriptionId: subscription, days: 10 }
  await apiOf(origin, creator).call(routes.giveFreeDays, { body }, { idempotencyKey: crypto.randomUUID() })
  const theirs = await openWindow(browser, origin, { person: fan, phone: true })
  await theirs.open('/dashboard/chats')
  await theirs.sees('Lovely that you’re here')
  const own = theirs.page.getByRole('region', { name: 'Your subscriptions' })
  await own.getByText('Members club').waitFor()
  // Above what may be thousands of conversations.
  const [first, second] = [own, theirs.page.getByRole('list', { name: 'Conversations' })]
  expect((await first.boundingBox())?.y).toBeLessThan((await second.boundingBox())?.y ?? 0)
  await looksFinished(theirs)
  await own.getByRole('link', { name: `${creator.username} Members club Message` }).click()
  await theirs.sees('Chatting with')
  expect(theirs.complaints()).toEqual([])
  await theirs.close()
})
