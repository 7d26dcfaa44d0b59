import { MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import { turnedBy } from '../../../ui/selection.ts'

type Item = { _id: string }

/** Items chosen one by one or in ranges; `anchor` is where a range begins. */
export type Selection<Chosen extends Item> = { chosen: ReadonlyMap<string, Chosen>; anchor: string | null }

export const NOTHING_SELECTED: Selection<never> = { chosen: new Map<string, never>(), anchor: null }

/**
 * Turns one item of the list on or off; with `range` everything between it and the item turned before follows.
 * At most `MAX_MEDIA_SELECTED` are chosen; the rest stays as it was.
 */
export function toggle<Chosen extends Item>(
  { chosen, anchor }: Selection<Chosen>,
  items: readonly Chosen[],
  id: string,
  range: boolean,
): Selection<Chosen> {
  const { items: reached, on } = turnedBy({
    items,
    keyOf: ({ _id }) => _id,
    chosen,
    key: id,
    anchor: range ? anchor : null,
  })
  const next = new Map(chosen)
  for (const item of reached) {
    if (!on) next.delete(item._id)
    else if (next.size < MAX_MEDIA_SELECTED) next.set(item._id, item)
  }
  return { chosen: next, anchor: id }
}

/** Adds all of the list, as far as they can be chosen together. */
export function selectAll<Chosen extends Item>(
  { chosen, anchor }: Selection<Chosen>,
  items: readonly Chosen[],
): Selection<Chosen> {
  const next = new Map(chosen)
  for (const item of items) if (next.size < MAX_MEDIA_SELECTED) next.set(item._id, item)
  return { chosen: next, anchor }
}

/** The chosen items as they are now. */
export function refreshed<Chosen extends Item>(
  { chosen, anchor }: Selection<Chosen>,
  fresh: readonly Chosen[],
): Selection<Chosen> {
  const next = new Map(chosen)
  for (const item of fresh) if (next.has(item._id)) next.set(item._id, item)
  return { chosen: next, anchor }
}
