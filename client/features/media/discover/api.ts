import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { listQuery, type Media } from '../api.ts'

/** Discover's filters, and its order. */
export type FeedFilter = {
  tagIds: readonly string[]
  sort: 'new' | 'popular'
  /** Null for both. */
  type: Media['type'] | null
}

/** Everything shown in search and free to see; with tags, what has any of them. */
export function discoverQuery({ tagIds, sort, type }: FeedFilter) {
  const query = {
    tagIds: [...tagIds],
    ...(sort === 'new' ? {} : { sort }),
    ...(type === null ? {} : { type }),
  }
  return listQuery(['discover', sort, type ?? '', ...tagIds], (cursor, signal) =>
    call(routes.discover, { query: { ...query, cursor } }, { signal }),
  )
}

/** The best matches for the words: items page by page, creators and tags with the first page. */
export function searchQuery(words: string) {
  return listQuery(['search', words], (cursor, signal) =>
    call(routes.search, { query: { query: words, cursor } }, { signal }),
  )
}
