import type { Media } from '../../media/api.ts'

type Item = { _id: string }

/** What a click turned: the items that are now in, or that are now out. */
export type Turned<One extends Item> = { items: One[]; on: boolean }

/**
 * Which items a click on the one at `index` turns: itself, or with an `anchor` everything from there to it,
 * in the direction of the clicks. All become what the clicked one becomes; those that are it already are left out.
 */
export function turnedBy<One extends Item>(
  items: readonly One[],
  chosen: ReadonlySet<string>,
  index: number,
  anchor: number | null,
): Turned<One> {
  const clicked = items[index]
  if (!clicked) return { items: [], on: false }
  const on = !chosen.has(clicked._id)
  const start = anchor ?? index
  const reached = start <= index ? items.slice(start, index + 1) : items.slice(index, start + 1).reverse()
  return { items: reached.filter(({ _id }) => chosen.has(_id) !== on), on }
}

/** What something that is sold holds; `videoSeconds` is how long its videos are together. */
export type Held = { photoCount: number; videoCount: number; videoSeconds: number }

/** What is held with these items more, or with `sign` -1 without them. */
export function withItems(
  held: Held,
  items: readonly Pick<Media, 'type' | 'duration'>[],
  sign: 1 | -1,
): Held {
  const sum = { ...held }
  for (const { type, duration } of items) {
    if (type === 'image') sum.photoCount += sign
    else sum.videoCount += sign
    if (type === 'video') sum.videoSeconds += sign * (duration ?? 0)
  }
  return sum
}
