import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** Whether the operator takes tips. */
export const donationsQuery = queryOptions({
  queryKey: [...roots.config, 'donations'],
  queryFn: ({ signal }) => call(routes.donations, {}, { signal }),
})
