type Item = { _id: string }

/** A list in which the item at `from` stands at `to`. */
export function moved<One>(items: readonly One[], from: number, to: number): One[] {
  const next = [...items]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

/** The items in the order of these ids; those that came since follow in their own order. */
export function arranged<One extends Item>(items: readonly One[], ids: readonly string[]): One[] {
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = ({ _id }: One) => place.get(_id) ?? ids.length
  return items.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** The pages of a list with the same number of items each, in this order. */
export function repaged<One extends Item, Page extends { items: One[] }>(
  pages: readonly Page[],
  items: readonly One[],
): Page[] {
  let start = 0
  return pages.map((page) => {
    const end = start + page.items.length
    const own = items.slice(start, end)
    start = end
    return { ...page, items: own }
  })
}
