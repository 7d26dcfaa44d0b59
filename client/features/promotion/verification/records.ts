import type { InfiniteData } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { verificationRoutes } from '../../../../contract/routes/promotion/verification.ts'
import type { List } from '../../../ui/list/use-list.ts'

export type VerificationRecord = Output<typeof verificationRoutes.updateVerification>
export type Status = VerificationRecord['status']
export type Confirmation = VerificationRecord['confirmed']

/** The statuses in the order of their columns. */
export const STATUSES = ['todo', 'pending', 'done'] as const satisfies readonly Status[]

/** One column as the board shows it. */
export type RecordList = Omit<List, 'items'> & { items: VerificationRecord[] }

type RecordPage = Output<typeof verificationRoutes.verificationRecords>
/** A column of the board as the cache holds it. */
export type Pages = InfiniteData<RecordPage>

const orderOf = ({ name }: { name: string }) => name.toLowerCase()

/** Whether the search finds a record, `r/` in front of it or not, as the server does. */
export const isFoundBy = (record: { name: string }, search: string) =>
  orderOf(record).includes(search.toLowerCase().replace(/^\/?r\//, ''))

/** The column without the record of this name. */
export function withoutRecord(list: Pages, name: string): Pages {
  const items = (page: RecordPage) => page.items.filter((item) => orderOf(item) !== name.toLowerCase())
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: items(page) })) }
}

/** The column with the record at its place by name; left out where that lies beyond what is loaded. */
export function withRecord(list: Pages, record: VerificationRecord): Pages {
  const pages = withoutRecord(list, record.name).pages
  const isAfter = (item: VerificationRecord) => orderOf(item) > orderOf(record)
  const found = pages.findIndex(({ items }) => items.some(isAfter))
  const last = pages.length - 1
  if (found < 0 && pages[last]?.hasMore) return { ...list, pages }
  const at = found < 0 ? last : found
  return {
    ...list,
    pages: pages.map((page, index) => {
      if (index !== at) return page
      const place = page.items.findIndex(isAfter)
      const items = [...page.items]
      items.splice(place < 0 ? items.length : place, 0, record)
      return { ...page, items }
    }),
  }
}

/** The list with another status of the record of this name. */
export function withStatus(list: Pages, name: string, status: Status): Pages {
  const items = (page: RecordPage) =>
    page.items.map((item) => (orderOf(item) === name.toLowerCase() ? { ...item, status } : item))
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: items(page) })) }
}

/** The column with one record fewer of a status and one more of another. */
export function changedCounts(list: Pages, from: Status, to: Status): Pages {
  if (from === to) return list
  const counts = (page: RecordPage) => ({
    ...page.counts,
    [from]: Math.max(0, page.counts[from] - 1),
    [to]: page.counts[to] + 1,
  })
  return { ...list, pages: list.pages.map((page) => ({ ...page, counts: counts(page) })) }
}
