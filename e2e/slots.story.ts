import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
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

test('a creator adds recurring slots that fill themselves, takes one back, and says what is posted again or deleted', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, ['Lanterns', 'Ceramics'])
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await connects(window, 'HarborMaker')
  await window.sees('Success!')
  for (const letter of 'abcde') {
    const { _id: redditPostId } = await api.call(routes.createPost, {
      body: { titles: [`Boats ${letter}`], link: `https://www.redgifs.com/watch/QuietBoats${letter}` },
    })
    const body = { usableSubreddits: ['Lanterns', 'Ceramics'] }
    await api.call(routes.editPost, { params: { redditPostId }, body })
  }
  await api.call(routes.editQueue, { body: { timeZone: 'UTC' } })

  await window.open('/dashboard/timeline')
  await page.getByRole('link', { name: 'Recurring slots' }).last().click()
  await window.sees('No slots yet')
  await looksFinished(window, 'slots-empty')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a slot' }).click()
  await dialog.getByRole('button', { name: 'None' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose at least one day.').waitFor()
  await dialog.getByRole('button', { name: 'All' }).click()
  await dialog.getByLabel('Time').fill('18:30')
  await looksFinished(window, 'slots-add')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees(/Slot saved, and [78] posts scheduled\./)
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await row('6:30 PM').getByText('Every day').waitFor()

  await page.getByRole('button', { name: 'Add a slot' }).click()
  await dialog.getByRole('button', { name: 'None' }).click()
  await dialog.getByRole('button', { name: 'Saturday' }).click()
  await dialog.getByLabel('Time').fill('09:00')
  await dialog.getByLabel('Subreddit').fill('Nowhere')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Subreddit').fill('r/ceramics')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row('9:00 AM').getByText('r/Ceramics').waitFor()
  await looksFinished(window, 'slots')
  const before = (await api.call(routes.timeline, { query: { limit: 60 } })).items
  const nine = (items: typeof before) =>
    items.flatMap(({ postTime }) => (postTime.includes('T09:00') ? [postTime] : []))
  expect(nine(before)).not.toEqual([])

  await page.getByRole('button', { name: 'Delete 9:00 AM, Saturday' }).click()
  await window.sees('Posts already scheduled stay on the timeline.')
  await row('9:00 AM').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await window.sees('Slot restored.')
  await row('9:00 AM').waitFor()
  const after = (await api.call(routes.timeline, { query: { limit: 60 } })).items
  // At midnight another Saturday may come into sight.
  expect(nine(after).slice(0, nine(before).length)).toEqual(nine(before))
  expect(new Set(nine(after)).size).toBe(nine(after).length)

  await page.getByLabel('Reuse posts that did well').check()
  await page.getByLabel('Days until reuse').fill('3')
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
  await window.sees('At least 7 days.')
  await page.getByLabel('Days until reuse').fill('30')
  await page.getByLabel('Delete posts that do poorly').click()
  await dialog.getByText('Deleted posts can’t be restored.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByLabel('Delete posts that do poorly').isChecked()).toBe(false)
  await page.getByLabel('Delete posts that do poorly').click()
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await window.sees('Saving won’t delete any of your posts right away.')
  await looksFinished(window, 'slots-rules')
  await page.getByRole('main').getByRole('link', { name: 'Timeline' }).last().click()
  await dialog.getByText('Your changes to these rules aren’t saved.').waitFor()
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved.')
  expect(await api.call(routes.queue, {})).toMatchObject({ recycleDays: 30, removeBelow: 1 })
  expect(window.complaints().filter((complaint) => !/status of 404 .*slots/.test(complaint))).toEqual([])
  await window.close()
})
