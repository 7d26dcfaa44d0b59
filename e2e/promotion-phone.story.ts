import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, tracks } from './forum.ts'
import { looksFinished, TWO_LOOKS } from './looks.ts'
import { apiOf, joins } from './people.ts'
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

/** A creator with a phone, who has connected an account by it. */
async function onPhone(account: string) {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator, phone: true })
  await window.open('/dashboard/reddit')
  await connects(window, account)
  await window.sees(`u/${account} is connected.`)
  return { api: apiOf(fanfare.origin, creator), window, page: window.page }
}

const tap = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true }).tap()

test('on a phone a creator chooses subreddits one by one and together, moves a verification, and edits a list', async () => {
  await tracks(fanfare.origin, database, ['Gardens', 'Ceramics', 'PaperBoats', 'Lanterns'])
  const { api, window, page } = await onPhone('PocketMaker')
  const { _id: redditPostId } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn'], link: 'https://www.redgifs.com/watch/PocketLake' },
  })
  const kept = async () => {
    const post = await api.call(routes.post, { params: { redditPostId } })
    return [post.usableSubreddits, post.discardedSubreddits]
  }
  await window.open(`/dashboard/findsubreddits/${redditPostId}`)
  await tap(window, 'Select r/Gardens')
  await tap(window, 'Discard r/Ceramics')
  await expect.poll(kept).toEqual([['Gardens'], ['Ceramics']])
  await page.getByRole('checkbox', { name: 'r/PaperBoats' }).tap()
  await page.getByRole('checkbox', { name: 'r/Lanterns' }).tap()
  const chosen = page.getByRole('region', { name: 'Chosen rows' })
  await chosen.getByText('2 chosen').waitFor()
  await looksFinished(window, 'phone-picker', TWO_LOOKS.slice(0, 1))
  await chosen.getByRole('button', { name: 'Select', exact: true }).tap()
  await expect.poll(async () => (await kept())[0]?.toSorted()).toEqual(['Gardens', 'Lanterns', 'PaperBoats'])
  await chosen.waitFor({ state: 'detached' })
  await page.getByRole('table').getByRole('button', { name: 'r/Gardens', exact: true }).tap()
  await window.sees('Verify before your first post')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
  // What was chosen leads on to where it is scheduled.
  await page.getByRole('region', { name: 'Selected (3)' }).getByRole('link', { name: 'Schedule' }).tap()
  await page.waitForURL(/\/dashboard\/scheduleposts\?post=/)
  await window.sees('Showing one post.')

  await api.call(routes.updateVerification, { body: { srName: 'Gardens' } })
  await window.open('/dashboard/mysubredditprogress')
  await tap(window, 'Move r/Gardens')
  await page.getByRole('menuitem', { name: 'Move to Pending' }).tap()
  await window.sees('r/Gardens moved to Pending')
  await page.getByRole('tab', { name: /^Pending/ }).tap()
  await page.getByRole('tabpanel').getByText('r/Gardens').waitFor()
  await looksFinished(window, 'phone-board', TWO_LOOKS.slice(0, 1))
  expect((await api.call(routes.verificationRecord, { query: { name: 'Gardens' } })).status).toBe('pending')
  await window.open('/dashboard/mysubredditprogress')
  await page.getByRole('tab', { name: /^Pending/, selected: true }).waitFor()
  await page.getByRole('tabpanel').getByText('r/Gardens').waitFor()

  const { _id: listId } = await api.call(routes.createSubredditList, { body: { title: 'working' } })
  await window.open('/dashboard/subredditlists')
  await page.getByRole('link', { name: 'Edit “working”' }).tap()
  await page.getByRole('searchbox').fill('paper')
  await tap(window, 'Add r/PaperBoats')
  await page.getByRole('radio', { name: /^Yes/ }).tap()
  await looksFinished(window, 'phone-list', TWO_LOOKS.slice(0, 1))
  await tap(window, 'Update List')
  await window.sees('Updated!')
  const list = await api.call(routes.subredditList, { params: { listId } })
  expect(list).toMatchObject({ subreddits: ['PaperBoats'], removeFromSearch: true })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('on a phone a creator schedules a post with flair, moves it and takes that back, cancels it, and answers a message', async () => {
  await tracks(fanfare.origin, database, ['Gardens'])
  const { api, window, page } = await onPhone('PocketPlanner')
  const { _id: redditPostId } = await api.call(routes.createPost, {
    body: { titles: ['[OC] A pond at dusk'], link: 'https://www.redgifs.com/watch/PocketPond' },
  })
  const params = { redditPostId }
  await api.call(routes.editPost, { params, body: { usableSubreddits: ['Gardens'] } })
  await api.call(routes.updateVerification, { body: { srName: 'Gardens', status: 'done' } })
  const { items: flair } = await api.call(routes.subredditFlair, { query: { subreddit: 'Gardens' } })
  const item = async () => (await api.call(routes.timeline, { query: {} })).items[0]

  await window.open('/dashboard/scheduleposts')
  await page.getByLabel('Flair', { exact: true }).selectOption(flair[0]?.id ?? '')
  await page.getByLabel('Date and time').first().tap()
  const date = new Date(Date.now() + 3 * 86_400_000)
  const wall = `${new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)}T12:00`
  await page.locator('input[type="datetime-local"]').fill(wall)
  await looksFinished(window, 'phone-schedule', TWO_LOOKS.slice(0, 1))
  await tap(window, 'Schedule post')
  await window.sees('r/Gardens: scheduled for')
  const scheduled = await item()
  expect(scheduled).toMatchObject({ flairId: flair[0]?.id, state: 'scheduled' })

  await window.open('/dashboard/timeline')
  await tap(window, 'Move “[OC] A pond at dusk” in r/Gardens')
  await page.getByRole('menuitem', { name: 'To the next day' }).tap()
  await window.sees('r/Gardens moved to')
  await expect.poll(async () => (await item())?.postTime).not.toBe(scheduled?.postTime)
  await page.getByRole('button', { name: 'Undo' }).last().tap()
  await expect.poll(async () => (await item())?.postTime).toBe(scheduled?.postTime)
  await looksFinished(window, 'phone-timeline', TWO_LOOKS.slice(0, 1))
  await tap(window, 'Cancel “[OC] A pond at dusk” in r/Gardens')
  await window.sees('r/Gardens is available again.')
  await window.sees('You don’t have any scheduled posts.')
  expect(await item()).toBeUndefined()

  await forumAdmin(fanfare.origin, 'POST', 'messages', {
    ...{ from: 'PondReader', to: 'PocketPlanner', subject: 'The pond', body: 'Where is it?' },
  })
  await window.open('/dashboard/redditchats')
  await database.query("update forum_inboxes set next_sync_at = now() - interval '1 minute'")
  await tap(window, 'Check for new messages')
  await page.getByRole('textbox', { name: 'Reply to u/PondReader' }).fill('Behind the mill.')
  await looksFinished(window, 'phone-inbox', TWO_LOOKS.slice(0, 1))
  await tap(window, 'Reply')
  await window.sees('Message Sent!')
  await page.getByText(/Last contact /).waitFor()
  expect(window.complaints()).toEqual([])
  await window.close()
})
