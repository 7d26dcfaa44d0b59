import { queryOptions } from '@tanstack/react-query'
import { keys } from '../../features/media/api.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

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
