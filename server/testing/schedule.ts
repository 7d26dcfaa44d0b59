import { routes } from '../../contract/index.ts'
import { buildCreator, type Person } from './builders.ts'
import type { Harness } from './harness.ts'
import { buildPost, connectForum } from './promotion.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Subreddits that the tests of the schedule track. */
export const SUBREDDITS = Array.from({ length: 30 }, (_, index) => `CozyKnits${index}`)

export type Poster = { person: Person; accountId: string; api: ReturnType<Harness['api']['as']> }

/** A creator with a connected account of their own. */
export async function buildPoster(harness: Harness): Promise<Poster> {
  const person = await buildCreator(harness)
  await connectForum(harness, person, `Planner${crypto.randomUUID().slice(0, 8)}`)
  const api = harness.api.as(person)
  const { accounts } = await api.call(routes.queue, {})
  return { person, accountId: accounts[0]?._id ?? '', api }
}

/** A post of this person's, for the first three subreddits unless told otherwise; answers its id. */
export const buildPostOf = (harness: Harness, { person }: Poster, subreddits = SUBREDDITS.slice(0, 3)) =>
  buildPost(harness, person, { subreddits })

/** So many minutes from the harness's now, as on the wire. */
export const inMinutes = ({ clock }: Harness, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString()

/** Moves the harness's clock a second past the next whole minute, for what must come out the same twice within one. */
export const beginMinute = ({ clock }: Harness): void =>
  clock.advance(MINUTE_MS + 1000 - (clock.now().getTime() % MINUTE_MS))

/** Moves the harness's clock to the next noon, so that no day (UTC) and no evening's time begins within a test. */
export const beginNoon = ({ clock }: Harness): void =>
  clock.advance(DAY_MS - ((clock.now().getTime() + DAY_MS / 2) % DAY_MS))

export const minutesBetween = (one: string, other: string): number =>
  (Date.parse(other) - Date.parse(one)) / MINUTE_MS

/** Schedules the post for the first subreddit at the end of the queue, unless told otherwise. */
export const create = ({ api }: Poster, postId: string, more: Record<string, unknown> = {}) =>
  api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: 'CozyKnits0', title: 'A quiet lake', ...more },
  })

export const readPost = ({ api }: Poster, redditPostId: string) =>
  api.call(routes.post, { params: { redditPostId } })

export const timeline = async ({ api }: Poster, query = {}) =>
  (await api.call(routes.timeline, { query: { limit: 60, ...query } })).items

export const cancel = ({ api }: Poster, itemId: string) =>
  api.call(routes.cancelTimelineItem, { body: { itemId } })
