import {
  type EARNINGS_GROUPS,
  LEAST_POSTS_COMPARED,
  LINK_PLACEHOLDER,
} from '../../../../contract/promotion.ts'

/** The groupings of earnings. */
export type EarningsGroup = (typeof EARNINGS_GROUPS)[number]

const CODE_LETTERS = 'abcdefghijkmnopqrstuvwxyz23456789'
/** Bytes that a code is made of. */
export const CODE_BYTES = 8

/** A post's code out of random bytes, as `POST_CODE` says it. */
export const codeOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('')

/** The first comment as the forum is sent it: the link that is counted stands where the comment names it. */
export function commentOf(
  { comment, code }: { comment: string; code: string | null },
  publicUrl: string,
): string {
  const link = code === null ? publicUrl : `${publicUrl}/go/${code}`
  return comment.replaceAll(LINK_PLACEHOLDER, () => link)
}

/** Visits and sales of one or several posts; amounts in cents, less refunds. */
export type Figures = {
  posts: number
  removed: number
  visits: number
  signUps: number
  follows: number
  trials: number
  redemptions: number
  sales: number
  salesCents: number
  renewals: number
  renewalsCents: number
}

/** One post with what it brought; hour and weekday (0 for Sunday) in its creator's time zone. */
export type PostFigures = Figures & {
  id: string
  subreddit: string
  title: string
  /** The forum’s; null while it isn’t known. */
  score: number | null
  flair: string | null
  hour: number
  weekday: number
}

export type EarningsRow = Figures & { key: string; label: string }

const NOTHING: Figures = {
  posts: 0,
  removed: 0,
  visits: 0,
  signUps: 0,
  follows: 0,
  trials: 0,
  redemptions: 0,
  sales: 0,
  salesCents: 0,
  renewals: 0,
  renewalsCents: 0,
}
const FIGURES = Object.keys(NOTHING) as (keyof Figures)[]

/** The sum of all of these. */
export function totalOf(posts: readonly Figures[]): Figures {
  const total = { ...NOTHING }
  for (const post of posts) for (const figure of FIGURES) total[figure] += post[figure]
  return total
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `8 PM`. */
const hourName = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
const weekdayName = (weekday: number) => WEEKDAYS[weekday] ?? ''

const NAMES: Record<EarningsGroup, (post: PostFigures) => { key: string; label: string }> = {
  post: ({ id, title, subreddit }) => ({ key: id, label: `${title} (r/${subreddit})` }),
  subreddit: ({ subreddit }) => ({ key: subreddit, label: `r/${subreddit}` }),
  title: ({ title }) => ({ key: title, label: title }),
  flair: ({ flair }) => ({ key: flair ?? '', label: flair ?? 'No flair' }),
  hour: ({ hour }) => ({ key: `${hour}`, label: hourName(hour) }),
  weekday: ({ weekday }) => ({ key: `${weekday}`, label: weekdayName(weekday) }),
}

const centsOf = ({ salesCents, renewalsCents }: Figures) => salesCents + renewalsCents

/** Posts put together by what they share, the most earned first, then the most visited. */
export function rowsOf(posts: readonly PostFigures[], by: EarningsGroup): EarningsRow[] {
  const name = NAMES[by]
  return grouped(posts, (post) => name(post).key)
    .map((group) => ({ ...name(group[0] as PostFigures), ...totalOf(group) }))
    .sort((a, b) => compareRanks(rankOf(a), rankOf(b)))
}

type Rank = { cents: number; visits: number; key: string }

const rankOf = (row: EarningsRow): Rank => ({ cents: centsOf(row), visits: row.visits, key: row.key })

function compareRanks(a: Rank, b: Rank): number {
  return b.cents - a.cents || b.visits - a.visits || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
}

const POSITION = /^(\d{1,15})\|(\d{1,15})\|([0-9a-f]{16})$/

/** Stands for a key in 16 hexadecimal digits. */
type Digest = (key: string) => string

/** Where a row stands, as a cursor carries it: keys may be as long as titles, so that their digest stands for them. */
export const positionOf = (row: EarningsRow, digestOf: Digest): string =>
  `${centsOf(row)}|${row.visits}|${digestOf(row.key)}`

/** The rows behind a position, whatever was sold meanwhile; null of a text that is none. */
export function rowsBehind(
  rows: readonly EarningsRow[],
  position: string,
  digestOf: Digest,
): EarningsRow[] | null {
  const [, cents, visits, digest] = POSITION.exec(position) ?? []
  if (cents === undefined || visits === undefined) return null
  const key = rows.find((row) => digestOf(row.key) === digest)?.key ?? ''
  const last = { cents: Number(cents), visits: Number(visits), key }
  return rows.filter((row) => compareRanks(rankOf(row), last) > 0)
}

/** Fewer posts at one hour, or in one place, may have been luck. */
const LEAST_ALIKE = 2
const MAX_SUGGESTED = 5
/** As many posts that did as well as all do are added to each group, so that few posts don’t count like many. */
const ASSUMED_POSTS = 3

export type Suggestions = {
  posts: number
  hours: { weekday: number; hour: number; reason: string }[]
  subreddits: { subreddit: string; reason: string }[]
}

/** The hours and subreddits whose posts did best, by what they earned, or by their visits where nothing was earned. */
export function suggest(posts: readonly PostFigures[], money: (cents: number) => string): Suggestions {
  const all = totalOf(posts)
  if (posts.length < LEAST_POSTS_COMPARED) return { posts: posts.length, hours: [], subreddits: [] }
  const isEarning = centsOf(all) > 0
  const figureOf = (figures: Figures) => (isEarning ? centsOf(figures) : figures.visits)
  const mean = figureOf(all) / posts.length
  /** Expected result of a post here, less by the share that was removed. */
  const score = (group: Figures) =>
    ((figureOf(group) + mean * ASSUMED_POSTS) / (group.posts + ASSUMED_POSTS)) *
    (1 - group.removed / (group.posts + ASSUMED_POSTS))
  const best = (by: (post: PostFigures) => string) =>
    grouped(posts, by)
      .map((group) => ({ of: group[0] as PostFigures, total: totalOf(group) }))
      .filter(({ total }) => total.posts >= LEAST_ALIKE && figureOf(total) > 0)
      .sort((a, b) => score(b.total) - score(a.total) || b.total.posts - a.total.posts)
      .slice(0, MAX_SUGGESTED)
  return {
    posts: posts.length,
    hours: best(({ weekday, hour }) => `${weekday} ${hour}`).map(({ of: { weekday, hour }, total }) => ({
      weekday,
      hour,
      reason: `${counted(total.posts, 'post')} at ${hourName(hour)} on ${weekdayName(weekday)}s brought ${broughtText(total, money)}.`,
    })),
    subreddits: best(({ subreddit }) => subreddit).map(({ of: { subreddit }, total }) => ({
      subreddit,
      reason: `${counted(total.posts, 'post')} in r/${subreddit} brought ${broughtText(total, money)}${removedText(total)}.`,
    })),
  }
}

function grouped(posts: readonly PostFigures[], by: (post: PostFigures) => string): PostFigures[][] {
  return [...Map.groupBy(posts, by).values()]
}

function broughtText(total: Figures, money: (cents: number) => string): string {
  const cents = centsOf(total)
  if (cents === 0) return counted(total.visits, 'visit')
  return `${money(cents)} in sales${total.renewalsCents > 0 ? ' and renewals' : ''}`
}

function removedText({ removed }: Figures): string {
  return removed === 0 ? '' : `; ${removed} ${removed === 1 ? 'was' : 'were'} removed`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
