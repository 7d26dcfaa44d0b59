/** Why what would be moved into the past stays. */
export const PAST = 'That time has passed.'

/** The number of posts that stayed where they were for one reason, in a sentence. */
export type Stayed = { posts: number; reason: string }

/** One entry for each reason that a post stayed for, those of most posts first. */
export function stayedOf(reasons: readonly string[]): Stayed[] {
  const groups = [...Map.groupBy(reasons, (reason) => reason)]
  return groups
    .map(([reason, posts]) => ({ posts: posts.length, reason }))
    .toSorted((one, other) => other.posts - one.posts)
}

/** The order in which items are moved, so that none is held to the place that another of them leaves. */
export function inTurnsOfMoving<Row extends { post_at: Date; next_at: Date }>(rows: readonly Row[]): Row[] {
  const sorted = rows.toSorted((one, other) => one.next_at.getTime() - other.next_at.getTime())
  const isLater = ({ post_at, next_at }: Row) => next_at > post_at
  return [...sorted.filter(isLater).reverse(), ...sorted.filter((row) => !isLater(row))]
}
