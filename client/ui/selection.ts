/** What one click turns: these items become selected, or these no longer are. */
export type Turned<One> = { items: One[]; on: boolean }

type Click<One> = {
  items: readonly One[]
  keyOf: (one: One) => string
  /** What is selected before the click. */
  chosen: { has(key: string): boolean }
  /** The item that is clicked. */
  key: string
  /** The item from which a range begins; null for a click on one item alone. */
  anchor: string | null
}

/**
 * The items that a click turns: the clicked one, or with an `anchor` everything from there to it, in that direction. All
 * become what the clicked one becomes; those that already are it are left out.
 */
export function turnedBy<One>({ items, keyOf, chosen, key, anchor }: Click<One>): Turned<One> {
  const place = (wanted: string | null) => items.findIndex((one) => keyOf(one) === wanted)
  const end = place(key)
  if (end < 0) return { items: [], on: false }
  const from = anchor === null ? -1 : place(anchor)
  const start = from < 0 ? end : from
  const reached = start <= end ? items.slice(start, end + 1) : items.slice(end, start + 1).reverse()
  const on = !chosen.has(key)
  return { items: reached.filter((one) => chosen.has(keyOf(one)) !== on), on }
}

/** Rows chosen by their keys, one by one or in ranges; `anchor` is where a range begins. */
export type Selection = { chosen: ReadonlySet<string>; anchor: string | null }

export const NOTHING_SELECTED: Selection = { chosen: new Set(), anchor: null }

/** Turns one row, with `range` everything between it and the row turned before. */
export function turned(
  { chosen, anchor }: Selection,
  keys: readonly string[],
  key: string,
  range: boolean,
): Selection {
  const { items, on } = turnedBy({
    items: keys,
    keyOf: (one) => one,
    chosen,
    key,
    anchor: range ? anchor : null,
  })
  return { chosen: withKeys(chosen, items, on), anchor: key }
}

/** All of these rows, or none of them when all are chosen already; what is not shown now stays as it is. */
export function allTurned({ chosen }: Selection, keys: readonly string[]): Selection {
  const complete = keys.every((key) => chosen.has(key))
  return { chosen: withKeys(chosen, keys, !complete), anchor: null }
}

function withKeys(chosen: ReadonlySet<string>, keys: readonly string[], on: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const key of keys) {
    if (on) next.add(key)
    else next.delete(key)
  }
  return next
}
