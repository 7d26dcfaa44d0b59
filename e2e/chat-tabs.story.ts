import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { acts, marked, openChat } from './chatting.ts'
import { addressOfChunk, importedBy } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { joins } from './people.ts'
import { openTab, openWindow } from './window.ts'

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

/** A fan, and two creators whom they wrote to. */
async function writesToTwo() {
  const { origin } = fanfare
  const [fan, one] = [await joins(origin, 'fan'), await joins(origin, 'creator')]
  const other = await joins(origin, 'creator')
  for (const creator of [one, other]) {
    const side = await openChat(browser, origin, { person: fan, other: creator })
    await side.says('Hello')
    await marked(side, 'Hello', 'Sent')
    await side.close()
  }
  return { origin, fan, one, other }
}

test('who opens a conversation from the list on a desk can write at once; on a phone no keyboard comes', async () => {
  const { origin, fan, one, other } = await writesToTwo()
  const desk = await openWindow(browser, origin, { person: fan })
  const { page } = desk
  const list = page.getByRole('list', { name: 'Conversations' })
  const row = ({ username }: { username: string }) => list.getByRole('link', { name: new RegExp(username) })
  const focused = ({ username }: { username: string }) =>
    page
      .getByRole('textbox', { name: `Message ${username}` })
      .and(page.locator(':focus'))
      .waitFor()
  await desk.open('/dashboard/chats')
  await row(one).press('Enter')
  await focused(one)
  await page.keyboard.type('Typed at once')
  await row(other).press('Enter')
  await focused(other)
  // The row of what is open leads there, too.
  await row(other).press('Enter')
  await focused(other)
  await row(one).click()
  await focused(one)
  await page.keyboard.type(', and later')
  expect(await page.locator(':focus').inputValue()).toBe('Typed at once, and later')

  // An address that somebody came by begins at the beginning.
  await page.reload()
  await page.getByRole('textbox', { name: `Message ${one.username}` }).waitFor()
  await desk.settled()
  expect(await page.locator('textarea:focus').count()).toBe(0)
  expect(desk.complaints()).toEqual([])
  await desk.close()

  const phone = await openWindow(browser, origin, { person: fan, phone: true })
  await phone.open('/dashboard/chats')
  await phone.page.getByRole('link', { name: new RegExp(one.username) }).tap()
  await phone.page.getByRole('textbox', { name: `Message ${one.username}` }).waitFor()
  await phone.settled()
  expect(await phone.page.locator('textarea:focus').count()).toBe(0)
  await phone.close()
})

test('what one tab sent is no longer to be sent in another, where nothing else was typed', async () => {
  const { origin } = fanfare
  const [fan, creator] = [await joins(origin, 'fan'), await joins(origin, 'creator')]
  const one = await openChat(browser, origin, { person: fan, other: creator })
  await one.field.fill('Written once')
  const tabs = [await openTab(one.context), await openTab(one.context)]
  const fields = tabs.map(({ page }) => page.getByRole('textbox', { name: `Message ${creator.username}` }))
  for (const [at, tab] of tabs.entries()) {
    await tab.open(`/dashboard/chat/${creator.id}`)
    await expect.poll(() => fields[at]?.inputValue()).toBe('Written once')
  }
  await one.page.getByRole('button', { name: 'Send', exact: true }).click()
  await marked(one, 'Written once', 'Sent')
  for (const field of fields) await expect.poll(() => field.inputValue()).toBe('')

  await fields[0]?.fill('Another')
  await one.says('Sent meanwhile')
  await marked(one, 'Sent meanwhile', 'Sent')
  expect(await fields[0]?.inputValue()).toBe('Another')
  await one.close()
})

test('where the code of the connection doesn’t come at first, messages arrive without a reload all the same', async () => {
  const { origin } = fanfare
  const [fan, creator] = [await joins(origin, 'fan'), await joins(origin, 'creator')]
  const one = await openWindow(browser, origin, { person: creator })
  const refused = one.page.waitForEvent('requestfailed', (request) =>
    addressOfChunk('socket-opening').test(request.url()),
  )
  // What it imported would be asked for again by the address that failed.
  expect(importedBy('socket-opening')).toEqual([])
  // The address without a query: Chromium remembers that it failed.
  await one.page.route(addressOfChunk('socket-opening'), (route) => route.abort())
  await one.open(`/dashboard/chat/${fan.id}`)
  await refused
  const two = await openChat(browser, origin, { person: fan, other: creator })
  await two.says('Are you there?')
  await one.page.getByRole('log').getByText('Are you there?').waitFor()
  await one.page.getByText('Connecting…').waitFor({ state: 'detached' })
  await one.close()
  await two.close()
})

test('a keyboard is never lost in a conversation: each menu says whose it is, and the field has the focus after an edit', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  const one = await openChat(browser, origin, { person: fan, other: creator })
  const { page } = one
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const isWriting = () => expect.poll(focused).toBe(`Message ${creator.username}`)
  await one.says('First')
  await marked(one, 'First', 'Sent')
  const options = one.log.getByRole('button', { name: 'Message options' })
  const described = await options.evaluate((button) =>
    (button.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .map((part) => part?.getAttribute('aria-label') ?? part?.textContent)
      .join(': '),
  )
  expect(described).toMatch(/^You, .*: First$/)
  await acts(one, 'First', 'Edit')
  await page.getByText('Editing your message').waitFor()
  await page.getByRole('button', { name: 'Cancel editing' }).press('Enter')
  await isWriting()
  await acts(one, 'First', 'Reply')
  await page.getByRole('button', { name: 'Cancel reply' }).press('Enter')
  await isWriting()

  for (const at of [1, 2, 3]) await one.says(`Long ${at} ${'and longer '.repeat(150)}`)
  await marked(one, 'Long 3', 'Sent')
  await one.log.evaluate((log) => log.scrollTo(0, 0))
  const toLatest = page.getByRole('button', { name: 'Jump to latest' })
  await toLatest.press('Enter')
  await toLatest.waitFor({ state: 'detached' })
  const holdsLog = () => document.activeElement?.querySelector(':scope > [role=log]') !== null
  expect(await page.evaluate(holdsLog)).toBe(true)
  expect(one.complaints()).toEqual([])
  await one.close()
})
