import { queryOptions } from '@tanstack/react-query'
import { keys } from '../../features/media/api.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

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
