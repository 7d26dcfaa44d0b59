import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openTab, openWindow, type Window } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
beforeEach(() => admin('DELETE', 'faults'))
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** Tells the forum's sandbox what to do, or asks it (sandbox/reddit/README.md). */
async function admin<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${fanfare.origin}/sandbox/reddit/admin/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}

const writes = (from: string, to: string, body: string, more: object = {}) =>
  admin<{ name: string }>('POST', 'messages', { from, to, body, ...more })

/** Connects a forum account through the forum's own page. */
async function connects(window: Window, name: string): Promise<void> {
  const { page } = window
  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Connect an account' }).first().click()
  await page.waitForURL(/\/sandbox\/reddit\/api\/v1\/authorize/)
  await page.getByLabel(/username/i).fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/tokenconfirmation/)
  await window.sees(`u/${name} is connected.`)
}

const thread = ({ page }: Window, subject: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: subject, exact: true, level: 2 }) })
const subjects = ({ page }: Window) => page.getByRole('list', { name: 'Messages' }).getByRole('heading')
const calls = async (path: string, account: string) =>
  (await admin<{ count: number }>('GET', `requests?path=${path}&account=${account}`)).count

test('a creator answers the messages of their forum account, and puts others away', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('link', { name: 'Forum inbox' }).click()
  await window.sees('Promote your work on')
  await looksFinished(window, 'inbox-1')
  await connects(window, 'OrchardKeeper')
  await window.open('/dashboard/redditchats')
  await window.sees('No messages yet')
  await looksFinished(window, 'inbox-2')

  const fan = await recognizableFan('WillowReader')
  await apiOf(fanfare.origin, fan).call(routes.toggleFollow, { body: { followingId: creator.id } })
  await writes('HarborFox', 'OrchardKeeper', 'Do you ship to Canada?', { subject: 'Shipping' })
  await admin('POST', 'accounts/HarborFox', { moderates: ['Gardens', 'Lanterns'] })
  const long = Array.from({ length: 14 }, (_, line) => `Line ${line + 1} of a long letter.`).join('\n')
  await writes('LanternMoth', 'OrchardKeeper', long, { subject: 'A long letter' })
  await writes('WillowReader', 'OrchardKeeper', 'I love your prints!\n\nIs there a set?', {
    subject: 'Your prints',
  })
  const { name: root } = await writes('QuietOwl', 'OrchardKeeper', 'Hello there', { subject: 'Hello' })
  await writes('QuietOwl', 'OrchardKeeper', 'Did you see this?', { parent: root })
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await page.getByRole('button', { name: 'Check for new messages' }).click()
  await thread(window, 'Shipping').waitFor()
  await expect
    .poll(() => subjects(window).allTextContents())
    .toEqual(['Hello', 'Your prints', 'A long letter', 'Shipping'])
  await thread(window, 'Shipping').getByText('Moderates r/Gardens, r/Lanterns').waitFor()
  await thread(window, 'Shipping').getByText('Not contacted yet').waitFor()
  const badge = thread(window, 'Your prints').getByRole('link', { name: `@${fan.username}` })
  await badge.waitFor()
  await thread(window, 'Your prints').getByText('Follows you').waitFor()
  const letter = thread(window, 'A long letter')
  await letter.getByRole('button', { name: 'Read more' }).click()
  await letter.getByRole('button', { name: 'Read less' }).waitFor()
  await thread(window, 'Hello').getByRole('button', { name: 'Show replies (1 reply)' }).click()
  await window.sees('Did you see this?')
  await looksFinished(window, 'inbox-3')

  // A draft outlives a reload; saved replies and offers go in at the cursor.
  const field = page.getByRole('textbox', { name: 'Reply to u/HarborFox' })
  await field.fill('Yes, worldwide!')
  await page.reload()
  await window.settled()
  await expect.poll(() => field.inputValue()).toBe('Yes, worldwide!')
  const shipping = thread(window, 'Shipping')
  await shipping.getByRole('button', { name: 'Saved replies' }).click()
  await page.getByRole('button', { name: 'Save this text' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Insert “Yes, worldwide!”' }).waitFor()
  await looksFinished(window, 'inbox-4')
  await dialog.getByRole('button', { name: 'Edit “Yes, worldwide!”' }).click()
  await dialog.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).fill('Shipping abroad')
  await looksFinished(window, 'inbox-saved-edit')
  // Pressed again, it leads back to what is typed.
  await dialog.getByRole('button', { name: 'Edit “Yes, worldwide!”' }).click()
  const title = dialog.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus'))
  await expect.poll(() => title.inputValue()).toBe('Shipping abroad')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await window.sees('Saved reply updated.')
  await dialog.getByRole('button', { name: 'Edit “Shipping abroad”' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const prints = page.getByRole('textbox', { name: 'Reply to u/WillowReader' })
  await thread(window, 'Your prints').getByRole('button', { name: 'Saved replies' }).click()
  await dialog.getByRole('button', { name: 'Delete “Shipping abroad”' }).click()
  await dialog.getByText('No saved replies yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await window.sees('Saved reply restored.')
  await dialog.getByRole('button', { name: 'Insert “Shipping abroad”' }).click()
  await expect.poll(() => prints.inputValue()).toBe('Yes, worldwide!')
  await thread(window, 'Your prints').getByRole('button', { name: 'Insert an offer' }).click()
  await window.sees('You have no active offers.')
  await looksFinished(window, 'inbox-5')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const offer = await trialOf(creator)
  await page.reload()
  await window.settled()
  // The only one goes in at once; of several one is chosen.
  await thread(window, 'Your prints').getByRole('button', { name: 'Insert an offer' }).click()
  await expect
    .poll(() => prints.inputValue())
    .toBe(`Yes, worldwide! ${fanfare.origin}/users/${creator.username}/offers/${offer}`)
  await prints.and(page.locator(':focus')).waitFor()
  await trialOf(creator)
  const greeting = page.getByRole('textbox', { name: 'Reply to u/LanternMoth' })
  await letter.getByRole('button', { name: 'Insert an offer' }).click()
  await dialog.getByRole('button', { name: 'Insert the link of “7 days free”' }).first().click()
  await expect.poll(() => greeting.inputValue()).toContain(`/users/${creator.username}/offers/`)
  await greeting.fill('')

  await shipping.getByRole('button', { name: 'Reply', exact: true }).click()
  await window.sees('Message Sent!')
  await expect.poll(() => field.inputValue()).toBe('')
  await shipping.getByText(/Last contact /).waitFor()
  await shipping.getByRole('button', { name: 'Show replies (1 reply)' }).click()
  await shipping.getByText('Yes, worldwide!').waitFor()
  expect(await calls('/api/comment', 'OrchardKeeper')).toBe(1)

  // A reply in doubt says so, keeps a second one waiting, and is never sent twice. Nothing reads the inbox by itself
  // meanwhile, which would settle it.
  await database.query("update forum_inboxes set next_sync_at = now() + interval '1 hour'")
  await admin('POST', 'faults', { path: '/api/comment', kind: 'dropAfter', times: 1 })
  await prints.fill('There is: the spring set.')
  await thread(window, 'Your prints').getByRole('button', { name: 'Reply', exact: true }).click()
  await window.sees('The forum didn’t confirm your reply. We’re checking whether it arrived.')
  await thread(window, 'Your prints').getByText('Sending…').waitFor()
  await looksFinished(window, 'inbox-6')
  await prints.fill('Another one')
  await thread(window, 'Your prints').getByRole('button', { name: 'Reply', exact: true }).click()
  await window.sees('Your last reply to this message is still being sent. Wait a moment.')
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await page.getByRole('button', { name: 'Check for new messages' }).click()
  await thread(window, 'Your prints').getByText('Sending…').waitFor({ state: 'detached' })
  expect(await calls('/api/comment', 'OrchardKeeper')).toBe(2)

  // Filters stand in the address.
  await page.getByRole('checkbox', { name: 'Remove Contacted' }).check()
  await expect.poll(() => subjects(window).allTextContents()).toEqual(['Hello', 'A long letter'])
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('letter')
  await expect.poll(() => subjects(window).allTextContents()).toEqual(['A long letter'])
  expect(new URL(page.url()).search).toBe('?removeContacted=true&search=letter')
  const other = await openTab(window.context)
  await other.open(page.url())
  expect(await subjects(other).allTextContents()).toEqual(['A long letter'])
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('nothing like this')
  await window.sees('No messages match')
  await looksFinished(window, 'inbox-7')

  await window.open('/dashboard/redditchats')
  await thread(window, 'Hello').getByRole('button', { name: 'Temporary Skip' }).press('Enter')
  await thread(window, 'Hello').waitFor({ state: 'detached' })
  await page
    .getByRole('link', { name: /^u\/WillowReader/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await thread(window, 'Hello').waitFor()
  await thread(window, 'Hello').getByRole('button', { name: 'Ignore User' }).click()
  await thread(window, 'Hello').waitFor({ state: 'detached' })
  await window.sees('Messages from this user will be ignored going forward')
  await page.getByRole('switch', { name: 'Ignored' }).click()
  await expect.poll(() => subjects(window).allTextContents()).toEqual(['Hello'])
  await looksFinished(window, 'inbox-8')
  await thread(window, 'Hello').getByRole('button', { name: 'Stop Ignoring' }).click()
  await window.sees('No one is ignored')
  await page.getByRole('switch', { name: 'Ignored' }).click()

  await thread(window, 'Hello').getByRole('button', { name: 'Delete From Reddit' }).click()
  await looksFinished(window, 'inbox-9')
  // Until the list is read again, which has to wait here.
  await page.route('**/api/reddit/redditchats?**', () => {})
  await dialog.getByRole('button', { name: 'Delete From Reddit' }).click()
  await thread(window, 'Hello').getByText('Deleted', { exact: true }).waitFor()
  await window.sees('Message has been deleted')
  await thread(window, 'Hello').getByRole('heading').and(page.locator(':focus')).waitFor()
  await looksFinished(window, 'inbox-deleted')
  await page.unroute('**/api/reddit/redditchats?**')
  await page.reload()
  await window.settled()
  await thread(window, 'Your prints').waitFor()
  expect(await thread(window, 'Hello').count()).toBe(0)
  expect(await calls('/api/del_msg', 'OrchardKeeper')).toBe(2)
  expect(
    [...window.complaints(), ...other.complaints()].filter((complaint) => !/ 409 /.test(complaint)),
  ).toEqual([])
  await window.close()
})

test('what was read stays while the forum is down, and what is gone from its inbox says so', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await connects(window, 'MillKeeper')
  for (let number = 1; number <= 18; number++)
    await writes(`Visitor${number}`, 'MillKeeper', `Message ${number}`, { subject: `Topic ${number}` })
  await window.open('/dashboard/redditchats')
  await thread(window, 'Topic 18').waitFor()
  await subjects(window).last().scrollIntoViewIfNeeded()
  await thread(window, 'Topic 1').waitFor()
  expect(await subjects(window).count()).toBe(18)

  // The forum's own listing lost it.
  await database.query("update forum_messages set name = 't4_gone' where body = 'Message 18'")
  await database.query("update forum_threads set key = 't4_gone' where subject = 'Topic 18'")
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await page.getByRole('button', { name: 'Check for new messages' }).click()
  await page.getByText('Out of Sync').first().waitFor()

  await admin('POST', 'faults', { path: '/message/', kind: 'status', status: 302, times: null })
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await page.getByRole('button', { name: 'Check for new messages' }).click()
  await window.sees(/isn’t showing your messages right now/)
  await thread(window, 'Topic 17').waitFor()
  await looksFinished(window, 'inbox-10')
  await admin('DELETE', 'faults')
  await admin('POST', 'tokens/revoke', { account: 'MillKeeper' })
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await page.getByRole('button', { name: 'Check for new messages' }).click()
  await window.sees(/no longer accepts u\/MillKeeper/)
  await page.getByRole('button', { name: 'Connect again' }).waitFor()
  await thread(window, 'Topic 17').waitFor()
  await window.close()
})

/** Somebody who has this name on the forum, and lets creators recognize them. */
async function recognizableFan(forumName: string): Promise<Person> {
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/dashboard/edit')
  const consent = page.getByRole('switch', {
    name: 'Let creators recognize me when I write to them on the forum',
  })
  expect(await consent.isChecked()).toBe(false)
  await consent.check({ force: true })
  await page.getByRole('textbox', { name: 'Forum username' }).fill(forumName)
  await looksFinished(window, 'inbox-11')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Your profile has been updated!')
  await window.close()
  expect(await apiOf(fanfare.origin, fan).call(routes.me, {})).toMatchObject({ recognizable: true })
  return fan
}

/** An offer of this creator's, a week of a subscription. */
async function trialOf(creator: Person): Promise<string> {
  const api = apiOf(fanfare.origin, creator)
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const sold = { title: 'Members club', price: '$9.99' }
  const { _id: subscription } = await api.call(routes.createSubscription, { body: sold }, key())
  const body = { offerType: 'freeTrial', subscription, subscriptionDays: 7 } as const
  return (await api.call(routes.createOffer, { body }, key()))._id
}
