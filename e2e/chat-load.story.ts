import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { marked, openChat } from './chatting.ts'
import { addressOfChunk } from './chunks.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { stylesWorkedOut } from './looks.ts'
import { joins } from './people.ts'
import { openWindow, type Window } from './window.ts'

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

const FIRST = [routes.messages, routes.conversations, routes.unread].map(({ path }) => path)

/** Has the server make the first answers of a conversation, of the list and of the badge, and keeps them back. */
async function holdsFirstAnswers({ page }: Window) {
  const released = Promise.withResolvers<void>()
  const made = FIRST.map((path) => {
    const one = Promise.withResolvers<void>()
    void page.route(
      ({ pathname }) => pathname === `/api${path}`,
      async (route) => {
        const response = await route.fetch()
        one.resolve()
        await released.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    return one.promise
  })
  return { made: Promise.all(made), release: released.resolve }
}

test('what comes after the first answers were made, and before they arrive, is shown', async () => {
  const { origin } = fanfare
  const [creator, fan, another] = [
    await joins(origin, 'creator'),
    await joins(origin, 'fan'),
    await joins(origin, 'fan'),
  ]
  const before = await openChat(browser, origin, { person: fan, other: creator })
  await before.says('the first')
  await marked(before, 'the first', 'Sent')
  await before.close()
  const reads = await openChat(browser, origin, { person: creator, other: fan })
  await reads.hears('the first')
  await expect.poll(() => reads.page.getByRole('link', { name: /Messages.*unread/s }).count()).toBe(0)
  await reads.close()

  const two = await openWindow(browser, origin, { person: creator })
  const { page } = two
  const { made, release } = await holdsFirstAnswers(two)
  await page.goto(`/dashboard/chat/${fan.id}`)
  await made
  const one = await openChat(browser, origin, { person: fan, other: creator })
  await one.sees('Online')
  await one.says('written meanwhile')
  await marked(one, 'written meanwhile', 'Sent')
  const aside = await openChat(browser, origin, { person: another, other: creator })
  await aside.says('written by another')
  await marked(aside, 'written by another', 'Sent')
  release()
  await page.getByRole('log').getByRole('article').filter({ hasText: 'written meanwhile' }).waitFor()
  await page.getByText('Online', { exact: true }).waitFor()
  await page.getByRole('link', { name: new RegExp(`${fan.username}.*written meanwhile`, 's') }).waitFor()
  await one.close()
  await two.close()
})

test('who loses the connection right after opening a conversation sees what they attach', async () => {
  const { origin } = fanfare
  const [creator, fan] = [await joins(origin, 'creator'), await joins(origin, 'fan')]
  const window = await openWindow(browser, origin, { person: fan })
  const tray = window.page.waitForResponse(addressOfChunk('TrayPanel'))
  await window.open(`/dashboard/chat/${creator.id}`)
  await (await tray).finished()
  await window.context.setOffline(true)
  await window.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
  await window.page.getByRole('region', { name: 'Sending media' }).getByText('words.txt').waitFor()
  await window.close()
})

test('a letter leaves the styles of the page around the field as they are', async () => {
  const [creator, fan] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'fan')]
  const other = await openChat(browser, fanfare.origin, { person: fan, other: creator })
  for (const word of ['One', 'Two', 'Three']) {
    await other.says(word)
    await other.hears(word)
  }
  const one = await openChat(browser, fanfare.origin, { person: creator, other: fan })
  await one.hears('Three')
  await one.field.press('H')
  const letters = 'ere is what I meant to write'
  const restyled = await stylesWorkedOut(one, () => one.field.pressSequentially(letters))
  expect(restyled).toBeGreaterThan(0)
  // The whole page would be 250 at each letter.
  expect(restyled / letters.length).toBeLessThan(20)
  await other.close()
  await one.close()
})
