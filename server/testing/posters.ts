import { afterAll, beforeAll, beforeEach } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Checkpoint } from '../context.ts'
import { buildCreator, type Person } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  type ForumEntry,
  forumAdmin,
  forumPosts,
  openSubreddits,
} from './promotion.ts'

export const MINUTE_MS = 60_000

/** A creator with a connected forum account of their own. */
export type Poster = { person: Person; account: string; api: ReturnType<Harness['api']['as']> }

type Wanted = { subreddit?: string; title?: string; comment?: string; minutes?: number; byHand?: boolean }

/** Creators whose posts go to a forum without limits; its faults are gone before each test of the file that calls this. */
export function posters() {
  let harness: Harness
  let names = 0
  const scene = {
    harness: undefined as unknown as Harness,
    /** What happens when a post comes to a checkpoint. */
    meanwhile: {} as { [Name in Checkpoint]?: () => Promise<unknown> },
  }
  beforeAll(async () => {
    harness = await startHarness({ checkpoint: async (name) => void (await scene.meanwhile[name]?.()) })
    scene.harness = harness
    await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
    await buildSubreddits(harness, ['Gardens', 'SlowBread', ...(await openSubreddits(harness))])
  })
  beforeEach(async () => {
    scene.meanwhile = {}
    await forumAdmin(harness, 'DELETE', 'faults')
  })
  afterAll(() => harness?.stop())

  const buildPoster = async (): Promise<Poster> => {
    const person = await buildCreator(harness)
    const account = `Poster${names++}`
    await connectForum(harness, person, account)
    return { person, account, api: harness.api.as(person) }
  }
  /** Schedules a new post; its time is so many minutes from now. */
  const scheduleOne = async ({ person, api }: Poster, wanted: Wanted = {}) => {
    const { subreddit = 'Lanterns', title = 'A quiet lake', comment = '', minutes = 10, byHand } = wanted
    const postId = await buildPost(harness, person, { subreddits: [subreddit], titles: [title] })
    return api.call(routes.createTimelineItem, {
      body: {
        postId,
        selectedSubreddit: subreddit,
        title,
        comment,
        postTime: new Date(harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString(),
        ...(byHand === undefined ? {} : { byHand }),
      },
    })
  }
  const later = (minutes: number) => harness.clock.advance(minutes * MINUTE_MS)
  const fault = (body: object) => forumAdmin(harness, 'POST', 'faults', body)
  const find = async ({ api }: Poster, id: string) => {
    const { items } = await api.call(routes.timeline, { query: { limit: 60 } })
    const item = items.find(({ _id }) => _id === id)
    if (!item) throw new Error('the item is not on the timeline')
    return item
  }
  const postsOf = async ({ account }: Poster): Promise<ForumEntry[]> =>
    (await forumPosts(harness)).filter(({ author }) => author === account)
  const titlesOf = async (poster: Poster) => (await postsOf(poster)).map(({ title }) => title)
  const told = async ({ api }: Poster) => {
    const { items } = await api.call(routes.notifications, { query: {} })
    return items.filter(({ event }) => event.kind === 'post.changed')
  }

  return Object.assign(scene, { buildPoster, scheduleOne, later, fault, find, postsOf, titlesOf, told })
}
