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

/** Tells the forum's sandbox what to do (sandbox/reddit/README.md). */
async function admin(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${fanfare.origin}/sandbox/reddit/admin/${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  expect(answer.status).toBe(200)
}

/** Through the forum's own page, as its person. */
async function allows({ page }: Window, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await page.waitForURL(/\/sandbox\/reddit\/api\/v1\/authorize/)
  await page.getByLabel(/username/i).fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/tokenconfirmation/)
}

test('a creator connects two accounts, and what they have survives a revoked one and a forum that is down', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await window.sees('No forum account yet')
  await looksFinished(window)

  await window.open('/dashboard')
  await allows(window, 'Connect an account', 'MeadowMaker')
  await window.sees('Success!')
  await window.sees('u/MeadowMaker is connected.')
  // What proves the connection doesn’t stay in the address.
  expect(new URL(page.url()).search).toBe('')
  await looksFinished(window)
  await page.getByRole('link', { name: 'See your accounts' }).click()
  await allows(window, 'Connect another account', 'HarborMaker')
  await window.sees('u/HarborMaker is connected.')

  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Connect another account' }).click()
  await page.waitForURL(/\/authorize/)
  await page.getByRole('button', { name: 'Decline' }).click()
  await window.sees('You declined the forum’s request, so nothing was connected.')

  await admin('POST', 'tokens/revoke', { account: 'MeadowMaker' })
  await window.open('/editsrinfo/Gardens')
  await window.sees('We don’t track r/Gardens')
  await apiOf(fanfare.origin, creator).call(routes.updateVerification, { body: { srName: 'Gardens' } })
  await window.open('/editsrinfo/Gardens')
  await window.sees('Verify before your first post')
  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Connect again: u/MeadowMaker' }).waitFor()
  await looksFinished(window)
  await allows(window, 'Connect again: u/MeadowMaker', 'MeadowMaker')
  await window.sees('u/MeadowMaker is connected.')

  await admin('POST', 'faults', { path: '/r/', kind: 'status', status: 503, times: null })
  await window.open('/editsrinfo/Gardens')
  await window.sees('Verify before your first post')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await window.sees('The forum isn’t responding right now.')
  await window.sees('Verify before your first post')

  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Disconnect u/HarborMaker' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await window.sees('u/HarborMaker disconnected')
  expect(window.complaints().filter((complaint) => !/ (400|404|503) /.test(complaint))).toEqual([])
})

test('a creator finds subreddits for a post by rule, tag and list, and in all of the forum', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(['Gardens', 'Ceramics', 'PaperBoats', 'SlowBread', 'Lanterns'])
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  const api = apiOf(fanfare.origin, creator)
  await window.open('/dashboard/redditposts')
  await window.sees('No posts yet')
  await looksFinished(window)
  await page.getByRole('link', { name: 'Create a post' }).first().click()
  await page.getByRole('textbox', { name: 'Link' }).fill('https://www.redgifs.com/watch/QuietLake')
  await window.sees('https://www.redgifs.com/ifr/quietlake')
  await page.getByRole('textbox', { name: 'Title 1' }).fill('The lake at dawn')
  await page.getByRole('button', { name: 'Add a title' }).click()
  await page.getByRole('textbox', { name: 'Title 2' }).fill('Five in the morning')
  await page.getByRole('button', { name: 'Move title 2 up' }).click()
  await looksFinished(window)
  await page.getByRole('button', { name: 'Choose subreddits' }).click()
  await window.sees('For “Five in the morning”')
  const [post] = (await api.call(routes.posts, { query: {} })).items
  const kept = async () => {
    const saved = await api.call(routes.post, { params: { redditPostId: post?._id ?? '' } })
    return [saved.usableSubreddits, saved.discardedSubreddits]
  }

  const row = (name: string) => page.getByRole('row').filter({ hasText: `r/${name}` })
  await row('Gardens').getByRole('button', { name: 'Select r/Gardens' }).click()
  await row('Ceramics').getByRole('button', { name: 'Discard r/Ceramics' }).click()
  await window.sees('All changes saved')
  await expect.poll(kept).toEqual([['Gardens'], ['Ceramics']])
  await looksFinished(window)

  // By the keyboard alone: two rows at once.
  await page.getByRole('checkbox', { name: 'r/Lanterns' }).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await kept())[0]?.length).toBe(3)
  await page.keyboard.press('d')
  await expect.poll(async () => (await kept())[1]?.length).toBeGreaterThan(1)

  await page.getByRole('searchbox').fill('slow')
  await row('SlowBread').waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'r/' }).count()).toBe(1)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Art', exact: true }).click()
  await window.sees('Try another word or fewer filters')
  await page.getByRole('button', { name: 'Art: required' }).click()
  await page.getByRole('button', { name: 'Art: excluded' }).click()
  await row('PaperBoats').waitFor()

  // A list that is edited beside the search changes what the search finds.
  const { _id: listId } = await api.call(routes.createSubredditList, { body: { title: 'problem' } })
  await page.reload()
  await window.settled()
  await page.getByRole('button', { name: 'Filters' }).click()
  await row('SlowBread').waitFor()
  await page.getByRole('button', { name: 'View Lists' }).click()
  const dialog = page.getByRole('dialog')
  await looksFinished(window, 'picker-lists')
  await dialog.getByRole('button', { name: 'Edit “problem”' }).click()
  await dialog.getByRole('searchbox').fill('slow')
  await dialog.getByRole('button', { name: 'Add r/SlowBread' }).click()
  await dialog.getByRole('radio', { name: /^Yes/ }).check()
  await looksFinished(window, 'picker-list')
  await dialog.getByRole('button', { name: 'Back to lists' }).click()
  await page.getByRole('heading', { name: 'Discard changes?' }).waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Update List' }).click()
  await window.sees('Updated!')
  await dialog.getByRole('button', { name: 'Back to lists' }).click()
  await dialog.getByText('Not in search').waitFor()
  await page.keyboard.press('Escape')
  await row('SlowBread').waitFor({ state: 'detached' })
  await row('Gardens').waitFor()
  const list = await api.call(routes.subredditList, { params: { listId } })
  expect(list).toMatchObject({ subreddits: ['SlowBread'], removeFromSearch: true })

  await row('Gardens').getByRole('button', { name: 'r/Gardens', exact: true }).click()
  await window.sees('Verify before your first post')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'All Subreddits' }).click()
  await window.sees('Enter a topic to search all of Reddit.')
  await page.getByRole('searchbox', { name: 'Search Reddit' }).fill('teapots')
  await page.keyboard.press('Enter')
  const found = page.getByRole('list', { name: 'All Subreddits' }).getByRole('listitem')
  await expect.poll(() => found.count()).toBe(10)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => found.count()).toBe(20)
  await page.getByRole('status').filter({ hasText: 'First 20 results' }).waitFor()
  await looksFinished(window)
  const name = ((await found.first().getByRole('button').first().textContent()) ?? '').replace('r/', '')
  await found
    .first()
    .getByRole('button', { name: `Select r/${name}` })
    .click()
  await expect.poll(async () => (await kept())[0]).toContain(name)

  // A subreddit that can’t be added keeps no other waiting, and stays in sight until it is.
  const nameOf = async (index: number) =>
    ((await found.nth(index).getByRole('button').first().textContent()) ?? '').replace('r/', '')
  const [bad, good] = [await nameOf(1), await nameOf(2)]
  await admin('POST', 'faults', { path: `/r/${bad}`, kind: 'status', status: 503, times: null })
  for (const index of [1, 2])
    await found
      .nth(index)
      .getByRole('button', { name: `Select r/${await nameOf(index)}` })
      .click()
  const notice = page.getByRole('alert').filter({ hasText: 'We couldn’t add this subreddit.' })
  await notice.getByText(`r/${bad}: The forum isn’t responding right now.`).waitFor()
  await expect.poll(async () => (await kept())[0]).toContain(good)
  await looksFinished(window)
  await admin('DELETE', 'faults')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await kept())[0]).toContain(bad)
  await notice.waitFor({ state: 'detached' })
  await window.close()
})

test('what is chosen in two tabs adds up, and the keyboard stays where rows go', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(['Gardens', 'Ceramics', 'PaperBoats'])
  const api = apiOf(fanfare.origin, creator)
  const { _id } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  const kept = async () => (await api.call(routes.post, { params: { redditPostId: _id } })).usableSubreddits
  const path = `/dashboard/findsubreddits/${_id}`
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open(path)
  const other = await openTab(window.context)
  await other.open(path)
  const select = (name: string) => ({ name: `Select r/${name}` })
  await page.getByRole('button', select('Gardens')).click()
  await expect.poll(kept).toEqual(['Gardens'])
  await other.page.getByRole('button', select('Ceramics')).click()
  await other.page.getByRole('button', select('PaperBoats')).click()
  await expect.poll(kept).toEqual(['Gardens', 'Ceramics', 'PaperBoats'])
  await other.page.getByRole('region', { name: 'Selected (3)' }).getByText('r/Gardens').waitFor()

  await other.page.getByRole('button', { name: 'Remove r/Ceramics' }).press('Enter')
  await other.page
    .getByRole('button', { name: 'Remove r/PaperBoats' })
    .and(other.page.locator(':focus'))
    .waitFor()
  await expect.poll(kept).toEqual(['Gardens', 'PaperBoats'])
  await page.getByRole('button', { name: 'Discard r/Gardens' }).first().click()
  await expect.poll(kept).toEqual(['PaperBoats'])
  await window.sees('Selected (1)')
  expect(other.complaints()).toEqual([])
  await window.close()
})

/** Has subreddits tracked, as an operator does. */
async function tracks(names: string[]): Promise<void> {
  const operator: Person = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  await apiOf(fanfare.origin, operator).call(routes.importSubreddits, { body: { names } })
}
