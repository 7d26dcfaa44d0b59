import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildPost, buildSubreddits, connectForum } from '../../../testing/promotion.ts'
import { buildPoster, create, type Poster, SUBREDDITS, timeline } from '../../../testing/schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Nothing else of this link was ever posted. */
const LINK = 'sharedlake'
let harness: Harness
/** Midnight in Greenwich, three days ahead: what is placed a day before it is still to come. */
let midnight: number
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, SUBREDDITS)
  midnight = Math.ceil(harness.clock.now().getTime() / DAY_MS) * DAY_MS + 2 * DAY_MS
})
afterAll(() => harness?.stop())

const at = (hours: number) => new Date(midnight + hours * HOUR_MS).toISOString()

/** An item of a post of its own, which shows the shared picture unless told otherwise. */
async function place(
  poster: Poster,
  hours: number,
  of: { subreddit?: string; link?: string; [more: string]: unknown } = {},
) {
  const { subreddit = 'CozyKnits0', link = LINK, ...more } = of
  const postId = await buildPost(harness, poster.person, { subreddits: [subreddit], link })
  return create(poster, postId, { selectedSubreddit: subreddit, postTime: at(hours), ...more })
}
const marks = async (poster: Poster, query: object) =>
  (await timeline(poster, query)).map(({ postTime, clash }) => [postTime, clash])
const went = (itemId: string, hours: number) =>
  harness.context.db
    .updateTable('scheduled_posts')
    .set({ state: 'posted', posted_at: new Date(at(hours)) })
    .where('id', '=', itemId)
    .execute()

test('the same picture in the same subreddit within a day is marked wherever the range that is listed ends', async () => {
  const poster = await buildPoster(harness)
  await place(poster, -4)
  await place(poster, 10)
  expect(await marks(poster, { from: at(0), to: at(24) })).toEqual([[at(10), 'duplicate']])
  expect(await marks(poster, { from: at(-24), to: at(0) })).toEqual([[at(-4), 'duplicate']])
  // Of one page alone too.
  expect(await marks(poster, { limit: 1 })).toEqual([[at(-4), 'duplicate']])
})

test('what went up counts by when it did, also where it isn’t listed, and isn’t marked itself', async () => {
  const poster = await buildPoster(harness)
  const earlier = await place(poster, -30)
  await place(poster, 10)
  expect(await marks(poster, { from: at(0) })).toEqual([[at(10), null]])
  await went(earlier._id, -4)
  expect(await marks(poster, {})).toEqual([
    [at(-30), null],
    [at(10), 'duplicate'],
  ])
  expect(await marks(poster, { from: at(0) })).toEqual([[at(10), 'duplicate']])
})

test('what waits for its person is compared with all the others', async () => {
  const poster = await buildPoster(harness)
  await place(poster, 1)
  const byHand = await place(poster, 2, { byHand: true, postTime: at(2) })
  await harness.context.db
    .updateTable('scheduled_posts')
    .set({ state: 'waiting' })
    .where('id', '=', byHand._id)
    .execute()
  expect(await marks(poster, { state: 'waiting' })).toEqual([[at(2), 'duplicate']])
})

test('a day apart, elsewhere, of another picture, or of somebody else is no duplicate', async () => {
  const [poster, stranger] = [await buildPoster(harness), await buildPoster(harness)]
  await place(poster, 0)
  await place(poster, 24)
  await place(poster, 2, { subreddit: 'CozyKnits1' })
  await place(poster, 4, { link: 'anotherlake' })
  await place(stranger, 6)
  expect((await marks(poster, {})).map(([, clash]) => clash)).toEqual([null, null, null, null])
})

test.each(['failed', 'canceled'] as const)('what is %s counts for nothing', async (state) => {
  const poster = await buildPoster(harness)
  const { _id: itemId } = await place(poster, 0)
  await place(poster, 8)
  expect(await marks(poster, { from: at(8) })).toEqual([[at(8), 'duplicate']])
  await harness.context.db.updateTable('scheduled_posts').set({ state }).where('id', '=', itemId).execute()
  expect(await marks(poster, { from: at(8) })).toEqual([[at(8), null]])
})

test('less than the queue’s gap to another post of its account is marked, whatever its page or filter', async () => {
  const poster = await buildPoster(harness)
  const other = await connectForum(harness, poster.person, `Second${crypto.randomUUID().slice(0, 8)}`)
  const apart = (minutes: number) => ({ postTime: new Date(midnight + minutes * MINUTE_MS).toISOString() })
  const elsewhere = (index: number) => ({ subreddit: `CozyKnits${index}`, link: `lake${'abcdefg'[index]}` })
  await place(poster, 0, elsewhere(0))
  await place(poster, 0, { ...elsewhere(1), ...apart(59) })
  await place(poster, 0, { ...elsewhere(2), ...apart(119) })
  await place(poster, 0, { ...elsewhere(3), ...apart(120), accountId: other._id })
  const { items } = await poster.api.call(routes.timeline, { query: { limit: 1 } })
  expect(items.map(({ clash }) => clash)).toEqual(['close'])
  expect((await timeline(poster)).map(({ clash }) => clash)).toEqual(['close', 'close', null, null])
  await poster.api.call(routes.editQueue, { body: { gapMinutes: 61 } })
  expect((await timeline(poster)).map(({ clash }) => clash)).toEqual(['close', 'close', 'close', null])
  await poster.api.call(routes.editQueue, { body: { gapMinutes: 30 } })
  expect((await timeline(poster)).map(({ clash }) => clash)).toEqual([null, null, null, null])
})
