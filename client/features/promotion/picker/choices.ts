import { SUBREDDIT_NAME } from '../../../../contract/promotion.ts'

/** The subreddits of a post: where it may be posted, and where it won’t be. */
export type Choices = { usable: readonly string[]; discarded: readonly string[] }
export type Place = keyof Choices | null
/** Subreddits that choosing leaves where they are: the post is to go up there, or went up. */
export type Settled = { onTimeline: readonly string[]; posted: readonly string[] }
/** Some subreddits that go to one place. */
export type Move = { names: readonly string[]; place: Place }

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Where a subreddit stands. */
export function placeOf({ usable, discarded }: Choices, name: string): Place {
  if (usable.some((one) => same(one, name))) return 'usable'
  return discarded.some((one) => same(one, name)) ? 'discarded' : null
}

/** How a subreddit is settled; null for one that can be chosen. */
export function settledAs({ onTimeline, posted }: Settled, name: string): keyof Settled | null {
  if (onTimeline.some((one) => same(one, name))) return 'onTimeline'
  return posted.some((one) => same(one, name)) ? 'posted' : null
}

/** The choices with these subreddits at another place, behind those that are there; null takes them out. */
export function moved(choices: Choices, { names, place }: Move): Choices {
  const others = (list: readonly string[]) => list.filter((one) => !names.some((name) => same(one, name)))
  const once = names.filter((name, index) => names.findIndex((one) => same(one, name)) === index)
  const added = once.filter((name) => placeOf(choices, name) !== place)
  const kept = (at: keyof Choices) => (at === place ? [...choices[at], ...added] : others(choices[at]))
  return { usable: kept('usable'), discarded: kept('discarded') }
}

/** The moves that undo a move: each of the names goes to where it was before. */
export function movesBack(before: Choices, names: readonly string[]): Move[] {
  return (['usable', 'discarded', null] as const)
    .map((place) => ({ names: names.filter((name) => placeOf(before, name) === place), place }))
    .filter((move) => move.names.length > 0)
}

/** The choices that the server would take, and the names that it would refuse together with all the others. */
export function takable({ usable, discarded }: Choices): { choices: Choices; refused: string[] } {
  const isName = (name: string) => SUBREDDIT_NAME.test(name)
  return {
    choices: { usable: usable.filter(isName), discarded: discarded.filter(isName) },
    refused: [...usable, ...discarded].filter((name) => !isName(name)),
  }
}
