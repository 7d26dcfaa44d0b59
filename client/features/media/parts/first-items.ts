import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { keys } from '../api.ts'

/** The first items of what is shown to everybody: the newest, or those of the creators with the most fans. */
export function firstMediaQuery(limit: number, sort: 'new' | 'popular') {
  return queryOptions({
    queryKey: [...keys.lists, 'first', sort, limit],
    queryFn: ({ signal }) =>
      call(
        routes.discover,
        { query: { limit, tagIds: [], ...(sort === 'new' ? {} : { sort }) } },
        { signal },
      ),
  })
}

/** Whether the logged-in person has uploaded anything. */
export const anyMediaQuery = queryOptions({
  queryKey: [...keys.lists, 'any'],
  queryFn: ({ signal }) => call(routes.manageMedia, { query: { limit: 1, tagIds: [] } }, { signal }),
  select: ({ items }) => items.length > 0,
})

/** Whether this creator sells single items. Needs a login. */
export function anySingleQuery(creatorId: string) {
  return queryOptions({
    queryKey: [...keys.lists, 'anySingle', creatorId],
    queryFn: ({ signal }) => call(routes.purchasableMedia, { query: { creatorId, limit: 1 } }, { signal }),
    select: ({ items }) => items.length > 0,
  })
}
