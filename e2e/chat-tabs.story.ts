import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { marked, openChat } from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { joins } from './people.ts'
import { openTab } from './window.ts'

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
