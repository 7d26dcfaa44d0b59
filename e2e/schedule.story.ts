import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { connects, forumAdmin, openSubreddits, postsByHand, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins } from './people.ts'
import { openWindow } from './window.ts'

const DAY_MS = 86_400_000
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

/** A time so many days ahead, as a field for date and time takes it. */
function wallIn(days: number): string {
  const date = new Date(Date.now() + days * DAY_MS)
  date.setHours(12, 0, 0, 0)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

test('a creator creates a post, schedules it in two subreddits, and takes one off the timeline', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  await apiOf(fanfare.origin, operator).call(routes.importSubreddits, {
    body: { names: ['Gardens', 'Ceramics', 'Lanterns'] },
  })
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window

  await window.open('/dashboard/timeline')
  await window.sees('You don’t have any scheduled posts. Create some here')
  await looksFinished(window, 'timeline-empty')
  await page.getByRole('link', { name: 'Create some here' }).click()
  await window.sees('Nothing to schedule')
  await looksFinished(window, 'schedule-empty')

  await window.open('/dashboard/reddit')
  await page.getByRole('button', { name: 'Connect an account' }).click()
  await page.waitForURL(/\/sandbox\/reddit\/api\/v1\/authorize/)
  await page.getByLabel(/username/i).fill('MeadowMaker')
  await page.getByRole('button', { name: 'Allow' }).click()
  await window.sees('u/MeadowMaker is connected.')

  await window.open('/dashboard/createredditpost')
  await page.getByRole('textbox', { name: 'Link' }).fill('https://www.redgifs.com/watch/QuietLake')
  await page.getByRole('textbox', { name: 'Title 1' }).fill('The lake at dawn')
  await page.getByRole('button', { name: 'Add a title' }).click()
  await page.getByRole('textbox', { name: 'Title 2' }).fill('Five in the morning')
  await looksFinished(window, 'create')
  const nsfw = page.getByRole('checkbox', { name: 'Mark as NSFW' })
  expect(await nsfw.isChecked()).toBe(true)
  await nsfw.uncheck()
  await page.getByRole('button', { name: 'Choose subreddits' }).click()
  for (const name of ['Gardens', 'Ceramics', 'Lanterns'])
    await page.getByRole('button', { name: `Select r/${name}` }).click()
  await window.sees('Selected (3)')
  await window.sees('All changes saved')

  await window.open('/dashboard/redditposts')
  await window.sees('3 subreddits left')
  await looksFinished(window, 'posts')
  await page.getByRole('button', { name: 'Hide “The lake at dawn”' }).click()
  await window.sees('Post visibility updated.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Schedule “The lake at dawn”' }).click()

  const card = (name: string) =>
    page
      .getByRole('list', { name: 'Posts to schedule' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `r/${name}` }) })
  await page.getByRole('status').filter({ hasText: '3 posts' }).waitFor()
  await window.sees('Showing one post.')
  await card('Gardens')
    .getByText(/^At the end of the queue.*\d [AP]M$/)
    .waitFor()
  await looksFinished(window, 'schedule')

  await page.getByRole('searchbox', { name: 'find by subreddit', exact: true }).fill('lant')
  await page.getByRole('status').filter({ hasText: '1 post' }).waitFor()
  expect(new URL(page.url()).searchParams.get('subreddit')).toBe('lant')
  await window.sees('Showing one post.')
  await card('Lanterns').getByRole('button', { name: 'Schedule post' }).click()
  await card('Lanterns').getByText('Select a title').waitFor()
  await card('Lanterns').getByLabel('Title').selectOption('Five in the morning')
  await card('Lanterns').getByLabel('Date and time').first().check()
  await card('Lanterns').getByRole('button', { name: 'Schedule post' }).click()
  await card('Lanterns').getByText('Choose a date and time.').waitFor()
  await card('Lanterns').locator('input[type="datetime-local"]').fill(wallIn(3))
  await card('Lanterns').getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('r/Lanterns: scheduled for')
  await page.getByRole('searchbox', { name: 'find by subreddit', exact: true }).fill('')
  // The end of the queue is behind what is scheduled.
  await card('Ceramics')
    .getByText(/^At the end of the queue.*\d [AP]M$/)
    .waitFor()
  await card('Ceramics').getByLabel('Title').selectOption('The lake at dawn')
  await card('Ceramics').getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('r/Ceramics: scheduled for')
  const scheduled = async () =>
    (await api.call(routes.timeline, { query: { state: 'scheduled' } })).items.map(({ subreddit, title }) => [
      subreddit,
      title,
    ])
  expect(await scheduled()).toEqual([
    ['Lanterns', 'Five in the morning'],
    ['Ceramics', 'The lake at dawn'],
  ])

  await page.getByRole('link', { name: 'Timeline', exact: true }).last().click()
  const item = (name: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `r/${name}` })
  await item('Lanterns').getByText('Five in the morning').waitFor()
  await item('Ceramics').getByText('u/MeadowMaker').waitFor()
  await looksFinished(window, 'timeline')
  await page.getByRole('button', { name: 'Edit “Five in the morning”' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Six in the morning')
  expect(await nsfw.isChecked()).toBe(false)
  await nsfw.check()
  await looksFinished(window, 'timeline-edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await item('Lanterns').getByText('Six in the morning').waitFor()
  const { items } = await api.call(routes.timeline, { query: { state: 'scheduled' } })
  expect(items.map(({ subreddit, nsfw: isMarked }) => [subreddit, isMarked])).toEqual([
    ['Lanterns', true],
    ['Ceramics', false],
  ])

  await page.getByRole('button', { name: 'Cancel “The lake at dawn” in r/Ceramics' }).click()
  await window.sees('r/Ceramics is available again.')
  await item('Ceramics').waitFor({ state: 'detached' })
  expect(await scheduled()).toEqual([['Lanterns', 'Six in the morning']])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await item('Ceramics').getByText('The lake at dawn').waitFor()

  await page.getByRole('button', { name: 'Queue settings' }).click()
  await dialog.getByLabel('Pause everything').check()
  await looksFinished(window, 'queue')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Your queue is paused.')
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await page.getByRole('button', { name: 'Previous week' }).waitFor()
  await looksFinished(window, 'week')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Your queue is paused.').waitFor({ state: 'detached' })
  expect((await api.call(routes.queue, {})).paused).toBe(false)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a creator has titles compared, lets the best-earning subreddits come first, posts by hand, and sees one post’s timeline', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await tracks(fanfare.origin, database, ['Lanterns', 'Ceramics'])
  const api = apiOf(fanfare.origin, creator)
  const titles = ['Boats at dawn', 'Boats before breakfast']
  const { _id: redditPostId } = await api.call(routes.createPost, {
    body: { titles, link: 'https://www.redgifs.com/watch/QuietBoats' },
  })
  const params = { redditPostId }
  await api.call(routes.editPost, { params, body: { usableSubreddits: ['Lanterns', 'Ceramics'] } })
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await connects(window, 'HarborMaker')
  await window.sees('Success!')

  await window.open(`/dashboard/edit/post/${redditPostId}`)
  await window.sees('Too early to tell')
  await page.getByLabel('Rotate through all, to compare them').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Updated Post!')
  await looksFinished(window, 'edit-compared')

  await window.open('/dashboard/scheduleposts')
  await page.getByRole('button', { name: 'Highest earning first' }).click()
  await window.sees('earned the most')
  await expect.poll(async () => (await api.call(routes.queue, {})).candidateOrder).toBe('earnings')
  const card = (name: string) =>
    page
      .getByRole('list', { name: 'Posts to schedule' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `r/${name}` }) })
  await card('Lanterns').getByLabel('Posted by').selectOption('I’ll post it myself')
  await card('Lanterns').getByText('We remind you when it’s time').waitFor()
  expect(await card('Lanterns').getByRole('button', { name: 'Submit now' }).count()).toBe(0)
  await looksFinished(window, 'schedule-order')
  await card('Lanterns').getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('r/Lanterns: scheduled for')
  await card('Ceramics').getByRole('button', { name: 'Schedule post' }).click()
  await window.sees('r/Ceramics: scheduled for')
  const { items } = await api.call(routes.timeline, { query: {} })
  expect(items.map(({ byHand }) => byHand)).toEqual([true, false])
  expect(items.map(({ title }) => title).sort()).toEqual(titles)

  await window.open('/dashboard/redditposts')
  await page.getByRole('link', { name: '2 on the timeline' }).click()
  await window.sees('Showing one post.')
  await page.getByRole('main').getByText('r/Ceramics').waitFor()
  await looksFinished(window, 'timeline-of-post')
  await page.getByRole('button', { name: 'Show all posts' }).click()
  await page.getByText('Showing one post.').waitFor({ state: 'detached' })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('pausing from a device in another time zone leaves the queue’s clock as it is, until its person takes the device’s', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator, timeZone: 'America/Denver' })
  const { page } = window
  const dialog = page.getByRole('dialog')
  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Queue settings' }).click()
  await dialog.getByLabel('Pause everything').check()
  // Whoever closes it without saving is asked, as nothing is paused yet.
  await page.keyboard.press('Escape')
  await dialog.getByText('Your changes to the queue aren’t saved.').waitFor()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await api.call(routes.queue, {})).toMatchObject({ paused: true, timeZone: 'UTC' })
  await page.getByRole('button', { name: 'Queue settings' }).click()
  await dialog.getByRole('button', { name: 'Use America/Denver, your device’s time zone' }).click()
  await looksFinished(window, 'queue-zone')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await api.call(routes.queue, {})).toMatchObject({ paused: true, timeZone: 'America/Denver' })
  await window.close()
})

test('a first comment that was refused is sent again, and a subreddit that refused the account is opened again', async () => {
  const [creator, stranger] = [await joins(fanfare.origin, 'creator'), await joins(fanfare.origin, 'creator')]
  const [posted = '', closed = ''] = (await openSubreddits(fanfare.origin)).slice(-2)
  await tracks(fanfare.origin, database, [posted, closed])
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/reddit')
  await connects(window, 'LakeMaker')
  await window.sees('Success!')
  const api = apiOf(fanfare.origin, creator)
  const fault = (path: string, code: string) =>
    forumAdmin(fanfare.origin, 'POST', 'faults', {
      ...{ kind: 'refuse', path, code, message: 'Not here.', account: 'LakeMaker', times: 1 },
    })
  const schedule = async (subreddit: string, link: string) => {
    const body = {
      titles: ['A lake at noon'],
      link: `https://www.redgifs.com/watch/${link}`,
      comment: 'More soon',
    }
    const { _id: postId } = await api.call(routes.createPost, { body })
    const params = { redditPostId: postId }
    await api.call(routes.editPost, { params, body: { usableSubreddits: [subreddit] } })
    return { postId, subreddit }
  }
  await fault('/api/comment', 'THREAD_LOCKED')
  const { _id: itemId } = await api.call(routes.manualSubmit, { body: await schedule(posted, 'lakenoon') })
  await database.runSoon('posts.submit')
  await window.open('/dashboard/timeline')
  await window.sees('The first comment wasn’t posted. The forum says: Not here.')
  await looksFinished(window, 'comment-failed')
  await expect(
    apiOf(fanfare.origin, stranger).call(routes.retryComment, { body: { itemId } }),
  ).rejects.toMatchObject({ status: 404 })
  await page.getByRole('button', { name: 'Post the comment again' }).click()
  await window.sees('We’ll try the comment again.')
  await database.runSoon('posts.submit')
  // An answer that a busy machine's forum gives too late is looked up two minutes later, by the next minute's run.
  await expect
    .poll(async () => (await api.call(routes.timeline, { query: {} })).items[0]?.commentState, {
      timeout: 300_000,
    })
    .toBe('posted')

  await fault('/api/submit', 'SUBREDDIT_NOTALLOWED')
  await api.call(routes.manualSubmit, { body: await schedule(closed, 'lakedusk') })
  await schedule(closed, 'lakenight')
  await window.open('/dashboard/scheduleposts')
  await window.sees(`The forum refused this account in r/${closed}`)
  await looksFinished(window, 'subreddit-refused')
  await page.getByRole('button', { name: 'Try this subreddit again' }).click()
  await page.getByText(`The forum refused this account in r/${closed}`).waitFor({ state: 'detached' })
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('a creator of two accounts plans posts for the second and by hand, and a link that was there before goes up again when they say so', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const names = (await openSubreddits(fanfare.origin)).slice(10, 13)
  const [taken = ''] = names
  await tracks(fanfare.origin, database, names)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  for (const name of ['FirstWeaver', 'SecondWeaver']) {
    await window.open('/dashboard/reddit')
    await connects(window, name)
    await window.sees('Success!')
  }
  const api = apiOf(fanfare.origin, creator)
  const body = { titles: ['A loom'], link: 'https://www.redgifs.com/watch/loomlake' }
  const { _id: redditPostId } = await api.call(routes.createPost, { body })
  await api.call(routes.editPost, { params: { redditPostId }, body: { usableSubreddits: names } })

  await window.open('/dashboard/plan')
  const poster = page.getByRole('combobox', { name: 'Posted by' })
  await poster.selectOption({ label: 'u/SecondWeaver' })
  await looksFinished(window, 'plan-accounts')
  const plan = async (name: string) => {
    await page.getByRole('checkbox', { name: `“A loom” in r/${name}` }).click()
    await page.getByRole('button', { name: 'Plan 1 selected post' }).click()
  }
  await plan(taken)
  await window.sees(`r/${taken} · u/SecondWeaver`)
  await page.getByRole('button', { name: 'Back' }).click()
  await plan(taken)
  await page.getByRole('button', { name: 'Schedule 1 post' }).click()
  await page.waitForURL('**/dashboard/timeline')
  await window.sees('u/SecondWeaver')

  await window.open('/dashboard/plan')
  await poster.selectOption({ label: 'I’ll post it myself' })
  await plan(names[1] ?? '')
  await window.sees(`r/${names[1]} · Manually`)
  await looksFinished(window, 'plan-by-hand')
  await page.getByRole('button', { name: 'Schedule 1 post' }).click()
  await page.waitForURL('**/dashboard/timeline')

  await postsByHand(fanfare.origin, {
    username: 'Stranger',
    subreddit: taken,
    title: 'A loom',
    url: body.link,
  })
  const dueNow = async () => {
    await database.query(
      "update scheduled_posts set post_at = now() where user_id = $1 and not by_hand and state = 'scheduled'",
      [creator.id],
    )
    await database.runSoon('posts.submit')
  }
  await dueNow()
  const stateOf = async () =>
    (await api.call(routes.timeline, { query: {} })).items.find(({ subreddit }) => subreddit === taken)?.state
  await expect.poll(stateOf).toBe('failed')
  await window.open('/dashboard/timeline')
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await window.sees('This link was posted here before.')
  await looksFinished(window, 'posted-before')
  await page.getByRole('button', { name: 'Post it again anyway' }).click()
  await window.sees('Added to the queue again.')
  await dueNow()
  await expect.poll(stateOf).toBe('posted')
  expect(window.complaints()).toEqual([])
  await window.close()
})
