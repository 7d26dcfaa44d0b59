import { routes } from '../contract/index.ts'
import type { StoryBrowser } from './browser.ts'
import type { Fanfare } from './fanfare.ts'
import { connects } from './forum.ts'
import { apiOf, joins } from './people.ts'
import { openWindow, type Window } from './window.ts'

let made = 0
/** A creator with an account of the forum connected, and what they schedule. */
export async function startPosting(
  { fanfare, browser }: { fanfare: Fanfare; browser: StoryBrowser },
  account: string,
) {
  const creator = await joins(fanfare.origin, 'creator')
  const api = apiOf(fanfare.origin, creator)
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.open('/dashboard/reddit')
  await connects(window, account)
  await window.sees('Success!')
  const itemOf = async (title: string) =>
    (await api.call(routes.timeline, { query: { limit: 60 } })).items.find((item) => item.title === title)
  /** Schedules a new post in a subreddit; its title tells it from the others. */
  const schedules = async (title: string, subreddit: string, at: { postTime: string; byHand?: boolean }) => {
    made += 1
    const { _id: postId } = await api.call(routes.createPost, {
      body: { titles: [title], link: `https://www.redgifs.com/watch/QuietLake${made}` },
    })
    const params = { redditPostId: postId }
    await api.call(routes.editPost, { params, body: { usableSubreddits: [subreddit] } })
    await api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: subreddit, title, ...at },
    })
  }
  return { api, window, page: window.page, itemOf, schedules }
}

const pad = (number: number) => String(number).padStart(2, '0')
/** The day as the timeline’s addresses name it. */
export const dayOf = (date: Date) =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`

/** Moves the clock of the sandbox on. */
export async function advance({ page }: Window, seconds: number): Promise<void> {
  await page.request.post('/sandbox/clock', { data: { advanceSeconds: seconds } })
}
