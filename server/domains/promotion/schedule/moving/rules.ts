import { momentOf, wallTime } from '../../../../../contract/wall-time.ts'
import { type Limit, type PostFacts, verdictsOf } from '../rules.ts'

/** An item with the time that it has and the one that it is to get; among its facts no other item that moves is counted. */
export type MovingItem = {
  id: string
  post_at: Date
  next_at: Date
  title: string
  url: string
  flair_id: string | null
  subreddit_id: string
  media_key: string
  facts: PostFacts
}

export const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The moment so many days later at which a clock of the time zone shows the same time. Of a time that comes twice then it is
 * the first; one that is skipped is as much later.
 */
export function daysLater(moment: Date, days: number, timeZone: string): Date {
  // Read and set again, the second moment of a time that comes twice would become the first.
  if (days === 0) return moment
  const wall = wallTime(moment, timeZone)
  const day = new Date(Date.parse(wall.slice(0, 10)) + days * DAY_MS).toISOString().slice(0, 10)
  const minute = momentOf(`${day}${wall.slice(10)}`, timeZone)
  return minute ? new Date(minute.getTime() + (moment.getTime() % MINUTE_MS)) : moment
}

/** Why what would be moved into the past stays. */
export const PAST = 'That time has passed.'

/** The number of posts that stayed where they were for one reason, in a sentence. */
export type Stayed = { posts: number; reason: string }

/** The items that go to their next times, each judged beside the others where they are by then, and why the rest stays. */
export function decideMoves<Item extends MovingItem>(
  items: readonly Item[],
  now: Date,
): { moved: Item[]; stayed: Stayed[] } {
  const times = new Map(items.map(({ id, post_at }) => [id, post_at]))
  const moved: Item[] = []
  const reasons: string[] = []
  for (const item of inTurnsOfMoving(items)) {
    const { title, url, flair_id: flairId, next_at: at, facts } = item
    const others = items.filter(({ id }) => id !== item.id)
    const limits = facts.limits.map((limit) => ({
      ...limit,
      times: [
        ...limit.times,
        ...others.flatMap((other) => (counts(limit, item, other) ? (times.get(other.id) ?? []) : [])),
      ],
    }))
    const reason =
      at <= now ? PAST : verdictsOf({ title, url, flairId, at }, { ...facts, limits })[0]?.message
    if (reason === undefined) {
      times.set(item.id, at)
      moved.push(item)
    } else reasons.push(reason)
  }
  return { moved, stayed: stayedOf(reasons) }
}

/** Whether an item counts for a limit of another one. */
function counts({ rule }: Limit, item: MovingItem, other: MovingItem): boolean {
  const isThere = other.subreddit_id === item.subreddit_id
  const isSame = other.media_key === item.media_key
  return rule === 'frequency' ? isThere : rule === 'repost' ? isThere && isSame : isSame
}

/** One entry for each reason that a post stayed for, those of most posts first. */
function stayedOf(reasons: readonly string[]): Stayed[] {
  const groups = [...Map.groupBy(reasons, (reason) => reason)]
  return groups
    .map(([reason, posts]) => ({ posts: posts.length, reason }))
    .toSorted((one, other) => other.posts - one.posts)
}

/** The order in which items are moved, so that none is held to the place that another of them leaves. */
function inTurnsOfMoving<Item extends { post_at: Date; next_at: Date }>(items: readonly Item[]): Item[] {
  const sorted = items.toSorted((one, other) => one.next_at.getTime() - other.next_at.getTime())
  const isLater = ({ post_at, next_at }: Item) => next_at > post_at
  return [...sorted.filter(isLater).reverse(), ...sorted.filter((item) => !isLater(item))]
}
