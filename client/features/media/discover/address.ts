import type { FeedFilter } from './api.ts'

/** Tags that a feed can be narrowed to at once (`routes.discover`). */
export const MAX_FILTER_TAGS = 15

const TAGS = 'tagIds'
const SORT = 'sort'
const TYPE = 'type'
const WORDS = 'q'
const TAG_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Everything, the newest first. */
export const NO_FILTER: FeedFilter = { tagIds: [], sort: 'new', type: null }

/** The filters in discover's address; invalid ids, unknown values, and values beyond the limit are left out. */
export function filterInAddress(parameters: URLSearchParams): FeedFilter {
  const ids = parameters.getAll(TAGS).filter((id) => TAG_ID.test(id))
  const type = parameters.get(TYPE)
  return {
    tagIds: [...new Set(ids)].slice(0, MAX_FILTER_TAGS),
    sort: parameters.get(SORT) === 'popular' ? 'popular' : 'new',
    type: type === 'image' || type === 'video' ? type : null,
  }
}

/** The query of discover narrowed to this; what is usual is not said. */
export function filterAddress({ tagIds, sort, type }: FeedFilter): URLSearchParams {
  const address = new URLSearchParams(tagIds.slice(0, MAX_FILTER_TAGS).map((id) => [TAGS, id]))
  if (sort !== 'new') address.set(SORT, sort)
  if (type !== null) address.set(TYPE, type)
  return address
}

/** The words that are searched for; null when the address asks for no search, empty when it asks for words. */
export function wordsInAddress(parameters: URLSearchParams): string | null {
  return parameters.get(WORDS)?.trim() ?? null
}

/** The query of discover when these words are searched for; without words the feed itself. */
export function searchAddress(words: string): URLSearchParams {
  return new URLSearchParams(words ? { [WORDS]: words } : {})
}
