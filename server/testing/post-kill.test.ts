import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/index.ts'
import type { Checkpoint } from '../context.ts'
import { buildCreator } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import {
  buildPost,
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  lookUpDue,
  openSubreddits,
  submitDue,
} from './promotion.ts'
import { prepareVictims, type Victims } from './victims.ts'

/** Where workers are killed: before a post is sent, between its answer and its commit, after its comment; or at one alone. */
const CHECKPOINTS = (['post.claimed', 'post.answered', 'comment.answered'] satisfies Checkpoint[]).filter(
  (name) => name === (process.env.POST_CRASH_AT ?? name),
)
/** How many workers are killed; the figures of docs/security.md come from 330, and from 220 at `post.answered` alone. */
const KILLS = Number(process.env.POST_KILLS ?? 12)
/** Workers that live, and die, at the same time. */
const LANES = 2
const ACCOUNTS = 12
/** Of each account, so many become due before each pair of workers. */
const ITEMS_PER_ROUND = 2
const ITEMS_PER_ACCOUNT = (KILLS / LANES) * ITEMS_PER_ROUND
const MINUTE_MS = 60_000
/** Long enough that what is in doubt was looked up, and what stays unknown given up. */
const ROUND_MS = 6 * MINUTE_MS

let harness: Harness
let victims: Victims

beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
  await forumAdmin(harness, 'POST', 'limits', { budget: 1_000_000 })
})
afterAll(async () => {
  await victims.dispose()
  await harness.stop()
})

/** The posts of one account, each in a subreddit of its own or with a link of its own. */
async function buildQueue(account: string, subreddits: string[]): Promise<void> {
  const person = await buildCreator(harness)
  await connectForum(harness, person, account)
  const api = harness.api.as(person)
  const start = harness.clock.now().getTime() + ROUND_MS
  let postId = ''
  for (let number = 0; number < ITEMS_PER_ACCOUNT; number++) {
    const place = number % subreddits.length
    const postTime = new Date(start + Math.floor(number / ITEMS_PER_ROUND) * ROUND_MS).toISOString()
    if (place === 0) postId = await buildPost(harness, person, { subreddits })
    const body = {
      postId,
      selectedSubreddit: subreddits[place] ?? '',
      postTime,
      comment: `First of ${number}`,
    }
    await api.call(routes.createTimelineItem, { body: { ...body, title: `${account} ${number}` } })
  }
}

const items = () =>
  harness.context.db
    .selectFrom('scheduled_posts')
    .select(['title', 'state', 'comment_state', 'forum_post_id'])
    .execute()

/** Whether anything is still to be done. */
const isOpen = async () =>
  (await items()).some(
    ({ state, comment_state }) =>
      state === 'scheduled' ||
      state === 'submitting' ||
      comment_state === 'due' ||
      comment_state === 'sending',
  )

test(
  'killed between posting and committing, nothing goes up twice and nothing is lost silently',
  async () => {
    const subreddits = (await openSubreddits(harness)).slice(0, 40)
    await buildSubreddits(harness, subreddits)
    for (let account = 0; account < ACCOUNTS; account++) await buildQueue(`Killed${account}`, subreddits)

    const signals: (NodeJS.Signals | null)[] = []
    for (let round = 0; round < KILLS / LANES; round++) {
      harness.clock.advance(ROUND_MS)
      await lookUpDue(harness)
      const ended = Array.from({ length: LANES }, (_, lane) => {
        const turn = round * LANES + lane
        const crashAt = CHECKPOINTS[turn % CHECKPOINTS.length] ?? 'post.answered'
        return victims.start({ crashAt, crashCount: 1 + (round % CHECKPOINTS.length), job: 'posts.submit' })
          .ended
      })
      signals.push(...(await Promise.all(ended)))
    }
    // Comments come last: a worker that is told to die at one may find none.
    const killed = signals.filter((signal) => signal === 'SIGKILL').length
    if (process.env.POST_KILLS) process.stdout.write(`${killed} of ${KILLS} killed\n`)
    expect(killed).toBeGreaterThanOrEqual((KILLS * 2) / 3)

    // What is more than an hour late goes up a quarter of an hour apart.
    for (let round = 0; (await isOpen()) && round < ITEMS_PER_ACCOUNT * 4; round++) {
      harness.clock.advance(ROUND_MS)
      await submitDue(harness)
    }
    const posts = Map.groupBy(await forumPosts(harness), ({ title }) => title)
    const all = await items()
    expect(all).toHaveLength(ACCOUNTS * ITEMS_PER_ACCOUNT)
    const outcomes = all.map((item) => {
      const there = posts.get(item.title) ?? []
      return { ...item, up: there.length, comments: there[0]?.comments.length ?? 0 }
    })
    const wrong = outcomes.filter(({ state, comment_state, up, comments }) =>
      state === 'posted'
        ? up !== 1 || comment_state !== 'posted' || comments !== 1
        : state !== 'unknown' || up > 1,
    )
    expect(wrong).toEqual([])
    const known = new Set(all.map(({ title }) => title))
    expect([...posts.keys()].filter((title) => !known.has(title))).toEqual([])
    // Everybody whose post is in doubt was notified.
    const unknown = all.filter(({ state }) => state === 'unknown')
    const told = await harness.context.db
      .selectFrom('notifications')
      .select('id')
      .where('kind', '=', 'post.changed')
      .execute()
    expect(told).toHaveLength(unknown.length)
    if (process.env.POST_KILLS)
      process.stdout.write(`${all.length} posts, ${unknown.length} left to their person\n`)
    // Only workers that died before they sent leave a doubt.
    expect(unknown.filter(({ title }) => posts.has(title))).toEqual([])
  },
  300_000 + KILLS * 10_000,
)
