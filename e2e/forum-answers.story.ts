import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { forumAdmin, openSubreddits, tracks } from './forum.ts'
import { looksFinished } from './looks.ts'
import { advance, dayOf, startPosting } from './posting.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser
let names: string[]

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
  names = (await openSubreddits(fanfare.origin)).slice(0, 6)
  await tracks(fanfare.origin, database, names)
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

const admin = <T>(method: string, path: string, body?: object) =>
  forumAdmin<T>(fanfare.origin, method, path, body)

type Entry = { name: string; title: string }

/** Posts what the forum’s page for a new post is filled with; answers where it stands. */
async function submits(forum: Page, account: string): Promise<string> {
  await forum.getByLabel(/username/i).fill(account)
  await forum.getByRole('button', { name: /post/i }).click()
  await forum.waitForURL(/\/comments\//)
  const link = forum.url()
  await forum.close()
  return link
}

/** Runs in the page: the cards of posts whose contents don’t fit into them. */
function cardsThatOverflow(): string[] {
  const cards = [...document.querySelectorAll<HTMLElement>('li[data-state]')]
  return cards
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ innerText }) => innerText)
}

test('whatever the forum answers, one button leads on', async () => {
  const [wordy = '', closed = '', suspended = '', doubtful = '', removed = '', own = ''] = names
  const { api, window, page, itemOf, schedules } = await startPosting({ fanfare, browser }, 'MeadowMaker')
  await admin('POST', 'accounts/MeadowMaker', { linkKarma: 5000, commentKarma: 5000 })
  await api.call(routes.editQueue, { body: { gapMinutes: 1 } })
  const dialog = page.getByRole('dialog')
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title }).last()
  const inSeconds = async (seconds: number) => {
    const { now } = await (await page.request.get('/sandbox/clock')).json()
    return { postTime: new Date(Date.parse(now) + seconds * 1000).toISOString() }
  }
  const stateOf = async (title: string) => (await itemOf(title))?.state
  const posted = async (title: string) =>
    (await admin<{ items: Entry[] }>('GET', 'posts')).items.find((one) => one.title === title)
  const shows = async (name: string) => {
    await window.open('/dashboard/timeline')
    await page.getByRole('button', { name, exact: true }).click()
    await window.settled()
  }
  /** Lets time pass until a post is in a state; at most half an hour at a slow machine, as a whole one is too late for a post. */
  const becomes = (title: string, state: string, seconds = 60) => {
    let turns = 0
    return expect
      .poll(
        async () => {
          turns += 1
          if (state === 'unknown' || turns <= 30) await advance(window, seconds)
          return stateOf(title)
        },
        { interval: 500 },
      )
      .toBe(state)
  }

  // Its moderators ask for a word since.
  await schedules('A quiet lake', wordy, await inSeconds(60))
  await admin('POST', `subreddits/${wordy}`, { requirements: { title_required_strings: ['[lake]'] } })
  await becomes('A quiet lake', 'failed')
  await shows('Failed')
  await looksFinished(window, 'timeline-failed')
  await card('A quiet lake').getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Title').fill('A quiet lake [lake]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved.')
  await becomes('A quiet lake [lake]', 'posted')

  await schedules('A closed door', closed, await inSeconds(60))
  await admin('POST', `subreddits/${closed}`, { access: 'banned' })
  await becomes('A closed door', 'failed')
  await admin('POST', `subreddits/${closed}`, { access: 'open' })
  // The week of the product's clock, which may be another one than the browser's.
  const { postTime = '' } = (await itemOf('A closed door')) ?? {}
  await window.open(`/dashboard/timeline?view=week&day=${dayOf(new Date(postTime))}`)
  await card('A closed door').getByRole('button', { name: 'Try this subreddit again' }).waitFor()
  expect(await page.evaluate(cardsThatOverflow)).toEqual([])
  await shows('Failed')
  await card('A closed door').getByRole('button', { name: 'Try this subreddit again' }).click()
  await window.sees('Added to the queue again.')
  await becomes('A closed door', 'posted')

  // A link that is there is sent again once; what nothing can be done about is taken off, and put back it isn’t sent.
  await schedules('The same lake [lake]', wordy, await inSeconds(60))
  const already = { code: 'ALREADY_SUB', message: 'That link was submitted already.' }
  // Posts that other tests left may go up meanwhile.
  const submitting = { path: '/api/submit', account: 'MeadowMaker' }
  await admin('POST', 'faults', { kind: 'refuse', ...submitting, ...already, times: 2 })
  await becomes('The same lake [lake]', 'failed')
  await shows('Failed')
  await card('The same lake').getByRole('button', { name: 'Post it again anyway' }).click()
  await window.sees('Added to the queue again.')
  await becomes('The same lake [lake]', 'failed')
  await shows('Failed')
  await card('The same lake').getByRole('button', { name: 'Remove from the timeline' }).click()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await window.sees('Restored to the timeline.')
  await card('The same lake').getByText('the forum doesn’t allow it again').waitFor()
  expect(await stateOf('The same lake [lake]')).toBe('failed')

  await schedules('A stopped clock', suspended, await inSeconds(60))
  await admin('POST', 'accounts/MeadowMaker', { suspended: true })
  await becomes('A stopped clock', 'failed')
  await admin('POST', 'accounts/MeadowMaker', { suspended: false })
  await shows('Failed')
  await page.getByText('The forum stopped u/MeadowMaker.').waitFor()
  await looksFinished(window, 'timeline-stopped')
  await page.getByRole('button', { name: 'Resume posting' }).click()
  await page.getByText('The forum stopped u/MeadowMaker.').waitFor({ state: 'detached' })
  await card('A stopped clock').getByRole('button', { name: 'Schedule again' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Saved.')
  await becomes('A stopped clock', 'posted')

  // No answer, and nothing of it among the account’s posts.
  await schedules('A foggy bridge', doubtful, await inSeconds(60))
  await admin('POST', 'faults', { kind: 'drop', ...submitting, times: null })
  await becomes('A foggy bridge', 'unknown', 120)
  await admin('DELETE', 'faults')
  expect(await posted('A foggy bridge')).toBeUndefined()
  await shows('Unconfirmed')
  await looksFinished(window, 'timeline-unconfirmed')
  await card('A foggy bridge').getByRole('button', { name: 'Paste the link' }).click()
  await dialog.getByLabel('Link to the post').fill('https://example.com/elsewhere')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Paste the link to the post on the forum, in this subreddit.').waitFor()
  expect(window.complaints()).toEqual([expect.stringContaining('/timeline/item/confirm')])
  const forum = await page.context().newPage()
  const query = new URLSearchParams({ type: 'LINK', title: 'A foggy bridge', url: 'https://example.com/' })
  await forum.goto(`${fanfare.origin}/sandbox/reddit/r/${doubtful}/submit?${query}`)
  await dialog.getByLabel('Link to the post').fill(await submits(forum, 'MeadowMaker'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Marked as posted.')
  expect(await stateOf('A foggy bridge')).toBe('posted')

  await schedules('An open gate', removed, await inSeconds(60))
  await becomes('An open gate', 'posted')
  await admin('POST', `posts/${(await posted('An open gate'))?.name}/remove`, { category: 'moderator' })
  await expect
    .poll(
      async () => {
        await advance(window, 120)
        return (await itemOf('An open gate'))?.removedBy
      },
      { interval: 500 },
    )
    .toBe('moderator')
  await shows('Posted')
  await card('An open gate').getByText('Removed by moderators').waitFor()
  await looksFinished(window, 'timeline-posted')

  await schedules('My own hands', own, { ...(await inSeconds(60)), byHand: true })
  await becomes('My own hands', 'waiting')
  await shows('Manual')
  await card('My own hands').getByText('Mark it NSFW on the forum’s page before you post it.').waitFor()
  await looksFinished(window, 'timeline-by-hand')
  const opens = page.context().waitForEvent('page')
  await card('My own hands').getByRole('link', { name: 'Post it on the forum' }).click()
  const link = await submits(await opens, 'MeadowMaker')
  await card('My own hands').getByRole('button', { name: 'Paste the link' }).click()
  await dialog.getByLabel('Link to the post').fill(link)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await window.sees('Marked as posted.')
  expect(await stateOf('My own hands')).toBe('posted')
  // Each went up once.
  const titles = (await admin<{ items: Entry[] }>('GET', 'posts')).items.map(({ title }) => title)
  expect(titles.sort()).toEqual([...new Set(titles)].sort())
  expect(window.complaints()).toEqual([])
  await window.close()
})
