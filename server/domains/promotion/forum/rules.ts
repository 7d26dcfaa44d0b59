import type { Flair, PostRequirements, SubredditRule } from '../../../../contract/forum.ts'
import type { ReadingState } from '../../../../contract/promotion.ts'

const HOUR_MS = 3_600_000

/** How old what the forum said may be before it is asked again: for whoever looks, and by itself. */
export const FRESH_MS = 24 * HOUR_MS
/** What can’t be read changes seldom. */
const UNREADABLE_MS = 7 * 24 * HOUR_MS
const AGAIN_AFTER_FAILURE_MS = HOUR_MS

/** What the forum says of a subreddit; flair and requirements are missing where they weren’t read. */
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

export type Part = 'rules' | 'flair' | 'requirements' | 'access'

/** What is other than it was; what was never read before can’t have changed. */
export function changedParts(before: Kept, now: Facts): Part[] {
  if (before.state === 'unread') return []
  if (before.state !== now.state) return ['access']
  const parts: Part[] = []
  if (!isSame(before.rules, now.rules)) parts.push('rules')
  if (now.flair && before.flair && !isSame(before.flair, now.flair)) parts.push('flair')
  const { requirements } = now
  if (requirements && before.requirements && !isSame(before.requirements, requirements))
    parts.push('requirements')
  return parts
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

/** Whether something was read so lately that the forum need not be asked. */
export function isFresh(readAt: Date | null, now: Date): boolean {
  return readAt !== null && now.getTime() - readAt.getTime() < FRESH_MS
}
