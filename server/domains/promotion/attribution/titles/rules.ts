import { type Figures, type PostFigures, totalOf } from '../rules.ts'

/** Of each of two titles so many posts are needed to say which is better. */
export const LEAST_POSTS_OF_TITLE = 5
/** How far apart two titles are that differ by chance one time in twenty, in standard deviations. */
const BY_CHANCE = 1.96

export type ComparedTitle = Figures & { title: string; score: number | null }
export type Comparison = { titles: ComparedTitle[]; verdict: string }

/**
 * Results of the posts under each title, the most visited per post first, and whether the difference is more than
 * chance: by visits, or by scores if nobody came by a link.
 */
export function compareTitles(posts: readonly PostFigures[]): Comparison {
  const isVisited = posts.some(({ visits }) => visits > 0)
  const figureOf = ({ visits, score }: PostFigures) => (isVisited ? visits : (score ?? 0))
  const groups = [...Map.groupBy(posts, ({ title }) => title)]
    .map(([title, its]) => ({ title, its, values: its.map(figureOf) }))
    .sort((one, other) => meanOf(other.values) - meanOf(one.values))
  const titles = groups.map(({ title, its }) => ({
    ...totalOf(its),
    title,
    score: medianOf(its.flatMap(({ score }) => (score === null ? [] : [score]))),
  }))
  const [first, second] = groups.filter(({ its }) => its.length >= LEAST_POSTS_OF_TITLE)
  if (!first || !second)
    return { titles, verdict: `Too early to tell: two titles need ${LEAST_POSTS_OF_TITLE} posts each.` }
  const unit = isVisited ? 'visits' : 'points'
  const [ahead, behind] = [first, second].map(({ values }) => meanOf(values).toFixed(1))
  const verdict =
    distanceOf(first.values, second.values) > BY_CHANCE
      ? `“${first.title}” leads with ${ahead} ${unit} a post, against ${behind} for the next.`
      : `No clear difference yet: ${ahead} and ${behind} ${unit} a post may be chance.`
  return { titles, verdict }
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[half - 1], sorted[half]]
  if (high === undefined) return null
  return sorted.length % 2 === 0 && low !== undefined ? (low + high) / 2 : high
}

/**
 * How far the ranks of two samples are apart, in standard deviations: the rank-sum test of Mann and Whitney, with its
 * correction for equal numbers. A post that went around the world counts as one rank, not as a thousand visits.
 */
export function distanceOf(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].sort((a, b) => a - b)
  const total = all.length
  const rankOf = (number: number) => (all.indexOf(number) + all.lastIndexOf(number)) / 2 + 1
  const ranks = one.reduce((sum, number) => sum + rankOf(number), 0)
  const expected = (one.length * (total + 1)) / 2
  const ties = [...Map.groupBy(all, (number) => number).values()].reduce(
    (sum, { length }) => sum + (length ** 3 - length),
    0,
  )
  const variance = ((one.length * other.length) / 12) * (total + 1 - ties / (total * (total - 1)))
  return variance === 0 ? 0 : Math.abs(ranks - expected) / Math.sqrt(variance)
}
