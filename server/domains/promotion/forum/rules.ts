import type { Flair, PostRequirements, SubredditChange, SubredditRule } from '../../../../contract/forum.ts'
import type { ReadingState } from '../../../../contract/promotion.ts'

const HOUR_MS = 3_600_000

/** How old facts may get before they are read again: when somebody looks, and in the background. */
const FRESH_MS = 24 * HOUR_MS
/** Subreddits that can’t be read change seldom. */
const UNREADABLE_MS = 7 * 24 * HOUR_MS
const AGAIN_AFTER_FAILURE_MS = HOUR_MS

/**
 * The facts about a subreddit; flair and requirements are missing if no account asked, null if the forum doesn't
 * tell.
 */
export type Facts = {
  state: Exclude<ReadingState, 'unread'>
  rules: SubredditRule[]
  flair?: Flair[] | null | undefined
  requirements?: PostRequirements | null | undefined
}

type Kept = {
  state: ReadingState
  rules: SubredditRule[]
  flair: Flair[] | null
  requirements: PostRequirements | null
}

/** The changed fields; a field that was never read before can't have changed. */
export function changesOf(before: Kept, now: Facts): SubredditChange[] {
  if (before.state === 'unread') return []
  if (before.state !== now.state)
    return [{ part: 'access', before: { state: before.state }, after: { state: now.state } }]
  const changes: SubredditChange[] = []
  if (!isSame(before.rules, now.rules)) changes.push({ part: 'rules', ...differing(before.rules, now.rules) })
  if (now.flair && before.flair && !isSame(before.flair, now.flair))
    changes.push({ part: 'flair', ...differing(before.flair, now.flair) })
  if (now.requirements && before.requirements && !isSame(before.requirements, now.requirements))
    changes.push({ part: 'requirements', before: before.requirements, after: now.requirements })
  return changes
}

/** Those of each side that the other side doesn’t have; none where only their order is another. */
function differing<T extends object>(before: T[], after: T[]): { before: T[]; after: T[] } {
  const without = (some: T[], others: T[]) =>
    some.filter((one) => !others.some((other) => isSame(one, other)))
  return { before: without(before, after), after: without(after, before) }
}

/** Whether two values say the same, in whatever order the database keeps their fields. */
function isSame(one: object, other: object): boolean {
  return inOrder(one) === inOrder(other)
}

const inOrder = (value: object) =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** When a subreddit is read again by itself. */
export function nextReading(state: ReadingState, now: Date): Date {
  return new Date(now.getTime() + (state === 'read' ? FRESH_MS : UNREADABLE_MS))
}

/** The same after a failure. */
export function afterFailure(now: Date): Date {
  return new Date(now.getTime() + AGAIN_AFTER_FAILURE_MS)
}

/**
 * Whether what is kept was read so lately that the forum need not be asked: with an account, what takes one, too. What
 * one account couldn’t tell another is asked for after an hour.
 */
export function isFreshFor(
  kept: {
    state: ReadingState
    read_at: Date | null
    account_read_at: Date | null
    account_tried_at: Date | null
  },
  hasAccount: boolean,
  now: Date,
): boolean {
  const isWithin = (at: Date | null, span: number) => at !== null && now.getTime() - at.getTime() < span
  if (!isWithin(kept.read_at, FRESH_MS)) return false
  if (kept.state !== 'read' || !hasAccount) return true
  return isWithin(kept.account_read_at, FRESH_MS) || isWithin(kept.account_tried_at, AGAIN_AFTER_FAILURE_MS)
}
