import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTRIBUTION_DAYS } from '../../../../contract/promotion.ts'
import { buildCreator, buildFan, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { buildSubreddits } from '../../../testing/promotion.ts'
import { insertPurchase } from '../../../testing/purchases.ts'
import { listFigures } from './data.ts'

const HOUR_MS = 3_600_000
const HOURS = 24 * (ATTRIBUTION_DAYS + 5)
const CREATORS = 2
const POSTS = 3
const FANS = 2

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  await buildSubreddits(harness, ['GardenPortraits'])
})
afterAll(() => harness?.stop())

type Event = { fan: number; creator: number; hour: number }
type Visit = Event & { post: number }
type Purchase = Event & { cents: number }
type History = { visits: Visit[]; purchases: Purchase[] }

const event = {
  fan: fc.nat(FANS - 1),
  creator: fc.nat(CREATORS - 1),
  hour: fc.nat(HOURS),
}
const history: fc.Arbitrary<History> = fc.record({
  // No two visits at one moment: which of them was the last, nobody could say.
  visits: fc.uniqueArray(fc.record({ ...event, post: fc.nat(POSTS - 1) }), {
    maxLength: 8,
    selector: ({ hour }) => hour,
  }),
  purchases: fc.array(fc.record({ ...event, cents: fc.integer({ min: 100, max: 900 }) }), { maxLength: 5 }),
})

/** The sales of each of the first creator's posts, found by a full scan. */
function expected({ visits, purchases }: History): number[] {
  const sold = Array.from({ length: POSTS }, () => 0)
  for (const { fan, creator, hour, cents } of purchases) {
    if (creator !== 0) continue
    let last: Visit | null = null
    for (const visit of visits) {
      const isBefore = visit.fan === fan && visit.creator === 0 && visit.hour <= hour
      if (!isBefore || hour - visit.hour > 24 * ATTRIBUTION_DAYS) continue
      if (!last || visit.hour > last.hour) last = visit
    }
    if (last) sold[last.post] = (sold[last.post] ?? 0) + cents
  }
  return sold
}

test('whatever the history, a purchase belongs to the last post of its creator within the days before it', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (made) => {
      const { db } = harness.context
      const start = harness.clock.now().getTime() - HOURS * HOUR_MS
      const at = (hour: number) => new Date(start + hour * HOUR_MS)
      const creators = await Promise.all(Array.from({ length: CREATORS }, () => buildCreator(harness)))
      const fans = await Promise.all(Array.from({ length: FANS }, () => buildFan(harness)))
      const posts = await Promise.all(creators.map((creator) => insertPosts(creator, at(0))))
      for (const { fan, creator, hour, post } of made.visits)
        await db
          .insertInto('forum_visits')
          .values({
            item_id: posts[creator]?.[post] ?? '',
            user_id: fans[fan]?.id ?? '',
            visited_at: at(hour),
          })
          .execute()
      for (const { fan, creator, hour, cents } of made.purchases)
        await insertPurchase(db, {
          buyer_id: fans[fan]?.id ?? '',
          creator_id: creators[creator]?.id ?? '',
          kind: 'tip',
          item_id: creators[creator]?.id ?? '',
          amount_cents: cents,
          status: 'captured',
          created_at: at(hour),
        })
      const [creator] = creators
      const figures = await listFigures(db, {
        creatorId: creator?.id ?? '',
        from: at(0),
        to: at(HOURS),
      })
      const sold = posts[0]?.map((id) => figures.find((row) => row.id === id)?.salesCents)
      expect(sold).toEqual(expected(made))
    }),
    { numRuns: 40 },
  )
})

/** Posts of a creator that went up at this time; answers their ids. */
async function insertPosts(creator: Person, at: Date): Promise<string[]> {
  const { db } = harness.context
  const { id: subredditId } = await db.selectFrom('subreddits').select('id').executeTakeFirstOrThrow()
  const { id: postId } = await db
    .insertInto('forum_posts')
    .values({ user_id: creator.id, titles: ['A quiet lake'], link: '', comment: '', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const items = Array.from({ length: POSTS }, () => ({
    user_id: creator.id,
    post_id: postId,
    subreddit_id: subredditId,
    account_id: null,
    title: 'A quiet lake',
    url: '',
    media_key: '',
    post_at: at,
    posted_at: at,
    state: 'posted' as const,
    created_at: at,
  }))
  const rows = await db.insertInto('scheduled_posts').values(items).returning('id').execute()
  return rows.map(({ id }) => id)
}
