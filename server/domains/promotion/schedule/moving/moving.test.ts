import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { createPool, type Tables } from '../../../../db/client.ts'
import { MINUTE_MS, type Poster, posters } from '../../../../testing/posters.ts'
import { buildPost, openSubreddits, submitDue } from '../../../../testing/promotion.ts'
import { moveBack, moveItems } from './actions.ts'

const scene = posters()
const { buildPoster, later, find, told } = scene
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * MINUTE_MS

/** Lets a subreddit take so many posts in so many days. */
const limit = (name: string, posts: number, days: number) =>
  scene.harness.context.db
    .updateTable('subreddits')
    .set({ post_max: posts, post_interval: days, post_unit: 'days' })
    .where('name', '=', name)
    .execute()
afterEach(() =>
  scene.harness.context.db
    .updateTable('subreddits')
    .set({ post_max: null, post_interval: null, post_unit: null })
    .execute(),
)

const inDays = (days: number) => new Date(scene.harness.clock.now().getTime() + days * DAY_MS).toISOString()

/** Schedules a new post so many days from now. */
async function place({ person, api }: Poster, subreddit: string, days: number) {
  const postId = await buildPost(scene.harness, person, { subreddits: [subreddit] })
  return api.call(routes.createTimelineItem, {
    body: { postId, selectedSubreddit: subreddit, title: 'A lake', postTime: inDays(days) },
  })
}
/** Moves everything around a day, counted from now, by so many days. */
const moveAround = ({ api }: Poster, day: number, days: number) =>
  api.call(routes.moveDay, { body: { from: inDays(day - 0.5), to: inDays(day + 0.5), days } })

test('what a subreddit refuses stays when its day is moved, and the answer says how many and why', async () => {
  const poster = await buildPoster()
  const [limited = '', open = ''] = await openSubreddits(scene.harness)
  await limit(limited, 1, 7)
  const first = await place(poster, limited, 10)
  const second = await place(poster, limited, 18)
  const free = await place(poster, open, 10)
  const reason = `r/${limited} allows 1 post every 7 days.`
  await expect(
    poster.api.call(routes.editTimelineItem, { body: { itemId: first._id, postTime: inDays(12) } }),
  ).rejects.toMatchObject({ code: 'post_breaks_rule', message: expect.stringContaining(reason) })
  expect(await moveAround(poster, 10, 7)).toEqual({
    moved: 1,
    items: [{ _id: free._id, postTime: free.postTime }],
    stayed: [{ posts: 1, reason }],
  })
  expect(await find(poster, first._id)).toMatchObject({ postTime: first.postTime, clash: null })
  expect(await find(poster, second._id)).toMatchObject({ postTime: second.postTime, clash: null })
  // A day later it is far enough from the other one.
  expect(await moveAround(poster, 10, 1)).toMatchObject({ moved: 1, stayed: [] })
})

test('what moves together isn’t held to the places that the others leave, there and back', async () => {
  const poster = await buildPoster()
  const [limited = ''] = await openSubreddits(scene.harness)
  await limit(limited, 1, 1)
  const items = []
  for (const days of [10, 11, 12]) items.push(await place(poster, limited, days))
  const whole = { from: inDays(9), to: inDays(13) }
  const answer = await poster.api.call(routes.moveDay, { body: { ...whole, days: 1 } })
  expect(answer).toMatchObject({ moved: 3, stayed: [] })
  expect(await poster.api.call(routes.moveBack, { body: { items: answer.items } })).toEqual({
    moved: 3,
    stayed: [],
  })
  for (const { _id, postTime } of items) expect(await find(poster, _id)).toMatchObject({ postTime })
})

test('what is put back stays where its subreddit refuses it by then', async () => {
  const poster = await buildPoster()
  const [limited = ''] = await openSubreddits(scene.harness)
  await limit(limited, 1, 7)
  const { _id: itemId, postTime } = await place(poster, limited, 10)
  const { items } = await moveAround(poster, 10, 10)
  await place(poster, limited, 8)
  expect(await poster.api.call(routes.moveBack, { body: { items } })).toEqual({
    moved: 0,
    stayed: [{ posts: 1, reason: `r/${limited} allows 1 post every 7 days.` }],
  })
  expect(await find(poster, itemId)).toMatchObject({
    postTime: new Date(Date.parse(postTime) + 10 * DAY_MS).toISOString(),
  })
})

test('a post that is too soon when it is due is moved, and its creator is told where to and why', async () => {
  const poster = await buildPoster()
  const [limited = ''] = await openSubreddits(scene.harness)
  await place(poster, limited, 1)
  const { _id: itemId } = await place(poster, limited, 2)
  expect(await find(poster, itemId)).toMatchObject({ clash: null })
  await limit(limited, 1, 7)
  expect(await find(poster, itemId)).toMatchObject({ clash: 'frequency' })
  for (let day = 0; day < 2; day++) {
    later(DAY_MINUTES + 1)
    await submitDue(scene.harness)
  }
  const { state, postTime, clash } = await find(poster, itemId)
  expect([state, clash]).toEqual(['scheduled', null])
  expect(Date.parse(postTime)).toBeGreaterThan(Date.parse(inDays(5)))
  expect((await told(poster)).map(({ event }) => event.data)).toEqual([
    {
      ...{ state: 'moved', subreddit: limited, title: 'A lake', on: postTime.slice(0, 10) },
      reason: `r/${limited} allows 1 post every 7 days.`,
    },
  ])
})

test('as many posts as a subreddit allows are no clash, one more is one for each that is too close', async () => {
  const poster = await buildPoster()
  const [limited = ''] = await openSubreddits(scene.harness)
  for (const days of [10, 11, 13, 20]) await place(poster, limited, days)
  const clashes = async () =>
    (await poster.api.call(routes.timeline, { query: { limit: 60 } })).items.map(({ clash }) => clash)
  await limit(limited, 3, 7)
  expect(await clashes()).toEqual([null, null, null, null])
  await limit(limited, 2, 7)
  expect(await clashes()).toEqual(['frequency', 'frequency', 'frequency', null])
})

/** Schedules so many posts, a minute apart, in each of two subreddits from a day on. */
const placeMany = ({ person }: Poster, subreddits: string[], posts: number, day: number) =>
  sql`
    with many as (
      insert into forum_posts (user_id, titles, link, comment, created_at)
      select ${person.id}, array['A lake'], 'https://www.redgifs.com/ifr/lake' || n, '', ${scene.harness.clock.now()}
      from generate_series(1, ${posts}::int) as n returning id
    )
    insert into scheduled_posts (user_id, post_id, subreddit_id, account_id, title, url, media_key, post_at, state, created_at)
    select ${person.id}, many.id, subreddits.id, forum_accounts.id, 'A lake', 'https://www.redgifs.com/watch/lake', 'redgifs:lake',
      ${inDays(day)}::timestamptz + row_number() over (order by many.id) * interval '1 minute', 'scheduled', ${scene.harness.clock.now()}
    from many, subreddits, forum_accounts
    where subreddits.name = any(${subreddits}) and forum_accounts.user_id = ${person.id}`.execute(
    scene.harness.context.db,
  )

test('a day of many posts is moved, and put back, by as many statements as one of a few', async () => {
  const poster = await buildPoster()
  const [limited = '', open = ''] = await openSubreddits(scene.harness)
  await limit(limited, 1, 7)
  let statements = 0
  const logged = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: createPool(scene.harness.databaseUrl, { max: 1, onError: () => {} }),
    }),
    log: () => void statements++,
  })
  const counted = async (day: number) => {
    const of = { userId: poster.person.id, now: scene.harness.clock.now() }
    const range = { from: new Date(inDays(day)), to: new Date(inDays(day + 1)) }
    statements = 0
    const { items, stayed } = await logged
      .transaction()
      .execute((tx) => moveItems(tx, { ...of, ...range, days: 0, timeZone: 'UTC', minutes: 60 }))
    const there = statements
    const back = await logged.transaction().execute((tx) => moveBack(tx, { ...of, items }))
    return { there, back: statements - there, moved: [items.length, back.moved], stayed: stayed[0]?.posts }
  }
  try {
    await placeMany(poster, [limited, open], 2, 30)
    const few = await counted(30)
    expect(few).toMatchObject({ moved: [2, 2], stayed: 2 })
    await placeMany(poster, [limited, open], 100, 60)
    expect(await counted(60)).toEqual({ ...few, moved: [100, 100], stayed: 100 })
  } finally {
    await logged.destroy()
  }
})

test('an item that is put back twice goes where it is named last, and is counted once', async () => {
  const poster = await buildPoster()
  const [open = ''] = await openSubreddits(scene.harness)
  const { _id } = await place(poster, open, 10)
  const [first, last] = [inDays(11), inDays(12)]
  const answer = await poster.api.call(routes.moveBack, {
    body: {
      items: [
        { _id, postTime: first },
        { _id, postTime: last },
      ],
    },
  })
  expect(answer).toEqual({ moved: 1, stayed: [] })
  expect(await find(poster, _id)).toMatchObject({ postTime: last })
})
