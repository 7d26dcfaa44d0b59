import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
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

const NAMES = ['Gardens', 'Ceramics', 'PaperBoats', 'Lanterns']
const EDIT = {
  verificationType: 'unknown' as const,
  notes: '',
  womenOnly: 'unknown' as const,
  toysAllowed: false,
  sexActsAllowed: false,
  watermarkType: 'unknown' as const,
  malesAllowed: 'unknown' as const,
  boyAndGirlRequired: false,
  couplesOnly: false,
  sellingAccountsAllowed: false,
  ocSettings: 'none' as const,
  categorized: true,
  ...{ pfMaxPosts: null, pfIntervalAmount: null, pfIntervalUnit: null },
  ...{ rpfMaxPosts: null, rpfIntervalAmount: null, rpfIntervalUnit: null },
  faceRequired: false,
  srTagIds: [] as string[],
}

/** Notes on two of the subreddits by which a creator tells them from the others: one by a rule, one by a tag. */
async function notes(operator: Person): Promise<void> {
  const api = apiOf(fanfare.origin, operator)
  const tag = (await api.call(routes.subredditTags, {})).items.find(({ name }) => name === 'Art')
  const edits = [
    { ...EDIT, srName: 'Gardens', ocSettings: 'ocOnly' as const, verificationType: 'required' as const },
    { ...EDIT, srName: 'Ceramics', srTagIds: tag ? [tag._id] : [] },
  ]
  for (const body of edits) await api.call(routes.editSubreddit, { body })
}

async function operator(): Promise<Person> {
  const person = await joins(fanfare.origin, 'creator')
  await database.query("update users set role = 'superadmin' where id = $1", [person.id])
  return person
}

const admin = (method: string, path: string, body?: object) => forumAdmin(fanfare.origin, method, path, body)
const row = ({ page }: Window, name: string) => page.getByRole('row').filter({ hasText: `r/${name}` })
const rows = ({ page }: Window) => page.getByRole('row').filter({ hasText: 'r/' })

test('a creator connects two accounts, finds, verifies and lists subreddits, and keeps all of it while the forum is gone', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, NAMES)
  await notes(await operator())
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window

  // Two accounts: the first by the one button of the prompt, the second on their page.
  await window.open('/dashboard/redditposts')
  await connects(window, 'MeadowMaker')
  await window.sees('u/MeadowMaker is connected.')
  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Connect another account' }).click()
  await page.getByLabel(/username/i).fill('HarborMaker')
  await page.getByRole('button', { name: 'Allow' }).click()
  await window.sees('u/HarborMaker is connected.')

  // Subreddits by rule, then by tag.
  const { _id: postId } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn [OC]'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  const picker = `/dashboard/findsubreddits/${postId}`
  const chosen = async () =>
    (await api.call(routes.post, { params: { redditPostId: postId } })).usableSubreddits
  await window.open(picker)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page
    .getByRole('combobox', { name: 'Original content' })
    .selectOption({ label: 'Original content only' })
  await expect.poll(() => rows(window).count()).toBe(1)
  await row(window, 'Gardens').getByRole('button', { name: 'Select r/Gardens' }).click()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Art', exact: true }).click()
  await expect.poll(() => rows(window).count()).toBe(1)
  await row(window, 'Ceramics').getByRole('button', { name: 'Select r/Ceramics' }).click()
  await expect.poll(chosen).toEqual(['Gardens', 'Ceramics'])

  // A verification from to do to done, two of them at once in between.
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (status: string, name: string) =>
    column(status)
      .getByRole('listitem')
      .filter({ hasText: `r/${name}` })
  for (const name of ['Gardens', 'Ceramics'])
    await api.call(routes.updateVerification, { body: { srName: name, status: 'todo' } })
  await window.open('/dashboard/mysubredditprogress')
  await page.getByRole('checkbox', { name: 'Select r/Gardens' }).check()
  await page.getByRole('checkbox', { name: 'Select r/Ceramics' }).check()
  await looksFinished(window, 'forum-board-chosen')
  await page.getByRole('button', { name: 'Move to Pending', exact: true }).click()
  await window.sees('2 verifications moved to Pending')
  await card('Pending', 'Ceramics').waitFor()
  await page.getByRole('link', { name: 'r/Gardens' }).click()
  await page.getByRole('button', { name: 'Mark as verified' }).click()
  await window.sees('You’re verified in r/Gardens')

  // A list, and one that removes from search.
  await window.open('/dashboard/subredditlists')
  for (const title of ['working', 'banned']) {
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('button', { name: 'Create list' }).click()
    await page.getByRole('link', { name: `Edit “${title}”` }).waitFor()
  }
  await page.getByRole('searchbox', { name: 'Search lists' }).fill('bann')
  await page.getByRole('link', { name: 'Edit “working”' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Edit “banned”' }).click()
  await page.getByRole('button', { name: 'Add r/PaperBoats' }).click()
  await page.getByRole('radio', { name: 'Yes' }).check()
  await page.getByRole('button', { name: 'Update List' }).click()
  await window.sees('Updated!')

  // One account is revoked, and then the forum is gone.
  await admin('POST', 'tokens/revoke', { account: 'MeadowMaker' })
  await api.send('POST', '/reddit/srinfo/refresh', { body: { subreddit: 'Gardens' } })
  await admin('POST', 'faults', { kind: 'status', status: 503, times: null })
  const notice = page.getByRole('region', { name: 'Forum account to connect again' })

  await window.open('/dashboard/mysubredditprogress')
  await notice.getByText('Reddit no longer accepts u/MeadowMaker.').waitFor()
  await card('Done', 'Gardens').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('r/ceram')
  await page.getByRole('button', { name: 'Move r/Ceramics' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move to Done' }).press('Enter')
  await card('Done', 'Ceramics').waitFor()
  await looksFinished(window, 'forum-board-notice')

  await window.open('/dashboard/subredditlists')
  await notice.waitFor()
  await page.getByRole('link', { name: 'Edit “working”' }).click()
  // What one list removes from search another list can hold.
  await page.getByRole('button', { name: 'Add r/PaperBoats' }).click()
  await page.getByRole('button', { name: 'Add r/Lanterns' }).click()
  await page.getByRole('button', { name: 'Update List' }).click()
  await window.sees('Updated!')

  await window.open(picker)
  await row(window, 'Lanterns').getByRole('button', { name: 'Select r/Lanterns' }).click()
  await expect.poll(chosen).toEqual(['Gardens', 'Ceramics', 'Lanterns'])
  await expect.poll(() => row(window, 'PaperBoats').count()).toBe(0)
  await page.getByRole('button', { name: 'All Subreddits' }).click()
  await page.getByRole('searchbox', { name: 'Search Reddit' }).fill('gardens')
  await page.keyboard.press('Enter')
  await window.sees('The forum isn’t responding right now.')
  await looksFinished(window, 'forum-search-down')

  // Back again.
  await admin('DELETE', 'faults')
  await page.getByRole('button', { name: 'Try again' }).click()
  const found = page.getByRole('list', { name: 'All Subreddits' }).getByRole('listitem')
  await found.filter({ hasText: 'r/Gardens' }).getByText('Done').waitFor()
  // Only operators are told what is tracked.
  expect(await page.getByText('Known', { exact: true }).count()).toBe(0)
  await notice.getByRole('button', { name: 'Connect again' }).click()
  await page.getByLabel(/username/i).fill('MeadowMaker')
  await page.getByRole('button', { name: 'Allow' }).click()
  await window.sees('u/MeadowMaker is connected.')
  await window.open('/dashboard/mysubredditprogress')
  await card('Done', 'Gardens').waitFor()
  await card('Done', 'Ceramics').waitFor()
  expect(await notice.count()).toBe(0)
  const { items } = await api.call(routes.subredditLists, { query: {} })
  expect(items.map(({ title, subreddits }) => [title, subreddits])).toEqual([
    ['banned', ['PaperBoats']],
    ['working', ['Lanterns', 'PaperBoats']],
  ])
  expect(await chosen()).toEqual(['Gardens', 'Ceramics', 'Lanterns'])
  expect(window.complaints().filter((complaint) => !/ (409|503) /.test(complaint))).toEqual([])
})

test('the picker says what of a post is on the timeline, and leaves it there', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, ['Ceramics', 'Lanterns'])
  const api = apiOf(fanfare.origin, creator)
  const { _id: postId } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  await api.call(routes.editPost, {
    params: { redditPostId: postId },
    body: { usableSubreddits: ['Lanterns'] },
  })
  await api.call(routes.createTimelineItem, {
    body: {
      ...{ postId, selectedSubreddit: 'Lanterns', title: 'The lake at dawn', comment: '', byHand: true },
      postTime: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open(`/dashboard/findsubreddits/${postId}`)
  await row(window, 'Lanterns').getByText('On the timeline', { exact: true }).waitFor()
  expect(
    await row(window, 'Lanterns')
      .getByRole('button', { name: /select|discard/i })
      .count(),
  ).toBe(0)

  for (const name of ['Ceramics', 'Lanterns']) await row(window, name).getByRole('checkbox').check()
  await looksFinished(window, 'forum-picker-settled')
  const bar = page.getByRole('region', { name: 'Chosen rows' })
  await bar.getByRole('button', { name: 'Discard', exact: true }).click()
  await window.sees('1 subreddit discarded. 1 subreddit stays as it is')
  await page.getByRole('region', { name: 'Discarded (1)' }).getByText('r/Ceramics').waitFor()
  const post = () => api.call(routes.post, { params: { redditPostId: postId } })
  await expect.poll(async () => (await post()).discardedSubreddits).toEqual(['Ceramics'])
  expect((await post()).subredditsOnTimeline).toEqual(['Lanterns'])
  expect(window.complaints()).toEqual([])
})

test('a superadmin sees what is tracked, reaches anybody’s verification, and what changed of a subreddit', async () => {
  const person = await operator()
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, ['Gardens'])
  const api = apiOf(fanfare.origin, person)
  const { _id: postId } = await api.call(routes.createPost, {
    body: { titles: ['The lake at dawn'], link: 'https://www.redgifs.com/watch/QuietLake' },
  })
  const window = await openWindow(browser, fanfare.origin, { person })
  const { page } = window
  await window.open(`/dashboard/findsubreddits/${postId}?in=all&search=gardens`)
  const found = page.getByRole('list', { name: 'All Subreddits' }).getByRole('listitem')
  await found.filter({ hasText: 'r/Gardens' }).getByText('Known', { exact: true }).waitFor()

  await api.call(routes.refreshSubreddit, { body: { subreddit: 'Gardens' } })
  await admin('POST', 'subreddits/Gardens', {
    rules: [{ name: 'Lamps', description: 'No lamps anymore.', kind: 'all' }],
  })
  await api.call(routes.refreshSubreddit, { body: { subreddit: 'Gardens' } })
  await window.open('/editsrinfo/Gardens')
  const changes = page.getByRole('region', { name: 'Recent changes' })
  await changes.getByText('Lamps: No lamps anymore.').waitFor()
  await looksFinished(window, 'forum-changes')

  await page.getByRole('link', { name: 'Your verification' }).click()
  await page.getByRole('button', { name: 'Someone else’s verification' }).click()
  await page.getByRole('searchbox', { name: 'Whose verification' }).fill(creator.username)
  await page.getByRole('button', { name: creator.username, exact: true }).click()
  await window.sees('Another user’s verification.')
  expect(new URL(page.url()).searchParams.get('userId')).toBe(creator.id)
  await looksFinished(window, 'forum-record-of')
  expect(window.complaints().filter((complaint) => !/ 404 /.test(complaint))).toEqual([])
})
