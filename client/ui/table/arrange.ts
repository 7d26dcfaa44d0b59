/** What is shown of the rows, and in which order. */
export type Arrangement = {
  sort: { column: string; descending: boolean } | null
  search: string
  only: string
}

export const AS_IT_COMES: Arrangement = { sort: null, search: '', only: '' }

/** The part of a column that says how rows are found and put in order. */
export type Arranged<Row> = {
  id: string
  /** What a row is sorted by here; a column without it can’t be. */
  value?: (row: Row) => string | number
  /** What its cell shows, as text: a row is found by it. A column without it is not searched. */
  text?: (row: Row) => string
}

const COLLATOR = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })

/** The rows that hold every word searched for, and that belong to the group asked for, in the order asked for. */
export function arrange<Row>(
  rows: readonly Row[],
  columns: readonly Arranged<Row>[],
  { sort, search, only }: Arrangement,
  groupOf?: (row: Row) => string,
): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const texts = (row: Row) => columns.flatMap(({ text }) => (text ? [text(row).toLowerCase()] : []))
  const found = rows.filter((row) => {
    if (only !== '' && groupOf?.(row) !== only) return false
    return words.length === 0 || words.every((word) => texts(row).some((text) => text.includes(word)))
  })
  const value = columns.find(({ id }) => id === sort?.column)?.value
  if (!sort || !value) return found
  const sign = sort.descending ? -1 : 1
  return found.sort((one, other) => sign * compared(value(one), value(other)))
}

function compared(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : COLLATOR.compare(String(one), String(other))
}

/** What a click on the head of a column leads to: up, down, and back to how the rows come. */
export function sortedNext(sort: Arrangement['sort'], column: string): Arrangement['sort'] {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? null : { column, descending: true }
}
