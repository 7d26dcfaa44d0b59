import type { Db } from '../../../../../db/client.ts'
import type { Audience } from '../../../../../viewer.ts'
import { type DiscoverRequest, listDiscover } from '../data.ts'

type Rows = ReturnType<typeof listDiscover>

/** How long visitors may see a page as it was, in milliseconds; what was locked or hidden since is gone after it. */
const FRESH_MS = 1000
/** Pages kept at once, of a few kilobytes each. */
const MAX_PAGES = 300

const pagesOf = new WeakMap<Db, Map<string, { readAt: number; rows: Rows }>>()

/**
 * The first pages of discover for visitors, who all see the same at the same place: read once for all who ask within a
 * second. Rows only: links are made for each viewer. Further pages by cursor are read anew.
 */
export function listDiscoverForVisitors(db: Db, visitor: Audience, request: DiscoverRequest): Rows {
  const { place } = visitor
  const read = () => listDiscover(db, visitor, request)
  const { cursor, limit, skip = 0 } = request.page
  if (cursor !== undefined) return read()
  const pages = pagesOf.get(db) ?? new Map<string, { readAt: number; rows: Rows }>()
  pagesOf.set(db, pages)
  const key = JSON.stringify([place.country, place.region, limit, skip, request.tagIds])
  const now = request.now.getTime()
  const kept = pages.get(key)
  if (kept && now - kept.readAt < FRESH_MS) return kept.rows
  const page = { readAt: now, rows: read() }
  pages.delete(key)
  pages.set(key, page)
  const [oldest] = pages.keys()
  if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest)
  page.rows.catch(() => pages.get(key) === page && pages.delete(key))
  return page.rows
}
