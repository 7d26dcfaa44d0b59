import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildCreator } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import {
  buildSubreddits,
  connectForum,
  forumAdmin,
  forumPosts,
  openSubreddits,
  submitDue,
} from './promotion.ts'
import { prepareVictims, type Victims } from './victims.ts'

/** How many are due at once; the figures of docs/decisions/046-schedule.md come from 100,000 and 2,000. */
const ITEMS = Number(process.env.POST_ITEMS ?? 400)
const LIMITED_ITEMS = Number(process.env.POST_LIMITED_ITEMS ?? 40)
const ACCOUNTS = ITEMS > 10_000 ? 50 : 10
const WORKERS = 2
const MINUTE_MS = 60_000

let harness: Harness
let victims: Victims
let subreddits: string[]
const people: { userId: string; accountId: string }[] = []

beforeAll(async () => {
  harness = await startHarness()
  victims = await prepareVictims(harness)
  await forumAdmin(harness, 'POST', 'limits', { budget: 1_000_000_000 })
  subreddits = (await openSubreddits(harness)).slice(0, 40)
  await buildSubreddits(harness, subreddits)
  for (let number = 0; number < ACCOUNTS; number++) {
    const person = await buildCreator(harness)
    const { _id: accountId } = await connectForum(harness, person, `Worker${number}`)
    people.push({ userId: person.id, accountId })
  }
}, 300_000)
beforeEach(() => harness.context.db.deleteFrom('forum_posts').execute())
afterAll(async () => {
  await victims.dispose()
  await harness.stop()
})

/** So many items due now, shared among all accounts, each post with a link of its own in every subreddit. */
async function buildDue(name: 'Lake' | 'Garden', count: number): Promise<void> {
  const { db, clock } = harness.context
  const each = count / ACCOUNTS
  const posts = Math.ceil(each / subreddits.length)
  await db.transaction().execute(async (tx) => {
    for (const { userId, accountId } of people)
      await sql`
        with post as (
          insert into forum_posts (user_id, titles, link, comment, created_at)
          select ${userId}::uuid, array['A quiet lake'], 'https://www.redgifs.com/ifr/lake' || number, '', ${clock.now()}::timestamptz
          from generate_series(1, ${posts}::integer) as number returning id, link
        ), place as (
          insert into forum_post_subreddits (post_id, subreddit_id, state, place)
          select post.id, subreddits.id, 'scheduled', 0 from post, subreddits where name = any(${subreddits}::text[])
          returning post_id, subreddit_id
        ), numbered as (
          select post_id, subreddit_id, link, row_number() over (order by post_id, subreddit_id) as number
          from place join post on post.id = post_id
        )
        insert into scheduled_posts (user_id, post_id, subreddit_id, account_id, title, url, media_key, post_at, state, created_at)
        select ${userId}::uuid, post_id, subreddit_id, ${accountId}::uuid, ${name}::text || ' ' || ${accountId}::text || ' ' || number,
          link || ${name}::text || ${accountId}::text || number,
          link, ${clock.now()}::timestamptz, 'scheduled', ${clock.now()}::timestamptz
        from numbered where number <= ${each}::integer`.execute(tx)
  })
}

const countBy = async (state: 'posted' | 'scheduled') => {
  const { db } = harness.context
  const row = await db
    .selectFrom('scheduled_posts')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

test(
  `${WORKERS} workers post what is due, each item once`,
  async () => {
    await forumAdmin(harness, 'POST', 'limits', { postingSeconds: 0 })
    await buildDue('Lake', ITEMS)
    const startedAt = performance.now()
    // A run ends after a while, and the next goes on.
    while ((await countBy('scheduled')) > 0) {
      const ended = Array.from(
        { length: WORKERS },
        () => victims.start({ crashAt: 'post.claimed', crashCount: ITEMS + 1, job: 'posts.submit' }).ended,
      )
      expect(await Promise.all(ended)).toEqual(Array(WORKERS).fill(null))
    }
    const seconds = (performance.now() - startedAt) / 1000
    if (process.env.POST_ITEMS) process.stdout.write(`${ITEMS} posted in ${seconds.toFixed(1)} s\n`)
    expect(await countBy('posted')).toBe(ITEMS)
    const titles = (await forumPosts(harness)).map(({ title }) => title)
    expect(titles).toHaveLength(ITEMS)
    expect(new Set(titles).size).toBe(ITEMS)
  },
  300_000 + ITEMS * 20,
)

test(
  'at the forum’s own limits everything goes up, in its order, once',
  async () => {
    const before = (await forumPosts(harness)).length
    await forumAdmin(harness, 'POST', 'limits', { budget: 1000, postingSeconds: 600 })
    await buildDue('Garden', LIMITED_ITEMS)
    // Late posts go up a quarter of an hour apart.
    for (let round = 0; (await countBy('scheduled')) > 0 && round < LIMITED_ITEMS; round++) {
      harness.clock.advance(16 * MINUTE_MS)
      await submitDue(harness)
    }
    const posts = (await forumPosts(harness)).slice(before)
    expect(posts).toHaveLength(LIMITED_ITEMS)
    for (const { accountId } of people) {
      const numbers = posts
        .filter(({ title }) => title.includes(accountId))
        .map(({ title }) => Number(title.split(' ')[2]))
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
      expect(new Set(numbers).size).toBe(LIMITED_ITEMS / ACCOUNTS)
    }
  },
  300_000 + LIMITED_ITEMS * 200,
)
