import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { drags, openWindow } from './window.ts'

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

async function operator(): Promise<Person> {
  const person = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [person.id])
  return person
}

/** Has subreddits tracked, as an operator does. */
async function tracks(names: string[]): Promise<void> {
  await apiOf(fanfare.origin, await operator()).call(routes.importSubreddits, { body: { names } })
}

test('a creator takes a verification from to do to done, with notes, a reminder, and its checklist', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/mysubredditprogress')
  await window.sees('No verifications yet')
  await looksFinished(window)

  const add = page.getByLabel('Subreddit', { exact: true })
  const adding = page.getByRole('button', { name: 'Add', exact: true })
  await add.fill('NobodyEverMadeThis')
  await adding.click()
  await window.sees('We couldn’t find this subreddit.')
  await add.fill('r/Gardens')
  await adding.click()
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) => column(name).getByRole('listitem').filter({ hasText: 'r/Gardens' })
  await card('To do').waitFor()
  await window.sees('r/Gardens added')
  await add.fill('gardens')
  await adding.click()
  await window.sees('r/Gardens is already in To do')

  await page.getByRole('button', { name: 'Move r/Gardens' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move to Done' }).press('Enter')
  await card('Done').waitFor()
  // The focus stays in the column that the card has left.
  await column('To do').getByRole('heading').and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card('To do').waitFor()
  await drags(window, card('To do'), column('Pending'))
  await card('Pending').waitFor()
  const api = apiOf(fanfare.origin, creator)
  const kept = () => api.call(routes.verificationRecord, { query: { name: 'Gardens' } })
  await expect.poll(async () => (await kept()).status).toBe('pending')
  await looksFinished(window)

  const search = page.getByRole('searchbox')
  await search.fill('nothing like it')
  await window.sees('No results for “nothing like it”')
  await search.fill('gard')
  await card('Pending').waitFor()
  await page.getByRole('link', { name: 'r/Gardens' }).click()
  const photo = page.getByRole('checkbox', { name: /^Send the moderators a photo/ })
  await photo.check()
  await expect.poll(async () => (await kept()).checklist.filter(({ done }) => done)).toHaveLength(1)
  // A tick that the server refuses is taken back.
  await page.route('**/api/reddit/updateusersrinfo', (route) => route.abort())
  await photo.click()
  await window.sees('We couldn’t save “Send the moderators a photo')
  expect(await photo.isChecked()).toBe(true)
  await page.unroute('**/api/reddit/updateusersrinfo')

  await page.getByLabel('Notes').fill('Sent by modmail on Monday')
  const reminder = page.getByLabel('Remind me on')
  await reminder.fill('2020-01-01')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await window.sees('Error: Choose tomorrow or a later day.')
  await looksFinished(window)
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await reminder.fill(day)
  await page.getByLabel('Confirmed by the moderators').selectOption('true')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await window.sees('Updated!')
  expect(await kept()).toMatchObject({
    ...{ status: 'pending', confirmed: 'true', notes: 'Sent by modmail on Monday', remindOn: day },
  })

  await page.getByRole('button', { name: 'Mark as verified' }).click()
  await window.sees('You’re verified in r/Gardens')
  await page.getByRole('link', { name: 'All verifications' }).click()
  await card('Done').getByText('Sent by modmail on Monday').waitFor()
  expect(window.complaints().filter((complaint) => !/ (400|404) |ERR_FAILED/.test(complaint))).toEqual([])

  await window.open('/editusersrinfo/Gardens')
  expect(await photo.isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await window.sees('No verifications yet')
  await window.close()
})

test('an operator changes somebody’s verification, which nobody else can', async () => {
  const { origin } = fanfare
  const [creator, other, keeper] = [
    await joins(origin, 'creator'),
    await joins(origin, 'creator'),
    await operator(),
  ]
  await tracks(['SlowGardens'])
  const path = `/editusersrinfo/SlowGardens?userId=${creator.id}`
  const stranger = await openWindow(browser, origin, { person: other })
  await stranger.open(path)
  await stranger.sees('That belongs to someone else.')
  await stranger.close()

  const window = await openWindow(browser, origin, { person: keeper })
  await window.open(path)
  await window.sees('Another user’s verification.')
  await window.page.getByRole('button', { name: 'Mark as verified' }).click()
  await window.sees('You’re verified in r/SlowGardens')
  const { status } = await apiOf(origin, creator).call(routes.verificationStatus, {
    query: { subreddit: 'SlowGardens' },
  })
  expect(status).toBe('verified')
  // What the server keeps for creators isn’t offered to who only runs the site.
  await window.open('/dashboard/mysubredditprogress')
  await window.sees('you do not have access to this page')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('verifications as a table are sorted, narrowed in the address, and moved together by the keyboard', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const names = ['Gardens', 'Lanterns', 'Ceramics', 'GoldenTeapots']
  await tracks(names)
  const api = apiOf(fanfare.origin, creator)
  for (const [place, srName] of names.entries())
    await api.call(routes.updateVerification, {
      body: { srName, status: place === 3 ? 'pending' : 'todo', notes: `Note ${place}` },
    })
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/mysubredditprogress')
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  const table = page.getByRole('table', { name: 'Verifications' })
  const rows = () => table.getByRole('link').allTextContents()
  await table.getByText('Note 3').waitFor()
  expect(await rows()).toEqual(['r/Ceramics', 'r/Gardens', 'r/GoldenTeapots', 'r/Lanterns'])
  await table.getByRole('button', { name: 'Subreddit' }).click()
  await table.getByRole('button', { name: 'Subreddit' }).click()
  await page.getByLabel('Status', { exact: true }).selectOption('todo')
  await expect.poll(rows).toEqual(['r/Lanterns', 'r/Gardens', 'r/Ceramics'])
  await page.reload()
  await window.settled()
  await expect.poll(rows).toEqual(['r/Lanterns', 'r/Gardens', 'r/Ceramics'])
  await looksFinished(window, 'verification-table')

  // In forced colors boxes are the browser's own, and a mark of ours would hide theirs.
  const ceramics = page.getByRole('checkbox', { name: 'Select r/Ceramics' })
  await ceramics.check()
  await page.emulateMedia({ forcedColors: 'active' })
  expect(
    await ceramics.evaluate((box) => [
      getComputedStyle(box).appearance,
      getComputedStyle(box, '::before').content,
    ]),
  ).toEqual(['auto', 'none'])
  await page.emulateMedia({ forcedColors: 'none' })
  // What is chosen but not shown isn't moved.
  const bar = page.getByRole('region', { name: 'Selected verifications' })
  await bar.getByText('1 selected').waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('pending')
  await bar.waitFor({ state: 'detached' })
  await page.getByLabel('Status', { exact: true }).selectOption('todo')
  await ceramics.uncheck()

  await page.getByRole('checkbox', { name: 'Select r/Lanterns' }).press('Shift+ArrowDown')
  await page.getByRole('button', { name: 'Move to Done' }).click()
  await window.sees('2 verifications moved to Done')
  await expect.poll(rows).toEqual(['r/Ceramics'])
  await page.getByLabel('Status', { exact: true }).selectOption('done')
  await expect.poll(rows).toEqual(['r/Lanterns', 'r/Gardens'])
  const kept = await api.call(routes.verificationRecords, { query: {} })
  expect(kept.counts).toEqual({ todo: 1, pending: 1, done: 2 })
  await page.getByRole('button', { name: 'Board', exact: true }).click()
  await page.getByRole('region', { name: 'Done' }).getByText('r/Lanterns').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a creator keeps lists of subreddits beside those that an operator keeps for everybody', async () => {
  const { origin } = fanfare
  await tracks(['GoldenTeapots', 'GoldenBakers'])
  const [creator, keeper] = [await joins(origin, 'creator'), await operator()]
  const window = await openWindow(browser, origin, { person: keeper })
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('link', { name: 'Subreddit lists' }).click()
  const titles = page.getByRole('group', { name: 'Suggestions' })
  await titles.getByRole('button', { name: 'banned' }).click()
  await page.getByRole('switch', { name: 'For everyone (site-wide)' }).check()
  await page.getByRole('button', { name: 'Create list' }).click()
  await page.getByRole('link', { name: 'Edit “banned”' }).click()
  await page.getByRole('searchbox').fill('GoldenBak')
  await expect.poll(() => page.getByRole('button', { name: /^Add r/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Add r/GoldenBakers' }).press('Enter')
  // No other row can be added: the focus goes to the search.
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await page.getByRole('radio', { name: /^Yes/ }).check()
  await page.getByRole('link', { name: 'All lists' }).click()
  await window.sees('Leave this page?')
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('button', { name: 'Update List' }).click()
  await window.sees('Updated!')
  expect(window.complaints()).toEqual([])
  await window.close()

  const own = await openWindow(browser, origin, { person: creator })
  await own.open('/dashboard/subredditlists')
  await own.sees('Site-wide')
  await own.page.getByRole('button', { name: 'working' }).click()
  await own.page.getByRole('button', { name: 'Create list' }).click()
  await own.page.getByRole('link', { name: 'Edit “working”' }).waitFor()
  expect(await own.page.getByRole('button', { name: 'working', exact: true }).count()).toBe(0)
  await looksFinished(own)
  await own.page.getByRole('link', { name: 'View “banned”' }).click()
  await own.sees('Only operators can change it.')
  await own.sees('r/GoldenBakers')
  expect(await own.page.getByRole('button', { name: 'Update List' }).count()).toBe(0)

  await own.page.getByRole('link', { name: 'All lists' }).click()
  await own.page.getByRole('link', { name: 'Edit “working”' }).click()
  await own.page.getByRole('searchbox').fill('Golden')
  await own.page.getByRole('button', { name: 'Add r/GoldenTeapots' }).click()
  // What a site-wide list removes from search can be on another list all the same.
  await own.page.getByRole('button', { name: 'Add r/GoldenBakers' }).waitFor()
  await own.page.getByRole('button', { name: 'Update List' }).click()
  await own.sees('Updated!')
  await looksFinished(own)
  await own.page.getByRole('link', { name: 'All lists' }).click()
  await own.sees('r/GoldenTeapots')
  await own.page.getByRole('button', { name: 'Delete “working”' }).click()
  await own.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await own.sees('List deleted')
  expect(own.complaints()).toEqual([])
  await own.close()
})

test('several lists are deleted as far as it goes, and then the rest; what a search hides stays', async () => {
  const { origin } = fanfare
  const [creator, keeper] = [await joins(origin, 'creator'), await operator()]
  const api = apiOf(origin, creator)
  const shared = { title: 'for all', siteWide: true }
  await apiOf(origin, keeper).call(routes.createSubredditList, { body: shared })
  let pending = ''
  for (const title of ['hidden', 'problem', 'pending'])
    pending = (await api.call(routes.createSubredditList, { body: { title } }))._id
  const window = await openWindow(browser, origin, { person: creator })
  const { page } = window
  const dialog = page.getByRole('dialog')
  const rows = () =>
    page
      .getByRole('table', { name: 'Your lists' })
      .getByRole('checkbox')
      .evaluateAll((all) => all.map((one) => one.ariaLabel).filter((name) => name !== 'Select all'))
  // A group in the address is another table's.
  await window.open('/dashboard/subredditlists?sort=-title&only=todo')
  await page.getByRole('checkbox', { name: 'hidden' }).check()
  await page.getByText('1 selected', { exact: true }).waitFor()
  // What only operators change has no box.
  await page.getByRole('row').filter({ hasText: 'for all' }).waitFor()
  expect(await rows()).toEqual(['problem', 'pending', 'hidden'])
  await page.getByRole('searchbox', { name: 'Search lists' }).fill('p')
  await expect.poll(rows).toEqual(['problem', 'pending'])
  await page.getByRole('checkbox', { name: 'problem' }).press(' ')
  await page.getByRole('checkbox', { name: 'pending' }).click({ modifiers: ['Shift'] })
  await page.getByText('2 results · 2 selected', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete 2 lists' }).click()
  await expect.poll(() => dialog.getByRole('listitem').allTextContents()).toEqual(['problem', 'pending'])
  await looksFinished(window, 'lists-deleting')
  await page.route('**/api/reddit/**', (route) =>
    route.request().postData()?.includes(pending)
      ? route.fulfill({ status: 409, json: { error: 'Not now.', code: 'forbidden' } })
      : route.continue(),
  )
  const said = page.getByRole('status').filter({ hasText: 'List deleted' })
  await Promise.all([said.waitFor(), dialog.getByRole('button', { name: 'Delete' }).click()])
  await dialog.getByText('Not now.').waitFor()
  await dialog.getByText('Delete “pending”?').waitFor()
  await page.unrouteAll()
  // Another window was faster.
  await api.call(routes.deleteSubredditList, { body: { listId: pending } })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await window.sees('No results for “p”')
  expect(await page.getByText(/selected$/).count()).toBe(0)
  const { items } = await api.call(routes.subredditLists, { query: {} })
  expect(items.map(({ title }) => title)).toEqual(['hidden'])
  expect(window.complaints().filter((complaint) => !/404|409/.test(complaint))).toEqual([])
  await window.close()
})

test('an operator imports subreddits, finds and chooses them, and edits the rules that a creator reads', async () => {
  const { origin } = fanfare
  const [creator, keeper] = [await joins(origin, 'creator'), await operator()]
  await apiOf(origin, keeper).call(routes.createSubredditList, { body: { title: 'problem' } })
  const window = await openWindow(browser, origin, { person: keeper })
  const { page } = window
  await window.open('/dashboard/managesubreddits')
  await page.getByRole('button', { name: 'Import subreddits' }).first().click()
  const dialog = page.getByRole('dialog')
  const names = dialog.getByLabel('Subreddit names')
  await names.fill('what?!')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await window.sees('Not a subreddit name: what?!')
  await names.fill('r/MistyTrails, MistyRivers\nMistyWindows mistytrails')
  await window.sees('3 subreddits')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await window.sees('3 subreddits added.')

  await page.getByText('Manage tags').click()
  const tag = page.getByLabel('New tag')
  await tag.fill('Weather')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByRole('list', { name: 'Tags of subreddits' }).getByText('Weather').waitFor()

  await page.getByRole('searchbox').fill('Misty')
  await page.waitForURL(/search=Misty/)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.waitForURL(/sortBy=name/)
  const table = page.getByRole('table', { name: 'Subreddits' })
  await expect
    .poll(() => table.getByRole('link').allTextContents())
    .toEqual(['r/MistyRivers', 'r/MistyTrails', 'r/MistyWindows'])
  await looksFinished(window)
  await table.getByRole('checkbox', { name: 'r/MistyRivers' }).click()
  await table.getByRole('checkbox', { name: 'r/MistyWindows' }).click({ modifiers: ['Shift'] })
  await window.sees('3 selected')
  await table.getByRole('checkbox', { name: 'r/MistyWindows' }).press(' ')
  await window.sees('2 selected')
  await page.getByRole('button', { name: 'Add to a list' }).click()
  await dialog.getByLabel('List', { exact: true }).selectOption({ label: 'problem' })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await window.sees('Added to “problem”')
  const { items } = await apiOf(origin, keeper).call(routes.subredditLists, { query: {} })
  expect(items).toMatchObject([{ title: 'problem', subreddits: ['MistyRivers', 'MistyTrails'] }])
  await page.getByRole('button', { name: 'Refresh from forum' }).click()
  await window.sees('Reading 2 subreddits from the forum.')

  await table.getByRole('link', { name: 'r/MistyTrails' }).click()
  const form = page.getByRole('region', { name: 'Edit our notes on its rules' })
  await form.getByLabel('Verification', { exact: true }).selectOption('required')
  await form.getByRole('textbox', { name: 'Notes' }).fill('Landscape pictures only')
  await form.getByRole('button', { name: 'Weather' }).click()
  await form.getByRole('switch', { name: 'Categorized' }).check()
  const limit = form.getByRole('group', { name: 'Post limit', exact: true })
  await limit.getByLabel('Maximum posts').fill('2')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await window.sees('Fill in all three, or clear them for no limit.')
  await looksFinished(window)
  await limit.getByLabel('Every').fill('3')
  await limit.getByLabel('Unit').selectOption('days')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await window.sees('SR has been updated')
  await page.goBack()
  await table.waitFor()
  await page.getByLabel('Categorized').selectOption('yes')
  await expect.poll(() => table.getByRole('link').allTextContents()).toEqual(['r/MistyTrails'])
  expect(window.complaints()).toEqual([])
  await window.open('/editsrinfo/MistyTeapotsNobodyHas')
  await window.sees('We don’t track this subreddit yet.')
  await window.close()

  const reader = await openWindow(browser, origin, { person: creator })
  await reader.open('/editsrinfo/MistyTrails')
  await reader.sees('Landscape pictures only')
  await reader.sees('At most 2 posts every 3 days')
  expect(await reader.page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await looksFinished(reader)
  expect(reader.complaints()).toEqual([])
  await reader.open('/editsrinfo/MistyTeapotsNobodyHas')
  await reader.sees('We don’t track r/MistyTeapotsNobodyHas')
  await reader.close()
})
