/** Rows chosen by their keys, one by one or in ranges; `anchor` is where a range begins. */
export type Selection = { chosen: ReadonlySet<string>; anchor: string | null }

export const NOTHING_SELECTED: Selection = { chosen: new Set(), anchor: null }

/** Turns one row on or off; with `range` all between it and the row turned before become what it becomes. */
export function turned(
  { chosen, anchor }: Selection,
  keys: readonly string[],
  key: string,
  range: boolean,
): Selection {
  const end = keys.indexOf(key)
  const start = range && anchor !== null ? keys.indexOf(anchor) : -1
  const reached = start < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1)
  const next = new Set(chosen)
  for (const one of reached) {
    if (chosen.has(key)) next.delete(one)
    else next.add(one)
  }
  return { chosen: next, anchor: key }
}

/** All of these rows, or none of them when all are chosen already; what is not shown now stays as it is. */
export function allTurned({ chosen }: Selection, keys: readonly string[]): Selection {
  const next = new Set(chosen)
  const complete = keys.every((key) => chosen.has(key))
  for (const key of keys) {
    if (complete) next.delete(key)
    else next.add(key)
  }
  return { chosen: next, anchor: null }
}
