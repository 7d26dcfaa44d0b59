import { routes } from '../../contract/index.ts'
import type { EARNINGS_GROUPS } from '../../contract/promotion.ts'
import { buildMedia, buildSession, type Person } from './builders.ts'
import { cardToken } from './gateway.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildPost, buildSubreddits, forumAdmin, forumPosts, openSubreddits, submitDue } from './promotion.ts'
import { beginNoon } from './schedule.ts'

export const MINUTE_MS = 60_000

type By = (typeof EARNINGS_GROUPS)[number]

/** A server whose forum has subreddits for every post. */
export async function startWithSubreddits(): Promise<{ harness: Harness; places: string[] }> {
  const harness = await startHarness()
  // Far from midnight, as somebody's visits count once a day.
  beginNoon(harness)
  await forumAdmin(harness, 'POST', 'limits', { budget: 100_000 })
  const places = await openSubreddits(harness)
  await buildSubreddits(harness, places)
  return { harness, places }
}

/** Posts of the test's creator with links, people who come by these and buy, and what the creator is told of it. */
export function postLinks(test: () => { harness: Harness; places: string[]; creator: Person }) {
  const later = (ms: number) => test().harness.clock.advance(ms)
  /** Sessions end while the clock is moved, so each call has one of its own. */
  const as = async (person: Person) =>
    test().harness.api.as({ token: await buildSession(test().harness, person.id) })

  /** A post that is up, with the code of its link as the first comment says it. */
  async function posted({ title = 'A quiet lake', place = 0, by = test().creator } = {}) {
    const { harness, places } = test()
    const subreddit = places[place] ?? ''
    const poster = { ...by, token: await buildSession(harness, by.id) }
    const postId = await buildPost(harness, poster, {
      subreddits: [subreddit],
      titles: [title],
      comment: 'More of this: {link}',
    })
    const api = harness.api.as(poster)
    const postTime = new Date(harness.clock.now().getTime() + MINUTE_MS).toISOString()
    const item = await api.call(routes.createTimelineItem, {
      body: { postId, selectedSubreddit: subreddit, title, comment: 'More of this: {link}', postTime },
    })
    later(MINUTE_MS)
    await submitDue(harness)
    const entry = (await forumPosts(harness)).at(-1)
    const [, code = ''] = /\/go\/(\w+)/.exec(entry?.comments[0]?.body ?? '') ?? []
    return { id: item._id, code, subreddit, entry }
  }

  const visit = async (code: string, person?: Person) =>
    (person ? await as(person) : test().harness.api.visitor()).call(routes.visitPost, { body: { code } })

  async function buy(fan: Person, of: Person = test().creator, priceCents = 700): Promise<string> {
    const { harness } = test()
    const itemId = await buildMedia(harness, of, { showInStore: true, priceCents })
    const bought = await (await as(fan)).call(routes.purchase, {
      body: { kind: 'single', itemId, ...(await cardToken(harness)) },
    })
    return bought._id
  }

  const earned = async (by: By = 'post', query: object = {}, of = test().creator) =>
    (await as(of)).call(routes.postEarnings, { query: { by, ...query } })

  return { later, as, posted, visit, buy, earned }
}
