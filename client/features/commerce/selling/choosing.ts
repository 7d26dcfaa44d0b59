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
